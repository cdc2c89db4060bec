import { setTimeout as wait } from 'node:timers/promises'

const dayMs = 86_400_000
/** Longer than any test that uses this takes on a slow machine, but shorter than a hook may take. */
const neededMs = 75_000

/**
 * For tests in which “today” must not change. Shortly before midnight in Accra (UTC), it waits until the next day has
 * begun.
 */
export const earlyEnoughToday = (): Promise<void> => earlyEnoughFor(neededMs)

/** Like `earlyEnoughToday`, for a hook. @param needed how long the tests after the hook take, ms. */
export const earlyEnoughFor = async (needed: number): Promise<void> => {
  const leftMs = dayMs - (Date.now() % dayMs)
  if (leftMs < needed) await wait(leftMs + 100)
}

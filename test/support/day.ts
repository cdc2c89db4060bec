import { setTimeout as wait } from 'node:timers/promises'

const dayMs = 86_400_000
/** Longer than any test that needs it takes on a slow machine, shorter than a hook may take. */
const neededMs = 75_000

/**
 * For tests in which “today” has to stay the same day: shortly before midnight in Accra, which is UTC's, it resolves
 * when the next day has begun.
 */
export const earlyEnoughToday = (): Promise<void> => earlyEnoughFor(neededMs)

/** The same where a hook prepares for tests that follow, in ms. */
export const earlyEnoughFor = async (needed: number): Promise<void> => {
  const leftMs = dayMs - (Date.now() % dayMs)
  if (leftMs < needed) await wait(leftMs + 100)
}

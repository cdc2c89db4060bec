import { setTimeout as nodeWait } from 'node:timers/promises'

/** Node fires a longer timer at once. */
const maxMs = 2 ** 31 - 1

/**
 * The delay to ask of Node so that no clock shows less than so many ms when the timer fires. Node counts whole ms from a
 * time that it rounded down, so its own timers may fire up to 1 ms early, when what they were set for is not yet due.
 */
export const timerMs = (ms: number): number => Math.min(maxMs, Math.ceil(ms) + 1)

/** Resolves after so many ms, and never before. @throws AbortError if the signal says so. */
export const wait = <T = void>(
  ms: number,
  value?: T,
  options?: { signal?: AbortSignal; ref?: boolean },
): Promise<T> => nodeWait(timerMs(ms), value, options) as Promise<T>

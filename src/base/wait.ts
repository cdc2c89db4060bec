import { setTimeout as nodeWait } from 'node:timers/promises'

/** The longest delay of Node's timers. With a longer one, a timer fires immediately. */
const maxMs = 2 ** 31 - 1

/**
 * The delay to pass to Node so that its timer never fires early, ms. Node counts whole ms from a time that it has
 * rounded down, so its timers may fire up to 1 ms early.
 */
export const timerMs = (ms: number): number => Math.min(maxMs, Math.ceil(ms) + 1)

/** Resolves after `ms`, never earlier. @throws AbortError if the signal is aborted. */
export const wait = <T = void>(
  ms: number,
  value?: T,
  options?: { signal?: AbortSignal; ref?: boolean },
): Promise<T> => nodeWait(timerMs(ms), value, options) as Promise<T>

/** Resolves after `ms`, never earlier. @throws AbortError if the signal is aborted before that. */
export const waitUnlessAborted = (ms: number, signal?: AbortSignal): Promise<void> =>
  wait(ms, undefined, signal && { signal })

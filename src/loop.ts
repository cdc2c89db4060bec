import { setTimeout as wait } from 'node:timers/promises'

/** Work that is done again and again: when woken, and at the latest after an interval. */
export interface Loop {
  start(): void
  /** There is something to do now. */
  wake(): void
  /** Ends after the round under way. */
  stop(): Promise<void>
}

/**
 * @param work one round; it returns when it has done what was due.
 * @param onError told of a round that failed; the next one comes after the interval.
 */
export const createLoop = (options: {
  work: () => Promise<void>
  everyMs: number
  /** How long it rests after each round, woken or not: what comes meanwhile is done together. */
  restMs?: number
  onError: (error: unknown) => void
}): Loop => {
  let running: Promise<void> | null = null
  const ended = new AbortController()
  let nap = new AbortController()

  const run = async () => {
    while (!ended.signal.aborted) {
      // Made before the round, so that a call while it runs ends the nap that follows.
      nap = new AbortController()
      await options.work().catch(options.onError)
      if (options.restMs !== undefined) await sleep(options.restMs, ended.signal)
      if (!ended.signal.aborted) await sleep(options.everyMs, nap.signal)
    }
  }

  return {
    start: () => {
      running ??= run()
    },
    wake: () => nap.abort(),
    stop: async () => {
      ended.abort()
      nap.abort()
      await running
    },
  }
}

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  wait(ms, undefined, { signal }).catch(() => {})

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
  onError: (error: unknown) => void
}): Loop => {
  let running: Promise<void> | null = null
  let stopped = false
  let nap = new AbortController()

  const run = async () => {
    while (!stopped) {
      // Made before the round, so that a call while it runs ends the nap that follows.
      nap = new AbortController()
      await options.work().catch(options.onError)
      if (!stopped) await wait(options.everyMs, undefined, { signal: nap.signal }).catch(() => {})
    }
  }

  return {
    start: () => {
      running ??= run()
    },
    wake: () => nap.abort(),
    stop: async () => {
      stopped = true
      nap.abort()
      await running
    },
  }
}

import { setTimeout as wait } from 'node:timers/promises'

/** Work that repeats: when woken, and after an interval at the latest. */
export interface Loop {
  start(): void
  /** Wakes the loop: there is something to do now. */
  wake(): void
  /** Ends the loop after its current round. */
  stop(): Promise<void>
}

/**
 * Starts a loop.
 * @param work one round; it returns when all due work is done.
 * @param onError called for a failed round; the next one comes after the interval.
 */
export const createLoop = (options: {
  work: () => Promise<void>
  /** How long a nap lasts that nobody ends, ms; asked before each. */
  everyMs: number | (() => number)
  /** The rest after each round, woken or not, so that work arriving meanwhile is done together. */
  restMs?: number
  onError: (error: unknown) => void
}): Loop => {
  let running: Promise<void> | null = null
  const ended = new AbortController()
  let nap = new AbortController()

  const napMs = () => (typeof options.everyMs === 'number' ? options.everyMs : options.everyMs())

  const run = async () => {
    while (!ended.signal.aborted) {
      // Made before the round, so that a wake-up during it ends the nap that follows.
      nap = new AbortController()
      await options.work().catch(options.onError)
      if (options.restMs !== undefined) await sleep(options.restMs, ended.signal)
      if (!ended.signal.aborted) await sleep(napMs(), nap.signal)
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

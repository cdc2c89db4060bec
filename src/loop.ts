import { timerMs } from './wait.ts'

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
  /** How long a nap lasts that nobody ends, ms. */
  everyMs: number
  /** The rest after each round, woken or not, so that work arriving meanwhile is done together. */
  restMs?: number
  onError: (error: unknown) => void
}): Loop => {
  let running: Promise<void> | null = null
  let hasEnded = false
  let rest = createNap()
  let nap = createNap()

  const run = async () => {
    while (!hasEnded) {
      // Made before the round, so that a wake-up during it ends the nap that follows.
      nap = createNap()
      rest = createNap()
      await options.work().catch(options.onError)
      if (options.restMs !== undefined && !hasEnded) await rest.take(options.restMs)
      if (!hasEnded) await nap.take(options.everyMs)
    }
  }

  return {
    start: () => {
      running ??= run()
    },
    wake: () => nap.end(),
    stop: async () => {
      hasEnded = true
      rest.end()
      nap.end()
      await running
    },
  }
}

/** A pause that may be ended early, or before it is taken. An abort signal would make two errors for each. */
const createNap = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const end = (): void => {
    isOver = true
    clearTimeout(timer)
    resolve()
  }
  return {
    take: (ms: number): Promise<void> => {
      if (!isOver) timer = setTimeout(end, timerMs(ms))
      return promise
    },
    end,
  }
}

import { timerMs } from './wait.ts'

/** Repeats its work when woken, and after an interval at the latest. */
export interface Loop {
  start(): void
  wake(): void
  /** Ends the loop after its current round. */
  stop(): Promise<void>
}

/**
 * The loop runs after `start`.
 * @param work one round; it returns when all due work is done
 * @param onError called for a failed round; the next round comes after the interval
 */
export const createLoop = (options: {
  work: () => Promise<void>
  /** How long the loop sleeps if nobody wakes it, ms. */
  everyMs: number
  /**
   * How long the loop pauses after each round, even if it is woken, ms. Work that arrives in the pause is done
   * together.
   */
  restMs?: number
  onError: (error: unknown) => void
}): Loop => {
  let running: Promise<void> | null = null
  let hasEnded = false
  let rest = createNap()
  let nap = createNap()

  const run = async () => {
    while (!hasEnded) {
      // Created before the round, so that a wake-up during the round ends the nap after it.
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

/**
 * A pause that can be ended early, even before it begins. An abort signal would do the same, but would create two
 * errors for each pause.
 */
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

/** A clock that all processes on one database share, however their own clocks are set. */
export interface Clock {
  now(): Date
  /** Measures the difference between the database's clock and ours. Call it regularly. */
  measure(): Promise<void>
}

/** Slower answers are ignored: the process may have been suspended while the answer was waiting. */
const maxMs = 250

/**
 * @param ask reads the database's clock; null if no other process uses the database, so that our own clock suffices
 */
export const createClock = (
  ask: (() => Promise<Date>) | null,
  ownMs: () => number = Date.now,
  monotonicMs: () => number = () => performance.now(),
): Clock => {
  let offsetMs = 0
  return {
    now: () => new Date(ownMs() + offsetMs),
    measure: async () => {
      if (!ask) return
      const startedMs = monotonicMs()
      const told = await ask()
      const tookMs = monotonicMs() - startedMs
      if (tookMs <= maxMs) offsetMs = Math.round(told.getTime() + tookMs / 2 - ownMs())
    },
  }
}

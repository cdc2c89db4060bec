/** A clock that all processes on one database share, however their own clocks are set. */
export interface Clock {
  now(): Date
  /** Measures the difference between the database's clock and ours. Call it regularly. */
  measure(): Promise<void>
}

/** An answer that took longer is ignored: the process may have been suspended before it arrived. */
const maxMs = 250

/** @param ask reads the database's clock; null: there are no other processes, and our own clock is used. */
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

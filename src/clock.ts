/** A time that all processes on one database share, however their own clocks are set. */
export interface Clock {
  now(): Date
  /** Measures the difference to the own clock; call it regularly. */
  measure(): Promise<void>
}

/** A slower answer proves too little: the process may have been suspended meanwhile. */
const maxMs = 250

/** Creates the clock. @param ask reads the database's clock; null: nobody else has to agree. */
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

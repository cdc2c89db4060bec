/** A time by which all processes on one database agree, however their own clocks are set. */
export interface Clock {
  now(): Date
  /** Looks how far the own clock is off; to be called again and again. */
  measure(): Promise<void>
}

/** An answer that took longer says too little: the process may have stood still meanwhile. */
const longestMs = 250

/** @param ask the clock of the database; null: nobody else has to agree. */
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
      if (tookMs <= longestMs) offsetMs = Math.round(told.getTime() + tookMs / 2 - ownMs())
    },
  }
}

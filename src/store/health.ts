import { setTimeout as wait } from 'node:timers/promises'
import { type OutageCause, refusalIn } from './outage.ts'

/** A time in which the database takes no changes. */
export interface Outage {
  cause: OutageCause
  /** By the monotonic clock, ms. */
  sinceMs: number
}

/** Whether the database takes changes. Reads may go on while it does not: a full disk can be read. */
export interface DatabaseHealth {
  /** As far as is known without asking; null while it takes changes. */
  outage(): Outage | null
  /** Told of each failure of a query: one that the database refuses begins an outage. */
  note(error: unknown): void
  /** Writes something, unless that was just done. */
  look(): Promise<Outage | null>
  /** Resolves when the outage is over, at the latest after so many ms. */
  recovered(withinMs: number): Promise<void>
  /** To be called again and again: looks whether an outage is over. */
  round(): Promise<void>
}

/** A database that takes longer than this is of no use to somebody who waits, or to a probe. */
const longestWriteMs = 3_000
/** Anybody may ask /readyz, and each look is a commit. */
const freshMs = 2_000
const lookAgainMs = 100

/**
 * @param write one small transaction, as a purchase needs it.
 * @param onBegin told when an outage begins, of which nobody knows yet how long it lasts.
 * @param onEnd told when it is over.
 */
export const createDatabaseHealth = (options: {
  write: () => Promise<unknown>
  monotonicMs: () => number
  onBegin?: (outage: Outage, error: unknown) => void
  onEnd?: (outage: Outage) => void
}): DatabaseHealth => {
  const { write, monotonicMs, onBegin = () => {}, onEnd = () => {} } = options
  let outage: Outage | null = null
  let looking: Promise<void> | null = null
  let wroteAtMs = Number.NEGATIVE_INFINITY

  const begin = (cause: OutageCause, error: unknown): void => {
    if (outage) {
      if (cause !== 'failing') outage = { ...outage, cause }
      return
    }
    outage = { cause, sinceMs: monotonicMs() }
    onBegin(outage, error)
  }

  const end = (): void => {
    wroteAtMs = monotonicMs()
    const ended = outage
    outage = null
    if (ended) onEnd(ended)
  }

  const attempt = async (): Promise<void> => {
    try {
      await within(longestWriteMs, write())
      end()
    } catch (error) {
      begin(error === late ? 'locked' : (refusalIn(error)?.cause ?? 'failing'), error)
    }
  }

  const look = async (): Promise<Outage | null> => {
    if (outage || monotonicMs() - wroteAtMs > freshMs) {
      looking ??= attempt().finally(() => {
        looking = null
      })
      await looking
    }
    return outage
  }

  return {
    outage: () => outage,
    note: (error) => {
      const refusal = refusalIn(error)
      if (refusal === null) return
      begin(refusal.cause, error)
      // A connection that broke alone is no outage.
      void look()
    },
    look,
    recovered: async (withinMs) => {
      const endsMs = monotonicMs() + withinMs
      while (outage && monotonicMs() < endsMs) await wait(lookAgainMs)
    },
    round: async () => {
      if (outage) await look()
    },
  }
}

const late = new Error(`The database did not answer within ${longestWriteMs} ms.`)

const within = async (limitMs: number, work: Promise<unknown>): Promise<void> => {
  const answered = new AbortController()
  const limit = wait(limitMs, undefined, { signal: answered.signal }).then(() => {
    throw late
  })
  limit.catch(() => {})
  work.catch(() => {})
  try {
    await Promise.race([work, limit])
  } finally {
    answered.abort()
  }
}

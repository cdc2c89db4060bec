import { wait } from '../wait.ts'
import { type OutageCause, refusalIn } from './outage.ts'

/** A time in which the database takes no changes. */
export interface Outage {
  cause: OutageCause
  /** The beginning by the monotonic clock, in ms. */
  sinceMs: number
}

/** Whether the database takes changes. Reads may go on while it does not: a full disk can be read. */
export interface DatabaseHealth {
  /** The current outage as far as known without asking; null while the database takes changes. */
  outage(): Outage | null
  /** Notes a failed query: a write that the database refuses begins an outage. */
  note(error: unknown): void
  /** Tests a write, unless one was just tested. */
  look(): Promise<Outage | null>
  /** Resolves when the outage is over, or after that many ms. */
  recovered(withinMs: number): Promise<void>
  /** Call regularly: tests whether an outage is over. */
  round(): Promise<void>
}

/** A write that takes longer is of no use to a waiting person or a probe. */
const maxWriteMs = 3_000
/** How long a test stays fresh: anybody may ask /readyz, and each test is a commit. */
const freshMs = 2_000
const lookAgainMs = 100

/**
 * Watches whether the database takes changes.
 * @param write one small transaction, like a purchase's.
 * @param onBegin called when an outage begins; its length is unknown then.
 * @param onEnd called when the outage is over.
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
      await within(maxWriteMs, write())
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
      // A broken connection alone is no outage.
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

const late = new Error(`The database did not answer within ${maxWriteMs} ms.`)

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

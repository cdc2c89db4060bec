import { wait } from '../base/wait.ts'
import { type OutageCause, refusalIn } from './outage.ts'

/** A period in which the database cannot be written. */
export interface Outage {
  cause: OutageCause
  /** When the outage began, by the monotonic clock, in ms. */
  sinceMs: number
}

/**
 * Whether the database can be written. Reads may still work during an outage: a database on a full disk can be
 * read.
 */
export interface DatabaseHealth {
  /** The outage that is known now, without a new test. */
  outage(): Outage | null
  /** Notes a failed query. If the database refused a write, an outage begins. */
  note(error: unknown): void
  /**
   * Tests a write, unless one has just succeeded.
   * @returns the outage, or null
   */
  look(): Promise<Outage | null>
  /** Resolves when the outage is over, or after that many ms. */
  recovered(withinMs: number): Promise<void>
  /** Call this regularly: it tests whether an outage is over. */
  round(): Promise<void>
}

/** A test that takes longer counts as failed, because a person or a probe is waiting for it. */
const maxWriteMs = 3_000
/** How long a successful test counts. Each test is a commit, and anybody can request /readyz. */
const writeFreshMs = 2_000
const lookAgainMs = 100

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
    if (outage || monotonicMs() - wroteAtMs > writeFreshMs) {
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
      // A broken connection alone is not an outage. A test of a write shows whether there is one.
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

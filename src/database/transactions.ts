import type { Prisma, PrismaClient } from './client/sqlite/client.ts'
import { untilNoConflict } from './conflicts.ts'
import { join } from './sql.ts'
import { createTurns } from './turns.ts'

/** What queries run on: the database itself, or one transaction of it. */
export type Client = PrismaClient | Prisma.TransactionClient

/** How a transaction runs. */
export interface TransactionOptions {
  /**
   * The ids of the accounts that it has to itself: what it reads of them changes for nobody else until its end. Nothing
   * else is its own: a row of no account that it reads, in order to write it, is written by an update that names what
   * was read (`WHERE`), or is locked first.
   */
  accounts?: readonly string[]
  /** Longer work is rolled back (default: 10 s). */
  limitMs?: number
}

/**
 * Runs the work in one transaction: all of it is committed, or nothing. If it conflicts with another transaction it
 * runs again, so it must change nothing but the database.
 */
export type Transact = <T>(work: (client: Client) => Promise<T>, options?: TransactionOptions) => Promise<T>

/** How long a transaction may wait for its turn. */
const turnMs = 10_000
const usualLimitMs = 10_000

/** Transactions of SQLite, which run one after another. */
export const sqliteTransactions = (client: PrismaClient): Transact => {
  const inTurn = createTurns(Number.POSITIVE_INFINITY, turnMs)
  return (work, { accounts = [], limitMs = usualLimitMs } = {}) =>
    inTurn(inLockOrder(accounts), () => client.$transaction(work, { maxWait: turnMs, timeout: limitMs }))
}

/**
 * Transactions of PostgreSQL. Transactions of one account wait for each other in this process, where they occupy no
 * connection; a second process, such as a worker that stood still, is kept away by locks of the accounts' rows. Under
 * READ COMMITTED each statement sees all that was committed before it, so what follows the locks sees what their last
 * holders wrote.
 * @param maxAtOnce so many run at once.
 */
export const postgresTransactions = (client: PrismaClient, maxAtOnce: number): Transact => {
  const inTurn = createTurns(maxAtOnce, turnMs)
  return (work, { accounts = [], limitMs = usualLimitMs } = {}) => {
    const ids = inLockOrder(accounts)
    const run = (onBegin: () => void) =>
      client.$transaction(
        async (tx) => {
          onBegin()
          if (ids.length > 0) await lockAccounts(tx, ids)
          return work(tx)
        },
        { isolationLevel: readCommitted, maxWait: turnMs, timeout: limitMs },
      )
    return inTurn(ids, () => untilNoConflict(run, limitMs))
  }
}

/** Only PostgreSQL's client knows the word. */
const readCommitted = 'ReadCommitted' as Prisma.TransactionIsolationLevel

/** Each once, and in the order in which every transaction locks them: so none waits for another in a circle. */
const inLockOrder = (ids: readonly string[]): string[] => [...new Set(ids)].toSorted()

/** Locks the rows until the transaction ends. An account that does not exist yet has none. */
const lockAccounts = async (tx: Prisma.TransactionClient, ids: readonly string[]): Promise<void> => {
  await tx.$queryRaw`SELECT "id" FROM "Account" WHERE "id" IN (${join(ids)}) ORDER BY "id" FOR UPDATE`
}

import type { Prisma, PrismaClient } from './client/sqlite/client.ts'
import { untilNoConflict } from './conflicts.ts'
import { createKeyLocks } from './key-locks.ts'
import { join } from './sql.ts'

/** Where queries run: on the database itself, or in one transaction. */
export type Client = PrismaClient | Prisma.TransactionClient

export interface TransactionOptions {
  /**
   * The ids of the accounts to lock: until this transaction ends, no other transaction that names them runs, so what
   * this one reads about them stays true. Nothing else is locked. To change another row that it has read, the
   * transaction must repeat in the update's `WHERE` what it read, or lock the row first.
   */
  accounts?: readonly string[]
  /** A transaction that takes longer is rolled back. Default: 10 s. */
  limitMs?: number
}

/**
 * Runs the work in one transaction: all of it is committed, or nothing. After a conflict with another transaction
 * the work runs again, so it must change nothing but the database.
 */
export type Transact = <T>(work: (client: Client) => Promise<T>, options?: TransactionOptions) => Promise<T>

/** How long a transaction may wait for its turn. */
const patienceMs = 10_000
const usualLimitMs = 10_000

/** Transactions of SQLite, which run one after another. */
export const sqliteTransactions = (client: PrismaClient): Transact => {
  const exclusively = createKeyLocks(Number.POSITIVE_INFINITY, patienceMs)
  return (work, { accounts = [], limitMs = usualLimitMs } = {}) =>
    exclusively(inLockOrder(accounts), () =>
      client.$transaction(work, { maxWait: patienceMs, timeout: limitMs }),
    )
}

/**
 * Transactions for the same account wait for each other in this process, where they occupy no connection. Locks on the
 * accounts' rows keep out other processes, such as a worker that was suspended. Under READ COMMITTED, the default of
 * our connections, each statement sees everything committed before it, so statements after the lock see what its last
 * holder wrote.
 * @param maxAtOnce how many transactions run at once
 */
export const postgresTransactions = (client: PrismaClient, maxAtOnce: number): Transact => {
  const exclusively = createKeyLocks(maxAtOnce, patienceMs)
  return (work, { accounts = [], limitMs = usualLimitMs } = {}) => {
    const ids = inLockOrder(accounts)
    const run = (onBegin: () => void) =>
      client.$transaction(
        async (tx) => {
          onBegin()
          if (ids.length > 0) await lockAccounts(tx, ids)
          return work(tx)
        },
        { maxWait: patienceMs, timeout: limitMs },
      )
    return exclusively(ids, () => untilNoConflict(run, limitMs))
  }
}

/** Each id once, in the order in which every transaction locks them, so that a deadlock is impossible. */
const inLockOrder = (ids: readonly string[]): string[] => [...new Set(ids)].toSorted()

/** Locks the rows until the transaction ends. An account that does not exist yet has no row to lock. */
const lockAccounts = async (tx: Prisma.TransactionClient, ids: readonly string[]): Promise<void> => {
  await tx.$queryRaw`SELECT "id" FROM "Account" WHERE "id" IN (${join(ids)}) ORDER BY "id" FOR UPDATE`
}

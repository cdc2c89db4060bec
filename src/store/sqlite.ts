import { setImmediate as nextTurn } from 'node:timers/promises'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import type {
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
  SqlQuery,
  Transaction,
} from '@prisma/driver-adapter-utils'
import { keepStatements } from './statements.ts'

/** WAL with a sync at each commit: what was acknowledged survives a power failure. */
const pragmas = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
`

/**
 * Driver adapter of the embedded database.
 *
 * All queries share one connection, and the adapter of 7.10 lets a query made outside an open interactive
 * transaction run inside it, so that a rollback takes an acknowledged write along. Here such a query waits
 * until the open transaction has ended.
 *
 * @param url `file:<path>`, or `file::memory:`.
 */
export const sqliteAdapter = (url: string): SqlMigrationAwareDriverAdapterFactory => {
  const factory = new PrismaBetterSqlite3({ url, timeout: 5_000 })
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = await factory.connect()
      // The driver is a property of the adapter that its type does not tell.
      const holder = adapter as unknown as { client: Parameters<typeof keepStatements>[0] }
      Object.assign(adapter, { client: keepStatements(holder.client) })
      await adapter.executeScript(pragmas)
      return oneTransactionAtATime(adapter)
    },
    connectToShadowDb: () => factory.connectToShadowDb(),
  }
}

/**
 * Queries outside the open transaction, and further transactions, wait for its end. Transactions are begun here:
 * the adapter's own lock stays taken when a BEGIN fails, and all that come later would hang.
 */
export const oneTransactionAtATime = (adapter: SqlDriverAdapter): SqlDriverAdapter => {
  let open: Promise<void> | null = null

  // Nothing may come between the last look at `open` and what it allows, so both are in one turn.
  const outside = async <T>(run: () => Promise<T>): Promise<T> => {
    while (open) await open
    return run()
  }

  const startTransaction = async (): Promise<Transaction> => {
    // The driver answers within the turn: without this pause a series of transactions would keep every socket
    // waiting to its end (64 callbacks to apply: a quarter of a second).
    await nextTurn()
    while (open) await open
    const ended = Promise.withResolvers<void>()
    open = ended.promise
    const end = () => {
      open = null
      ended.resolve()
    }
    try {
      await executeRaw(begin)
    } catch (error) {
      end()
      throw error
    }
    return {
      provider: adapter.provider,
      adapterName: adapter.adapterName,
      // Prisma sends COMMIT and ROLLBACK as queries, then calls `commit` or `rollback`.
      options: { usePhantomQuery: false },
      queryRaw,
      executeRaw,
      commit: async () => end(),
      rollback: async () => {
        // After a COMMIT that failed Prisma sends no ROLLBACK, and SQLite may still be in the transaction.
        await executeRaw(rollback).catch(() => {})
        end()
      },
    }
  }

  const queryRaw = adapter.queryRaw.bind(adapter)
  const executeRaw = adapter.executeRaw.bind(adapter)
  const executeScript = adapter.executeScript.bind(adapter)
  return Object.assign(adapter, {
    queryRaw: (query: SqlQuery) => outside(() => queryRaw(query)),
    executeRaw: (query: SqlQuery) => outside(() => executeRaw(query)),
    executeScript: (script: string) => outside(() => executeScript(script)),
    startTransaction,
  })
}

/** With the write lock at once: a transaction that takes it later does not wait for another process's. */
const begin: SqlQuery = { sql: 'BEGIN IMMEDIATE', args: [], argTypes: [] }
const rollback: SqlQuery = { sql: 'ROLLBACK', args: [], argTypes: [] }

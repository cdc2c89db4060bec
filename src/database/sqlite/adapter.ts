import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  DriverAdapterError,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
  type SqlQuery,
  type SqlResultSet,
  type Transaction,
} from '@prisma/driver-adapter-utils'
import { wait } from '../../base/wait.ts'
import { appliedSql, type Migratable } from '../migrations/migrations.ts'
import { asAdapterError } from './fault.ts'
import { keepStatements, type Statements } from './statements.ts'
import { asRead, asStored, declaredType, typeOf } from './values.ts'

/**
 * WAL with a sync at each commit, so that an acknowledged write survives a power failure. Deleted data is
 * overwritten: without that, a quarter of the removed numbers could still be read in the file, and the overwriting
 * costs too little to measure.
 */
const pragmas = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = ON;
`

/**
 * How long a query waits for another program's lock, and how often it tries again. A person can wait this long, and
 * a callback still gets its 503 within the 5 s that the provider waits (API §6).
 */
const busyMs = 3_000
const busyLookMs = 25

/** In KB. The memory for cached pages. */
const cacheKb = 16_000

const names = { provider: 'sqlite', adapterName: 'node:sqlite' } as const

/**
 * Prisma's driver adapter for the embedded database, on Node's own SQLite. It is the only SQLite library in the
 * process: locks belong to the process, and a second library would drop them.
 *
 * All queries share one connection. A query from outside an open interactive transaction would run inside it, and a
 * rollback would undo an acknowledged write. So such a query waits until the open transaction has ended.
 *
 * If SQLite itself waited for a lock, it would block the whole process: every chat, callback and health check. So
 * SQLite does not wait, and this code waits between attempts.
 *
 * @param url `file:<path>`, or `file::memory:`
 * @param options for Node's SQLite
 */
export const sqliteAdapter = (url: string, options: DatabaseSyncOptions = {}): SqlDriverAdapterFactory => ({
  ...names,
  connect: async () => {
    const path = url.slice('file:'.length)
    keepPrivate(path)
    const statements = keepStatements(new DatabaseSync(path, { ...options, timeout: 0 }))
    const connection = connectionOn(statements)
    await onceFree(() => connection.executeScript(`${pragmas}PRAGMA cache_size = -${cacheKb};`))
    return oneTransactionAtATime(connection)
  },
})

/** A connection that runs each query immediately, even while a transaction is open. */
type Connection = Omit<SqlDriverAdapter, 'startTransaction'>

/** The driver as Prisma's client expects it. Errors of SQLite are rethrown as `DriverAdapterError`. */
export const connectionOn = (statements: Statements): Connection => {
  const asAdapter = <T>(run: () => T): T => {
    try {
      return run()
    } catch (error) {
      throw asAdapterError(error)
    }
  }
  return {
    ...names,
    queryRaw: async (query) => asAdapter(() => resultOf(statements, query)),
    executeRaw: async (query) => asAdapter(() => statements.prepare(query.sql).run(argumentsOf(query))),
    executeScript: async (script) => asAdapter(() => statements.exec(script)),
    dispose: async () => statements.close(),
  }
}

const argumentsOf = ({ args, argTypes }: SqlQuery) =>
  args.map((value, index) => asStored(value, argTypes[index]))

const resultOf = (statements: Statements, query: SqlQuery): SqlResultSet => {
  const { columns, all } = statements.prepare(query.sql)
  const rows = all(argumentsOf(query))
  return {
    columnNames: columns.map(({ name }) => name),
    columnTypes: columns.map(({ type }, index) => declaredType(type) ?? typeOf(rows, index)),
    rows: rows.map(asRead),
  }
}

/**
 * Makes the file readable by this user alone. SQLite gives the new files next to the database the same permissions;
 * files that exist already are changed here too.
 */
const keepPrivate = (path: string): void => {
  if (path.startsWith(':')) return
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`].filter(existsSync)) {
    try {
      chmodSync(file, 0o600)
    } catch (error) {
      // EPERM: the file belongs to another user (the doctor reports who can read it). ENOENT: another process has
      // just removed it.
      const code = error instanceof Error && 'code' in error ? error.code : null
      if (code !== 'EPERM' && code !== 'ENOENT') throw error
    }
  }
}

/**
 * Moves the content of the write-ahead log into the database and empties the log, because old pages in it still
 * contain erased data.
 */
export const emptyLog = 'PRAGMA wal_checkpoint(TRUNCATE)'

export const sqliteMigratable = (factory: SqlDriverAdapterFactory): Migratable => {
  const connected = async <T>(work: (connection: SqlDriverAdapter) => Promise<T>): Promise<T> => {
    const connection = await factory.connect()
    try {
      return await work(connection)
    } finally {
      await connection.dispose()
    }
  }
  return {
    kind: 'sqlite',
    applied: () =>
      connected(async (connection) => {
        const tables = await connection.queryRaw(
          statement("SELECT name FROM sqlite_schema WHERE name = '_prisma_migrations'"),
        )
        return tables.rows.length === 0 ? [] : appliedOn(connection)
      }),
    // Foreign keys are checked at the end, because a table is missing for a moment while it is rebuilt.
    alone: (work) =>
      connected(async (connection) => {
        await connection.executeScript('PRAGMA foreign_keys = OFF')
        await connection.executeScript(begin.sql)
        const result = await work({
          run: (script) => connection.executeScript(script),
          applied: () => appliedOn(connection),
        })
        const { rows } = await connection.queryRaw(statement('PRAGMA foreign_key_check'))
        if (rows.length > 0) throw new Error('A migration left rows with broken references.')
        await connection.executeScript('COMMIT')
        return result
      }),
  }
}

const appliedOn = async (connection: SqlDriverAdapter): Promise<string[]> => {
  const { rows } = await connection.queryRaw(statement(appliedSql))
  return rows.map(([name]) => String(name))
}

/** Queries outside the open transaction, and further transactions, wait until it has ended. */
export const oneTransactionAtATime = (connection: Connection): SqlDriverAdapter => {
  let open: Promise<void> | null = null

  // The check of `open` and the query happen in one turn of the event loop, so nothing can come in between.
  const outside = <T>(run: () => Promise<T>): Promise<T> =>
    onceFree(async () => {
      while (open) await open
      return run()
    })

  // Other queries run between two attempts to begin.
  const startTransaction = (): Promise<Transaction> => onceFree(tryTransaction)

  const tryTransaction = async (): Promise<Transaction> => {
    // The driver answers synchronously. Without this pause, a series of transactions would block every socket until
    // its end (a quarter of a second for 64 callbacks).
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
      ...names,
      // Prisma sends COMMIT and ROLLBACK as queries, then calls `commit` or `rollback`.
      options: { usePhantomQuery: false },
      queryRaw,
      executeRaw,
      commit: async () => end(),
      rollback: async () => {
        // After a failed COMMIT Prisma sends no ROLLBACK, and SQLite may still be in the transaction.
        await executeRaw(rollback).catch(() => {})
        end()
      },
    }
  }

  const { queryRaw, executeRaw, executeScript } = connection
  return {
    ...connection,
    queryRaw: (query) => outside(() => queryRaw(query)),
    executeRaw: (query) => outside(() => executeRaw(query)),
    executeScript: (script) => outside(() => executeScript(script)),
    startTransaction,
  }
}

function statement(sql: string): SqlQuery {
  return { sql, args: [], argTypes: [] }
}

/** Tries again while another program holds the lock. A query that finds the lock taken has changed nothing. */
const onceFree = async <T>(query: () => Promise<T>): Promise<T> => {
  const startedMs = performance.now()
  for (;;) {
    try {
      return await query()
    } catch (error) {
      if (!isBusy(error) || performance.now() - startedMs > busyMs) throw error
      await wait(busyLookMs)
    }
  }
}

/** Whether another program holds the lock. The error is the driver's, or the adapter's that wraps it. */
const isBusy = (error: unknown): boolean =>
  error instanceof DriverAdapterError
    ? error.cause.kind === 'SocketTimeout'
    : error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')

/**
 * Takes the write lock at the beginning. If it were taken later, the transaction would fail when another process had
 * written in between.
 */
const begin = statement('BEGIN IMMEDIATE')
const rollback = statement('ROLLBACK')

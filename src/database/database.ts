import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { wait } from '../base/wait.ts'
import { PrismaClient } from './client/sqlite/client.ts'
import { faultOf } from './database-file.ts'
import { migrate } from './migrations/migrations.ts'
import { observed, type QueryObserver } from './query-observer.ts'
import type { DatabaseKind } from './schema.ts'
import { emptyLog, sqliteAdapter, sqliteMigratable } from './sqlite/adapter.ts'
import { postgresTransactions, sqliteTransactions, type Transact } from './transactions.ts'

export type { Client } from './transactions.ts'

export interface Database {
  kind: DatabaseKind
  client: PrismaClient
  transaction: Transact
  /** The current time by one clock, which all processes on the database share. */
  clock(): Promise<Date>
  /**
   * How many connections the pool has, how many are idle, and how many callers wait for one. Null for SQLite, which
   * has no pool.
   */
  connections(): { total: number; idle: number; waiting: number } | null
  /** The names of the migrations that were applied when the database was opened. */
  migrated: string[]
  /**
   * Makes erased data unreadable in SQLite's files. Does nothing for PostgreSQL, which overwrites its files in its
   * own time.
   */
  scrub(): Promise<void>
  close(): Promise<void>
}

/** Connections that transactions leave free for other queries, because transactions may wait for locks. */
const connectionsForReads = 2
/**
 * How long to wait for connections to close. If the network is down, a connection never learns that it was closed.
 */
const endMs = 2_000

/** Turns off two defaults of Prisma: a stack trace for each query, and errors that quote the query's arguments. */
const terseErrors = { errorFormat: 'minimal' } as const

interface OpenOptions {
  /** Called when a connection breaks. The pool replaces the connection. */
  onTrouble?: (error: Error) => void
  observer?: QueryObserver
}

/** Creates and migrates the database if needed. */
export const openDatabase = (url: string, options: OpenOptions = {}): Promise<Database> =>
  url.startsWith('file:') ? openSqlite(url, options) : openPostgres(url, options)

const openSqlite = async (url: string, { observer }: OpenOptions): Promise<Database> => {
  const path = url.slice('file:'.length)
  const asFault = (error: unknown): never => {
    throw faultOf(error, `DATABASE_URL: ${path}`)
  }
  if (path !== ':memory:') await makeFolder(dirname(path)).catch(asFault)
  const factory = sqliteAdapter(url)
  const adapter = observed(await factory.connect().catch(asFault), observer)
  const migrated = await migrate(sqliteMigratable(factory))
  const client = new PrismaClient({ ...terseErrors, adapter: { ...factory, connect: async () => adapter } })
  await client.$connect()
  return {
    kind: 'sqlite',
    client,
    transaction: sqliteTransactions(client),
    clock: async () => new Date(),
    connections: () => null,
    migrated,
    scrub: () => adapter.executeScript(emptyLog),
    close: () => client.$disconnect(),
  }
}

/** Creates folders step by step: Node's recursive mkdir never ends if one of them cannot be created. */
const makeFolder = async (folder: string): Promise<void> => {
  if (existsSync(folder)) return
  await makeFolder(dirname(folder))
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (!existsSync(folder)) throw error
  })
}

/** Loads PostgreSQL's driver and client only when they are used, to save memory with the embedded database. */
const openPostgres = async (
  url: string,
  { onTrouble = () => {}, observer }: OpenOptions,
): Promise<Database> => {
  const [
    { readPostgresUrl },
    { postgresAdapter, postgresMigratable, refuseOtherSchema },
    { createPool },
    { serverFaultOf },
    postgres,
  ] = await Promise.all([
    import('./postgres/url.ts'),
    import('./postgres/adapter.ts'),
    import('./postgres/pool.ts'),
    import('./postgres/server-fault.ts'),
    import('./client/postgresql/client.ts'),
  ])
  const address = readPostgresUrl(url)
  const pool = createPool(address, { onTrouble })
  const leave = () => Promise.race([pool.end(), wait(endMs, undefined, { ref: false })])
  const open = async () => {
    await refuseOtherSchema(pool, address)
    return migrate(postgresMigratable(pool, address))
  }
  const migrated = await open().catch(async (error: unknown) => {
    await leave()
    throw serverFaultOf(error, `DATABASE_URL: ${address.place}`)
  })
  const adapter = observed(await postgresAdapter(pool, address), observer)
  // The two clients differ only in the kind of database, so PostgreSQL's is used with SQLite's types.
  const PostgresClient = postgres.PrismaClient as unknown as typeof PrismaClient
  const { provider, adapterName } = adapter
  const client = new PostgresClient({
    ...terseErrors,
    adapter: { provider, adapterName, connect: async () => adapter },
  })
  await client.$connect()
  return {
    kind: 'postgresql',
    client,
    transaction: postgresTransactions(client, Math.max(1, address.connections - connectionsForReads)),
    clock: async () => {
      const { rows } = await pool.query<{ ms: string }>(
        'SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint AS ms',
      )
      return new Date(Number(rows[0]?.ms))
    },
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    migrated,
    scrub: async () => {},
    close: async () => {
      await client.$disconnect()
      await leave()
    },
  }
}

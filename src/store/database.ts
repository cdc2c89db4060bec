import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Locks } from '../relay/chat-turns.ts'
import { type Prisma, PrismaClient } from './client/client.ts'
import { faultOf } from './database-file.ts'
import type { Insert } from './insertion.ts'
import { migrate } from './migrations.ts'
import type { SharedRates } from './postgres-rates.ts'
import { observed, type QueryObserver } from './query-observer.ts'
import type { DatabaseKind } from './schema.ts'
import type { Select } from './selection.ts'
import { processAlone, type Signals } from './signals.ts'
import { emptyLog, sqliteAdapter, sqliteMigratable } from './sqlite.ts'

export type Client = PrismaClient | Prisma.TransactionClient

export interface Database {
  kind: DatabaseKind
  client: PrismaClient
  insert: Insert
  select: Select
  /**
   * Runs the work in one transaction, as if no other ran at the same time. The work may be run several times, of which
   * one counts: it must change nothing but the database.
   * @param limitMs work that takes longer is rolled back.
   */
  transaction<T>(work: (client: Client) => Promise<T>, limitMs: number): Promise<T>
  /** The clock by which all that share the database agree on a time. */
  clock(): Promise<Date>
  /** What the processes on this database tell each other. */
  signals: Signals
  /** What many processes on it keep together; null where one does all the work that is kept by them. */
  shared: { rates: SharedRates; locks: Locks } | null
  /** The pool of connections, where there is one: those that are open, those of them that are idle, and who waits. */
  connections(): { total: number; idle: number; waiting: number } | null
  /** Names of the migrations that opening it applied. */
  migrated: string[]
  /**
   * What was erased is readable in the files no more. PostgreSQL's files are its server's, which overwrites them in
   * its own time.
   */
  scrub(): Promise<void>
  close(): Promise<void>
}

/** How long a transaction may wait for its turn. */
const turnMs = 10_000

interface OpenOptions {
  /** Told of connections that broke; they are made again. */
  onTrouble?: (error: Error) => void
  observer?: QueryObserver
}

/** Opens the database, creating and migrating it where needed. */
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
  const client = new PrismaClient({ adapter: { ...factory, connect: async () => adapter } })
  await client.$connect()
  return {
    kind: 'sqlite',
    client,
    insert: adapter.insert,
    select: adapter.select,
    transaction: (work, limitMs) => client.$transaction(work, { maxWait: turnMs, timeout: limitMs }),
    clock: async () => new Date(),
    signals: processAlone,
    shared: null,
    connections: () => null,
    migrated,
    scrub: () => adapter.executeScript(emptyLog),
    close: () => client.$disconnect(),
  }
}

/** Step by step: Node's own way of making several at once never ends where one of them cannot be made. */
const makeFolder = async (folder: string): Promise<void> => {
  if (existsSync(folder)) return
  await makeFolder(dirname(folder))
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (!existsSync(folder)) throw error
  })
}

/** Loaded only where it is used: whoever is on the embedded database has neither driver nor client in memory. */
const openPostgres = async (
  url: string,
  { onTrouble = () => {}, observer }: OpenOptions,
): Promise<Database> => {
  const [
    { readPostgresUrl },
    { connectPostgres },
    { listenTo },
    { sharedRates },
    { sharedLocks },
    { serverFaultOf },
    { getPrismaClientClass },
  ] = await Promise.all([
    import('./postgres-url.ts'),
    import('./postgres.ts'),
    import('./postgres-signals.ts'),
    import('./postgres-rates.ts'),
    import('./postgres-locks.ts'),
    import('./server-fault.ts'),
    import('./client/internal/class-postgresql.ts'),
  ])
  const address = readPostgresUrl(url)
  const { pool, factory, migratable } = connectPostgres(address, onTrouble)
  const close = async () => {
    await signals.close()
    await client.$disconnect()
    await pool.end()
  }
  const migrated = await migrate(migratable).catch(async (error: unknown) => {
    await pool.end()
    throw serverFaultOf(error, `DATABASE_URL: ${address.place}`)
  })
  const adapter = observed(await factory.connect(), observer)
  const PostgresClient = getPrismaClientClass()
  const client = new PostgresClient({ adapter: { ...factory, connect: async () => adapter } })
  await client.$connect()
  const signals = listenTo(address, pool, onTrouble)
  return {
    kind: 'postgresql',
    client,
    insert: adapter.insert,
    select: adapter.select,
    transaction: (work, limitMs) =>
      untilNoConflict(
        () =>
          client.$transaction(work, { isolationLevel: repeatableRead, maxWait: turnMs, timeout: limitMs }),
        limitMs,
      ),
    clock: async () => {
      const { rows } = await pool.query<{ ms: string }>(
        'SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint AS ms',
      )
      return new Date(Number(rows[0]?.ms))
    },
    signals,
    shared: { rates: sharedRates(pool), locks: sharedLocks(pool) },
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    migrated,
    scrub: async () => {},
    close,
  }
}

/** What a single query outside changes under a transaction is a conflict. Only PostgreSQL's client knows the word. */
const repeatableRead = 'RepeatableRead' as Prisma.TransactionIsolationLevel

/** A row that two wanted to make at the same time is there when the second one looks again; else it is a fault. */
const mostTakenTries = 3
/** However long they took: a process may have stood still in the first. */
const leastTries = 3

/**
 * What PostgreSQL refuses because another transaction came between is done again: it has written nothing. With each try
 * the pause gets longer, so that of many that want the same one gets through.
 */
const untilNoConflict = async <T>(run: () => Promise<T>, limitMs: number): Promise<T> => {
  const startedMs = performance.now()
  for (let tries = 1; ; tries += 1) {
    try {
      return await run()
    } catch (error) {
      const again = isConflict(error) || (isTaken(error) && tries < mostTakenTries)
      if (!again || (tries >= leastTries && performance.now() - startedMs > limitMs)) throw error
      await wait(Math.random() * Math.min(200, 5 * 2 ** tries))
    }
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

interface Failure {
  cause?: { kind?: string }
  meta?: { driverAdapterError?: { cause?: { kind?: string } } }
}

/** What two wanted to write at the same time, or waited for too long (55P03): nothing was written. */
const isConflict = (error: unknown): boolean => {
  if (['P2034', '55P03'].includes(codeOf(error)) || isNotBegun(error)) return true
  // Of plain SQL the client tells it otherwise than of its own queries.
  const { cause, meta } = (error ?? {}) as Failure
  return [cause, meta?.driverAdapterError?.cause].some((each) => each?.kind === 'TransactionWriteConflict')
}

/** It waited in vain for its turn. */
const isNotBegun = (error: unknown): boolean =>
  codeOf(error) === 'P2028' && (error as Error).message.includes('Unable to start a transaction')

const isTaken = (error: unknown): boolean => codeOf(error) === 'P2002'

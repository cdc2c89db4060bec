import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { wait } from '../wait.ts'
import { type Prisma, PrismaClient } from './client/sqlite/client.ts'
import { faultOf } from './database-file.ts'
import type { Insert } from './insertion.ts'
import type { Locks } from './locks.ts'
import { migrate } from './migrations.ts'
import type { Inspect } from './postgres.ts'
import type { AtOnce } from './postgres-at-once.ts'
import type { SharedRates } from './postgres-rates.ts'
import { observed, observedQuery, type QueryObserver } from './query-observer.ts'
import type { DatabaseKind } from './schema.ts'
import type { Scope } from './scope.ts'
import type { Select, SelectLightly } from './selection.ts'
import { processAlone, type Signals } from './signals.ts'
import { emptyLog, sqliteAdapter, sqliteMigratable } from './sqlite.ts'

/** What queries run on: the database itself, or one transaction of it. */
export type Client = PrismaClient | Prisma.TransactionClient

/** An open database of either kind, migrated. */
export interface Database {
  kind: DatabaseKind
  client: PrismaClient
  insert: Insert
  select: Select
  /**
   * Runs the work in one transaction, as if no other of the same scope ran at the same time. The work may run several
   * times, and only one run counts: it must change nothing but the database.
   * @param limitMs longer work is rolled back.
   * @param scope what it has to itself (default: everything).
   */
  transaction<T>(work: (client: Client) => Promise<T>, limitMs: number, scope?: Scope): Promise<T>
  /** The clock that all users of the database share. */
  clock(): Promise<Date>
  /** Signals between the processes on this database. */
  signals: Signals
  /**
   * Rates and locks that several processes share; null if one process does all that work. `select` is for statements
   * that take locks beside what they read: their commits do not wait for the disk. `atOnce` takes the place of short
   * transactions, because each round trip takes time.
   */
  shared: { rates: SharedRates; locks: Locks; select: SelectLightly; atOnce: AtOnce } | null
  /** The pool's open connections, its idle ones, and the callers that wait for one; null if there is no pool. */
  connections(): { total: number; idle: number; waiting: number } | null
  /** Names of the migrations that the opening applied. */
  migrated: string[]
  /** Makes erased data unreadable in the files. PostgreSQL's server overwrites its files in its own time. */
  scrub(): Promise<void>
  close(): Promise<void>
}

/** How long a transaction may wait for its turn. */
const turnMs = 10_000
/** A connection whose network swallows what is sent never hears that it has ended. */
const endMs = 2_000

/** Otherwise each query captures a stack to name the line that asked for it, and errors quote what was asked. */
const terseErrors = { errorFormat: 'minimal' } as const

interface OpenOptions {
  /** Called for connections that broke; new ones replace them. */
  onTrouble?: (error: Error) => void
  observer?: QueryObserver
  /** Of PostgreSQL alone. */
  inspect?: Inspect
}

/** Opens the database, and creates and migrates it if needed. */
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

/** Makes folders step by step: Node's recursive mkdir never ends if one of them cannot be made. */
const makeFolder = async (folder: string): Promise<void> => {
  if (existsSync(folder)) return
  await makeFolder(dirname(folder))
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (!existsSync(folder)) throw error
  })
}

/** Loaded only if it is used, so that the embedded database needs neither driver nor client of PostgreSQL in memory. */
const openPostgres = async (
  url: string,
  { onTrouble = () => {}, observer, inspect }: OpenOptions,
): Promise<Database> => {
  const [
    { readPostgresUrl },
    { inSchema },
    { createPools },
    { createListener },
    { sharedRates },
    { sharedLocks },
    { serverFaultOf },
    postgres,
  ] = await Promise.all([
    import('./postgres-url.ts'),
    import('./postgres.ts'),
    import('./postgres-pools.ts'),
    import('./postgres-signals.ts'),
    import('./postgres-rates.ts'),
    import('./postgres-locks.ts'),
    import('./server-fault.ts'),
    import('./client/postgresql/client.ts'),
  ])
  const address = readPostgresUrl(url)
  const pools = createPools(address, onTrouble)
  const { heavy: pool, light } = pools
  const { within, atOnce, factory, migratable, selectLightly } = inSchema(pools, address.schema, inspect)
  const leave = () => Promise.race([pools.end(), wait(endMs, undefined, { ref: false })])
  const migrated = await migrate(migratable).catch(async (error: unknown) => {
    await leave()
    throw serverFaultOf(error, `DATABASE_URL: ${address.place}`)
  })
  const adapter = observed(await factory.connect(), observer)
  // The two clients differ in the kind of database that they ask; what is written here has SQLite's types.
  const PostgresClient = postgres.PrismaClient as unknown as typeof PrismaClient
  const client = new PostgresClient({ ...terseErrors, adapter: { ...factory, connect: async () => adapter } })
  await client.$connect()
  const listener = createListener(address, pool, onTrouble)
  const signals = listener.ofSchema(address.schema)
  return {
    kind: 'postgresql',
    client,
    insert: adapter.insert,
    select: adapter.select,
    transaction: (work, limitMs, scope = 'everything') =>
      untilNoConflict(
        () =>
          within(scope, () =>
            client.$transaction(work, { isolationLevel: repeatableRead, maxWait: turnMs, timeout: limitMs }),
          ),
        limitMs,
      ),
    clock: async () => {
      const { rows } = await pool.query<{ ms: string }>(
        'SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint AS ms',
      )
      return new Date(Number(rows[0]?.ms))
    },
    signals,
    shared: {
      rates: sharedRates(light),
      locks: sharedLocks(light),
      select: selectLightly,
      // Tried once: its locks keep rivals away, and people hear sooner of a locked database.
      atOnce: (...statement) => observedQuery(observer, () => atOnce(...statement)),
    },
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    migrated,
    scrub: async () => {},
    close: async () => {
      await signals.close()
      await client.$disconnect()
      await Promise.race([listener.close(), wait(endMs, undefined, { ref: false })])
      await leave()
    },
  }
}

/**
 * For transactions of everything: makes a change by a query outside the transaction a conflict. Only PostgreSQL's client
 * knows the word.
 */
const repeatableRead = 'RepeatableRead' as Prisma.TransactionIsolationLevel

/** If two transactions insert the same row, the second one finds it on its next try; after more tries it is a fault. */
const maxTakenTries = 3
/** Tried this often however long it took: the process may have been suspended during the first try. */
const minTries = 3

/**
 * Repeats work that PostgreSQL refused because of another transaction: nothing was written. The pause grows with each
 * try, so that of many rivals one gets through.
 */
const untilNoConflict = async <T>(run: () => Promise<T>, limitMs: number): Promise<T> => {
  const startedMs = performance.now()
  for (let tries = 1; ; tries += 1) {
    try {
      return await run()
    } catch (error) {
      const again = isConflict(error) || (isTaken(error) && tries < maxTakenTries)
      if (!again || (tries >= minTries && performance.now() - startedMs > limitMs)) throw error
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

/** The client reports failures of plain SQL, and of COMMIT, differently from failures of its own queries. */
const isOfKind = (error: unknown, kind: string): boolean => {
  const { cause, meta } = (error ?? {}) as Failure
  return [cause, meta?.driverAdapterError?.cause].some((each) => each?.kind === kind)
}

/** Whether two transactions wanted the same write, or one waited too long (55P03): nothing was written. */
const isConflict = (error: unknown): boolean =>
  ['P2034', '55P03'].includes(codeOf(error)) ||
  isNotBegun(error) ||
  isOfKind(error, 'TransactionWriteConflict')

/** Whether the transaction gave up waiting for its turn. */
const isNotBegun = (error: unknown): boolean =>
  codeOf(error) === 'P2028' && (error as Error).message.includes('Unable to start a transaction')

/** Whether a row was refused because another one has what may stand there once. */
export const isTaken = (error: unknown): boolean =>
  codeOf(error) === 'P2002' || isOfKind(error, 'UniqueConstraintViolation')

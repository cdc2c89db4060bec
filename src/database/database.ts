import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { wait } from '../wait.ts'
import { DatabaseMissing } from './added-databases.ts'
import { type Prisma, PrismaClient } from './client/sqlite/client.ts'
import { faultOf } from './database-file.ts'
import type { Insert } from './insertion.ts'
import type { Locks } from './locks.ts'
import { migrate } from './migrations.ts'
import type { Inspect } from './postgres.ts'
import type { AtOnce } from './postgres-at-once.ts'
import type { SharedRates } from './postgres-rates.ts'
import type { PostgresServer } from './postgres-server.ts'
import { observed, observedQuery, type QueryObserver } from './query-observer.ts'
import type { DatabaseKind } from './schema.ts'
import type { Scope } from './scope.ts'
import type { Select, SelectLightly } from './selection.ts'
import { createSharedEngine, type SharedEngine } from './shared-engine.ts'
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

/** Otherwise each query captures a stack to name the line that asked for it, and errors quote what was asked. */
const terseErrors = { errorFormat: 'minimal' } as const

interface OpenOptions {
  /** Called for connections that broke; new ones replace them. */
  onTrouble?: (error: Error) => void
  observer?: QueryObserver
  /** Of PostgreSQL alone. */
  inspect?: Inspect
  /** What it shares with others of this process. */
  sharing?: Sharing
  /** The database of a bot beside the main one. Null: of the main one. */
  added?: { mustExist: boolean } | null
}

/** What the databases of one process share, so that hundreds of bots take little. */
export interface Sharing {
  /** The engine of added bots' embedded databases, made for the first one. */
  engine(): SharedEngine
  /** The server of all, if they are on PostgreSQL. */
  server(create: () => PostgresServer): PostgresServer
}

/** Nothing is made before it is needed. */
export const createSharing = (): Sharing => {
  let engine: SharedEngine | null = null
  let server: PostgresServer | null = null
  return {
    engine: () => {
      engine ??= createSharedEngine((adapter) => new PrismaClient({ ...terseErrors, adapter }))
      return engine
    },
    server: (create) => {
      if (!server || server.isOver()) server = create()
      return server
    },
  }
}

/** Opens the database, and creates and migrates it if needed. */
export const openDatabase = (url: string, options: OpenOptions = {}): Promise<Database> =>
  url.startsWith('file:') ? openSqlite(url, options) : openPostgres(url, options)

const openSqlite = async (
  url: string,
  { observer, sharing = createSharing(), added = null }: OpenOptions,
): Promise<Database> => {
  const path = url.slice('file:'.length)
  if (added?.mustExist && !existsSync(path)) throw new DatabaseMissing(path)
  const engine = added && sharing.engine()
  const asFault = (error: unknown): never => {
    throw faultOf(error, `DATABASE_URL: ${path}`)
  }
  if (path !== ':memory:') await makeFolder(dirname(path)).catch(asFault)
  const factory = sqliteAdapter(url, { isSmall: added !== null })
  const adapter = observed(await factory.connect().catch(asFault), observer)
  const migrated = await migrate(sqliteMigratable(factory))
  const client = engine
    ? engine.clientOn(adapter)
    : new PrismaClient({ ...terseErrors, adapter: { ...factory, connect: async () => adapter } })
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
  { onTrouble = () => {}, observer, inspect, sharing = createSharing(), added = null }: OpenOptions,
): Promise<Database> => {
  const [
    { readPostgresUrl },
    { inSchema },
    { createServer },
    { sharedRates },
    { sharedLocks },
    { serverFaultOf },
    postgres,
  ] = await Promise.all([
    import('./postgres-url.ts'),
    import('./postgres.ts'),
    import('./postgres-server.ts'),
    import('./postgres-rates.ts'),
    import('./postgres-locks.ts'),
    import('./server-fault.ts'),
    import('./client/postgresql/client.ts'),
  ])
  const address = readPostgresUrl(url)
  const { schema, place } = address
  // The two clients differ in the kind of database that they ask; what is written here has SQLite's types.
  const PostgresClient = postgres.PrismaClient as unknown as typeof PrismaClient
  const server = sharing.server(() =>
    createServer(
      address,
      createSharedEngine((adapter) => new PostgresClient({ ...terseErrors, adapter })),
    ),
  )
  const leave = server.enter(onTrouble)
  const opened = inSchema(server.pools, schema, inspect)
  const { pools, within, atOnce, factory, migratable, selectLightly } = opened
  const { any: pool } = server.pools
  const { light } = pools
  const close = async () => {
    await signals.close()
    await client.$disconnect()
    await leave()
  }
  const prepare = async (): Promise<string[]> => {
    if (added?.mustExist && (await migratable.applied()).length === 0) throw new DatabaseMissing(place)
    return migrate(migratable)
  }
  const migrated = await prepare().catch(async (error: unknown) => {
    await leave()
    throw serverFaultOf(error, `DATABASE_URL: ${place}`)
  })
  const adapter = observed(await factory.connect(), observer)
  const client = server.engine.clientOn(adapter)
  await client.$connect()
  const signals = server.signalsOf(schema)
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
    close,
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

import { AsyncLocalStorage } from 'node:async_hooks'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Transaction } from '@prisma/driver-adapter-utils'
import { wait } from '../wait.ts'
import { type Prisma, PrismaClient } from './client/sqlite/client.ts'
import { faultOf } from './database-file.ts'
import { migrate } from './migrations.ts'
import { observed, type QueryObserver } from './query-observer.ts'
import type { DatabaseKind } from './schema.ts'
import type { Scope } from './scope.ts'
import { emptyLog, sqliteAdapter, sqliteMigratable } from './sqlite.ts'

/** What queries run on: the database itself, or one transaction of it. */
export type Client = PrismaClient | Prisma.TransactionClient

/** An open database of either kind, migrated. */
export interface Database {
  kind: DatabaseKind
  client: PrismaClient
  /**
   * Runs the work in one transaction, as if no other of the same scope ran at the same time. The work may run several
   * times, and only one run counts: it must change nothing but the database.
   * @param limitMs longer work is rolled back.
   * @param scope what it has to itself (default: everything).
   */
  transaction<T>(work: (client: Client) => Promise<T>, limitMs: number, scope?: Scope): Promise<T>
  /** The clock that all users of the database share. */
  clock(): Promise<Date>
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
/** Connections that transactions leave to other queries: transactions may wait for locks. */
const connectionsForReads = 2
/** A connection whose network swallows what is sent never hears that it has ended. */
const endMs = 2_000

/** Otherwise each query captures a stack to name the line that asked for it, and errors quote what was asked. */
const terseErrors = { errorFormat: 'minimal' } as const

/** Looks into each transaction that has a scope: tests check by it that none leaves its scope. */
export type Inspect = (transaction: Transaction, scope: Scope) => Transaction

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
    transaction: (work, limitMs) => client.$transaction(work, { maxWait: turnMs, timeout: limitMs }),
    clock: async () => new Date(),
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
  { onTrouble = () => {}, observer, inspect = (transaction) => transaction }: OpenOptions,
): Promise<Database> => {
  const [
    { readPostgresUrl },
    { postgresAdapter, postgresMigratable },
    { createPool },
    { createTurns, takeLocks },
    { serverFaultOf },
    postgres,
  ] = await Promise.all([
    import('./postgres-url.ts'),
    import('./postgres.ts'),
    import('./postgres-pool.ts'),
    import('./postgres-scopes.ts'),
    import('./server-fault.ts'),
    import('./client/postgresql/client.ts'),
  ])
  const address = readPostgresUrl(url)
  const { schema } = address
  const pool = createPool(address, { onTrouble })
  const leave = () => Promise.race([pool.end(), wait(endMs, undefined, { ref: false })])
  const migrated = await migrate(postgresMigratable(pool, address)).catch(async (error: unknown) => {
    await leave()
    throw serverFaultOf(error, `DATABASE_URL: ${address.place}`)
  })
  const scopes = new AsyncLocalStorage<Scope>()
  const onBegin = (transaction: Transaction) => inspect(transaction, scopes.getStore() ?? 'everything')
  const adapter = observed(await postgresAdapter(pool, schema, onBegin), observer)
  const inTurn = createTurns(Math.max(1, address.connections - connectionsForReads), turnMs)
  // The two clients differ in the kind of database that they ask; what is written here has SQLite's types.
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
    transaction: (work, limitMs, scope = 'everything') => {
      const isolationLevel = scope === 'everything' ? repeatableRead : readCommitted
      const run = () =>
        client.$transaction(
          async (tx) => {
            await takeLocks(tx, scope, schema)
            return work(tx)
          },
          { isolationLevel, maxWait: turnMs, timeout: limitMs },
        )
      return untilNoConflict(() => inTurn(scope, () => scopes.run(scope, run)), limitMs)
    },
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

/**
 * For transactions of everything: makes a change by a query outside the transaction a conflict. Only PostgreSQL's client
 * knows the words.
 */
const repeatableRead = 'RepeatableRead' as Prisma.TransactionIsolationLevel
const readCommitted = 'ReadCommitted' as Prisma.TransactionIsolationLevel

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

interface Cause {
  kind?: string
  originalCode?: string
}

interface Failure {
  cause?: Cause
  meta?: { driverAdapterError?: { cause?: Cause } }
}

/** The client reports failures of plain SQL, and of COMMIT, differently from failures of its own queries. */
const causesOf = (error: unknown): Cause[] => {
  const { cause, meta } = (error ?? {}) as Failure
  return [cause, meta?.driverAdapterError?.cause].filter((each) => each !== undefined)
}

const isOfKind = (error: unknown, kind: string): boolean => causesOf(error).some((each) => each.kind === kind)

const lockTimeout = '55P03'

/** Whether two transactions wanted the same write, or one waited too long for a lock: nothing was written. */
const isConflict = (error: unknown): boolean =>
  ['P2034', lockTimeout].includes(codeOf(error)) ||
  causesOf(error).some(({ originalCode }) => originalCode === lockTimeout) ||
  isNotBegun(error) ||
  isOfKind(error, 'TransactionWriteConflict')

/** Whether the transaction gave up waiting for its turn. */
const isNotBegun = (error: unknown): boolean =>
  codeOf(error) === 'P2028' && (error as Error).message.includes('Unable to start a transaction')

/** Whether a row was refused because another one has what may stand there once. */
export const isTaken = (error: unknown): boolean =>
  codeOf(error) === 'P2002' || isOfKind(error, 'UniqueConstraintViolation')

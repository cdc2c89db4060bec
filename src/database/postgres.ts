import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { PrismaPg } from '@prisma/adapter-pg'
import type {
  IsolationLevel,
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  Transaction,
} from '@prisma/driver-adapter-utils'
import pg from 'pg'
import type { Insert, Insertion } from './insertion.ts'
import { appliedSql, type Migratable } from './migrations.ts'
import { beginningOf, createTurns } from './postgres-scopes.ts'
import type { PostgresAddress } from './postgres-url.ts'
import type { Scope } from './scope.ts'
import type { Select, Stored } from './selection.ts'

/**
 * How long a restarting server is waited for if no query was sent yet. Short enough that a callback gets its 503 within
 * the 5 s that the provider waits (API §6).
 */
const patienceMs = 4_000
const lookAgainMs = 50
/** How long a query may wait for a pooled connection. */
const queueMs = 5_000

/**
 * A process that is suspended in the middle of a transaction (SIGSTOP, a machine that is cut off) loses its locks after
 * this time, so that the others go on.
 */
const idleInTransactionMs = 5_000
const statementMs = 30_000
const lockMs = 8_000

/** Of so many connections one is light. */
const connectionsForLight = 5
/** Connections that whatever writes leaves to reads. */
const connectionsForReads = 2
/** From so many connections on, one is kept for insertions. With fewer, they use those of reads. */
const connectionsForInsertions = 8

/** Prepared statements for each connection: queries with lists of values have a text for each length. */
const maxKept = 300

/** A pool of connections that survives a restart of the server. */
class PatientPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    const connected = this.#patiently()
    if (!callback) return connected
    connected.then(
      (client) => callback(undefined, client, client.release.bind(client)),
      (error: Error) => callback(error, undefined, () => {}),
    )
    return undefined
  }

  async #patiently(): Promise<pg.PoolClient> {
    const startedMs = performance.now()
    for (;;) {
      try {
        return await super.connect()
      } catch (error) {
        if (!isUnavailable(error) || performance.now() - startedMs > patienceMs) throw error
        await wait(lookAgainMs)
      }
    }
  }
}

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: boolean | Error) => void,
) => void

/** Whether the server starts, stops or is not listening: no query reached it. */
const isUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    ['57P01', '57P02', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT'].includes(code) ||
    /^Connection terminated/.test(error.message)
  )
}

/** Prisma's adapter with the two ways past the client, for very many rows. */
export interface PostgresAdapter extends SqlDriverAdapter {
  insert: Insert
  select: Select
}

/** Looks into each transaction that has a scope: tests check by it that none leaves its scope. */
export type Inspect = (transaction: Transaction, scope: Scope) => Transaction

/** One PostgreSQL, as the store sees it. */
export interface Postgres {
  pool: pg.Pool
  /**
   * Connections for what need not outlive a crash of the server: turns, claims and rates. Their commits do not wait for
   * the disk.
   */
  light: pg.Pool
  /** Closes all connections. */
  end(): Promise<void>
  /** Runs the work; the transactions that it begins have that scope. */
  within<T>(scope: Scope, work: () => Promise<T>): Promise<T>
  factory: Omit<SqlDriverAdapterFactory, 'connect'> & { connect(): Promise<PostgresAdapter> }
  migratable: Migratable
}

/** Connects to a PostgreSQL. @param onTrouble called for idle connections that broke. */
export const connectPostgres = (
  { connectionString, schema, connections, applicationName }: PostgresAddress,
  onTrouble: (error: Error) => void,
  inspect: Inspect = (transaction) => transaction,
): Postgres => {
  const poolOf = (max: number): PatientPool => {
    const made = new PatientPool({
      connectionString,
      max,
      connectionTimeoutMillis: queueMs,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      application_name: applicationName,
      statement_timeout: statementMs,
      lock_timeout: lockMs,
      idle_in_transaction_session_timeout: idleInTransactionMs,
      query_timeout: statementMs + 5_000,
      ...(schema !== 'public' && { options: `-c search_path=${schema}` }),
    })
    made.on('error', onTrouble)
    // A connection that breaks between two uses reports it here alone; its next user learns it from the query.
    made.on('connect', (client) => client.on('error', () => {}))
    return made
  }
  const lights = Math.ceil(connections / connectionsForLight)
  const kept = connections < connectionsForInsertions ? 0 : 1
  const heavy = connections - lights - kept
  const pool = poolOf(heavy)
  const insertions = kept === 0 ? pool : poolOf(kept)
  const light = poolOf(lights)
  light.on('connect', (client) => client.query('SET synchronous_commit = off').catch(() => {}))
  const scopes = new AsyncLocalStorage<Scope>()
  const factory = new PrismaPg(pool, { schema, statementNameGenerator: names() })
  return {
    pool,
    light,
    end: async () =>
      void (await Promise.all([...new Set([pool, light, insertions])].map((each) => each.end()))),
    within: (scope, work) => scopes.run(scope, work),
    factory: {
      provider: factory.provider,
      adapterName: factory.adapterName,
      connect: async () =>
        adapterOn({ pool, insertions }, await factory.connect(), {
          scope: () => scopes.getStore() ?? 'everything',
          inspect,
          keySpace: schema,
          maxAtOnce: Math.max(1, heavy - connectionsForReads),
        }),
    },
    migratable: migratableOf(pool, schema),
  }
}

/** Names query texts while there are few: a named query is prepared once on each connection. */
const names = () => {
  const known = new Map<string, string>()
  return ({ sql }: SqlQuery): string => {
    const name = known.get(sql) ?? (known.size < maxKept ? `b${known.size}` : '')
    if (name !== '') known.set(sql, name)
    return name
  }
}

/** Parts of the adapter that its type leaves out. */
interface Inner extends SqlDriverAdapter {
  performIO(query: SqlQuery): Promise<unknown>
}

interface Locking {
  /** The scope of the transaction that begins now. */
  scope: () => Scope
  inspect: Inspect
  keySpace: string
  /** Transactions and other writes of this process at once: they may wait for locks, and reads go on beside them. */
  maxAtOnce: number
}

const adapterOn = (
  { pool, insertions }: { pool: pg.Pool; insertions: pg.Pool },
  adapter: SqlDriverAdapter,
  { scope, inspect, keySpace, maxAtOnce }: Locking,
): PostgresAdapter => {
  const inner = adapter as Inner
  const { performIO } = inner
  const columns = columnTypes(insertions)
  const turnOf = createTurns(maxAtOnce)
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const endTurn = await turnOf([])
    return work().finally(endTurn)
  }
  inner.performIO = function (query) {
    const perform = () => performIO.call(this, { ...query, args: query.args.map(withoutNul) })
    const isOutside = this === inner
    return isOutside && !reads.test(query.sql) ? inTurn(perform) : perform()
  }
  return Object.assign(inner, {
    startTransaction: async (isolation?: IsolationLevel) => {
      if (!isolation) return begin(pool, inner, 'BEGIN', await turnOf([]))
      const current = scope()
      const { sql, keys } = beginningOf(current, isolation, keySpace)
      const endTurn = await turnOf(keys)
      return inspect(await begin(pool, inner, sql, endTurn), current)
    },
    // A callback is answered within seconds, so it takes no turn with other writers: they may wait for locks.
    insert: ((insertion) => insertRows(insertions, columns, insertion)) satisfies Insert,
    select: ((sql, parameters) => selectRows(pool, sql, parameters)) satisfies Select,
  })
}

const reads = /^\s*SELECT\b/i

/** PostgreSQL accepts every character in a text except this one. */
const withoutNul = <T>(value: T): T =>
  (typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value) as T

/**
 * A transaction on its own connection. The adapter's transaction returns a broken connection to the pool, and takes two
 * round trips to begin.
 * @param onEnd called when the connection is returned.
 */
const begin = async (
  pool: pg.Pool,
  adapter: Inner,
  beginning: string,
  onEnd = () => {},
): Promise<Transaction> => {
  const connection = await pool.connect().catch((error: unknown) => {
    onEnd()
    throw error
  })
  // The pool listens only to idle connections.
  let broken: Error | undefined
  const onError = (error: Error) => {
    broken = error
  }
  connection.on('error', onError)
  const own = Object.create(adapter, { client: { value: connection } }) as Inner
  let ended = false
  const release = (error?: Error) => {
    connection.off('error', onError)
    connection.release(error ?? broken)
    onEnd()
  }
  const executeRaw = async (query: SqlQuery): Promise<number> => {
    const count = await Object.getPrototypeOf(own).executeRaw.call(own, query)
    ended ||= query.sql === 'COMMIT' || query.sql === 'ROLLBACK'
    return count
  }
  try {
    await connection.query(beginning)
  } catch (error) {
    release(error as Error)
    throw error
  }
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    // Prisma sends COMMIT and ROLLBACK as queries, then calls `commit` or `rollback`.
    options: { usePhantomQuery: false },
    queryRaw: (query) => Object.getPrototypeOf(own).queryRaw.call(own, query),
    executeRaw,
    commit: async () => release(),
    rollback: async () => {
      if (ended) return release()
      await executeRaw(statement('ROLLBACK')).then(() => release(), release)
    },
  }
}

const statement = (sql: string): SqlQuery => ({ sql, args: [], argTypes: [] })

/** The PostgreSQL types of a table's columns, by table. */
const columnTypes = (pool: pg.Pool) => {
  const known = new Map<string, Map<string, string>>()
  return async (table: string): Promise<Map<string, string>> => {
    const kept = known.get(table)
    if (kept) return kept
    const { rows } = await pool.query<{ name: string; type: string }>(
      `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
       WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
      [`"${table}"`],
    )
    const types = new Map(rows.map(({ name, type }) => [name, type]))
    known.set(table, types)
    return types
  }
}

/**
 * Inserts all rows in one statement, with an array for each column, so that the text is the same for any number of
 * rows.
 */
const insertRows = async (
  pool: pg.Pool,
  typesOf: (table: string) => Promise<Map<string, string>>,
  { table, columns, unique, rows }: Insertion,
): Promise<number> => {
  const types = await typesOf(table)
  const names = columns.map((name) => `"${name}"`).join(', ')
  const arrays = columns.map((name, index) => `$${index + 1}::${types.get(name)}[]`).join(', ')
  const { rowCount } = await pool.query({
    name: `insert ${table}`,
    text: `INSERT INTO "${table}" (${names}) SELECT * FROM unnest(${arrays}) ON CONFLICT ("${unique}") DO NOTHING`,
    values: columns.map((_, index) => rows.map((row) => asStored(row[index]))),
  })
  return rowCount ?? 0
}

const selectRows = async (
  pool: pg.Pool,
  sql: string,
  parameters: readonly unknown[],
): Promise<Stored[][]> => {
  let place = 0
  const { rows } = await pool.query<Stored[]>({
    text: sql.replaceAll('?', () => {
      place += 1
      return `$${place}`
    }),
    values: parameters.map(asStored),
    rowMode: 'array',
    types: { getTypeParser: (oid: number) => readers[oid] ?? String } as pg.CustomTypesConfig,
  })
  return rows
}

/** A time in UTC, whatever this machine's time zone. */
const asStored = (value: unknown): unknown =>
  value instanceof Date ? value.toISOString().replace('Z', '') : withoutNul(value)

/** Readers by PostgreSQL's type number. They return values as the embedded database does. */
const readers: Record<number, (text: string) => Stored> = {
  16: (text) => (text === 't' ? 1 : 0),
  20: Number,
  21: Number,
  23: Number,
  701: Number,
  1700: Number,
  1114: (text) => `${text.replace(' ', 'T')}Z`,
}

/** An arbitrary constant: instances that migrate at the same time wait for each other by it. */
const migrationLock = 0x62756e646c65

const migratableOf = (pool: pg.Pool, schema: string): Migratable => ({
  kind: 'postgresql',
  applied: async () => {
    try {
      const { rows } = await pool.query<{ migration_name: string }>(appliedSql)
      return rows.map(({ migration_name }) => migration_name)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === '42P01') return []
      throw error
    }
  },
  alone: async (work) => {
    const connection = await pool.connect()
    try {
      await connection.query(
        `BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(${migrationLock})`,
      )
      if (schema !== 'public') await connection.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`)
      const result = await work(async (script) => {
        await connection.query(script)
      })
      await connection.query('COMMIT')
      connection.release()
      return result
    } catch (error) {
      // The transaction ends with its connection.
      connection.release(error as Error)
      throw error
    }
  },
})

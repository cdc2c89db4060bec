import { AsyncLocalStorage } from 'node:async_hooks'
import { PrismaPg } from '@prisma/adapter-pg'
import type {
  IsolationLevel,
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  Transaction,
} from '@prisma/driver-adapter-utils'
import type pg from 'pg'
import { sendingInPassing } from './in-passing.ts'
import type { Insert, Insertion } from './insertion.ts'
import { appliedSql, type Migratable, type MigratingTransaction } from './migrations.ts'
import { type AtOnce, atOnceOn } from './postgres-at-once.ts'
import type { PostgresPools } from './postgres-pools.ts'
import { beginningOf } from './postgres-scopes.ts'
import { asStored, cellTypes, withoutNul } from './postgres-values.ts'
import type { Scope } from './scope.ts'
import type { Select, SelectLightly, Stored } from './selection.ts'

/** Prisma's adapter with the two ways past the client, for very many rows. */
export interface PostgresAdapter extends SqlDriverAdapter {
  insert: Insert
  select: Select
}

/** Looks into each transaction that has a scope: tests check by it that none leaves its scope. */
export type Inspect = (transaction: Transaction, scope: Scope) => Transaction

/** A schema of a PostgreSQL, as the store sees it. */
export interface Postgres {
  /** Selects on the light connections: for statements that take claims or turns beside what they read. */
  selectLightly: SelectLightly
  /** Runs the work; the transactions that it begins have that scope. */
  within<T>(scope: Scope, work: () => Promise<T>): Promise<T>
  atOnce: AtOnce
  factory: Omit<SqlDriverAdapterFactory, 'connect'> & { connect(): Promise<PostgresAdapter> }
  migratable: Migratable
}

/** The tables of the schema. Its connections are those of the pools, and end with them. */
export const inSchema = (
  pools: PostgresPools,
  schema: string,
  inspect: Inspect = (transaction) => transaction,
): Postgres => {
  const scopes = new AsyncLocalStorage<Scope>()
  const factory = new PrismaPg(pools.heavy, { schema, statementNameGenerator: pools.nameOf })
  return {
    selectLightly: ({ sql, values }) => selectRows(pools.light, pools.nameOf(statement(sql)), sql, values),
    within: (scope, work) => scopes.run(scope, work),
    atOnce: atOnceOn(pools.heavy, schema, pools.turnOf),
    factory: {
      provider: factory.provider,
      adapterName: factory.adapterName,
      connect: async () =>
        adapterOn(pools, await factory.connect(), {
          scope: () => scopes.getStore() ?? 'everything',
          inspect,
          keySpace: schema,
        }),
    },
    migratable: migratableOf(pools.heavy, schema, pools.turnOf),
  }
}

/** Parts of the adapter that its type leaves out. */
interface Inner extends SqlDriverAdapter {
  performIO(query: SqlQuery): Promise<unknown>
}

interface Surroundings {
  /** The scope of the transaction that begins now. */
  scope: () => Scope
  inspect: Inspect
  keySpace: string
}

const adapterOn = (
  { heavy: pool, insertions, nameOf, turnOf }: PostgresPools,
  adapter: SqlDriverAdapter,
  { scope, inspect, keySpace }: Surroundings,
): PostgresAdapter => {
  const inner = adapter as Inner
  const { performIO } = inner
  const columns = columnTypes(insertions)
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const endTurn = await turnOf([])
    return work().finally(endTurn)
  }
  inner.performIO = function (query) {
    const here = { ...query, args: query.args.map(withoutNul) }
    const perform = () => performIO.call(this, here)
    const isOutside = this === inner
    return isOutside && !reads.test(query.sql) ? inTurn(perform) : perform()
  }
  return Object.assign(inner, {
    startTransaction: async (isolation?: IsolationLevel) => {
      if (!isolation) return begin(pool, inner, 'BEGIN', await turnOf([]))
      const current = scope()
      const { sql, keys } = beginningOf(current, isolation, keySpace)
      const endTurn = await turnOf(keys)
      return sendingInPassing(inspect(await begin(pool, inner, sql, endTurn), current))
    },
    // A callback is answered within seconds, so it takes no turn with other writers: they may wait for locks.
    insert: ((insertion) => insertRows(insertions, columns, insertion)) satisfies Insert,
    select: ((sql, parameters) => selectRows(pool, nameOf(statement(sql)), sql, parameters)) satisfies Select,
  })
}

const reads = /^\s*SELECT\b/i

/**
 * A transaction on its own connection. The adapter's transaction returns a broken connection to the pool, and takes two
 * round trips to begin. This one begins with its first statement: a read goes out together with what begins it, and is
 * answered when the locks are had. A write waits for that, since without its transaction it would last.
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
  let begun: Promise<unknown> | null = null
  let isRead = true
  const inside = async <T>(query: SqlQuery, run: () => Promise<T>): Promise<T> => {
    begun ??= connection.query(beginning)
    isRead &&= reads.test(query.sql)
    if (!isRead) await begun
    const answer = run()
    await Promise.allSettled([begun, answer])
    await begun
    return answer
  }
  const { queryRaw, executeRaw } = adapter
  const execute = async (query: SqlQuery): Promise<number> => {
    const isEnd = query.sql === 'COMMIT' || query.sql === 'ROLLBACK'
    const count = isEnd && !begun ? 0 : await inside(query, () => executeRaw.call(own, query))
    ended ||= isEnd
    return count
  }
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    // Prisma sends COMMIT and ROLLBACK as queries, then calls `commit` or `rollback`.
    options: { usePhantomQuery: false },
    queryRaw: (query) => inside(query, () => queryRaw.call(own, query)),
    executeRaw: execute,
    commit: async () => release(),
    rollback: async () => {
      if (ended) return release()
      await execute(statement('ROLLBACK')).then(() => release(), release)
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
  const [names, key] = [columns, unique].map((list) => list.map((name) => `"${name}"`).join(', '))
  const arrays = columns.map((name, index) => `$${index + 1}::${types.get(name)}[]`).join(', ')
  const { rowCount } = await pool.query({
    name: `insert ${table}`,
    text: `INSERT INTO "${table}" (${names}) SELECT * FROM unnest(${arrays}) ON CONFLICT (${key}) DO NOTHING`,
    values: columns.map((_, index) => rows.map((row) => asStored(row[index]))),
  })
  return rowCount ?? 0
}

const selectRows = async (
  pool: pg.Pool,
  name: string,
  sql: string,
  parameters: readonly unknown[],
): Promise<Stored[][]> => {
  let place = 0
  const { rows } = await pool.query<Stored[]>({
    name,
    text: sql.replaceAll('?', () => {
      place += 1
      return `$${place}`
    }),
    values: parameters.map(asStored),
    rowMode: 'array',
    types: cellTypes,
  })
  return rows
}

/** An arbitrary constant: instances that migrate at the same time wait for each other by it. */
const migrationLock = 0x62756e646c65

/** The driver would give up sooner: to change a table of many orders, or to wait for another instance that does, may take minutes. */
const longestMigrationMs = 24 * 60 * 60_000

/** In a process one after the other, because whoever waits for the lock has a connection. */
const migrationTurn = 'migration'

const migratableOf = (pool: pg.Pool, schema: string, turnOf: PostgresPools['turnOf']): Migratable => ({
  kind: 'postgresql',
  applied: async () => {
    try {
      return await appliedOn(pool)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === '42P01') return []
      throw error
    }
  },
  alone: async (work) => {
    const endTurn = await turnOf([migrationTurn])
    return migrating(pool, schema, work).finally(endTurn)
  },
})

const migrating = async <T>(
  pool: pg.Pool,
  schema: string,
  work: (transaction: MigratingTransaction) => Promise<T>,
): Promise<T> => {
  const connection = await pool.connect()
  const run = async (text: string): Promise<void> => {
    const asked = { text, query_timeout: longestMigrationMs }
    await connection.query(asked)
  }
  try {
    await run(
      `BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(${migrationLock})`,
    )
    if (schema !== 'public') await connection.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`)
    const result = await work({
      run,
      // On the same connection: the pool may have no other.
      applied: () => appliedOn(connection),
    })
    await connection.query('COMMIT')
    connection.release()
    return result
  } catch (error) {
    // The transaction ends with its connection.
    connection.release(error as Error)
    throw error
  }
}

const appliedOn = async (connection: pg.Pool | pg.PoolClient): Promise<string[]> => {
  const { rows } = await connection.query<{ migration_name: string }>(appliedSql)
  return rows.map(({ migration_name }) => migration_name)
}

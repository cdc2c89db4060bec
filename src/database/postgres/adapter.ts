import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlDriverAdapter, SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils'
import type pg from 'pg'
import { FileFault } from '../database-file.ts'
import { appliedSql, type Migratable, type MigratingTransaction } from '../migrations/migrations.ts'
import { createPool } from './pool.ts'
import type { PostgresAddress } from './url.ts'
import { withoutNul } from './values.ts'

/** Prisma's adapter for the tables of a schema. It replaces NUL in arguments, which PostgreSQL refuses in texts. */
export const postgresAdapter = async (
  pool: pg.Pool,
  { schema, pooled }: Pick<PostgresAddress, 'schema' | 'pooled'>,
): Promise<SqlDriverAdapter> => {
  // Behind a pooler in transaction mode, each transaction may get another connection, which has other prepared
  // statements. So there, statements get no names.
  const prepared = pooled ? {} : { statementNameGenerator: createStatementNames() }
  const adapter = await new PrismaPg(pool, { schema, ...prepared }).connect()
  return {
    ...cleaned(adapter),
    executeScript: (script) => adapter.executeScript(script),
    getConnectionInfo: () => adapter.getConnectionInfo(),
    dispose: () => adapter.dispose(),
    startTransaction: async (isolation) => {
      const transaction = await adapter.startTransaction(isolation)
      return {
        ...cleaned(transaction),
        options: transaction.options,
        commit: () => transaction.commit(),
        rollback: () => transaction.rollback(),
      }
    },
  }
}

/**
 * How many statements each connection keeps prepared. Each takes 10 to 400 kB of the server's memory with its plan.
 */
const maxPrepared = 200

/**
 * Gives a name to each of the first `maxPrepared` different statements. The server parses and plans a named
 * statement only once for each connection; that takes longer than running it. All other statements get no name, so
 * the server does not keep them.
 */
const createStatementNames = (): ((query: SqlQuery) => string) => {
  const names = new Map<string, string>()
  return ({ sql }) => {
    if (!names.has(sql) && names.size < maxPrepared) names.set(sql, `statement ${names.size}`)
    return names.get(sql) ?? ''
  }
}

const cleaned = (queryable: SqlQueryable): SqlQueryable => {
  const clean = (query: SqlQuery): SqlQuery => ({ ...query, args: query.args.map(withoutNul) })
  return {
    provider: queryable.provider,
    adapterName: queryable.adapterName,
    queryRaw: (query) => queryable.queryRaw(clean(query)),
    executeRaw: (query) => queryable.executeRaw(clean(query)),
  }
}

/**
 * Refuses a pool whose connections would look for the tables in another schema. That happens if a pooler drops the
 * setting.
 * @throws {FileFault}
 */
export const refuseOtherSchema = async (pool: pg.Pool, { schema, place }: PostgresAddress): Promise<void> => {
  // Null means that the schema does not exist yet.
  const { rows } = await pool.query<{ found: string | null }>('SELECT current_schema() AS found')
  const found = rows[0]?.found ?? schema
  if (found === schema) return
  throw new FileFault(
    `DATABASE_URL: ${place}: its connections use the schema ${found}. Behind a pooler, set the schema for the role: ALTER ROLE bundlegram SET search_path = ${schema}`,
  )
}

/** An arbitrary constant. With this lock, instances that migrate at the same time do so one after another. */
export const migrationLock = 0x62756e646c65

export const postgresMigratable = (pool: pg.Pool, address: PostgresAddress): Migratable => ({
  kind: 'postgresql',
  applied: async () => {
    try {
      return await appliedOn(pool)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === '42P01') return []
      throw error
    }
  },
  // This connection has no time limits: changing a large table, or waiting for another instance to do it, may take
  // minutes.
  alone: async (work) => {
    const unlimited = createPool({ ...address, connections: 1 }, { limits: {} })
    try {
      return await migrating(unlimited, address.schema, work)
    } finally {
      await unlimited.end()
    }
  },
})

const migrating = async <T>(
  pool: pg.Pool,
  schema: string,
  work: (transaction: MigratingTransaction) => Promise<T>,
): Promise<T> => {
  const connection = await pool.connect()
  const run = async (script: string): Promise<void> => {
    await connection.query(script)
  }
  try {
    await run(
      `BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(${migrationLock})`,
    )
    if (schema !== 'public') await connection.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`)
    const result = await work({
      run,
      // This runs on the same connection, because the pool has only one.
      applied: () => appliedOn(connection),
    })
    await connection.query('COMMIT')
    connection.release()
    return result
  } catch (error) {
    // Closing the connection rolls the transaction back.
    connection.release(error as Error)
    throw error
  }
}

const appliedOn = async (connection: pg.Pool | pg.PoolClient): Promise<string[]> => {
  const { rows } = await connection.query<{ migration_name: string }>(appliedSql)
  return rows.map(({ migration_name }) => migration_name)
}

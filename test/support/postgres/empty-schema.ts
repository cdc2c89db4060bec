import pg from 'pg'
import { openDatabase } from '../../../src/database/database.ts'
import { readPostgresUrl } from '../../../src/database/postgres/url.ts'
import { dropSchema, newSchema } from './new-schema.ts'

/** A migrated PostgreSQL schema without rows, for one test or the tests of one file. */
export interface EmptySchema {
  url: string
  empty(): Promise<void>
  /**
   * Empties the schema for the next test. First closes connections of killed bots, because the server may still be
   * running their queries.
   */
  giveBack(): Promise<void>
}

/** Schemas that tests of this process have given back. Emptying one takes a hundredth of the time of making one. */
const left: string[] = []

export const takeEmptySchema = async (): Promise<EmptySchema> => {
  const url = left.pop() ?? (await makeOne())
  return {
    url,
    empty: () => alone((server) => empty(url, server)),
    giveBack: async () => {
      const isClean = await alone((server) => isEmptied(url, server)).catch(() => false)
      if (isClean) left.push(url)
      else await dropSchema(url)
    },
  }
}

const empty = async (url: string, server: pg.PoolClient): Promise<void> => {
  const { schema } = readPostgresUrl(url)
  await server.query(`SET search_path = ${schema}; ${(await made)?.emptying}`)
}

const makeOne = async (): Promise<string> => {
  const { url } = newSchema()
  const database = await openDatabase(url)
  await database.close()
  made ??= alone((server) => contentOf(readPostgresUrl(url).schema, server))
  await made
  return url
}

/** What a migrated schema contains. */
interface Content {
  /** The names of tables, indexes and sequences, with their kinds. */
  names: string
  emptying: string
}

let made: Promise<Content> | undefined

const contentOf = async (schema: string, server: pg.PoolClient): Promise<Content> => {
  const { rows } = await server.query<{ name: string; kind: string }>(
    `SELECT relname AS name, relkind AS kind FROM pg_class WHERE relnamespace = $1::regnamespace
     UNION ALL SELECT proname, 'f' FROM pg_proc WHERE pronamespace = $1::regnamespace`,
    [schema],
  )
  const ofKind = (wanted: string) => rows.filter(({ kind }) => kind === wanted).map(({ name }) => name)
  const tables = ofKind('r').filter((name) => name !== '_prisma_migrations')
  return {
    names: rows
      .map(({ name, kind }) => `${kind} ${name}`)
      .sort()
      .join(),
    emptying: [
      'SET LOCAL session_replication_role = replica',
      ...tables.map((name) => `DELETE FROM "${name}"`),
      ...ofKind('S').map((name) => `SELECT setval('"${name}"', 1, false)`),
    ].join('; '),
  }
}

/** Empties the schema. @returns false if a test has altered the schema, which is then not reused. */
const isEmptied = async (url: string, server: pg.PoolClient): Promise<boolean> => {
  const { schema, applicationName } = readPostgresUrl(url)
  await server.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
     WHERE application_name = $1`,
    [applicationName],
  )
  await empty(url, server)
  return (await contentOf(schema, server)).names === (await made)?.names
}

/** A single connection, which is reused because it has cached the tables. It does not keep the process alive. */
const pool = new pg.Pool({
  connectionString: process.env.TEST_DATABASE_URL,
  options: '-c synchronous_commit=off',
  max: 1,
  idleTimeoutMillis: 0,
  allowExitOnIdle: true,
})
pool.on('error', () => {})

const alone = async <T>(work: (server: pg.PoolClient) => Promise<T>): Promise<T> => {
  const server = await pool.connect()
  try {
    return await work(server)
  } finally {
    server.release()
  }
}

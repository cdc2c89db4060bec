import pg from 'pg'
import { openDatabase } from '../../src/database/database.ts'
import { readPostgresUrl } from '../../src/database/postgres/url.ts'
import { dropSchema, newSchema } from './new-schema.ts'

/** A migrated schema of PostgreSQL without rows, for one test or the tests of one file. */
export interface EmptySchema {
  url: string
  empty(): Promise<void>
  /** For the next one. Bots that were killed in it are cut off first: the server may still do what they asked for. */
  giveBack(): Promise<void>
}

/** Given back by tests of this process. To make one takes a hundred times as long as to empty it. */
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

/** What a migrated schema holds. */
interface Content {
  /** Of tables, indexes and sequences, by their kinds. */
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

/** One that a test has altered is not used again. */
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

/** One connection, which knows the tables by now. It keeps no process alive. */
const pool = new pg.Pool({
  connectionString: process.env.TEST_DATABASE_URL,
  options: '-c synchronous_commit=off',
  ...{ max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true },
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

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { readPostgresUrl } from '../../../src/database/postgres/url.ts'
import { schemaPrefix } from './schemas.ts'

/** The PostgreSQL for tests. Each test has its own schema in it. */
const server = process.env.TEST_DATABASE_URL

/** The address of a schema that does not exist yet, and a function that removes it. */
export const newSchema = (): { url: string; drop: () => Promise<void> } => {
  if (server === undefined) throw new Error('TEST_DATABASE_URL names no PostgreSQL for the tests.')
  const schema = `${schemaPrefix(process.ppid)}${randomBytes(8).toString('hex')}`
  const url = new URL(server)
  url.searchParams.set('schema', schema)
  url.searchParams.set('connection_limit', '3')
  // The tests kill processes and connections, not machines, so commits need not wait for the disk.
  url.searchParams.set('options', `-c search_path=${schema} -c synchronous_commit=off`)
  return { url: url.href, drop: () => dropSchema(url.href) }
}

/** Removes the schema that an address names, with all its tables. */
export const dropSchema = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(
      `SET client_min_messages = error; DROP SCHEMA IF EXISTS ${readPostgresUrl(url).schema} CASCADE`,
    )
  } finally {
    await client.end()
  }
}

import pg from 'pg'
import { wait } from '../../base/wait.ts'
import { FileFault } from '../database-file.ts'
import { serverFaultOf } from './server-fault.ts'
import { type PostgresAddress, readPostgresUrl } from './url.ts'

/** A connection to PostgreSQL for a command that runs while no bot does. */
export interface Session {
  client: pg.Client
  address: PostgresAddress
  close(): Promise<void>
}

const connectMs = 10_000

/** Connects to PostgreSQL. @throws {FileFault} if it cannot be reached, or the address is that of a pooler */
export const openSession = async (url: string): Promise<Session> => {
  const address = readPostgresUrl(url)
  const { connectionString, schema, place, pooled } = address
  if (pooled) {
    throw new FileFault(
      `${place}: is behind a pooler. This command needs the server itself: give its address, without pgbouncer=true.`,
    )
  }
  const client = new pg.Client({
    connectionString,
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    application_name: 'bundlegram command',
  })
  // Without this listener, a broken connection would crash the process. The next query reports it anyway.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(
      `SET search_path = "${schema}"; SET client_encoding = 'UTF8'; SET datestyle = 'ISO, YMD'; SET statement_timeout = 0`,
    )
  } catch (error) {
    await client.end().catch(() => {})
    throw serverFaultOf(error, place)
  }
  return { client, address, close: () => client.end().catch(() => {}) }
}

/**
 * Refuses a database whose encoding cannot store texts of every language.
 * @throws {FileFault}
 */
export const refuseOtherEncoding = async ({ client, address }: Session): Promise<void> => {
  const { rows } = await client.query<{ server_encoding: string }>('SHOW server_encoding')
  const encoding = rows[0]?.server_encoding
  if (encoding === 'UTF8') return
  throw new FileFault(
    `${address.place}: stores texts as ${encoding}, not as UTF8. Create another database: createdb --owner=bundlegram --encoding=UTF8 --template=template0 bundlegram2`,
  )
}

/** Connections of a bot that was just stopped may remain for this long. */
const goneWithinMs = 2_000
const lookAgainMs = 50

/**
 * Refuses a schema to which a bot is connected.
 * @throws {FileFault}
 */
export const refuseInUse = async ({ client, address }: Session): Promise<void> => {
  const startedMs = performance.now()
  for (;;) {
    const { rows } = await client.query<{ bots: number }>(
      `SELECT count(*)::int AS bots FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = $1 AND pid <> pg_backend_pid()`,
      [address.applicationName],
    )
    if (rows[0]?.bots === 0) return
    if (performance.now() - startedMs > goneWithinMs) {
      throw new FileFault(
        `${address.place}: a bot is connected to it. Stop every bot on it first; nothing was changed.`,
      )
    }
    await wait(lookAgainMs)
  }
}

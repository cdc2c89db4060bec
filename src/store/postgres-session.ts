import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { FileFault } from './database-file.ts'
import { type PostgresAddress, readPostgresUrl } from './postgres-url.ts'

/** One connection to a PostgreSQL, for a command that works on it while no bot does. */
export interface Session {
  client: pg.Client
  address: PostgresAddress
  close(): Promise<void>
}

const connectMs = 10_000

/** @throws {FileFault} where it cannot be reached. */
export const openSession = async (url: string): Promise<Session> => {
  const address = readPostgresUrl(url)
  const { connectionString, schema, place } = address
  const client = new pg.Client({
    connectionString,
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    application_name: 'bundlegram command',
  })
  // What breaks the connection is told by the query that finds it broken.
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

/** Connections of a bot that has just been stopped are gone a moment later. */
const goneWithinMs = 2_000
const lookAgainMs = 50

/** @throws {FileFault} while a bot is connected to that schema. */
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

/** Codes of PostgreSQL and of the network, in words. */
const reasons: Record<string, string> = {
  ECONNREFUSED: 'nobody answers there: start PostgreSQL, or mend the address',
  ENOENT: 'nobody answers there: start PostgreSQL, or mend the address',
  ETIMEDOUT: 'nobody answers there: mend the address, or let the firewall pass it',
  ENOTFOUND: 'there is no host of that name: mend the address',
  EAI_AGAIN: 'the name of the host cannot be looked up: try again, or name its address',
  '28P01': 'the user or the password is wrong: mend the address',
  '28000': 'the server lets that user not in: mend the address, or its pg_hba.conf',
  '3D000': 'the server has no such database: make it, for example: createdb --owner=bundlegram bundlegram',
  '42501': 'the user may not do that: make it the owner of the database',
  '53100': 'the disk of the server is full: make room',
  '53300': 'the server takes no more connections: stop other programs, or raise its max_connections',
}

const broken = /^(57P0\d|08\d\d\d|ECONNRESET|EPIPE)$/

/** An error of PostgreSQL or of the way to it as a sentence about the database; others stay as they are. */
export const serverFaultOf = (error: unknown, place: string): unknown => {
  if (!(error instanceof Error) || error instanceof FileFault) return error
  const code = 'code' in error ? String(error.code) : ''
  const isBroken = broken.test(code) || /^Connection terminated|not queryable/.test(error.message)
  const reason = isBroken ? 'the connection broke. Run it again' : reasons[code]
  return reason === undefined ? error : new FileFault(`${place}: ${reason}.`, { cause: error })
}

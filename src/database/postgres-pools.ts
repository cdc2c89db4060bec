import type { SqlQuery } from '@prisma/driver-adapter-utils'
import pg from 'pg'
import { wait } from '../wait.ts'
import { createTurns } from './postgres-scopes.ts'
import type { PostgresAddress } from './postgres-url.ts'
import { watchConnections } from './postgres-watch.ts'

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
/** A light statement holds its locks for milliseconds. Those that wait longer would keep all light ones from a connection. */
const lightLockMs = 2_000

/** The network is asked whether it still carries a connection on which nothing was said for so long. */
export const keepAliveMs = 10_000

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
    return handedTo(callback, this.#patiently())
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

/** The driver's two ways to ask for a connection. */
const handedTo = (
  callback: ConnectCallback | undefined,
  connected: Promise<pg.PoolClient>,
): Promise<pg.PoolClient> | undefined => {
  if (!callback) return connected
  connected.then(
    (client) => callback(undefined, client, client.release.bind(client)),
    (error: Error) => callback(error, undefined, () => {}),
  )
  return undefined
}

/** Whether the server starts, stops or is not listening: no query reached it. */
const isUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    ['57P01', '57P02', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT'].includes(code) ||
    /^Connection terminated/.test(error.message)
  )
}

/** The connections of one process to a PostgreSQL. They look for tables in the address's schema. */
export interface PostgresPools {
  heavy: pg.Pool
  insertions: pg.Pool
  /**
   * Connections for what need not outlive a crash of the server: turns, claims and rates. Their commits do not wait for
   * the disk.
   */
  light: pg.Pool
  /** Names query texts while there are few: a named query is prepared once on each connection. */
  nameOf(query: SqlQuery): string
  /**
   * Takes a turn. So many transactions and other writes of this process run at once: they may wait for locks, and reads
   * go on beside them.
   */
  turnOf: ReturnType<typeof createTurns>
  /** Closes all connections. */
  end(): Promise<void>
}

/** Makes the pools; connections are opened as they are needed. @param onTrouble called for idle ones that broke. */
export const createPools = (address: PostgresAddress, onTrouble: (error: Error) => void): PostgresPools => {
  const { connectionString, schema, connections, applicationName } = address
  const poolOf = (max: number, { isLight = false } = {}): PatientPool => {
    const settings = [...(isLight ? ['synchronous_commit=off'] : []), `search_path=${schema}`]
    const made = new PatientPool({
      connectionString: withSettings(connectionString, settings),
      max,
      // What a transaction sends at once goes out at once, and is answered in that order.
      pipeline: true,
      connectionTimeoutMillis: queueMs,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      application_name: applicationName,
      statement_timeout: statementMs,
      lock_timeout: isLight ? lightLockMs : lockMs,
      idle_in_transaction_session_timeout: idleInTransactionMs,
      query_timeout: statementMs + 5_000,
    })
    made.on('error', onTrouble)
    watchConnections(made, address)
    // A connection that breaks between two uses reports it here alone; its next user learns it from the query.
    made.on('connect', (client) => client.on('error', () => {}))
    return made
  }
  const lights = Math.ceil(connections / connectionsForLight)
  const kept = connections < connectionsForInsertions ? 0 : 1
  const heavy = connections - lights - kept
  const pool = poolOf(heavy)
  const insertions = kept === 0 ? pool : poolOf(kept)
  const light = poolOf(lights, { isLight: true })
  return {
    ...{ heavy: pool, insertions, light },
    nameOf: names(),
    turnOf: createTurns(Math.max(1, heavy - connectionsForReads)),
    end: async () =>
      void (await Promise.all([...new Set([pool, light, insertions])].map((each) => each.end()))),
  }
}

/**
 * The address, with settings of its sessions, so that none takes a statement. They go before the `options` that an
 * operator wrote into it, which are kept.
 */
const withSettings = (connectionString: string, settings: readonly string[]): string => {
  const url = new URL(connectionString)
  const own = url.searchParams.get('options') ?? ''
  // Queries are short: to compile one takes longer than to run it, and the server's guess is too high.
  const options = ['-c jit=off', own, ...settings.map((setting) => `-c ${setting}`)]
  url.searchParams.set('options', options.join(' '))
  return url.href
}

const names = () => {
  const known = new Map<string, string>()
  return ({ sql }: SqlQuery): string => {
    const name = known.get(sql) ?? (known.size < maxKept ? `b${known.size}` : '')
    if (name !== '') known.set(sql, name)
    return name
  }
}

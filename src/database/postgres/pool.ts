import pg from 'pg'
import { wait } from '../../wait.ts'
import type { PostgresAddress } from './url.ts'

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

/** Ends queries that take longer, in ms. Without one, there is no such limit. */
type Limits = Pick<pg.PoolConfig, 'lock_timeout' | 'statement_timeout' | 'query_timeout'>

/**
 * How long ordinary work may wait for a lock, run on the server, and be waited for here: each longer than the one
 * before, so that the server says why. Only where the network swallowed a query or its answer does the driver give up by
 * itself, and ends the connection.
 */
const ordinaryLimits: Limits = { lock_timeout: 6_000, statement_timeout: 7_000, query_timeout: 8_000 }

/** The network is asked whether it still carries a connection on which nothing was said for so long. */
const keepAliveMs = 10_000

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

interface PoolOptions {
  /** Called for idle connections that broke. */
  onTrouble?: (error: Error) => void
  limits?: Limits
}

/** Makes the pool; connections are opened as they are needed. */
export const createPool = (
  address: PostgresAddress,
  { onTrouble = () => {}, limits = ordinaryLimits }: PoolOptions = {},
): pg.Pool => {
  const pool = new PatientPool({
    ...(address.pooled ? plainSession(address, limits) : ownSession(address, limits)),
    max: address.connections,
    // What a transaction asks at once goes out at once, and is answered in that order. A query that is given up ends its
    // connection.
    pipeline: true,
    connectionTimeoutMillis: queueMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    application_name: address.applicationName,
  })
  pool.on('error', onTrouble)
  // A connection that breaks between two uses reports it here alone; its next user learns it from the query.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** A pooler refuses settings of sessions: what of them is needed is set for the role, as the operator's guide says. */
const plainSession = ({ connectionString }: PostgresAddress, { query_timeout }: Limits): pg.PoolConfig => ({
  connectionString,
  query_timeout,
})

const ownSession = ({ connectionString, schema }: PostgresAddress, limits: Limits): pg.PoolConfig => ({
  connectionString: withSettings(connectionString, [`search_path=${schema}`]),
  idle_in_transaction_session_timeout: idleInTransactionMs,
  ...limits,
})

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

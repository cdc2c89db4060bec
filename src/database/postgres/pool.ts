import pg from 'pg'
import { wait } from '../../base/wait.ts'
import type { PostgresAddress } from './url.ts'

/**
 * How long to wait for a restarting server if no query was sent yet. It is short enough that a callback gets its
 * 503 within the 5 s that the provider waits (API §6).
 */
const patienceMs = 4_000
const lookAgainMs = 50
/** How long a query may wait for a connection of the pool. */
const queueMs = 5_000

/**
 * A process that is suspended in the middle of a transaction (SIGSTOP, a machine cut off from the network) loses its
 * locks after this time, so that other processes can continue.
 */
const idleInTransactionMs = 5_000

/** Time limits for queries, in ms. A limit that is left out does not apply. */
type Limits = Pick<pg.PoolConfig, 'lock_timeout' | 'statement_timeout' | 'query_timeout'>

/**
 * How long ordinary work may wait for a lock, run on the server, and be waited for by the driver. Each limit is
 * longer than the one before, so that the server can report why it stopped the work. The driver gives up by itself
 * only if the network lost the query or its answer; then it ends the connection.
 */
const ordinaryLimits: Limits = { lock_timeout: 6_000, statement_timeout: 7_000, query_timeout: 8_000 }

/** How long a connection may be silent before TCP checks that the network still carries it. */
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

/** Adapts a promise to the driver's two ways to ask for a connection. */
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

/** Whether the server is starting, stopping or not listening, so that no query reached it. */
const isUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    ['57P01', '57P02', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT'].includes(code) ||
    /^Connection terminated/.test(error.message)
  )
}

interface PoolOptions {
  /** Called when an idle connection breaks. */
  onTrouble?: (error: Error) => void
  limits?: Limits
}

/** Makes the pool. Connections are opened when they are needed. */
export const createPool = (
  address: PostgresAddress,
  { onTrouble = () => {}, limits = ordinaryLimits }: PoolOptions = {},
): pg.Pool => {
  const pool = new PatientPool({
    ...(address.pooled ? plainSession(address, limits) : ownSession(address, limits)),
    max: address.connections,
    // Queries that a transaction makes concurrently are sent without waiting for earlier answers, and answered in
    // that order. If one is given up, its connection ends.
    pipeline: true,
    connectionTimeoutMillis: queueMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    application_name: address.applicationName,
  })
  pool.on('error', onTrouble)
  // Without a listener, a connection that breaks while it is lent out would crash the process. Its user gets the
  // error from the query.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** A pooler refuses session settings. Those that are needed are set for the role, as the operator's guide says. */
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
 * Adds session settings to the address, so that no statement is needed to set them. An operator's own `options` are
 * kept.
 */
const withSettings = (connectionString: string, settings: readonly string[]): string => {
  const url = new URL(connectionString)
  const own = url.searchParams.get('options') ?? ''
  // Queries are short: compiling one takes longer than running it, and the server overestimates their cost.
  const options = ['-c jit=off', own, ...settings.map((setting) => `-c ${setting}`)]
  url.searchParams.set('options', options.join(' '))
  return url.href
}

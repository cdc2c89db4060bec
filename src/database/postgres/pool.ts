import pg from 'pg'
import { wait } from '../../base/wait.ts'
import type { PostgresAddress } from './url.ts'

/**
 * How long to wait for a server that is restarting, if no query was sent yet. It is short enough to answer a
 * callback with 503 within the 5 s that the provider waits (API §6).
 */
const patienceMs = 4_000
const lookAgainMs = 50
/** How long a query may wait for a connection of the pool. */
const queueMs = 5_000

/**
 * If a process is suspended in the middle of a transaction (SIGSTOP, or its machine is cut off from the network), it
 * loses its locks after this time, so that other processes can continue.
 */
const idleInTransactionMs = 5_000

/** In ms. A limit that is left out does not apply. */
type Limits = Pick<pg.PoolConfig, 'lock_timeout' | 'statement_timeout' | 'query_timeout'>

/**
 * How long ordinary work may wait for a lock, how long it may run on the server, and how long the driver waits for
 * it. Each limit is longer than the one before, so that the server can report why it stopped the work. The driver's
 * limit is reached only if the network lost the query or its answer; then the driver ends the connection.
 */
const ordinaryLimits: Limits = { lock_timeout: 6_000, statement_timeout: 7_000, query_timeout: 8_000 }

/** How long a connection may be silent before TCP checks that it still works. */
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

/** Supports both ways in which the driver asks for a connection: by callback or by promise. */
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

/** The pool opens connections when they are needed. */
export const createPool = (
  address: PostgresAddress,
  { onTrouble = () => {}, limits = ordinaryLimits }: PoolOptions = {},
): pg.Pool => {
  const pool = new PatientPool({
    ...(address.pooled ? plainSession(address, limits) : ownSession(address, limits)),
    // `connection_limit` of the address; `url.ts` has the default.
    max: address.connections,
    // Concurrent queries of a transaction are sent without waiting for earlier answers, and answered in order. If
    // one of them times out, its connection is closed.
    pipeline: true,
    connectionTimeoutMillis: queueMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    application_name: address.applicationName,
  })
  pool.on('error', onTrouble)
  // Without this listener, a connection that breaks while it is in use would crash the process. The query that uses
  // it gets the error anyway.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/**
 * Poolers refuse session settings. The settings that we need are set for the role instead, as the operator's guide
 * says.
 */
const plainSession = ({ connectionString }: PostgresAddress, { query_timeout }: Limits): pg.PoolConfig => ({
  connectionString,
  query_timeout,
})

const ownSession = ({ connectionString, schema }: PostgresAddress, limits: Limits): pg.PoolConfig => ({
  connectionString: withSettings(connectionString, [
    `search_path=${schema}`,
    'default_transaction_isolation=read\\ committed',
  ]),
  idle_in_transaction_session_timeout: idleInTransactionMs,
  ...limits,
})

/**
 * Adds session settings to the address, which saves the statements to set them. The operator's own `options` stay.
 */
const withSettings = (connectionString: string, settings: readonly string[]): string => {
  const url = new URL(connectionString)
  const own = url.searchParams.get('options') ?? ''
  // JIT is off because queries are short: compiling one takes longer than running it, and the server overestimates
  // their cost.
  const options = ['-c jit=off', own, ...settings.map((setting) => `-c ${setting}`)]
  url.searchParams.set('options', options.join(' '))
  return url.href
}

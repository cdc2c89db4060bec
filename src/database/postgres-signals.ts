import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { wait } from '../wait.ts'
import { keepAliveMs } from './postgres-pool.ts'
import type { PostgresAddress } from './postgres-url.ts'
import { type Signals, type Topic, topics } from './signals.ts'

/** The pause after a broken connection. No signals arrive meanwhile, and no work is lost. */
const reconnectMs = 500
/** As long as a query waits for a connection. */
const connectMs = 5_000
/** Signals of one topic within this time are sent as one. */
const gatherMs = 5
/** A process hears its own signals too. One that does not come back within this time has been swallowed by the network. */
const backMs = 3_000

/** The signals of all schemas of a PostgreSQL that this process works on. */
export interface Listener {
  ofSchema(schema: string): Signals
  close(): Promise<void>
}

/** Signals by LISTEN and NOTIFY, all on one connection of their own. */
export const createListener = (
  { connectionString, applicationName }: PostgresAddress,
  pool: pg.Pool,
  onTrouble: (error: Error) => void,
): Listener => {
  const ended = new AbortController()
  const own = randomUUID()
  /** What is called for the signals of each channel. */
  const channels = new Map<string, (topic: Topic, to?: string) => void>()
  let current: pg.Client | null = null
  let isConnected = false
  /** Whether the connection has ever brought back a signal of our own. */
  let isProven = false
  /** While a signal of our own is awaited. */
  let doubt: NodeJS.Timeout | undefined

  const hear = ({ channel, payload = '' }: pg.Notification): void => {
    const [sender, name, to] = payload.split(' ')
    const topic = topics.find((each) => each === name)
    if (topic && sender !== own) channels.get(channel)?.(topic, to)
    if (sender === own) trust(true)
  }

  const trust = (proven: boolean): void => {
    isProven = proven
    clearTimeout(doubt)
    doubt = undefined
  }

  const awaitOwn = (): void => {
    if (isProven) doubt ??= setTimeout(() => current?.connection.stream.destroy(), backMs).unref()
  }

  const attendTo = async (channel: string): Promise<void> => {
    if (!isConnected) return
    await current?.query(`LISTEN "${channel}"`)
    // Catches up on signals that were missed while nobody listened.
    for (const topic of topics) channels.get(channel)?.(topic)
  }

  /** Resolves when the connection has ended. */
  const attend = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      pipeline: true,
      connectionTimeoutMillis: connectMs,
      application_name: applicationName,
    })
    const gone = new Promise<void>((resolve) => client.once('end', resolve))
    client.on('error', onTrouble)
    client.on('notification', hear)
    current = client
    // A client that is ended while it connects never reports whether it connected.
    await Promise.race([client.connect(), gone])
    if (ended.signal.aborted) return
    isConnected = true
    for (const channel of channels.keys()) await attendTo(channel)
    await gone
  }

  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await attend().catch((error: Error) => {
        if (!ended.signal.aborted) onTrouble(error)
        return current?.end().catch(() => {})
      })
      isConnected = false
      trust(false)
      await wait(reconnectMs, undefined, { signal: ended.signal }).catch(() => {})
    }
  }
  const running = run()

  return {
    ofSchema: (schema) => {
      const channel = `bundlegram_${schema}`
      /** Payloads without their sender. */
      const waiting = new Set<string>()
      let isClosed = false

      const tell = async (payload: string): Promise<void> => {
        if (!waiting.delete(payload)) return
        if (!isClosed) awaitOwn()
        await pool.query('SELECT pg_notify($1, $2)', [channel, `${own} ${payload}`]).catch(onTrouble)
      }

      channels.set(channel, () => {})
      attendTo(channel).catch((error: Error) => {
        onTrouble(error)
        // All channels are listened to on the next connection.
        return current?.end().catch(() => {})
      })
      return {
        send: (topic, to) => {
          const payload = to === undefined ? topic : `${topic} ${to}`
          if (waiting.has(payload) || isClosed) return
          waiting.add(payload)
          setTimeout(() => void tell(payload), gatherMs)
        },
        onSignal: (listen) => void channels.set(channel, listen),
        close: async () => {
          isClosed = true
          channels.delete(channel)
          await Promise.all([...waiting].map(tell))
          if (isConnected) await current?.query(`UNLISTEN "${channel}"`).catch(() => {})
        },
      }
    },
    close: async () => {
      ended.abort()
      await current?.end().catch(() => {})
      await running
    },
  }
}

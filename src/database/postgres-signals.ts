import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { PostgresAddress } from './postgres-url.ts'
import { type Signals, type Topic, topics } from './signals.ts'

/** The pause after a broken connection. No signals arrive meanwhile, and no work is lost. */
const reconnectMs = 500
/** As long as a query waits for a connection. */
const connectMs = 5_000
/** Signals of one topic within this time are sent as one. */
const gatherMs = 5

/** Signals by LISTEN and NOTIFY, on their own connection. */
export const listenTo = (
  { connectionString, schema, applicationName }: PostgresAddress,
  pool: pg.Pool,
  onTrouble: (error: Error) => void,
): Signals => {
  const channel = `bundlegram_${schema}`
  const ended = new AbortController()
  const own = randomUUID()
  /** Payloads without their sender. */
  const waiting = new Set<string>()
  let listen: (topic: Topic, to?: string) => void = () => {}
  let current: pg.Client | null = null

  const hear = ({ payload = '' }: pg.Notification): void => {
    const [sender, name, to] = payload.split(' ')
    const topic = topics.find((each) => each === name)
    if (topic && sender !== own) listen(topic, to)
  }

  /** Resolves when the connection has ended. */
  const attend = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString,
      keepAlive: true,
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
    await client.query(`LISTEN "${channel}"`)
    // Catches up on signals that were missed while nobody listened.
    for (const topic of topics) listen(topic)
    await gone
  }

  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await attend().catch((error: Error) => {
        if (!ended.signal.aborted) onTrouble(error)
        return current?.end().catch(() => {})
      })
      await wait(reconnectMs, undefined, { signal: ended.signal }).catch(() => {})
    }
  }
  const running = run()

  const tell = async (payload: string): Promise<void> => {
    waiting.delete(payload)
    await pool.query('SELECT pg_notify($1, $2)', [channel, `${own} ${payload}`]).catch(onTrouble)
  }

  return {
    send: (topic, to) => {
      const payload = to === undefined ? topic : `${topic} ${to}`
      if (waiting.has(payload) || ended.signal.aborted) return
      waiting.add(payload)
      setTimeout(() => void tell(payload), gatherMs)
    },
    onSignal: (next) => {
      listen = next
    },
    close: async () => {
      ended.abort()
      await Promise.all([...waiting].map(tell))
      await current?.end().catch(() => {})
      await running
    },
  }
}

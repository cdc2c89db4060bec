import { Socket } from 'node:net'
import pg from 'pg'
import type { PostgresAddress } from './postgres-url.ts'

/** After so long without an answer on a connection, the server is asked about it. */
export const quietMs = 3_000

/**
 * Ends connections whose network has swallowed a query or its answer. Neither side hears of that, and the driver gives up
 * only after the longest time that a statement may take. So the server is asked, on a connection of its own, whether it
 * is still at it.
 */
export const watchConnections = (pool: pg.Pool, address: PostgresAddress): void => {
  pool.on('connect', (client) => {
    const socket = client instanceof pg.Client ? client.connection.stream : null
    if (!(socket instanceof Socket)) return
    const pid: unknown = Reflect.get(client, 'processID')
    /** How much had been sent when the last query was answered. Of several sent at once each has an answer of its own. */
    let answered = socket.bytesWritten
    client.on('drain', () => {
      answered = socket.bytesWritten
    })
    const look = async (): Promise<void> => {
      if (socket.bytesWritten === answered || socket.destroyed) return
      const heard = socket.bytesRead
      const isLost = await hasEnded(pid, address).catch(() => false)
      // Whoever stood still finds its answer only now.
      if (socket.bytesRead !== heard) return
      if (isLost) socket.destroy()
      else socket.setTimeout(quietMs)
    }
    socket.setTimeout(quietMs)
    socket.on('timeout', () => void look())
  })
}

/**
 * Whether the server has nothing to do for that connection, or no longer has it. What is open in a transaction it ends
 * by itself.
 */
const hasEnded = async (
  pid: unknown,
  { connectionString, applicationName }: PostgresAddress,
): Promise<boolean> => {
  const asking = new pg.Client({
    connectionString,
    application_name: applicationName,
    connectionTimeoutMillis: quietMs,
    query_timeout: quietMs,
  })
  asking.on('error', () => {})
  await asking.connect()
  try {
    const { rows } = await asking.query<{ own: number; state: string | null }>(
      `SELECT pg_backend_pid() AS own, (SELECT state FROM pg_stat_activity WHERE pid = $1) AS state`,
      [pid],
    )
    // A proxy numbers its clients by itself: the server knows none of those numbers.
    const ownPid: unknown = Reflect.get(asking, 'processID')
    return rows.some(({ own, state }) => own === ownPid && (state === null || state === 'idle'))
  } finally {
    void asking.end()
  }
}

import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A raw connection, to send bytes that no HTTP client would send. */
export interface Wire {
  socket: Socket
  /** Everything received so far. */
  received(): string
  /** Resolves with everything received as soon as it matches. */
  until(text: RegExp): Promise<string>
  /** Resolves with everything received when the other side has closed the connection. */
  end(): Promise<string>
}

/** @param bytes sent immediately. */
export const openWire = async (url: string, bytes = ''): Promise<Wire> => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let received = ''
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1')
  })
  // Sending fails if the server has stopped reading and closed the connection.
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await Promise.race([new Promise<void>((resolve) => socket.once('connect', resolve)), closed])
  socket.write(bytes, 'latin1')
  return {
    socket,
    received: () => received,
    until: async (text) => {
      while (!text.test(received)) {
        if (socket.closed) throw new Error(`The connection was closed after: ${received}`)
        await wait(5)
      }
      return received
    },
    end: async () => {
      await closed
      return received
    },
  }
}

/** Sends raw bytes. @returns everything received until the connection was closed. */
export const exchange = async (url: string, bytes: string): Promise<string> =>
  (await openWire(url, bytes)).end()

/** The status codes of all answers in these bytes, including `100 Continue`. */
export const statusesIn = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

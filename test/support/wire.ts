import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A connection on which bytes go out as they are: what no HTTP client would send. */
export interface Wire {
  socket: Socket
  /** All that came back until now. */
  received(): string
  /** Resolves when so much of an answer has come. */
  until(text: RegExp): Promise<string>
  /** All that came back until the other side closed the connection. */
  end(): Promise<string>
}

/** @param bytes what is sent at once. */
export const openWire = async (url: string, bytes = ''): Promise<Wire> => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let received = ''
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1')
  })
  // A server that stops reading closes the connection. Sending more to it then fails.
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

/** Sends bytes as they are and answers with all that came back until the connection was closed. */
export const exchange = async (url: string, bytes: string): Promise<string> =>
  (await openWire(url, bytes)).end()

/** The status codes of the answers that are in those bytes, `100 Continue` too. */
export const statusesIn = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A complete request as it was received. */
export interface RawRequest {
  method: string
  path: string
  head: string
  body: string
}

export interface RawServer {
  port: number
  /** Every byte that was received on any connection. */
  received: string
  connections: number
  requests: RawRequest[]
  /** Resolves when this many complete requests have been received. */
  arrived(count: number): Promise<void>
  close(): Promise<void>
}

export type Answer = (socket: Socket, request: RawRequest) => void

/**
 * A TCP server that counts requests and answers with bytes that the test chooses. It ends with the test. Without
 * `wholeRequests`, it answers anything that arrives, such as the hello of a TLS client. `onConnection` is called
 * before any byte arrives.
 */
export const startRawServer = async (
  answer: Answer,
  { wholeRequests = true, onConnection = (_socket: Socket) => {} } = {},
): Promise<RawServer> => {
  const sockets = new Set<Socket>()
  const waiting: (() => void)[] = []
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    raw.connections += 1
    onConnection(socket)
    let unread = ''
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => {
      raw.received += chunk.toString('latin1')
      unread += chunk.toString('latin1')
      const request = wholeRequests ? wholeRequest(unread) : noRequest
      if (!request) return
      unread = ''
      raw.requests.push(request)
      for (const wake of waiting) wake()
      answer(socket, request)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const raw: RawServer = {
    port: (server.address() as AddressInfo).port,
    received: '',
    connections: 0,
    requests: [],
    async arrived(count) {
      while (raw.requests.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
  }
  onTestFinished(() => raw.close())
  return raw
}

const noRequest: RawRequest = { method: '', path: '', head: '', body: '' }

const wholeRequest = (text: string): RawRequest | null => {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return null
  const head = text.slice(0, end)
  const body = text.slice(end + 4)
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
  const [method = '', path = ''] = head.split(' ')
  return body.length < length ? null : { method, path, head, body }
}

/** An answer with its length, for a connection that stays open. */
export const rawAnswer = (status: number, body: string | Buffer, headers: Record<string, string> = {}) => {
  const bytes = Buffer.from(body)
  const lines = Object.entries({ 'content-length': String(bytes.length), ...headers })
  const head = [`HTTP/1.1 ${status} Whatever`, ...lines.map(([name, value]) => `${name}: ${value}`)]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes])
}

export const jsonAnswer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  rawAnswer(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers })

/** Answers every request in the same way. */
export const always =
  (bytes: Buffer): Answer =>
  (socket) =>
    socket.write(bytes)

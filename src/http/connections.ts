import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The most connections that are kept: twice what a provider's crowd opens at once. Each takes some 10 KB, and up to 16
 * KB more while its headers come in.
 */
const mostConnections = 2_000

/**
 * Bounds the connections of a server. If there is one too many, the connection goes that has kept the server waiting
 * longest: for headers, for a body, or for another request. So a client that only holds connections open, however many,
 * keeps nobody else from being served. They are bounded in total and not for each address: behind a proxy all come from
 * one.
 */
export const boundConnections = (server: Server, most = mostConnections): void => {
  /** Each connection with its last request. Those whose last answer, or beginning, is longest ago come first. */
  const open = new Map<Socket, IncomingMessage | null>()

  const goesOn = (socket: Socket): void => {
    if (!open.delete(socket)) return
    open.set(socket, null)
  }

  server.on('connection', (socket: Socket) => {
    open.set(socket, null)
    socket.once('close', () => open.delete(socket))
    if (open.size > most) idlest(open).destroy()
  })
  server.on('request', (request, response) => {
    if (open.has(request.socket)) open.set(request.socket, request)
    response.once('close', () => goesOn(request.socket))
  })
}

/** The first connection that waits for nothing from us; the newest if all do. */
const idlest = (open: ReadonlyMap<Socket, IncomingMessage | null>): Socket => {
  let last: Socket | undefined
  for (const [socket, request] of open) {
    if (!request?.complete) return socket
    last = socket
  }
  if (!last) throw new RangeError('There is no connection.')
  return last
}

import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * How many connections are kept: twice as many as the provider opens when it sends many callbacks at once. Each
 * takes about 10 KB, and up to 16 KB more while its headers arrive.
 */
const mostConnections = 2_000

/**
 * Limits the connections of a server. If there is one too many, the connection that has kept the server waiting
 * longest (for headers, a body, or another request) is closed. So a client cannot keep others from being served by
 * holding connections open. The limit is a total, because behind a proxy all connections come from one address.
 */
export const boundConnections = (server: Server, most = mostConnections): void => {
  /**
   * Each connection with its current request. Sorted by the time of the last answer or, before the first answer, of the
   * connection's beginning; oldest first.
   */
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

/** The first connection that is not waiting for our answer; if all are waiting, the last one. */
const idlest = (open: ReadonlyMap<Socket, IncomingMessage | null>): Socket => {
  let last: Socket | undefined
  for (const [socket, request] of open) {
    if (!request?.complete) return socket
    last = socket
  }
  if (!last) throw new RangeError('There is no connection.')
  return last
}

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * A proxy to a server. `cut` ends all connections and accepts no new ones until `mend`, as if the server restarted.
 */
export interface Gateway {
  /** The address of the proxy. */
  url: string
  cut(): Promise<void>
  mend(): Promise<void>
  close(): Promise<void>
}

/** Passes data, and the end of the data, from one socket on to the other. */
export type HandOn = (from: Socket, to: Socket) => void

/** Data is not buffered, and a side that has finished sending can still receive. */
const asItComes = { noDelay: true, allowHalfOpen: true }

const atOnce: HandOn = (from, to) => {
  from.pipe(to)
  from.once('close', () => to.destroy())
}

export const openGateway = async (serverUrl: string, handOn: HandOn = atOnce): Promise<Gateway> => {
  const server = new URL(serverUrl)
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    return socket.on('error', () => {})
  }
  const join = (socket: Socket): void => {
    const place = { host: server.hostname, port: Number(server.port || 5432) }
    const beyond = connect({ ...place, ...asItComes })
    handOn(keep(socket), keep(beyond))
    handOn(beyond, socket)
  }
  const listen = async (port: number): Promise<Server> => {
    const listening = createServer(asItComes, join).listen(port, '127.0.0.1')
    await once(listening, 'listening')
    return listening
  }

  let door = await listen(0)
  const { port } = door.address() as { port: number }
  const cut = async (): Promise<void> => {
    const closed = once(door, 'close')
    door.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  const url = new URL(serverUrl)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    cut,
    mend: async () => {
      door = await listen(port)
    },
    close: async () => {
      if (door.listening) await cut()
    },
  }
}

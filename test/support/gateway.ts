import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A way to a server that can be cut, as a restart of the server cuts it: nobody is connected, nobody gets in. */
export interface Gateway {
  /** The address of the server, by this way. */
  url: string
  cut(): Promise<void>
  mend(): Promise<void>
  close(): Promise<void>
}

export const openGateway = async (serverUrl: string): Promise<Gateway> => {
  const server = new URL(serverUrl)
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    return socket.on('error', () => {})
  }
  const join = (socket: Socket): void => {
    const beyond = connect(Number(server.port || 5432), server.hostname)
    keep(socket).pipe(keep(beyond)).pipe(socket)
    socket.once('close', () => beyond.destroy())
    beyond.once('close', () => socket.destroy())
  }
  const listen = async (port: number): Promise<Server> => {
    const listening = createServer(join).listen(port, '127.0.0.1')
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

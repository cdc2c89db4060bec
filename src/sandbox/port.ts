import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port of 127.0.0.1 that is free at the moment, for a process that must be told its port before it starts. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No free port on 127.0.0.1')
  return address.port
}

/**
 * Starts a server on the wanted port, or on any other if that one is taken.
 *
 * @param onBusy called with the port that was taken
 */
export async function listenNear<Server>(
  wanted: number,
  start: (port: number) => Promise<Server>,
  onBusy: (port: number) => void,
): Promise<Server> {
  try {
    return await start(wanted)
  } catch (error) {
    if (!isTaken(error)) throw error
    onBusy(wanted)
    return start(0)
  }
}

/** The port is in use, or needs special rights. */
function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')
}

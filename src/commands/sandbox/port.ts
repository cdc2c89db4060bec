import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * The ports to choose from. Systems give higher ports to connections and to programs that listen on port 0, so such
 * a port could be taken at any moment. `fetch` refuses some lower ports, of which 10080 is the highest.
 */
export const portsToChoose = { first: 10_081, end: 32_000 } as const

/**
 * A port of 127.0.0.1 that is free now, for a process that must know its port before it starts.
 *
 * @param choose returns the next port to try
 */
export async function freePort(
  choose = () => randomInt(portsToChoose.first, portsToChoose.end),
): Promise<number> {
  for (;;) {
    const port = choose()
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
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

/** Whether the port is in use, or needs special rights. */
function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')
}

import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Not those that a system gives to connections and to whoever listens on port 0: one would soon be somebody's. Nor those
 * that `fetch` refuses to call: 10080 is the highest of them.
 */
export const portsToChoose = { first: 10_081, end: 32_000 } as const

/**
 * A port of 127.0.0.1 that is free at the moment, for a process that must be told its port before it starts.
 *
 * @param choose names one to try.
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

/** The port is in use, or needs special rights. */
function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')
}

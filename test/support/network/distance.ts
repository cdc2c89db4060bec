import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** A proxy to a server on this machine that adds the delay of a network. */
export interface Distance {
  /** The address of the proxy. */
  url: string
  /** From now on, drops all data on this share (0 to 1) of the open connections, which stay open. New ones work. */
  swallow(share: number): void
  close(): Promise<void>
}

/**
 * Opens a proxy that delays each byte by half the round trip, however much data is under way. It runs in its own
 * thread, so that other work does not delay it further.
 */
export const openDistance = async (serverUrl: string, roundTripMs: number): Promise<Distance> => {
  const worker = new Worker(new URL('./distant-gateway.ts', import.meta.url), {
    workerData: { serverUrl, delayMs: roundTripMs / 2 },
  })
  const [url] = (await once(worker, 'message')) as [string]
  return {
    url,
    swallow: (share) => worker.postMessage(share),
    close: async () => {
      await worker.terminate()
    },
  }
}

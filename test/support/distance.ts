import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** A way to a server on this machine that is as long as one to another machine. */
export interface Distance {
  /** The address of the server, by this way. */
  url: string
  /** Drops whatever is sent on this share of the connections from now on, without ending them. Others may be opened. */
  swallow(share: number): void
  close(): Promise<void>
}

/**
 * Each byte arrives half of the round trip later than it was sent, however many are under way. In a thread of its own,
 * so that it waits for nobody else's work.
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

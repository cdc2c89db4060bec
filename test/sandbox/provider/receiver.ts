import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

type Answering = (response: ServerResponse, count: number) => void

/** Starts a webhook receiver for the running test. It answers 200 by default. */
export const startReceiver = async (answering: Answering = (response) => response.end()) => {
  const bodies: string[] = []
  const requests: IncomingMessage[] = []
  const server = createServer(async (request, response) => {
    bodies.push(await text(request))
    requests.push(request)
    answering(response, bodies.length)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/callback`,
    /** As received, byte for byte. */
    bodies,
    requests,
    statuses: () => bodies.map((body) => String(JSON.parse(body).status)),
  }
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

export interface RecordedRequest {
  method: string
  path: string
  /** Names and values alternately, as received. */
  rawHeaders: string[]
  body: string
}

/** Starts an HTTP server that records all requests until the test ends. */
export const startRecordingServer = async (
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => {
    response.writeHead(404).end()
  },
) => {
  const requests: RecordedRequest[] = []
  let connections = 0
  const server = createServer((request, response) => {
    const { method = '', url: path = '', rawHeaders } = request
    const recorded = { method, path, rawHeaders, body: '' }
    requests.push(recorded)
    request.on('data', (chunk: Buffer) => {
      recorded.body += chunk.toString('latin1')
    })
    request.on('end', () => answer(request, response))
  })
  server.on('connection', () => {
    connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}`, requests, connections: () => connections }
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'

/** A simple load balancer: each request goes to the next instance. If that does not answer, the client gets 502. */
export interface Balancer {
  url: string
  close(): Promise<void>
}

/**
 * How long to wait for an instance's answer, as usual proxies do. A suspended instance delays a client no longer than
 * this.
 */
const answerWithinMs = 5_000

export const startBalancer = async (targets: readonly string[]): Promise<Balancer> => {
  let turn = 0
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const body: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => body.push(chunk))
    incoming.on('end', () => tryNext(incoming, Buffer.concat(body), outgoing, targets.length))
  }

  const tryNext = (incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, left: number): void => {
    const target = new URL(incoming.url ?? '/', targets[turn++ % targets.length])
    const onward = request(
      target,
      { method: incoming.method ?? 'GET', headers: incoming.headers, timeout: answerWithinMs },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    onward.on('timeout', () => onward.destroy(new Error('timeout')))
    onward.on('error', (error: NodeJS.ErrnoException) => {
      // If the connection is refused, nobody has read the request, so it can go to another instance.
      if (error.code === 'ECONNREFUSED' && left > 1) return tryNext(incoming, body, outgoing, left - 1)
      if (!outgoing.headersSent) outgoing.writeHead(502)
      outgoing.end()
    })
    onward.end(body)
  }

  const server = createServer(forward)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** One callback to be posted. */
export interface Posting {
  url: string
  body: string
}

/**
 * Posts everything. Each connection posts the next callback once the last one is answered. The requests are written
 * by hand, because an HTTP client would use more of the processor than the server that is measured.
 * @returns how many were answered in a second.
 * @throws at any other answer than 200
 */
export const postAll = async (postings: readonly Posting[], connections: number): Promise<number> => {
  const { hostname, port } = new URL(postings[0]?.url ?? '')
  const requests = postings.map(requestOf)
  let next = 0
  const work = async (): Promise<void> => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    await once(socket, 'connect')
    for (let request = requests[next++]; request; request = requests[next++]) await exchange(socket, request)
    socket.destroy()
  }
  const startedMs = performance.now()
  await Promise.all(Array.from({ length: connections }, work))
  return postings.length / ((performance.now() - startedMs) / 1000)
}

const requestOf = ({ url, body }: Posting): string => {
  const { host, pathname } = new URL(url)
  const head = [`POST ${pathname} HTTP/1.1`, `host: ${host}`, 'content-type: application/json']
  return `${head.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** Writes a request and reads its answer to the end. */
const exchange = async (socket: Socket, request: string): Promise<void> => {
  socket.write(request)
  let answer = ''
  for (;;) {
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    answer += chunk.toString('latin1')
    const [head, body] = answer.split('\r\n\r\n')
    if (body === undefined || body.length < Number(/content-length: (\d+)/i.exec(head ?? '')?.[1])) continue
    if (!answer.startsWith('HTTP/1.1 200 ')) throw new Error(`A callback was answered: ${answer}`)
    return
  }
}

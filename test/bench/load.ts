import { once } from 'node:events'
import { connect as connectTo, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** One callback to be posted. */
export interface Posting {
  url: string
  body: string
}

export interface Load {
  connections: number
  /** When each posting is due, ms after the start; without it each follows the answer to the last one. */
  everyMs?: number
  /** The status that each must get (200). */
  status?: number
  /** Ends it before all are posted. */
  until?: AbortSignal
}

export interface Answers {
  perSecond: number
  /** Ms of each, from when it was due: one that had to wait for a free connection has waited. */
  latenciesMs: number[]
  /** The time from the first request to the end of the last answer. */
  tookMs: number
}

/**
 * Posts everything, over connections that are written by hand: an HTTP client needs more of the processor than
 * the server, and would be what is measured. Another answer than the awaited one ends it.
 */
export const postAll = async (
  postings: readonly Posting[],
  { connections, everyMs, status = 200, until }: Load,
): Promise<Answers> => {
  const { hostname, port } = new URL(postings[0]?.url ?? '')
  const requests = postings.map(requestOf)
  const latenciesMs: number[] = []
  const startedAt = performance.now()
  let next = 0
  const work = async (): Promise<void> => {
    const socket = await open(hostname, Number(port))
    for (let index = next++; index < requests.length && !until?.aborted; index = next++) {
      const dueAt = everyMs === undefined ? performance.now() : startedAt + index * everyMs
      const early = dueAt - performance.now()
      if (early > 0) await wait(early)
      await exchange(socket, requests[index] ?? '', status)
      latenciesMs.push(performance.now() - dueAt)
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: connections }, work))
  const tookMs = performance.now() - startedAt
  return { perSecond: latenciesMs.length / (tookMs / 1000), latenciesMs, tookMs }
}

const requestOf = ({ url, body }: Posting): string => {
  const { host, pathname } = new URL(url)
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `host: ${host}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

const open = async (host: string, port: number): Promise<Socket> => {
  const socket = connectTo({ host, port, noDelay: true })
  await once(socket, 'connect')
  return socket
}

/** Writes a request and reads its answer to the end. */
const exchange = (socket: Socket, request: string, status: number): Promise<void> =>
  new Promise((resolve, reject) => {
    let answer = ''
    const end = (error?: Error) => {
      socket.off('data', onData).off('error', end).off('close', onClose)
      if (error) reject(error)
      else resolve()
    }
    const onClose = () => end(new Error('A connection was closed before its answer.'))
    const onData = (chunk: Buffer) => {
      answer += chunk.toString('latin1')
      const headEnd = answer.indexOf('\r\n\r\n')
      if (headEnd < 0) return
      const length = Number(/content-length: (\d+)/i.exec(answer)?.[1])
      if (answer.length < headEnd + 4 + length) return
      end(
        answer.startsWith(`HTTP/1.1 ${status} `)
          ? undefined
          : new Error(`A callback was answered: ${answer}`),
      )
    }
    socket.on('data', onData).on('error', end).on('close', onClose)
    socket.write(request)
  })

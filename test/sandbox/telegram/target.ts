import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { Update } from 'grammy/types'
import { onTestFinished } from 'vitest'

export interface Delivery {
  update: Update
  headers: IncomingHttpHeaders
  answer: (status: number, body?: object) => void
}

/** An address for a webhook. */
export async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The target has no port.')
  return `http://127.0.0.1:${address.port}/telegram`
}

/** Starts a receiver of updates. The test answers each update: immediately in `take`, or later. */
export async function startTarget(take: (delivery: Delivery) => void = () => {}) {
  const deliveries: Delivery[] = []
  let arrived = Promise.withResolvers<void>()
  const url = await listen(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const answer = (status: number, json?: object) => {
      response.writeHead(status, json ? { 'content-type': 'application/json' } : {})
      response.end(json ? JSON.stringify(json) : undefined)
    }
    const delivery = { update: JSON.parse(body), headers: request.headers, answer }
    deliveries.push(delivery)
    take(delivery)
    arrived.resolve()
    arrived = Promise.withResolvers()
  })
  return {
    url,
    deliveries,
    /** The first `count` deliveries, as soon as they have arrived. */
    async first(count: number): Promise<Delivery[]> {
      while (deliveries.length < count) await arrived.promise
      return deliveries.slice(0, count)
    },
  }
}

export function contentOf({ update }: Delivery): string | undefined {
  return update.message?.text ?? update.callback_query?.data
}

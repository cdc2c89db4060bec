import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createConnections, createProvider } from '../../src/provider/index.ts'
import { canaries, singleOrder } from './client.ts'
import { always, jsonAnswer, startRawServer } from './raw-server.ts'

const balance = { success: true, balance: 12.5 }
const placed = { success: true, order: { reference: 'BUD-API-X-1' } }

/** An HTTP proxy like those in offices. @param refuses the status with which it answers every CONNECT. */
const startProxy = async (refuses?: number) => {
  const seen: string[] = []
  const proxy = createServer((message: IncomingMessage, response) => {
    seen.push(`${message.method} ${message.url}`)
    const onward = request(
      message.url ?? '',
      { method: message.method, headers: message.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    onward.on('error', () => response.destroy())
    message.pipe(onward)
  })
  proxy.on('connect', (message: IncomingMessage, socket) => {
    seen.push(`CONNECT ${message.url}`)
    if (refuses !== undefined) return void socket.end(`HTTP/1.1 ${refuses} No\r\ncontent-length: 0\r\n\r\n`)
    const [host, port] = (message.url ?? '').split(':')
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => void proxy.close().closeAllConnections())
  return { seen, uri: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }
}

const clientThrough = (uri: string, baseUrl: string) => {
  const connections = createConnections({ proxyOf: () => uri })
  onTestFinished(() => connections.close())
  return createProvider({ baseUrl, ...canaries, connections })
}

test('reads and orders go to the provider through the configured proxy, each order once', async () => {
  const server = await startRawServer((socket, { method }) =>
    socket.write(method === 'POST' ? jsonAnswer(201, placed) : jsonAnswer(200, balance)),
  )
  const proxy = await startProxy()
  const client = clientThrough(proxy.uri, `http://127.0.0.1:${server.port}/api/v1`)
  expect(await client.balance()).toMatchObject({ balancePesewas: 1250 })
  for (let order = 0; order < 2; order += 1)
    expect(await client.placeOrder(singleOrder)).toMatchObject({ kind: 'placed' })
  const paths = server.requests.map(({ method, path }) => `${method} ${new URL(path, 'http://x').pathname}`)
  expect(paths).toEqual(['GET /api/v1/wallet/balance', 'POST /api/v1/order', 'POST /api/v1/order'])
  expect(proxy.seen.length).toBe(3)
})

test.each([403, 407, 502, 503])(
  'an order counts as not sent if the proxy refuses the tunnel with %i',
  async (status) => {
    const proxy = await startProxy(status)
    const client = clientThrough(proxy.uri, 'https://provider.example/api/v1')
    expect(await client.placeOrder(singleOrder)).toMatchObject({ kind: 'not_sent', reason: 'unreachable' })
    await expect(client.balance()).rejects.toMatchObject({ code: 'unreachable' })
    expect(new Set(proxy.seen)).toEqual(new Set(['CONNECT provider.example:443']))
  },
)

test('an order counts as not sent if the proxy does not answer', async () => {
  for (const baseUrl of ['https://provider.example/api/v1', 'http://provider.example/api/v1']) {
    const client = clientThrough('http://127.0.0.1:9', baseUrl)
    expect(await client.placeOrder(singleOrder)).toMatchObject({ kind: 'not_sent', reason: 'unreachable' })
  }
})

test('an order counts as not sent if the proxy’s tunnel leads to a server without TLS', async () => {
  const server = await startRawServer(always(jsonAnswer(200, balance)), { wholeRequests: false })
  const proxy = await startProxy()
  const client = clientThrough(proxy.uri, `https://127.0.0.1:${server.port}/api/v1`)
  expect(await client.placeOrder(singleOrder)).toMatchObject({ kind: 'not_sent', reason: 'unreachable' })
  expect(server.received).not.toContain('POST')
})

import type { Socket } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createConnections, createProvider, type PlacementOutcome } from '../../src/provider/index.ts'
import { canaries, clientOf, singleOrder } from './client.ts'
import { type Answer, always, jsonAnswer, rawAnswer, startRawServer } from './raw-server.ts'

const placed = { success: true, order: { reference: 'BUD-API-X-1' } }
const balance = { success: true, balance: 12.5 }
const mib = 1024 * 1024

const kindOf = (outcome: PlacementOutcome<unknown>) =>
  'reason' in outcome ? `${outcome.kind}: ${outcome.reason}` : outcome.kind

const write =
  (...parts: (string | Buffer)[]): Answer =>
  (socket) => {
    for (const part of parts) socket.write(part)
  }

const writeAndClose =
  (...parts: (string | Buffer)[]): Answer =>
  (socket) =>
    socket.end(Buffer.concat(parts.map((part) => Buffer.from(part))))

describe('an order is unconfirmed and was sent only once if the provider answers with', () => {
  const body = JSON.stringify(placed)
  test.each<[string, Answer, string]>([
    ['a connection reset before the first byte', (socket) => socket.resetAndDestroy(), 'connection_lost'],
    ['a connection closed before the first byte', (socket) => socket.end(), 'connection_lost'],
    [
      'a connection reset after the headers',
      (socket) => socket.write(jsonAnswer(201, placed).subarray(0, 80), () => socket.resetAndDestroy()),
      'connection_lost',
    ],
    [
      'a body cut short before its content length',
      writeAndClose(`HTTP/1.1 201 Created\r\ncontent-length: 999\r\n\r\n${body}`),
      'connection_lost',
    ],
    [
      'a body cut short between chunks',
      writeAndClose(
        `HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n`,
      ),
      'connection_lost',
    ],
    [
      'a body cut short by the end of the connection',
      writeAndClose(`HTTP/1.1 201 Created\r\nconnection: close\r\n\r\n${body.slice(0, -1)}`),
      'bad_answer',
    ],
    ['bytes that are not HTTP', write('220 mail.example ESMTP\r\n\r\n'), 'connection_lost'],
    [
      'a header of 100,000 characters',
      write(`HTTP/1.1 201 Created\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`),
      'connection_lost',
    ],
    ['only an interim answer', writeAndClose('HTTP/1.1 100 Continue\r\n\r\n'), 'connection_lost'],
    [
      'a switch of protocols',
      write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
      'connection_lost',
    ],
    ['an endless body', write(`HTTP/1.1 201 Created\r\n\r\n${' '.repeat(mib + 1)}`), 'too_large'],
    [
      'an endless body in chunks',
      write(
        'HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n',
        `${(mib + 1).toString(16)}\r\n${' '.repeat(mib + 1)}`,
      ),
      'too_large',
    ],
    ['a redirect', always(rawAnswer(307, '', { location: '/api/v1/elsewhere' })), 'unexpected_status'],
    [
      'a redirect to a read',
      always(rawAnswer(303, '', { location: '/api/v1/wallet/balance' })),
      'unexpected_status',
    ],
    ['a request to try again', always(rawAnswer(408, '', { connection: 'close' })), 'unexpected_status'],
    ['a 503 of an overloaded server', always(rawAnswer(503, '', { 'retry-after': '0' })), 'server_error'],
    [
      'a body marked as compressed although it is not',
      always(rawAnswer(201, 'x', { 'content-encoding': 'gzip' })),
      'bad_answer',
    ],
    [
      'a compressed bomb',
      always(rawAnswer(201, gzipSync(Buffer.alloc(64 * mib)), { 'content-encoding': 'gzip' })),
      'too_large',
    ],
  ])('%s', async (_fault, answer, reason) => {
    const server = await startRawServer(answer)
    const connections = createConnections()
    const outcome = await clientOf(server, { connections }).placeOrder(singleOrder)
    expect(kindOf(outcome)).toBe(`unconfirmed: ${reason}`)
    await connections.close()
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /api/v1/order'])
  })
})

test('an interim answer of the provider before the real one is skipped', async () => {
  const early = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'
  const server = await startRawServer(write(early, early, jsonAnswer(201, placed)))
  expect(await clientOf(server).placeOrder(singleOrder)).toMatchObject({ kind: 'placed' })
})

test.each<[string, (text: string) => Buffer]>([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['GZIP', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['br, gzip', (text) => gzipSync(brotliCompressSync(text))],
])('an answer of the provider compressed with %s is read', async (encoding, pack) => {
  const packed = (status: number, content: object) =>
    always(rawAnswer(status, pack(JSON.stringify(content)), { 'content-encoding': encoding }))
  const order = await startRawServer(packed(201, placed))
  expect(await clientOf(order).placeOrder(singleOrder)).toMatchObject({ kind: 'placed' })
  const wallet = await startRawServer(packed(200, balance))
  expect(await clientOf(wallet).balance()).toMatchObject({ balancePesewas: 1250 })
})

describe('if the provider resets a kept-alive connection', () => {
  const resetting = () => {
    const seen = new WeakSet<Socket>()
    return startRawServer((socket, { method }) => {
      if (seen.has(socket) || method === 'POST') return socket.resetAndDestroy()
      seen.add(socket)
      socket.write(jsonAnswer(200, balance))
    })
  }

  test('a read is repeated immediately on a new connection, with permission', async () => {
    const server = await resetting()
    let asked = 0
    const mayRepeatRead = async () => {
      asked += 1
      return true
    }
    const client = clientOf(server, { mayRepeatRead })
    let reads = 0
    // A connection is not reused while its socket is still busy.
    for (; asked < 2 && reads < 50; reads += 1)
      expect(await client.balance()).toMatchObject({ balancePesewas: 1250 })
    expect([asked, server.requests.length]).toEqual([2, reads + 2])
  })

  test('a read is not repeated without permission', async () => {
    const server = await resetting()
    const client = clientOf(server, { mayRepeatRead: async () => false })
    const readAll = async () => {
      for (let reads = 0; reads < 50; reads += 1) await client.balance()
    }
    await expect(readAll()).rejects.toMatchObject({ code: 'connection_lost' })
  })

  test('an order is written once, even with permission to repeat', async () => {
    const server = await resetting()
    const client = clientOf(server, { mayRepeatRead: async () => true })
    await client.balance()
    expect(kindOf(await client.placeOrder(singleOrder))).toBe('unconfirmed: connection_lost')
    expect(server.requests.filter(({ method }) => method === 'POST').length).toBe(1)
  })

  test('a read is repeated only once', async () => {
    const server = await startRawServer((socket) => socket.resetAndDestroy())
    const client = clientOf(server, { mayRepeatRead: async () => true })
    await expect(client.balance()).rejects.toMatchObject({ code: 'connection_lost' })
    expect(server.requests.length).toBe(2)
  })
})

test('an answer of exactly the maximum size is read', async () => {
  const text = JSON.stringify(placed).padEnd(mib, ' ')
  const server = await startRawServer(always(rawAnswer(201, text)))
  expect(await clientOf(server).placeOrder(singleOrder)).toMatchObject({ kind: 'placed' })
})

describe('at the deadline of a request', () => {
  const limits = { postTimeoutMs: 1_000, getTimeoutMs: 1_000 }

  test('an order without an answer becomes unconfirmed', async () => {
    const server = await startRawServer(() => {})
    const outcome = await clientOf(server, { limits }).placeOrder(singleOrder)
    expect(outcome).toMatchObject({ kind: 'unconfirmed', reason: 'timeout', httpStatus: null, meta: null })
  })

  test('an order whose answer never ends becomes unconfirmed with the answer’s status', async () => {
    const server = await startRawServer(write(jsonAnswer(201, placed).subarray(0, -1)))
    const outcome = await clientOf(server, { limits }).placeOrder(singleOrder)
    expect(outcome).toMatchObject({ kind: 'unconfirmed', reason: 'timeout', httpStatus: 201 })
    expect(outcome).toHaveProperty('meta.httpStatus', 201)
  })

  test('an order whose answer arrives byte by byte becomes unconfirmed', async () => {
    const server = await startRawServer((socket) => {
      socket.write('HTTP/1.1 201 Created\r\n\r\n')
      const drip = setInterval(() => socket.write(' '), 5)
      socket.on('close', () => clearInterval(drip))
    })
    expect(kindOf(await clientOf(server, { limits }).placeOrder(singleOrder))).toBe('unconfirmed: timeout')
  })

  test('an order whose answer is an incomplete 429 counts as rate-limited', async () => {
    const server = await startRawServer(write('HTTP/1.1 429 Too Many\r\nretry-after: 9\r\n\r\n{'))
    const client = clientOf(server, { limits })
    expect(await client.placeOrder(singleOrder)).toMatchObject({ reason: 'rate_limited', retryAfterMs: 9000 })
    await expect(client.balance()).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 9000 })
  })

  test('a read without an answer throws a timeout', async () => {
    const server = await startRawServer(() => {})
    const read = clientOf(server, { limits }).balance()
    await expect(read).rejects.toMatchObject({ code: 'timeout', httpStatus: null })
  })
})

describe('an order counts as not sent, and no byte of it was written,', () => {
  test('if the connection is refused', async () => {
    const server = await startRawServer(() => {})
    await server.close()
    const client = clientOf(server)
    const outcome = await client.placeOrder(singleOrder)
    expect(outcome).toMatchObject({ kind: 'not_sent', reason: 'unreachable' })
    expect(outcome).toHaveProperty('detail', expect.stringContaining('ECONNREFUSED'))
    await expect(client.balance()).rejects.toMatchObject({ code: 'unreachable' })
  })

  test('if the server’s name is unknown', async () => {
    const client = createProvider({ baseUrl: 'http://provider.invalid/api/v1', ...canaries })
    expect(kindOf(await client.placeOrder(singleOrder))).toBe('not_sent: unreachable')
  })

  test.each<[string, Answer]>([
    ['reset', (socket) => socket.resetAndDestroy()],
    ['closed', (socket) => socket.end()],
    ['answered in the clear', write(rawAnswer(400, 'this is HTTP'))],
  ])('if the TLS handshake is %s', async (_fault, answer) => {
    const server = await startTlsTrap(answer)
    const client = clientOf(server, { scheme: 'https' })
    expect(kindOf(await client.placeOrder(singleOrder))).toBe('not_sent: unreachable')
    await expect(client.balance()).rejects.toMatchObject({ code: 'unreachable' })
    expect(server.received).not.toContain('CANARY')
  })

  test('if the TLS handshake never ends', async () => {
    const server = await startTlsTrap(() => {})
    const client = clientOf(server, { scheme: 'https', limits: { connectTimeoutMs: 60 } })
    expect(kindOf(await client.placeOrder(singleOrder))).toBe('not_sent: unreachable')
    await expect(client.balance()).rejects.toMatchObject({ code: 'unreachable' })
  })

  test('if the order is aborted while it connects', async () => {
    const abort = new AbortController()
    const server = await startTlsTrap(() => abort.abort())
    const client = clientOf(server, { scheme: 'https' })
    expect(kindOf(await client.placeOrder(singleOrder, abort))).toBe('not_sent: aborted')
  })

  test('if the order is aborted before the call', async () => {
    const server = await startRawServer(always(jsonAnswer(200, balance)))
    const client = clientOf(server)
    const call = { signal: AbortSignal.abort() }
    expect(kindOf(await client.placeOrder(singleOrder, call))).toBe('not_sent: aborted')
    await expect(client.balance(call)).rejects.toMatchObject({ code: 'aborted' })
    await client.balance()
    expect(server.connections).toBe(1)
  })

  test('if the connections are already closed', async () => {
    const server = await startRawServer(always(jsonAnswer(201, placed)))
    const connections = createConnections()
    await connections.close()
    const client = clientOf(server, { connections })
    expect(kindOf(await client.placeOrder(singleOrder))).toBe('not_sent: unreachable')
    await expect(client.balance()).rejects.toMatchObject({ code: 'unreachable' })
    expect(server.connections).toBe(0)
  })
})

/** A server that answers anything that arrives first, such as the hello of a TLS client. */
const startTlsTrap = (answer: Answer) => startRawServer(answer, { wholeRequests: false })

describe('the permission to send an order', () => {
  const refusals: [string, { mayStart?: () => boolean; onStart?: () => void }][] = [
    ['is refused', { mayStart: () => false }],
    [
      'fails',
      {
        mayStart: () => {
          throw new Error('database gone')
        },
      },
    ],
    [
      'is given and its announcement fails',
      {
        onStart: () => {
          throw new Error('database gone')
        },
      },
    ],
  ]
  test.each(refusals)('prevents the sending if it %s', async (_leave, call) => {
    const server = await startRawServer(always(jsonAnswer(201, placed)))
    const connections = createConnections()
    const outcome = await clientOf(server, { connections }).placeOrder(singleOrder, call)
    expect(kindOf(outcome)).toBe('not_sent: refused_start')
    await connections.close()
    expect(server.received).toBe('')
  })

  test('is asked for once, before the start is announced and the first byte is sent', async () => {
    const server = await startRawServer(always(jsonAnswer(201, placed)))
    const steps: string[] = []
    const outcome = await clientOf(server).placeOrder(singleOrder, {
      mayStart: () => steps.push(`may start, ${server.received.length} bytes`) > 0,
      onStart: () => steps.push(`starts, ${server.received.length} bytes`),
    })
    expect(outcome.kind).toBe('placed')
    expect(steps).toEqual(['may start, 0 bytes', 'starts, 0 bytes'])
  })

  test('is not asked for if there is no connection', async () => {
    const server = await startRawServer(() => {})
    await server.close()
    let asked = 0
    await clientOf(server).placeOrder(singleOrder, { mayStart: () => ++asked > 0 })
    expect(asked).toBe(0)
  })

  test('does not prevail over an abort at the same moment', async () => {
    const server = await startRawServer(always(jsonAnswer(201, placed)))
    const connections = createConnections()
    const abort = new AbortController()
    const outcome = await clientOf(server, { connections }).placeOrder(singleOrder, {
      signal: abort.signal,
      onStart: () => abort.abort(),
    })
    expect(kindOf(outcome)).toBe('not_sent: aborted')
    await connections.close()
    expect(server.received).toBe('')
  })
})

test('an order that is aborted after its request was sent counts as unconfirmed', async () => {
  const server = await startRawServer(() => {})
  const abort = new AbortController()
  const outcome = clientOf(server).placeOrder(singleOrder, { signal: abort.signal })
  await server.arrived(1)
  abort.abort()
  expect(kindOf(await outcome)).toBe('unconfirmed: aborted')
})

test('reads of the provider share a connection, and each order has a connection of its own', async () => {
  const server = await startRawServer((socket, { method }) =>
    socket.write(method === 'POST' ? jsonAnswer(201, placed) : jsonAnswer(200, balance)),
  )
  const client = clientOf(server)
  for (let reads = 0; reads < 10; reads++) await client.balance()
  const ofReads = server.connections
  expect(ofReads).toBeLessThan(5)
  await client.placeOrder(singleOrder)
  await client.placeOrder(singleOrder)
  expect(server.connections).toBe(ofReads + 2)
})

test('an order is placed although the provider has just closed the connection of a read', async () => {
  const server = await startRawServer((socket, { method }) => {
    if (method === 'POST') socket.write(jsonAnswer(201, placed))
    else socket.write(jsonAnswer(200, balance), () => socket.resetAndDestroy())
  })
  const client = clientOf(server)
  await client.balance()
  expect(kindOf(await client.placeOrder(singleOrder))).toBe('placed')
})

test('clients of the provider that share connections share the sockets of their reads', async () => {
  const server = await startRawServer(always(jsonAnswer(200, balance)))
  const connections = createConnections()
  const clients = Array.from({ length: 10 }, (_, index) =>
    clientOf(server, { connections, apiKey: `key-${index}` }),
  )
  for (const client of clients) await client.balance()
  expect(server.connections).toBeLessThan(5)
  const keys = server.requests.map(({ head }) => /x-api-key: (.*)/.exec(head)?.[1])
  expect(keys).toEqual(clients.map((_, index) => `key-${index}`))
})

test('an order reported as not sent never reached the provider, and any other reached it at most once', async () => {
  let connections = 0
  const onConnection = (socket: Socket) => {
    connections += 1
    if (connections % 3 === 0) socket.resetAndDestroy()
    if (connections % 3 === 1) setImmediate(() => socket.resetAndDestroy())
  }
  const server = await startRawServer(always(jsonAnswer(201, placed)), { onConnection })
  const client = clientOf(server)
  const orders = Array.from({ length: 150 }, async (_, index) => {
    const bundleId = 1000 + index
    return { bundleId, outcome: await client.placeOrder({ ...singleOrder, bundleId }) }
  })
  const outcomes = await Promise.all(orders)
  const seen = (bundleId: number) => server.received.split(`"bundle_id":${bundleId},`).length - 1
  for (const { bundleId, outcome } of outcomes) {
    if (outcome.kind === 'not_sent') expect(seen(bundleId)).toBe(0)
    if (outcome.kind === 'unconfirmed') expect(seen(bundleId)).toBeLessThanOrEqual(1)
    if (outcome.kind === 'placed') expect(seen(bundleId)).toBe(1)
  }
  expect(outcomes.filter(({ outcome }) => outcome.kind === 'placed')).toHaveLength(50)
})

test('closing the connections to the provider waits for open requests, and allows no new one', async () => {
  const waiting: Socket[] = []
  const server = await startRawServer((socket) => waiting.push(socket))
  const connections = createConnections()
  const client = clientOf(server, { connections })
  const order = client.placeOrder(singleOrder)
  const read = client.balance()
  await server.arrived(2)
  const closing = connections.close()
  expect(kindOf(await client.placeOrder(singleOrder))).toBe('not_sent: unreachable')
  for (const socket of waiting) socket.write(jsonAnswer(200, { ...placed, ...balance }))
  expect(kindOf(await order)).toBe('placed')
  expect(await read).toMatchObject({ balancePesewas: 1250 })
  await closing
  expect(server.requests).toHaveLength(2)
})

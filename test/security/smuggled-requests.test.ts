import { expect, test } from 'vitest'
import { newServerAlone, type ServerAlone } from '../support/bot/http-server.ts'
import { exchange, openWire, statusesIn } from '../support/network/wire.ts'

/**
 * Requests that a proxy and the server behind it could take for different ones (request smuggling), and others that are
 * odd but allowed.
 */

const callback = JSON.stringify({ reference: 'BUD-API-A-1', status: 'delivered' })
const hidden = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${callback.length}\r\n\r\n${callback}`
const post = (path: string, headers: string[], body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers.join('\r\n')}\r\n\r\n${body}`
const inPieces = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`

test.each<[string, (path: string) => string]>([
  [
    'a length and chunks',
    (path) => post(path, ['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${hidden(path)}`),
  ],
  [
    'chunks and a length',
    (path) => post(path, ['Transfer-Encoding: chunked', 'Content-Length: 4'], `0\r\n\r\n${hidden(path)}`),
  ],
  ['two lengths', (path) => post(path, ['Content-Length: 0', 'Content-Length: 200'], hidden(path))],
  ['a list of lengths', (path) => post(path, ['Content-Length: 0, 200'], hidden(path))],
  ['a length with a sign', (path) => post(path, ['Content-Length: +0'], hidden(path))],
  ['a length in hexadecimal', (path) => post(path, ['Content-Length: 0x0'], hidden(path))],
  ['a negative length', (path) => post(path, ['Content-Length: -1'], hidden(path))],
  ['an unknown transfer encoding', (path) => post(path, ['Transfer-Encoding: xchunked'], hidden(path))],
  ['chunks twice', (path) => post(path, ['Transfer-Encoding: chunked, chunked'], `0\r\n\r\n${hidden(path)}`)],
  [
    'chunks that are not the last encoding',
    (path) => post(path, ['Transfer-Encoding: chunked, identity'], hidden(path)),
  ],
  ['a space before the colon', (path) => post(path, ['Transfer-Encoding : chunked'], hidden(path))],
  ['a folded header', (path) => post(path, ['X: a', ' Transfer-Encoding: chunked'], hidden(path))],
  ['a bare line feed', (path) => `POST ${path} HTTP/1.1\nHost: x\nContent-Length: 0\n\n${hidden(path)}`],
  ['a carriage return in a header', (path) => post(path, ['X: a\rContent-Length: 5'], hidden(path))],
  ['a NUL in a header', (path) => post(path, ['X: a\0b', 'Content-Length: 0'], hidden(path))],
  ['an invalid chunk size', (path) => post(path, ['Transfer-Encoding: chunked'], `zz\r\n${hidden(path)}`)],
  ['a chunk that is too long', (path) => post(path, ['Transfer-Encoding: chunked'], `1\r\n${hidden(path)}`)],
  [
    'a chunk size beyond all numbers',
    (path) => post(path, ['Transfer-Encoding: chunked'], `${'f'.repeat(20)}\r\n${hidden(path)}`),
  ],
])('a request with %s is refused, and a request hidden in it has no effect', async (_, requestOf) => {
  const { url, events, newCallbackPath } = await newServerAlone()
  const received = await exchange(url, requestOf(newCallbackPath()))
  expect(statusesIn(received)).toEqual([400])
  expect(events).toEqual([])
})

const served = async ({ url }: ServerAlone, request: string): Promise<number[]> =>
  statusesIn(await exchange(url, request))

test('a callback may be chunked, use HTTP/1.0, follow a 100-continue or name an absolute address', async () => {
  const server = await newServerAlone()
  const path = () => server.newCallbackPath()
  const length = `Content-Length: ${callback.length}`
  expect(
    await served(
      server,
      post(path(), ['Transfer-Encoding: chunked', 'Connection: close'], inPieces(callback)),
    ),
  ).toEqual([200])
  expect(await served(server, `POST ${path()} HTTP/1.0\r\n${length}\r\n\r\n${callback}`)).toEqual([200])
  expect(
    await served(server, post(path(), ['Expect: 100-continue', 'Connection: close', length], callback)),
  ).toEqual([100, 200])
  expect(await served(server, post(`http://x${path()}`, ['Connection: close', length], callback))).toEqual([
    200,
  ])
  expect(server.events).toHaveLength(4)
})

test('pipelined requests are answered in order', async () => {
  const { url, events, newCallbackPath } = await newServerAlone()
  const requests = [
    hidden(newCallbackPath()),
    'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
    hidden('/webhooks/forged'),
    hidden(newCallbackPath()),
    'GET /none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  ]
  expect(statusesIn(await exchange(url, requests.join('')))).toEqual([200, 200, 404, 200, 404])
  expect(events).toHaveLength(2)
})

test('a request with a method that its path does not accept gets a 404, and a HEAD gets no body', async () => {
  const { url, events, newCallbackPath } = await newServerAlone()
  const path = newCallbackPath()
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
    const request = `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`
    expect([method, ...statusesIn(await exchange(url, request))]).toEqual([method, 404])
  }
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    expect((await fetch(`${url}${path}`, { method: 'POST', body: callback })).status).toBe(404)
  }
  const head = await exchange(url, 'HEAD /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\n$/)
  expect(events).toEqual([])
})

test('neither CONNECT nor an upgrade opens a tunnel', async () => {
  const { url } = await newServerAlone()
  expect(await exchange(url, 'CONNECT 127.0.0.1:5432 HTTP/1.1\r\nHost: x\r\n\r\n')).toBe('')
  for (const protocol of ['websocket', 'h2c']) {
    const wire = await openWire(
      url,
      `GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`,
    )
    await wire.until(/"ok"/)
    // The connection still speaks HTTP.
    wire.socket.write('GET /none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(statusesIn(await wire.end())).toEqual([200, 404])
  }
})

test('bytes that are not HTTP are answered with a 400', async () => {
  const { url } = await newServerAlone()
  for (const bytes of [
    'hello\r\n\r\n',
    'GET\r\n\r\n',
    'GET /healthz HTTP/1.1\r\n\r\n',
    'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\0\0\0\0',
    `${'A'.repeat(100)} / HTTP/1.1\r\n\r\n`,
  ]) {
    expect([bytes, ...statusesIn(await exchange(url, bytes))]).toEqual([bytes, 400])
  }
})

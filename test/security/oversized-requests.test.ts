import { expect, test } from 'vitest'
import { newServerAlone } from '../support/bot/http-server.ts'
import { exchange, openWire, statusesIn } from '../support/network/wire.ts'

/** Requests that are larger than anybody needs, or that lie about how large they are. */

const callback = JSON.stringify({ reference: 'BUD-API-A-1', status: 'delivered' })
const padded = (bytes: number): string => callback.padEnd(bytes, ' ')
const post = (path: string, head: string, body = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n${body}`

test('a callback of 64 KiB is accepted, and a callback of one byte more is refused', async () => {
  const { url, events, newCallbackPath } = await newServerAlone()
  const send = async (bytes: number): Promise<number> =>
    (await fetch(`${url}${newCallbackPath()}`, { method: 'POST', body: padded(bytes) })).status
  expect(await send(64 * 1024)).toBe(200)
  expect(await send(64 * 1024 + 1)).toBe(413)
  expect(events).toHaveLength(1)
})

test('only the beginning of a very long callback is stored, but a repeat is recognized by the whole body', async () => {
  const { url, events, newCallbackPath } = await newServerAlone()
  const path = newCallbackPath()
  for (const last of ['a', 'b']) {
    const body = JSON.stringify({ ...JSON.parse(callback), more: `${'x'.repeat(60_000)}${last}` })
    await fetch(`${url}${path}`, { method: 'POST', body })
  }
  expect(events.map(({ body }) => body?.length)).toEqual([4096, 4096])
  expect(new Set(events.map(({ digest }) => digest)).size).toBe(2)
})

test('a request body that is announced as too long is refused before it arrives', async () => {
  const { url, newCallbackPath } = await newServerAlone()
  for (const length of [64 * 1024 + 1, 10 ** 9, Number.MAX_SAFE_INTEGER]) {
    const answer = await exchange(url, post(newCallbackPath(), `Content-Length: ${length}`))
    expect([length, ...statusesIn(answer)]).toEqual([length, 413])
  }
})

test('a chunked request body without an end is cut off at the limit', async () => {
  const { url, events, newCallbackPath } = await newServerAlone()
  const wire = await openWire(url, post(newCallbackPath(), 'Transfer-Encoding: chunked'))
  const piece = `1000\r\n${'x'.repeat(0x1000)}\r\n`
  const more = setInterval(() => wire.socket.write(piece), 2)
  expect(statusesIn(await wire.end())).toEqual([413])
  clearInterval(more)
  expect(events).toEqual([])
})

test.each([
  ['a forged token', (path: string) => `${path.slice(0, -1)}-`, 404],
  ['no secret token', () => '/telegram', 401],
])(
  'a request with %s is refused before its body is read, however long the body is',
  async (_, pathOf, status) => {
    const { url, newCallbackPath } = await newServerAlone()
    for (const head of ['Transfer-Encoding: chunked', 'Content-Length: 1000000000']) {
      // The server answers although the body never arrives.
      const answer = await exchange(url, post(pathOf(newCallbackPath()), head))
      expect([head, ...statusesIn(answer)]).toEqual([head, status])
    }
  },
)

test('a request body that ends before its announced length is not stored as a callback', async () => {
  const { url, events, newCallbackPath } = await newServerAlone()
  const wire = await openWire(
    url,
    post(newCallbackPath(), `Content-Length: ${callback.length + 1}`, callback),
  )
  wire.socket.end()
  await wire.end()
  expect(events).toEqual([])
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
})

test('a request body is cut at its announced length, and the rest is not taken for another request', async () => {
  const { url, events, newCallbackPath } = await newServerAlone()
  const answer = await exchange(
    url,
    post(newCallbackPath(), `Content-Length: ${callback.length}`, `${callback}${callback}`),
  )
  expect(statusesIn(answer).at(-1)).toBe(400)
  expect(events.map(({ body }) => body)).toEqual([callback])
})

test('a request with headers or an address of more than 16 KB is refused', async () => {
  const { url, newCallbackPath } = await newServerAlone()
  for (const request of [
    post(newCallbackPath(), `X: ${'a'.repeat(17_000)}`),
    `GET /${'a'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    post(newCallbackPath(), `${'a'.repeat(17_000)}: x`),
  ]) {
    expect(statusesIn(await exchange(url, request))).toEqual([431])
  }
})

test('a request with endless headers is cut off', async () => {
  const { url } = await newServerAlone()
  const wire = await openWire(url, 'GET /healthz HTTP/1.1\r\n')
  const more = setInterval(() => wire.socket.write(`X: ${'a'.repeat(1_000)}\r\n`), 2)
  expect(statusesIn(await wire.end())).toEqual([431])
  clearInterval(more)
})

test('a request with more than two hundred headers is refused, however short they are', async () => {
  const { url, events, newCallbackPath } = await newServerAlone()
  const length = `Connection: close\r\nContent-Length: ${callback.length}`
  for (const [count, status] of [
    [190, 200],
    [201, 431],
    [2_500, 431],
  ] as const) {
    const answer = await exchange(
      url,
      post(newCallbackPath(), `${'a: b\r\n'.repeat(count)}${length}`, callback),
    )
    expect([count, ...statusesIn(answer)]).toEqual([count, status])
  }
  expect(events).toHaveLength(1)
})

import { expect, test, vi } from 'vitest'
import { newServerAlone } from '../support/bot/http-server.ts'
import { openWire, statusesIn } from '../support/network/wire.ts'

/** Clients that hold connections open: without a word, with half a request, or byte by byte (slowloris). */

test('a client that never finishes its request is cut off, and other clients are served', async () => {
  const { url, events, newCallbackPath } = await newServerAlone()
  const head = (path: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\n`
  const halves = {
    'nothing at all': '',
    'half a line': 'POST /webho',
    'half of the headers': head('/healthz'),
    'a byte of a body': `${head(newCallbackPath())}Content-Length: 1000\r\n\r\n{`,
    'a piece of a body': `${head(newCallbackPath())}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
    'a body that was asked for': `${head(newCallbackPath())}Expect: 100-continue\r\nContent-Length: 9\r\n\r\n`,
  }
  const drips = {
    'headers byte by byte': [head('/healthz'), 'a'],
    'headers line by line': [head('/healthz'), 'a: b\r\n'],
    'a body byte by byte': [`${head(newCallbackPath())}Content-Length: 60000\r\n\r\n`, ' '],
    'pieces of a body': [`${head(newCallbackPath())}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
  } as const
  const cut = Object.entries(halves).map(async ([what, bytes]) => {
    const wire = await openWire(url, bytes)
    return [what, statusesIn(await wire.end()).at(-1)]
  })
  const dripped = Object.entries(drips).map(async ([what, [begin, more]]) => {
    const wire = await openWire(url, begin)
    const drip = setInterval(() => wire.socket.write(more), 100)
    const received = await wire.end()
    clearInterval(drip)
    return [what, statusesIn(received).at(-1)]
  })
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  const all = await Promise.all([...cut, ...dripped])
  expect(all).toEqual(all.map(([what]) => [what, 408]))
  expect(events).toEqual([])
})

test('thousands of idle connections do not keep the server from answering others', async () => {
  const { url, newCallbackPath } = await newServerAlone()
  const body = '{"reference":"BUD-API-A-1","status":"delivered"}'
  const idle = await Promise.all(Array.from({ length: 2_300 }, () => openWire(url, 'POST /webhooks/')))
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => fetch(`${url}${newCallbackPath()}`, { method: 'POST', body })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  await vi.waitFor(() =>
    expect(idle.filter(({ socket }) => socket.closed).length).toBeGreaterThanOrEqual(300),
  )
  expect(idle.filter(({ socket }) => !socket.closed).length).toBeGreaterThan(1_900)
  for (const { socket } of idle) socket.destroy()
})

test('simultaneous readiness checks cause only one query to the database', async () => {
  const { promise, resolve } = Promise.withResolvers<string[]>()
  let asked = 0
  const { url } = await newServerAlone({
    notReady: () => {
      asked += 1
      return promise
    },
  })
  const wires = await Promise.all(
    Array.from({ length: 100 }, () =>
      openWire(url, 'GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    ),
  )
  // The server accepts connections in order, so when this newest one is answered, the requests of the others have
  // been read.
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  resolve(['database'])
  for (const wire of wires) expect(statusesIn(await wire.end())).toEqual([503])
  expect(asked).toBe(1)
})

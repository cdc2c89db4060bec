import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { boundConnections } from '../../src/http/connection-limit.ts'
import { openWire, type Wire } from '../support/network/wire.ts'

const complete = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

/** A server that keeps at most three connections, and answers when the test says so. */
const newServer = async () => {
  const asked: ServerResponse[] = []
  const server = createServer((request, response) => {
    request.resume()
    asked.push(response)
  })
  boundConnections(server, 3)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let connections = 0
  server.on('connection', () => {
    connections += 1
  })
  return {
    asked,
    /** Resolves when the server has seen the connection. */
    open: async (bytes = ''): Promise<Wire> => {
      const before = connections
      const wire = await openWire(url, bytes)
      await vi.waitFor(() => expect(connections).toBe(before + 1))
      return wire
    },
    answer: async (wire: Wire, index: number) => {
      await vi.waitFor(() => expect(asked.length).toBeGreaterThan(index))
      asked[index]?.end()
      await wire.until(/\r\n\r\n/)
    },
  }
}

const isClosed = (wire: Wire) => vi.waitFor(() => expect(wire.socket.closed).toBe(true))

test('a server with one connection too many closes the one that has been silent longest', async () => {
  const server = await newServer()
  const [first, second, third] = [await server.open(), await server.open(), await server.open()]
  await server.open()
  await isClosed(first)
  expect([second.socket.closed, third.socket.closed]).toEqual([false, false])
})

test('a full server keeps a connection that waits for an answer, and answers it', async () => {
  const server = await newServer()
  const working = await server.open(complete)
  await vi.waitFor(() => expect(server.asked).toHaveLength(1))
  for (let count = 0; count < 5; count += 1) await server.open('GET / HTTP/1.1\r\n')
  expect(working.socket.closed).toBe(false)
  await server.answer(working, 0)
})

test('a full server closes a connection whose request body is incomplete, even if its headers are complete', async () => {
  const server = await newServer()
  const slow = await server.open('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab')
  await vi.waitFor(() => expect(server.asked).toHaveLength(1))
  for (let count = 0; count < 3; count += 1) await server.open()
  await isClosed(slow)
})

test('a full server closes a connection that never sent a request, and keeps one that was answered recently', async () => {
  const server = await newServer()
  const [working, idle] = [await server.open(complete), await server.open()]
  await server.answer(working, 0)
  await server.open()
  await server.open()
  await isClosed(idle)
  expect(working.socket.closed).toBe(false)
})

test('a full server whose connections all wait for an answer closes the newest', async () => {
  const server = await newServer()
  for (let count = 1; count <= 3; count += 1) {
    await server.open(complete)
    await vi.waitFor(() => expect(server.asked).toHaveLength(count))
  }
  await isClosed(await server.open(complete))
})

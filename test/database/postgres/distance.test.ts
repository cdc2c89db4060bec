import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { readPostgresUrl } from '../../../src/database/postgres/url.ts'
import { newDatabaseUrl } from '../../support/database.ts'
import { openDistance } from '../../support/network/distance.ts'

/** The proxy through which tests and benchmarks reach a PostgreSQL as if it were on another machine. */

const open = async (url: string, roundTripMs: number): Promise<string> => {
  const distance = await openDistance(url, roundTripMs)
  onTestFinished(distance.close)
  return distance.url
}

test.each([1, 2, 25])(
  'over a simulated distance, no answer arrives before a round trip of %d ms',
  async (roundTripMs) => {
    const url = await open(await newDatabaseUrl(), roundTripMs)
    const client = new pg.Client({ connectionString: readPostgresUrl(url).connectionString })
    await client.connect()
    onTestFinished(() => client.end())
    for (let time = 0; time < 20; time += 1) {
      const startedMs = performance.now()
      await client.query('SELECT 1')
      expect(performance.now() - startedMs).toBeGreaterThanOrEqual(roundTripMs)
    }
  },
)

test('over a simulated distance, every byte arrives once and in sequence, however many are on their way', async () => {
  const echo = createServer((socket) => void socket.pipe(socket)).listen(0, '127.0.0.1')
  await once(echo, 'listening')
  onTestFinished(() => void echo.close())
  const { port } = echo.address() as { port: number }
  const way = new URL(await open(`postgresql://127.0.0.1:${port}/none`, 3))
  const sent = randomBytes(3_000_000)
  const exchanges = Array.from({ length: 3 }, async () => {
    const socket = connect(Number(way.port), way.hostname)
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    for (let from = 0, size = 1; from < sent.length; from += size, size = (size * 7) % 65_521)
      socket.write(sent.subarray(from, from + size))
    socket.end()
    await once(socket, 'close')
    return Buffer.concat(chunks).equals(sent)
  })
  expect(await Promise.all(exchanges)).toEqual([true, true, true])
})

test('over a simulated distance, a server’s last words and its hang-up both arrive', async () => {
  const server = createServer((socket) => void socket.end('goodbye')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  const way = new URL(await open(`postgresql://127.0.0.1:${port}/none`, 5))
  const socket = connect(Number(way.port), way.hostname)
  let heard = ''
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString()
  })
  await once(socket, 'close')
  expect(heard).toBe('goodbye')
})

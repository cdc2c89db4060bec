import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { quietMs } from '../../src/database/postgres-watch.ts'
import { newDatabaseUrl } from '../support/database.ts'
import { type HandOn, openGateway } from '../support/gateway.ts'

/** A way to the database that swallows whatever the server says after a statement with that word. */
const openDeaf = async (word: string) => {
  const deaf = new WeakSet<Socket>()
  const handOn: HandOn = (from, to) => {
    from.on('data', (chunk: Buffer) => {
      if (chunk.includes(word)) deaf.add(from)
      if (!deaf.has(to)) to.write(chunk)
    })
    from.once('end', () => to.end())
    from.once('close', () => to.destroy())
  }
  const gateway = await openGateway(await newDatabaseUrl(), handOn)
  onTestFinished(gateway.close)
  const database = await openDatabase(gateway.url)
  onTestFinished(database.close)
  return database
}

test.concurrent('a connection whose answer was swallowed is given up, and the next query has another', async () => {
  const { select } = await openDeaf('swallowed')
  // The driver by itself would give up much later, with other words.
  await expect(select(`SELECT 'swallowed'`, [])).rejects.toThrow(/^Connection terminated/)
  expect(await select(`SELECT 'heard'`, [])).toEqual([['heard']])
})

test.concurrent('a statement at which the server is still at work is waited for', async () => {
  const { select } = await openDeaf('nothing')
  const seconds = (2.5 * quietMs) / 1_000
  expect(await select(`SELECT 'done' FROM (SELECT pg_sleep(?)) AS slept`, [seconds])).toEqual([['done']])
})

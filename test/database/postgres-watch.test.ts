import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { createPool } from '../../src/database/postgres-pool.ts'
import { readPostgresUrl } from '../../src/database/postgres-url.ts'
import { quietMs } from '../../src/database/postgres-watch.ts'
import { newDatabaseUrl } from '../support/database.ts'
import { openGateway } from '../support/gateway.ts'
import { type Swallowed, swallowing } from '../support/swallowing.ts'

/** The driver by itself would give up much later, with other words. */
const givenUp = /^Connection terminated/

const openSwallowing = async (word: string, what: Swallowed): Promise<string> => {
  const gateway = await openGateway(await newDatabaseUrl(), swallowing(word, what))
  onTestFinished(gateway.close)
  return gateway.url
}

const openReading = async (url: string) => {
  const database = await openDatabase(url)
  onTestFinished(database.close)
  return (sql: string) => database.client.$queryRawUnsafe(sql)
}

test.concurrent.each<Swallowed>(['query', 'answer'])(
  'a connection whose %s was swallowed is given up, and the next query has another',
  async (what) => {
    const select = await openReading(await openSwallowing('swallowed', what))
    await expect(select(`SELECT 'swallowed' AS word`)).rejects.toThrow(givenUp)
    expect(await select(`SELECT 'heard' AS word`)).toEqual([{ word: 'heard' }])
  },
)

test.concurrent('of two queries sent at once the second was swallowed: it is given up too', async () => {
  const address = readPostgresUrl(await openSwallowing('swallowed', 'query'))
  const pool = createPool(address, () => {})
  onTestFinished(() => pool.end())
  const client = await pool.connect()
  onTestFinished(() => client.release(true))
  const first = client.query(`SELECT 'answered' FROM (SELECT pg_sleep(0.5)) AS slept`)
  // On the network each is a piece of its own, and the first is answered when both have been sent.
  await wait(100)
  const second = expect(client.query(`SELECT 'swallowed'`)).rejects.toThrow(givenUp)
  expect((await first).rowCount).toBe(1)
  await second
})

test.concurrent('a statement at which the server is still at work is waited for', async () => {
  const select = await openReading(await newDatabaseUrl())
  const seconds = (2.5 * quietMs) / 1_000
  expect(await select(`SELECT 'done' AS word FROM (SELECT pg_sleep(${seconds})) AS slept`)).toEqual([
    { word: 'done' },
  ])
})

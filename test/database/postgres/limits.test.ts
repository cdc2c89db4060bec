import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../src/database/database.ts'
import { migrationLock } from '../../../src/database/postgres/adapter.ts'
import { createPool } from '../../../src/database/postgres/pool.ts'
import { readPostgresUrl } from '../../../src/database/postgres/url.ts'
import { newDatabaseUrl, unmadeDatabaseUrl } from '../../support/database.ts'
import { openGateway } from '../../support/network/gateway.ts'
import { type Swallowed, swallowing } from '../../support/postgres/swallowing.ts'

/** The error of the query that the network lost, or of a query after it. */
const givenUp = /^Query read timeout|^Connection terminated/

/** A pool that reaches its server through a network that loses the first query that contains the word. */
const openSwallowing = async (word: string, what: Swallowed): Promise<pg.Pool> => {
  const gateway = await openGateway(await newDatabaseUrl(), swallowing(word, what))
  onTestFinished(gateway.close)
  const pool = createPool(readPostgresUrl(gateway.url), { limits: { query_timeout: 1_000 } })
  onTestFinished(() => pool.end())
  return pool
}

test.each<Swallowed>(['query', 'answer'])(
  'a PostgreSQL connection whose %s was lost is given up, and the next query gets another connection',
  async (what) => {
    const pool = await openSwallowing('swallowed', what)
    await expect(pool.query(`SELECT 'swallowed' AS word`)).rejects.toThrow(givenUp)
    expect((await pool.query(`SELECT 'heard' AS word`)).rows).toEqual([{ word: 'heard' }])
  },
)

test('if two PostgreSQL queries are sent at once and the second is lost, the second is given up too', async () => {
  const pool = await openSwallowing('swallowed', 'query')
  const client = await pool.connect()
  const first = client.query(`SELECT 'answered' FROM (SELECT pg_sleep(0.5)) AS slept`)
  // The queries are sent as separate packets, and the first is answered only when both have been sent.
  await wait(100)
  const second = expect(client.query(`SELECT 'swallowed'`)).rejects.toThrow(givenUp)
  expect((await first).rowCount).toBe(1)
  await second
  client.release(true)
})

test('the start of a bot waits even longer than ten seconds for another process that migrates', async () => {
  const url = await unmadeDatabaseUrl()
  const { connectionString } = readPostgresUrl(url)
  const other = new pg.Client({ connectionString })
  await other.connect()
  await other.query(`BEGIN; SELECT pg_advisory_xact_lock(${migrationLock})`)
  const opened = openDatabase(url)
  await wait(10_000)
  await other.end()
  const database = await opened
  onTestFinished(database.close)
  expect(database.migrated).not.toEqual([])
})

import { expect, onTestFinished, test } from 'vitest'
import { markRestored } from '../../../src/database/copies/restored.ts'
import { type Database, openDatabase } from '../../../src/database/database.ts'
import { inspectDatabase } from '../../../src/database/inspection.ts'
import { createStore } from '../../../src/store/store.ts'
import { addAccount } from '../../orders/placed-orders.ts'
import { newDatabaseUrl } from '../../support/database.ts'
import { startPooler } from '../../support/postgres/pooler.ts'

/** PostgreSQL behind a pooler in transaction mode, where each transaction may run in a different session. */

const tags = ['pooler']

const openPooler = async (databaseUrl: string): Promise<string> => {
  const pooler = await startPooler(databaseUrl)
  onTestFinished(pooler.close)
  return pooler.url
}

const open = async (url: string): Promise<Database> => {
  const database = await openDatabase(url)
  onTestFinished(database.close)
  return database
}

const accounts = ['a', 'b', 'c', 'd']
const each = 50

/** Reads a number and writes the next one, in a transaction that has the account to itself. */
const countUp = ({ transaction }: Database, account: string): Promise<unknown> =>
  transaction(
    async (tx) => {
      const { value } = await tx.fact.findUniqueOrThrow({ where: { name: account } })
      await tx.fact.update({ where: { name: account }, data: { value: String(Number(value) + 1) } })
    },
    { accounts: [account] },
  )

test('behind a pooler, all 200 simultaneous transactions of two processes take effect', {
  tags,
}, async () => {
  const url = (await openPooler(await newDatabaseUrl())).replace('connection_limit=3', 'connection_limit=6')
  const [one, other] = [await open(url), await open(url)]
  const store = createStore(one)
  for (const name of accounts) {
    await addAccount(store, name, new Date())
    await one.client.fact.create({ data: { name, value: '0' } })
  }
  const turns = accounts.flatMap((account) =>
    Array.from({ length: each }, (_, turn) => countUp(turn % 2 === 0 ? one : other, account)),
  )
  await Promise.all(turns)
  const counters = await one.client.fact.findMany({ where: { name: { in: accounts } } })
  expect(counters.map(({ value }) => value)).toEqual(accounts.map(() => String(each)))
})

test('behind a pooler, the doctor’s check leaves no setting to the next client', { tags }, async () => {
  const url = await openPooler(await newDatabaseUrl())
  expect(await inspectDatabase(url)).toMatchObject({ isEmpty: false, missing: [], unknown: [] })
  const database = await open(url)
  await Promise.all(
    Array.from({ length: 20 }, (_, id) =>
      database.client.chat.create({ data: { id, createdAt: new Date() } }),
    ),
  )
  expect(await database.client.chat.count()).toBe(20)
})

test('an address of a pooler without pgbouncer=true is refused with an explanation', { tags }, async () => {
  const url = (await openPooler(await newDatabaseUrl())).replace('pgbouncer=true', 'pgbouncer=false')
  await expect(openDatabase(url)).rejects.toThrow(/pooler refuses .* add pgbouncer=true/)
})

test('a pooler’s connections to another schema are refused with an explanation', { tags }, async () => {
  const url = (await openPooler(await newDatabaseUrl())).replace(/schema=\w+/, 'schema=shop')
  await expect(openDatabase(url)).rejects.toThrow(/ALTER ROLE \w+ SET search_path = shop/)
})

test('a command that needs a session asks for the address of the server itself instead of a pooler’s', {
  tags,
}, async () => {
  const url = await openPooler(await newDatabaseUrl())
  await expect(markRestored({ url, at: null, now: new Date() })).rejects.toThrow(/without pgbouncer=true/)
})

import { expect, onTestFinished, test } from 'vitest'
import { type Client, type Database, openDatabase } from '../../src/database/database.ts'
import { guardedInPassing, inPassing, ReadOtherwise } from '../../src/database/in-passing.ts'
import type { Phone } from '../../src/provider/phone.ts'
import { createStore, type Queries } from '../../src/store/store.ts'
import { addAccount, addOrder } from '../orders/placed-orders.ts'
import { newDatabaseUrl, newStore, testedKind } from '../support/database.ts'
import { watchTraffic } from '../support/traffic.ts'

const limitMs = 10_000

const open = async (): Promise<Database> => {
  const database = await openDatabase(await newDatabaseUrl())
  onTestFinished(database.close)
  return database
}

const set = (client: Client, name: string, value: string) => client.fact.createMany({ data: { name, value } })

const change = (client: Client, name: string, value: string) =>
  client.fact.updateMany({ where: { name }, data: { value } })

const read = async (client: Client, name: string): Promise<string | undefined> =>
  (await client.fact.findUnique({ where: { name } }))?.value

test('what is written in passing is read after it, in the order of the writes, and is there after the commit', async () => {
  const { client, transaction } = await open()
  const before = await transaction(async (tx) => {
    await inPassing(() => set(tx, 'a', '1'))
    await inPassing(() => change(tx, 'a', '2'))
    const value = await read(tx, 'a')
    await inPassing(() => change(tx, 'a', '3'))
    return value
  }, limitMs)
  expect([before, await read(client, 'a')]).toEqual(['2', '3'])
})

test('what is written in passing outside of a transaction is there at once', async () => {
  const { client } = await open()
  await inPassing(() => set(client, 'a', '1'))
  expect(await read(client, 'a')).toBe('1')
})

test('a transaction that is given up leaves nothing of what it wrote in passing', async () => {
  const { client, transaction } = await open()
  const given = transaction(async (tx) => {
    await inPassing(() => set(tx, 'a', '1'))
    throw new Error('given up')
  }, limitMs)
  await expect(given).rejects.toThrow('given up')
  expect(await client.fact.count()).toBe(0)
})

test.each([
  ['with the next statement', async (tx: Client) => void (await tx.fact.count())],
  ['with the commit', async () => {}],
])('a write in passing that fails %s fails its transaction, and nothing of it stays', async (_, then) => {
  const { client, transaction } = await open()
  await set(client, 'a', '1')
  const failed = transaction(async (tx) => {
    await set(tx, 'b', '1')
    await inPassing(() => set(tx, 'a', '2'))
    await inPassing(() => set(tx, 'c', '3'))
    await then(tx)
  }, limitMs)
  await expect(failed).rejects.toThrow(/unique/i)
  expect(await client.fact.findMany()).toEqual([{ name: 'a', value: '1' }])
})

test.runIf(testedKind === 'postgresql')('writes in passing take no round trip of their own', async () => {
  const { transaction } = await open()
  await transaction((tx) => set(tx, 'a', '1'), limitMs)
  const watch = watchTraffic()
  onTestFinished(watch.end)
  await transaction(async (tx) => {
    for (const value of ['2', '3', '4']) await inPassing(() => change(tx, 'a', value))
  }, limitMs)
  // BEGIN, then all the rest.
  expect(watch.take()).toMatchObject({ statements: 5, roundTrips: 2, roundTripsLocked: 1 })
})

const menu = (client: Client, id: bigint, menu: string) =>
  client.chat.updateMany({ where: { id }, data: { menu } })

test.runIf(testedKind === 'postgresql')(
  'writes in passing to different tables are one statement, those of one table follow each other',
  async () => {
    const { client, transaction } = await open()
    await set(client, 'a', '1')
    await client.chat.create({ data: { id: 7n, menu: '', createdAt: new Date() } })
    const watch = watchTraffic()
    onTestFinished(watch.end)
    await transaction(async (tx) => {
      await inPassing(() => change(tx, 'a', '2'))
      await inPassing(() => menu(tx, 7n, 'owner'))
      await inPassing(() => change(tx, 'a', '3'))
    }, limitMs)
    // BEGIN, two statements of writes, COMMIT.
    expect(watch.take()).toMatchObject({ statements: 4, roundTrips: 2 })
    expect([await read(client, 'a'), (await client.chat.findFirst())?.menu]).toEqual(['3', 'owner'])
  },
)

test('a write in passing that fails beside others fails its transaction, and nothing of it stays', async () => {
  const { client, transaction } = await open()
  await set(client, 'a', '1')
  await client.chat.create({ data: { id: 7n, menu: 'short', createdAt: new Date() } })
  const failed = transaction(async (tx) => {
    await inPassing(() => menu(tx, 7n, 'long'))
    await inPassing(() => set(tx, 'a', '2'))
    await inPassing(() => tx.session.createMany({ data: { key: '7', value: '{}', updatedAt: new Date() } }))
  }, limitMs)
  await expect(failed).rejects.toThrow(/unique/i)
  expect(await client.fact.findMany()).toEqual([{ name: 'a', value: '1' }])
  expect([(await client.chat.findFirst())?.menu, await client.session.count()]).toEqual(['short', 0])
})

test('an order and its recipient, written in passing together, refer to each other', async () => {
  const store = await newStore()
  const at = new Date('2026-11-24T10:00:00Z')
  await addAccount(store, 'a', at)
  const { recipients: _, ...first } = await addOrder(store, { id: 'first', accountId: 'a', now: at })
  const second = { ...first, id: 'second', recipients: [{ phone: '0241234568' as Phone, position: 0 }] }
  await store.within(['account a'], (tx) => tx.orders.insertQueued([second], () => 'recipient'))
  expect(await store.orders.byId('second')).toMatchObject({ recipients: [{ phone: '0241234568' }] })
})

test.runIf(testedKind === 'postgresql')(
  'a write that reads another table is a statement of its own',
  async () => {
    const { client, transaction } = await open()
    await client.chat.create({ data: { id: 7n, menu: 'first', createdAt: new Date() } })
    await transaction(async (tx) => {
      await inPassing(() => menu(tx, 7n, 'second'))
      await inPassing(
        () =>
          tx.$executeRaw`INSERT INTO "Fact" ("name", "value") SELECT 'menu', "menu" FROM "Chat" WHERE "id" = 7`,
      )
    }, limitMs)
    expect(await read(client, 'menu')).toBe('second')
  },
)

test('a guarded write in passing that finds the rows as they were read lasts, with what is written beside it', async () => {
  const { client, transaction } = await open()
  await set(client, 'a', '1')
  await client.chat.create({ data: { id: 7n, menu: 'short', createdAt: new Date() } })
  await transaction(async (tx) => {
    await guardedInPassing(1, () =>
      tx.fact.updateMany({ where: { name: 'a', value: '1' }, data: { value: '2' } }),
    )
    await inPassing(() => menu(tx, 7n, 'long'))
  }, limitMs)
  expect([await read(client, 'a'), (await client.chat.findFirst())?.menu]).toEqual(['2', 'long'])
})

test.each([
  ['with the next statement', async (tx: Client) => void (await tx.fact.count())],
  ['with the commit', async () => {}],
])(
  'a guarded write in passing that finds other rows %s undoes its transaction, which PostgreSQL runs again',
  async (_, then) => {
    const { client, transaction } = await open()
    await set(client, 'a', '1')
    await client.chat.create({ data: { id: 7n, menu: 'short', createdAt: new Date() } })
    let tries = 0
    const done = transaction(async (tx) => {
      tries += 1
      await inPassing(() => menu(tx, 7n, `try ${tries}`))
      const value = tries === 1 ? 'never' : '1'
      await guardedInPassing(1, () =>
        tx.fact.updateMany({ where: { name: 'a', value }, data: { value: '2' } }),
      )
      await then(tx)
    }, limitMs)
    if (testedKind === 'sqlite') await expect(done).rejects.toThrow(ReadOtherwise)
    else await done
    const isDone = testedKind === 'postgresql'
    expect([tries, await read(client, 'a'), (await client.chat.findFirst())?.menu]).toEqual(
      isDone ? [2, '2', 'try 2'] : [1, '1', 'short'],
    )
  },
)

class Refused extends Error {
  override name = 'Refused'
}

test.each([
  ['with the next statement', async (tx: Queries) => void (await tx.chats.fact('b'))],
  ['with the commit', async () => {}],
])('a transaction lasts only if what refuses it in passing finds nothing, %s', async (_, then) => {
  const url = await newDatabaseUrl()
  const database = await openDatabase(url)
  onTestFinished(database.close)
  const store = createStore(database)
  const work = (name: string) =>
    store.transaction(async (tx) => {
      await tx.chats.setFact('a', name)
      await tx.leases.refuseOthers('lease', 'mine', () => new Refused(name))
      await then(tx)
    })
  await work('free')
  await store.leases.pass('lease', null, { token: 'mine', until: new Date() })
  await work('mine')
  const mine = await store.leases.holder('lease')
  await store.leases.pass('lease', mine, { token: 'theirs', until: new Date() })
  await expect(work('theirs')).rejects.toThrow(Refused)
  expect(await store.chats.fact('a')).toBe('mine')
})

const owe = (client: Client, subject: string) =>
  client.$executeRaw`
    INSERT INTO "Notice" ("chatId", "subject", "kind", "data", "createdAt")
    VALUES (${7n}, ${subject}, ${'card'}, ${'{}'}, ${new Date()})`

test.runIf(testedKind === 'postgresql')(
  'rows for one table are one statement and keep their order, and older rows of it are changed before',
  async () => {
    const { client, transaction } = await open()
    await owe(client, 'old')
    const watch = watchTraffic()
    onTestFinished(watch.end)
    await transaction(async (tx) => {
      await inPassing(() => tx.notice.updateMany({ where: { subject: 'old' }, data: { attempts: 1 } }))
      for (const subject of ['first', 'second', 'third']) await inPassing(() => owe(tx, subject))
      await inPassing(() => menu(tx, 7n, 'owner'))
    }, limitMs)
    // BEGIN, one statement of writes, COMMIT.
    expect(watch.take()).toMatchObject({ statements: 3, roundTrips: 2 })
    const owed = await client.notice.findMany({ orderBy: { id: 'asc' } })
    expect(owed.map(({ subject, attempts }) => `${subject} ${attempts}`)).toEqual([
      'old 1',
      'first 0',
      'second 0',
      'third 0',
    ])
  },
)

test('a change that comes after new rows of its table reaches them too', async () => {
  const { client, transaction } = await open()
  await transaction(async (tx) => {
    await inPassing(() => owe(tx, 'first'))
    await inPassing(() => tx.notice.updateMany({ where: {}, data: { attempts: 1 } }))
    await inPassing(() => owe(tx, 'second'))
  }, limitMs)
  const owed = await client.notice.findMany({ orderBy: { id: 'asc' } })
  expect(owed.map(({ subject, attempts }) => `${subject} ${attempts}`)).toEqual(['first 1', 'second 0'])
})

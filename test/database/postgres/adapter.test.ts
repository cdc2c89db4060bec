import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Database, openDatabase } from '../../../src/database/database.ts'
import { readPostgresUrl } from '../../../src/database/postgres/url.ts'
import type { NewStatusReport } from '../../../src/store/orders/status-reports.ts'
import { createStore } from '../../../src/store/store.ts'
import { addAccount, addOrder } from '../../orders/placed-orders.ts'
import { executeIn, newDatabaseUrl } from '../../support/database.ts'
import { openGateway } from '../../support/network/gateway.ts'

/** Tests the behaviour of PostgreSQL that SQLite does not have. */

const limitMs = 10_000
const now = new Date('2026-11-21T10:32:00Z')

const open = async (url: string, troubles: Error[] = []): Promise<Database> => {
  const database = await openDatabase(url, { onTrouble: (error) => troubles.push(error) })
  onTestFinished(database.close)
  return database
}

/** One process on a new database. */
const openOne = async (): Promise<Database> => open(await newDatabaseUrl())

/** Several processes on one new database. */
const openSome = async (count: number): Promise<[Database, ...Database[]]> => {
  const url = await newDatabaseUrl()
  const databases: [Database, ...Database[]] = [await open(url)]
  while (databases.length < count) databases.push(await open(url))
  return databases
}

/** A connection of the server's administrator. */
const administrator = async (url: string): Promise<pg.Client> => {
  const { connectionString } = readPostgresUrl(url)
  const client = new pg.Client({ connectionString, application_name: 'administrator' })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

const ofThisBot = `application_name = $1`

/** Ends every connection of the bots on that database. @returns how many there were. */
const terminate = async (client: pg.Client, url: string): Promise<number> => {
  const { rowCount } = await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${ofThisBot}`,
    [readPostgresUrl(url).applicationName],
  )
  return rowCount ?? 0
}

const count = (database: Database): Promise<number> => database.client.chat.count()
const add = (client: Pick<Database['client'], 'chat'>, id: number) =>
  client.chat.create({ data: { id, createdAt: now } })

test('options in the database’s address are kept, and the bot’s own settings apply as well', async () => {
  const url = new URL(await newDatabaseUrl())
  url.searchParams.set('options', '-c work_mem=2345kB')
  const database = await open(url.href)
  // The connection uses the tables of its own schema; no other connection of this test uses the same schema.
  expect(await database.client.$queryRaw`SELECT "value" FROM "Fact"`).toEqual([])
  const settings = await database.client.$queryRaw`
    SELECT current_setting('work_mem') AS memory, current_setting('jit') AS jit, current_setting('search_path') AS path`
  expect(settings).toEqual([{ memory: '2345kB', jit: 'off', path: url.searchParams.get('schema') }])
})

test('a transaction that fails before its first statement gives its connection back', async () => {
  const database = await openOne()
  for (let time = 0; time < 20; time += 1) {
    const failed = database.transaction(async () => {
      throw new Error('changed its mind')
    })
    await expect(failed).rejects.toThrow('changed its mind')
  }
  const { total = 0, waiting } = database.connections() ?? {}
  expect(total).toBeLessThanOrEqual(3)
  expect(waiting).toBe(0)
})

describe('with values that PostgreSQL does not accept or cannot hold,', () => {
  test('texts lose only the forbidden characters, through the client and in plain SQL', async () => {
    const database = await open(await newDatabaseUrl())
    await database.client.fact.create({ data: { name: 'odd', value: 'a\0b\uD800c' } })
    expect((await database.client.fact.findUnique({ where: { name: 'odd' } }))?.value).toBe('a\uFFFDb\uFFFDc')
    await database.client.$executeRaw`INSERT INTO "Fact" ("name", "value") VALUES ('odder', ${'\0'})`
    expect((await database.client.fact.findUnique({ where: { name: 'odder' } }))?.value).toBe('\uFFFD')
  })

  test('sums of money beyond its 32-bit integers are added up correctly', async () => {
    const database = await openOne()
    const store = createStore(database)
    await addAccount(store, 'a', now)
    for (const id of ['o1', 'o2', 'o3']) await addOrder(store, { id, accountId: 'a', now }, [])
    await database.client.order.updateMany({ data: { unitPricePesewas: 2_000_000_000, quantity: 2 } })
    const span = { from: new Date(0), to: new Date(now.getTime() + 1) }
    const { singles } = await store.tallies.sums({ accountId: 'a', userId: null, prices: 'cost' }, span)
    expect(singles.map(({ chargedPesewas }) => chargedPesewas)).toEqual([12_000_000_000])
  })

  test('times of any year are read as they were written', async () => {
    const database = await openOne()
    const times = ['0001-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z']
    const event = (time: string): NewStatusReport => ({
      orderId: 'o',
      source: 'callback',
      digest: time,
      reference: 'r',
      status: 'delivered',
      phone: null,
      happenedAt: new Date(time),
      receivedAt: new Date(time),
      body: null,
    })
    const store = createStore(database)
    expect(await store.statusReports.insert(times.map(event))).toBe(3)
    const read = await store.statusReports.unapplied(0, 10)
    expect(read.map(({ happenedAt }) => happenedAt?.toISOString())).toEqual(times)
  })

  test('texts of the greatest length fit into the indexes', async () => {
    const database = await openOne()
    const store = createStore(database)
    await addAccount(store, 'a', now)
    await addOrder(store, { id: 'o1', accountId: 'a', now }, [])
    // A text that does not compress, of characters that take three bytes.
    const long = (length: number) =>
      Array.from(randomBytes(length), (byte) => String.fromCharCode(0x4e00 + byte * 64)).join('')
    const data = { status: long(100), network: long(100), reference: long(200) }
    await database.client.order.update({ where: { id: 'o1' }, data })
    expect(await database.client.order.findUnique({ where: { id: 'o1' } })).toMatchObject(data)
  })
})

describe('transactions of several processes', () => {
  test('that add to a number of one account lose no addition, however many run at once', async () => {
    const databases = await openSome(3)
    const [first] = databases
    await addAccount(createStore(first), 'a', now)
    await first.client.account.update({ where: { id: 'a' }, data: { explainedPesewas: 0 } })
    const addOne = (database: Database) =>
      database.transaction(
        async (client) => {
          const { explainedPesewas } = await client.account.findUniqueOrThrow({ where: { id: 'a' } })
          const data = { explainedPesewas: (explainedPesewas ?? 0) + 1 }
          await client.account.update({ where: { id: 'a' }, data })
        },
        { accounts: ['a'] },
      )
    await Promise.all(databases.flatMap((database) => Array.from({ length: 10 }, () => addOne(database))))
    const { explainedPesewas } = await first.client.account.findUniqueOrThrow({ where: { id: 'a' } })
    expect(explainedPesewas).toBe(30)
  })

  test('that wait for each other in a circle are repeated from their beginning, and take effect once', async () => {
    const databases = await openSome(2)
    const [first] = databases
    for (const id of [1, 2]) await first.client.chat.create({ data: { id, createdAt: now } })
    const met = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let runs = 0
    const muteBoth = (database: Database, turn: number) =>
      database.transaction(async (client) => {
        runs += 1
        const mute = (id: number) => client.chat.update({ where: { id }, data: { mutedAt: now } })
        await mute(turn + 1)
        met[turn]?.resolve()
        await met[1 - turn]?.promise
        await mute(2 - turn)
      })
    await Promise.all(databases.map(muteBoth))
    expect(runs).toBe(3)
    expect(await first.client.chat.count({ where: { mutedAt: now } })).toBe(2)
  })

  test('that insert the same row insert it once, and the second transaction finds it', async () => {
    const databases = await openSome(2)
    const make = (database: Database) =>
      database.transaction(async (client) => {
        if (await client.chat.findUnique({ where: { id: 7 } })) return 'found'
        await add(client, 7)
        return 'made'
      })
    expect((await Promise.all(databases.map(make))).toSorted()).toEqual(['found', 'made'])
  })
})

describe('a connection that ends', () => {
  test('in a transaction causes an error, leaves nothing of the transaction, and does not harm the next one', async () => {
    const url = await newDatabaseUrl()
    const database = await open(url)
    const client = await administrator(url)
    const cutOff = database.transaction(async (tx) => {
      await add(tx, 1)
      await terminate(client, url)
      await add(tx, 2)
    })
    await expect(cutOff).rejects.toThrow()
    await database.transaction((tx) => add(tx, 3))
    expect((await database.client.chat.findMany()).map(({ id }) => id)).toEqual([3n])
  })

  test('while nobody uses it is reported, and replaced', async () => {
    const url = await newDatabaseUrl()
    const troubles: Error[] = []
    const database = await open(url, troubles)
    const client = await administrator(url)
    expect(await count(database)).toBe(0)
    expect(await terminate(client, url)).toBeGreaterThan(0)
    await vi.waitFor(() => expect(troubles.map(({ message }) => message).join()).toMatch(/terminat/))
    await vi.waitFor(async () => expect(await count(database)).toBe(0))
  })

  test('by force, because its process hangs in a transaction, lets other processes go on', async () => {
    const url = await newDatabaseUrl()
    const [still, other] = [await open(url), await open(url)]
    const client = await administrator(url)
    const standing = async (): Promise<number> => {
      const { rows } = await client.query(
        `SELECT pid FROM pg_stat_activity WHERE ${ofThisBot} AND state = 'idle in transaction'`,
        [readPostgresUrl(url).applicationName],
      )
      return rows.length
    }
    let begun = () => {}
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve
    })
    const stopped = still.transaction(
      async (tx) => {
        await add(tx, 1)
        begun()
        await vi.waitUntil(async () => (await standing()) === 0, { timeout: 30_000, interval: 100 })
        await add(tx, 2)
      },
      { limitMs: 60_000 },
    )
    const refused = expect(stopped).rejects.toThrow()
    await hasBegun
    await other.transaction((tx) => add(tx, 3), { limitMs: 30_000 })
    await refused
    expect((await other.client.chat.findMany()).map(({ id }) => id)).toEqual([3n])
  })
})

test('queries and transactions wait for a server that restarts', async () => {
  const url = await newDatabaseUrl()
  const gateway = await openGateway(url)
  onTestFinished(gateway.close)
  const database = await open(gateway.url)
  await add(database.client, 1)
  await gateway.cut()
  await vi.waitUntil(() => database.connections()?.total === 0)
  const asked = [count(database), database.transaction((tx) => add(tx, 2))]
  await gateway.mend()
  await Promise.all(asked)
  expect(await count(database)).toBe(2)
})

test('a query to a server that stays down fails within seconds', async () => {
  const gateway = await openGateway(await newDatabaseUrl())
  onTestFinished(gateway.close)
  const database = await open(gateway.url)
  await gateway.cut()
  await expect(count(database)).rejects.toThrow()
  await expect(database.transaction((tx) => add(tx, 1))).rejects.toThrow()
})

describe('DATABASE_URL', () => {
  test.each([
    ['without a database', 'postgresql://u:geheim@h:5432', /names no database/],
    ['that is not a valid address', 'postgresql://u:geheim@h:port/d', /names no database/],
    [
      'with a schema that needs quotes',
      'postgresql://u:geheim@h/d?schema=A%22',
      /schema may have only lower-case letters/,
    ],
    ['with too few connections', 'postgresql://u:geheim@h/d?connection_limit=1', /not between 2 and 100/],
    [
      'with an unreadable number of connections',
      'postgresql://u:geheim@h/d?connection_limit=x',
      /not between 2 and 100/,
    ],
  ])('%s is refused with an explanation and an example, without its password', (_what, url, words) => {
    expect(() => readPostgresUrl(url)).toThrow(words)
    expect(() => readPostgresUrl(url)).toThrow(/^DATABASE_URL: .*for example DATABASE_URL=postgresql:\/\//)
    expect(() => readPostgresUrl(url)).not.toThrow(/geheim/)
  })

  test('with a user whom the server refuses causes an error without its password', async () => {
    const url = new URL(await newDatabaseUrl())
    url.username = 'nobody'
    url.password = 'geheim'
    const error = await openDatabase(url.href).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Error)
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('geheim')
  })
})

test('plain SQL runs only in the bot’s own schema, as the client’s queries do', async () => {
  const [one, other] = [await newDatabaseUrl(), await newDatabaseUrl()]
  const databases = [await open(one), await open(other)]
  await executeIn(one, `INSERT INTO "Chat" ("id", "createdAt") VALUES (1, now())`)
  expect(await Promise.all(databases.map(count))).toEqual([1, 0])
})

describe('while more transactions than there are connections wait for a lock,', () => {
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE ${ofThisBot} AND wait_event_type = 'Lock'`

  test.each([3, 7, 8, 10])(
    'some of %i connections stay free for reads and single writes',
    async (connections) => {
      const url = (await newDatabaseUrl()).replace('connection_limit=3', `connection_limit=${connections}`)
      const database = await open(url)
      const { schema, applicationName } = readPostgresUrl(url)
      const client = await administrator(url)
      await client.query(`BEGIN; LOCK TABLE "${schema}"."Chat" IN SHARE ROW EXCLUSIVE MODE`)
      const written = Promise.all(
        Array.from({ length: connections + 1 }, (_, id) => database.transaction((tx) => add(tx, id + 1))),
      )
      // Within a transaction, PostgreSQL shows the same activity each time, so another connection has to look.
      const observer = await administrator(url)
      const isWaiting = async () => (await observer.query(waiting, [applicationName])).rowCount
      await vi.waitUntil(isWaiting, { timeout: limitMs })
      expect(await count(database)).toBe(0)
      await database.client.fact.create({ data: { name: 'a', value: 'b' } })
      const opened = await client.query(`SELECT 1 FROM pg_stat_activity WHERE ${ofThisBot}`, [
        applicationName,
      ])
      // The bot has one more connection, for signals.
      expect(opened.rowCount).toBeLessThanOrEqual(connections + 1)
      await client.query('COMMIT')
      await written
      expect(await count(database)).toBe(connections + 1)
    },
  )
})

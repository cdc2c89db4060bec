import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { createStore } from '../../src/store/store.ts'
import { server } from './crew.ts'
import { type Figure, median } from './figure.ts'
import { accountOf, fill, openRaw } from './fill.ts'
import { connect } from './journey.ts'
import { launch } from './program.ts'
import { bot, createStage } from './stage.ts'
import { wholeSearches } from './whole-searches.ts'

const sizes = [100, 10_000, 100_000] as const
const runs = 30
const warmUps = 5
const maxKeys = 64
const goal = { under: 2 }

/**
 * How what waits is spread: in `many`, two rows of each account and chat, of which ten accounts and ten chats have
 * something due; in `one`, all of one account and one chat, and due.
 */
type Spread = 'many' | 'one'

/**
 * The next work found among much that waits: messages to send, orders to place and to ask about, wallets to read.
 * Beside each the time of a search through all that waits, in the same database.
 */
export const finding = async (): Promise<Figure[]> => {
  const figures: Figure[] = []
  for (const spread of ['many', 'one'] as const) {
    for (const waiting of sizes) {
      figures.push(...(await onSqlite(spread, waiting)))
      if (server !== undefined) figures.push(...(await onPostgresql(server, spread, waiting)))
    }
  }
  return [...figures, await start()]
}

const onSqlite = async (spread: Spread, waiting: number): Promise<Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'bundlegram-bench-'))
  try {
    return await figuresIn(`file:${join(folder, 'bundlegram.db')}`, spread, waiting)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const onPostgresql = async (address: string, spread: Spread, waiting: number): Promise<Figure[]> => {
  const schema = `bench_${randomBytes(6).toString('hex')}`
  const url = new URL(address)
  url.searchParams.set('schema', schema)
  try {
    return await figuresIn(url.href, spread, waiting)
  } finally {
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    await client.query(`SET client_min_messages = error; DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
    await client.end()
  }
}

const figuresIn = async (url: string, spread: Spread, waiting: number): Promise<Figure[]> => {
  const database = await openDatabase(url)
  try {
    await fillWaiting(database, spread, waiting)
    const store = createStore(database)
    const [now, whole] = [new Date(), wholeSearches(database.client)]
    const searches: [what: string, bot: () => Promise<unknown>, baseline: () => Promise<unknown>][] = [
      ['chats to send to', () => store.notices.dueChats(now, maxKeys), () => whole.dueChats(now)],
      ['orders to place', () => store.orders.dueToSend(now, maxKeys), () => whole.dueToSend(now)],
      ['orders to ask about', () => store.orders.dueToPoll(now, maxKeys), () => whole.dueToPoll(now)],
      ['wallets to read', () => store.orders.dueToSettle(now, maxKeys), () => whole.dueToSettle(now)],
    ]
    const where = `${database.kind}, ${waiting.toLocaleString('en')} waiting in ${spread}`
    const figures: Figure[] = []
    for (const [what, search, baseline] of searches) {
      figures.push({
        what: `${what} found, ${where}`,
        unit: 'ms',
        bot: await timeOf(search),
        baseline: await timeOf(baseline),
        against: 'a search through all that waits',
        goal,
      })
    }
    return figures
  } finally {
    await database.close()
  }
}

/** The middle one of many runs, ms. */
const timeOf = async (search: () => Promise<unknown>): Promise<number> => {
  const times: number[] = []
  for (let run = 0; run < runs + warmUps; run += 1) {
    const startedAt = performance.now()
    await search()
    if (run >= warmUps) times.push(performance.now() - startedAt)
  }
  return median(times)
}

/** So many notices, and so many orders for each other kind of work. */
const fillWaiting = async ({ client, kind }: Database, spread: Spread, waiting: number): Promise<void> => {
  const time = (at: Date) =>
    kind === 'sqlite' ? `'${at.toISOString().replace('Z', '+00:00')}'` : `'${at.toISOString()}'::timestamp`
  const nowMs = Date.now()
  const [past, soon] = [time(new Date(nowMs - 60_000)), time(new Date(nowMs + 3_600_000))]
  const key = spread === 'one' ? '0' : '(i / 2)'
  const when = spread === 'one' ? past : `CASE WHEN i < 20 THEN ${past} ELSE ${soon} END`
  const rows = `WITH RECURSIVE number(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM number WHERE i < ${waiting - 1})`
  const order = (name: string, placement: string, column: string) => `${rows}
    INSERT INTO "Order" ("id", "purchaseId", "accountId", "userId", "chatId", "kind", "bundleId", "network", "volume",
      "unitPricePesewas", "quantity", "placement", "createdAt", "updatedAt", "${column}")
    SELECT '${name}-' || i, 'purchase-' || ${key}, 'account-' || ${key}, 1, 1, 'single', 1, 'MTN', '1GB', 600, 1,
      '${placement}', ${past}, ${past}, ${when} FROM number`
  const statements = [
    `${rows} INSERT INTO "Account" ("id", "keyHash", "sealedKey", "sealedSecret", "createdAt")
      SELECT 'account-' || i, i, '', '', ${past} FROM number`,
    `${rows} INSERT INTO "Purchase" ("id", "accountId", "userId", "chatId", "cause", "state", "lines", "createdAt", "expiresAt")
      SELECT 'purchase-' || i, 'account-' || i, 1, 1, i, 'confirmed', '[]', ${past}, ${past} FROM number`,
    `${rows} INSERT INTO "Notice" ("chatId", "subject", "kind", "data", "createdAt", "notBefore")
      SELECT ${key}, 'order:' || i, 'announce', '{}', ${past}, ${when} FROM number`,
    order('queued', 'queued', 'notBefore'),
    order('polled', 'placed', 'nextPollAt'),
    order('searched', 'unconfirmed', 'settleAt'),
  ]
  for (const statement of statements) await client.$executeRawUnsafe(statement)
  if (kind === 'postgresql') await client.$executeRawUnsafe('ANALYZE')
}

const openOrders = 100_000
const startGoal = { under: 5_000 }

/** From the start of the process until it asks the provider about the first of very many open orders. */
const start = async (): Promise<Figure> => ({
  what: `start with ${openOrders.toLocaleString('en')} open orders → one of them asked about`,
  unit: 'ms',
  bot: await timeToWork(openOrders),
  baseline: await timeToWork(1_000),
  against: 'the same with 1,000 open orders',
  goal: startGoal,
})

const timeToWork = async (orders: number): Promise<number> => {
  const stage = await createStage()
  let program = launch(stage.program(bot))
  try {
    await program.until(connect(stage))
    await program.stop()
    const left = { sending: 0, unconfirmed: 0, polling: 1_000 }
    fill(stage.databasePath, { from: 0, to: orders, now: new Date(), left })
    giveFirst(stage.databasePath)
    const before = stage.provider.requests().length
    const startedAt = performance.now()
    program = launch(stage.program(bot))
    await program.until(until(() => stage.provider.requests().slice(before).some(isAboutOrder)))
    return performance.now() - startedAt
  } finally {
    await program.kill()
    await stage.close()
  }
}

const isAboutOrder = ({ path }: { path: string }): boolean => path.includes('/order/')

/** Gives the orders of the first account to the person who has keys. */
const giveFirst = (path: string): void => {
  const database = openRaw(path)
  const accountId = `(SELECT accountId FROM Member)`
  database.exec(`
    UPDATE Purchase SET accountId = ${accountId} WHERE accountId = '${accountOf(0)}';
    UPDATE "Order" SET accountId = ${accountId}, nextPollAt = NULL WHERE accountId = '${accountOf(0)}';
    UPDATE "Order" SET nextPollAt = placedAt WHERE accountId = ${accountId};`)
  database.close()
}

const lookAgainMs = 10

const until = async (isReached: () => boolean): Promise<void> => {
  while (!isReached()) await wait(lookAgainMs)
}

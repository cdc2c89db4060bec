import pg from 'pg'
import { describe, expect, type TestContext, test } from 'vitest'
import { readPostgresUrl } from '../../src/database/postgres-url.ts'
import { startBalancer } from '../support/balancer.ts'
import type { BotUnderTest } from '../support/bot.ts'
import { createWorld, type Reseller, type World } from '../support/world.ts'
import { askFor, changeDatabase, debitsOf, newPhone, order, ordersFor, postsFor } from './shop.ts'

/**
 * An instance stands still in the middle of a press of Confirm, and another takes over: the press is done once, or its
 * person is told that it was not done.
 */

interface Pair {
  world: World
  /** It has the press. */
  first: BotUnderTest
  second: BotUnderTest
  /** Updates go to that instance alone from now on. By polling they go to the leader. */
  lead: (bot: BotUnderTest) => void
}

type Updates = 'polling' | 'webhook'

const newPair = async (
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  updates: Updates,
): Promise<Pair> => {
  const targets: string[] = []
  const balancer = await startBalancer(targets)
  onTestFinished(() => balancer.close())
  const limits = { perMinute: 1_000, perHour: 1_000, perDay: 5_000 }
  const world = await createWorld({
    process: true,
    settings: { limits },
    env: { PUBLIC_URL: balancer.url, ...(updates === 'webhook' && { TELEGRAM_UPDATES: 'webhook' }) },
  })
  onTestFinished(() => world.close())
  const lead = ({ url }: BotUnderTest) => targets.splice(0, 1, url)
  lead(world.bot)
  return { world, first: world.bot, second: await world.anotherBot(), lead }
}

/** Presses Confirm, and stops the instance in whose transaction it then is, before that writes to the table. */
const stopInPress = async ({ world, first }: Pair, { chat }: Reseller, table: string): Promise<void> => {
  const { connectionString, schema } = readPostgresUrl(world.databaseUrl)
  const client = new pg.Client({ connectionString, options: `-c search_path=${schema}` })
  await client.connect()
  try {
    await client.query(`BEGIN; LOCK TABLE "${table}" IN EXCLUSIVE MODE`)
    chat.press('Confirm')
    const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '"${table}"'::regclass`
    await world.until(async () => (await client.query(waiting)).rowCount, 'the press to wait for the table')
    process.kill(first.pid() ?? 0, 'SIGSTOP')
  } finally {
    await client.end()
  }
}

/** As if it had stood still for longer than another instance takes to lead. */
const leaseRanOut = (world: World): Promise<unknown> =>
  changeDatabase(world, (db) =>
    db
      .prepare(`UPDATE "Lease" SET "until" = ? WHERE "name" = 'telegram'`)
      .run(new Date(Date.now() - 20_000).toISOString().replace('Z', '+00:00')),
  )

/** It goes on, does what it still holds, and is ended in order; what it left is done. */
const goesOnAndEnds = async ({ world, first }: Pair, reseller: Reseller): Promise<void> => {
  process.kill(first.pid() ?? 0, 'SIGCONT')
  await first.stop()
  const phone = newPhone()
  await order(reseller, phone)
  await world.until(() => ordersFor(world, phone).length === 1, 'a later order to be placed')
}

const isDenied = ({ chat }: Reseller): boolean =>
  chat.texts().some((text) => text.includes('your press did nothing'))

describe.concurrent.each(['polling', 'webhook'] as const)(
  'by %s, an instance that stands still in a press',
  (updates) => {
    test.for(['Purchase', 'Order'])(
      'before it writes to %s: the other does it, once',
      async (table, context) => {
        const pair = await newPair(context, updates)
        const { world, second } = pair
        await second.start()
        const reseller = await world.newReseller()
        const phone = newPhone()
        await askFor(reseller, phone)
        await stopInPress(pair, reseller, table)
        pair.lead(second)
        await world.until(() => ordersFor(world, phone).length === 1, 'the other to place it')
        await goesOnAndEnds(pair, reseller)
        expect(isDenied(reseller)).toBe(false)
        expect(postsFor(world, phone)).toHaveLength(1)
        expect(debitsOf(world, reseller)).toHaveLength(2)
      },
    )

    test.for(['Purchase', 'Order'])(
      'before it writes to %s, and is alone for long: what is told is true',
      async (table, context) => {
        const pair = await newPair(context, updates)
        const { world, second } = pair
        const reseller = await world.newReseller()
        const phone = newPhone()
        await askFor(reseller, phone)
        await stopInPress(pair, reseller, table)
        await leaseRanOut(world)
        await second.start()
        pair.lead(second)
        const isPlaced = () => ordersFor(world, phone).length === 1
        await world.until(() => isPlaced() || isDenied(reseller), 'the press to be done or denied')
        await goesOnAndEnds(pair, reseller)
        expect(postsFor(world, phone)).toHaveLength(isDenied(reseller) ? 0 : 1)
        expect(debitsOf(world, reseller)).toHaveLength(isDenied(reseller) ? 1 : 2)
      },
    )
  },
)

import { execFile } from 'node:child_process'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { Fault } from '../../../src/sandbox/provider/index.ts'
import { createWorld, type World, type WorldOptions } from '../../support/world.ts'
import { inDatabase, postsFor } from '../shop.ts'
import { expectCleanLog } from './judge.ts'
import { act, person, provider, type Row, run, type Scene, type Step } from './row.ts'
import { minutesLater } from './time.ts'

/** Faults that strike more than one reseller: each row has a world of its own. */
interface MachineRow extends Row {
  world?: WorldOptions
}

const { sees, hears, confirms } = person

const isPlaced = sees(/processing[\s\S]*BUD-API-/)
const isUnconfirmed = hears(/unconfirmed[\s\S]*Do not order again/)
const isPlacedAfterAll = hears(/placed after all: GHS 9\.60 was charged once\. Reference BUD-API-/)
const isNotPlaced = hears(/not placed[\s\S]*Checked: nothing was charged/)
const isDelivered = hears(/✅ .* for \d{10}: delivered/)

/** Another program holds the database's lock until that is called. */
const locks = new WeakMap<World, () => void>()

const locksDatabase: Step = ({ world }) => {
  const database = new DatabaseSync(world.databasePath, { timeout: 5_000 })
  database.exec('BEGIN IMMEDIATE')
  locks.set(world, () => {
    database.exec('ROLLBACK')
    database.close()
  })
}
const unlocksDatabase: Step = act(({ world }) => locks.get(world)?.())

const limitFiles = async ({ world }: Scene, bytes: string): Promise<void> => {
  await promisify(execFile)('prlimit', ['--pid', String(world.bot.pid()), `--fsize=${bytes}:`])
}
/** The bot's process can write no file beyond its first page, as on a disk without room. */
const fillsDisk: Step = (scene) => limitFiles(scene, '4096')
const freesDisk: Step = act((scene) => limitFiles(scene, 'unlimited'))

const callbackIsRefused: Step = ({ world }) =>
  world.until(
    () => world.provider.callbacks().some(({ status, answer }) => status === 'delivered' && answer === 503),
    'a callback to be answered 503',
  )

const logs =
  (words: string): Step =>
  ({ world }) =>
    world.until(() => world.bot.output().includes(words), `the bot to log “${words}”`)

const hasPosted =
  (times: number): Step =>
  ({ world, phone }) =>
    expect(postsFor(world, phone)).toHaveLength(times)

/** The bot stands still between its intent and the first byte. */
const pausesBeforeItSends: Step = ({ world }) => world.bot.crashAt({ at: 'intent_committed', paused: true })
const leaseIsNearlyOver: Step = ({ world }) =>
  world.until(
    () =>
      inDatabase(world, (db) =>
        db.prepare(`SELECT leaseUntil FROM "Order" WHERE placement = 'sending'`).all(),
      ).some(({ leaseUntil }) => Date.parse(String(leaseUntil)) - Date.now() < 19_000),
    'less of the lease to be left than a request may take',
  )
const goesOn: Step = act(({ world }) => process.kill(world.bot.pid() ?? 0, 'SIGCONT'))

const lost: Fault = { kind: 'answer_lost' }
const unread: Fault = { kind: 'reset_before' }
const charged = { posts: 1, debits: 1, ends: ['placed'] } as const
const retried = { settings: { callbackTimeoutMs: 20_000, callbackRetriesMs: Array(60).fill(500) } }
const skewed = (minutes: number) => ({ settings: { clockSkewMs: minutes * 60_000 } })

const machines: MachineRow[] = [
  {
    fault: 'connection refused (bounded retry)',
    beforeConfirm: [({ world }) => world.provider.close()],
    play: [
      sees(/cannot be reached just now, nothing was sent/),
      sees(/not placed[\s\S]*could not be reached, nothing was sent and nothing was charged/),
    ],
    posts: 0,
    debits: 0,
    ends: ['not_placed'],
  },
  {
    fault: 'a sender paused past its lease',
    world: { crashable: true },
    beforeConfirm: [pausesBeforeItSends],
    play: [leaseIsNearlyOver, hasPosted(0), goesOn, isPlaced],
    ...charged,
  },
  {
    fault: 'database locked at a callback',
    world: retried,
    callbacks: true,
    play: [
      isPlaced,
      locksDatabase,
      provider.sets('delivered'),
      callbackIsRefused,
      unlocksDatabase,
      isDelivered,
    ],
    ...charged,
  },
  {
    fault: 'database full at a callback',
    world: retried,
    callbacks: true,
    play: [isPlaced, fillsDisk, provider.sets('delivered'), callbackIsRefused, freesDisk, isDelivered],
    ...charged,
  },
  {
    fault: 'database locked before a POST',
    provider: [{ kind: 'rate_limited', retryAfter: '2' }],
    play: [
      ...[sees(/waiting[\s\S]*nothing was sent/), locksDatabase, logs('an order could not be attempted')],
      ...[hasPosted(1), unlocksDatabase, isPlaced],
    ],
    ...charged,
    posts: 2,
  },
  {
    fault: 'database full before a POST',
    beforeConfirm: [fillsDisk],
    play: [
      ...[sees(/Something went wrong on our side[\s\S]*Nothing was ordered by it/), hasPosted(0)],
      ...[freesDisk, confirms, isPlaced],
    ],
    ...charged,
  },
  {
    fault: 'clocks 10 minutes apart, the provider ahead, with debit',
    world: skewed(10),
    provider: [lost],
    play: [isUnconfirmed, minutesLater(0.1), isPlacedAfterAll],
    ...charged,
  },
  {
    fault: 'clocks 10 minutes apart, the provider ahead, without',
    world: skewed(10),
    provider: [unread],
    play: [isUnconfirmed, minutesLater(11), isNotPlaced],
    posts: 1,
    debits: 0,
    ends: ['not_placed'],
  },
  {
    fault: 'clocks 10 minutes apart, the provider behind, with debit',
    world: skewed(-10),
    provider: [lost],
    play: [isUnconfirmed, minutesLater(0.1), isPlacedAfterAll],
    ...charged,
  },
  {
    fault: 'clocks 10 minutes apart, the provider behind, without',
    world: skewed(-10),
    provider: [unread],
    play: [isUnconfirmed, minutesLater(11), isNotPlaced],
    posts: 1,
    debits: 0,
    ends: ['not_placed'],
  },
]

test.concurrent.for(machines)('an order, at $fault', async (row) => {
  const world = await createWorld(row.world)
  try {
    await run(world, row)
    expectCleanLog(world)
  } finally {
    await world.close()
  }
})

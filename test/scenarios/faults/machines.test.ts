// @module-tag killed
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { Fault } from '../../../src/sandbox/index.ts'
import { testedKind } from '../../support/database.ts'
import { lockDatabase } from '../../support/locked-database.ts'
import { createWorld, type World, type WorldOptions } from '../../support/world.ts'
import { operatorId, operatorOf } from '../operating/operator.ts'
import { putCopyBack, takeCopy } from '../operating/restore.ts'
import { changeDatabase, inDatabase, newPhone, postsFor } from '../shop.ts'
import { expectCleanLog } from './judge.ts'
import { act, person, provider, type Row, run, type Scene, type Step } from './row.ts'
import { minutesLater } from './time.ts'

/** Faults that affect more than one reseller, so each row has its own world. */
interface MachineRow extends Row {
  world?: WorldOptions
}

const { sees, hears, confirms } = person

const isPlaced = sees(/processing[\s\S]*BUD-API-/)
const isUnconfirmed = hears(/unconfirmed[\s\S]*on’t order again/)
const isPlacedAfterAll = sees(/: one charge of GHS 9\.60 matches this order\./)
const isNotPlaced = hears(/not placed[\s\S]*Checked: nothing was charged/)
const isDelivered = hears(/✅ .* for \d{10}: delivered/)

/** For each world, ends the lock that another program holds on the database or its tables. */
const locks = new WeakMap<World, () => unknown>()

const locksDatabase: Step = async ({ world }) =>
  void locks.set(world, await lockDatabase(world, ['Order', 'StatusReport', 'Fact']))
const unlocksDatabase: Step = act(({ world }) => locks.get(world)?.())

/** Uses half of the requests that the provider allows in a minute. */
const hasUsedHalfTheMinute: Step = ({ world, accountId }) =>
  changeDatabase(world, (db) => {
    const ask = db.prepare('INSERT INTO Request (accountId, at) VALUES (?, ?)')
    const at = new Date().toISOString().replace('Z', '+00:00')
    for (let asked = 0; asked < 30; asked += 1) ask.run(accountId, at)
  })

const limitFiles = async ({ world }: Scene, bytes: string): Promise<void> => {
  await promisify(execFile)('prlimit', ['--pid', String(world.bot.pid()), `--fsize=${bytes}:`])
}
/**
 * The disk is full. On SQLite the bot's process can write no file beyond its first page; on PostgreSQL rules on the
 * tables refuse the same writes.
 */
const fillsDisk: Step = (scene) =>
  testedKind === 'sqlite' ? limitFiles(scene, '4096') : refuseWrites(scene, true)
const freesDisk: Step = act((scene) =>
  testedKind === 'sqlite' ? limitFiles(scene, 'unlimited') : refuseWrites(scene, false),
)

const refuseWrites = async ({ world }: Scene, refused: boolean): Promise<void> =>
  changeDatabase(world, (database) => {
    const tables = ['Fact', 'Order', 'StatusReport', 'Purchase', 'Notice', 'Session', 'Request', 'Chat']
    if (refused) {
      database.exec(`CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN RAISE disk_full; END'`)
    }
    for (const table of tables) {
      database.exec(
        refused
          ? `CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON "${table}" EXECUTE FUNCTION no_room()`
          : `DROP TRIGGER no_room ON "${table}"`,
      )
    }
    if (!refused) database.exec('DROP FUNCTION no_room()')
  })

/** Waits until a press is answered with that toast. */
const isToasted =
  (text: RegExp): Step =>
  ({ world, reseller }) =>
    world.until(
      () =>
        world.telegram
          .calls('answerCallbackQuery')
          .some(({ payload }) => text.test(String(payload.text ?? ''))),
      `a press of ${reseller.id} to be answered ${text}`,
    )

const callbackIsRefused: Step = ({ world }) =>
  world.until(
    () => world.provider.callbacks().some(({ status, answer }) => status === 'delivered' && answer === 503),
    'a callback to be answered 503',
  )

/** Waits until a new log line contains one of these texts. */
const logs =
  (...words: string[]): Step =>
  ({ world }) => {
    const before = world.bot.output().length
    const isLogged = () => words.some((each) => world.bot.output().slice(before).includes(each))
    return world.until(isLogged, `the bot to log “${words.join('” or “')}”`)
  }

const hasPosted =
  (times: number): Step =>
  ({ world, phone }) =>
    expect(postsFor(world, phone)).toHaveLength(times)

/** The provider has placed the order, but the bot has no answer yet. */
const isBeingAnswered: Step = ({ world, phone }) =>
  world.until(
    () => world.provider.orders().some(({ phones }) => phones[0]?.phone === phone),
    'the provider to place the order',
  )

/** Suspends the bot between the commit of `sending` and the first byte. */
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

/** Starts a second bot process on the same database. It stands by until the first process dies. */
const secondProcessStarts: Step = async ({ world }) => (await world.anotherBot()).start()
const firstProcessDies: Step = act(({ world }) => world.bot.kill())

const switchesOff: Step = ({ world }) =>
  operatorOf(world).go(['Networks', '📴 Mark MTN as down', 'Confirm: MTN is down'], /📴 MTN: down since/)
const switchesOn: Step = ({ world }) => operatorOf(world).go(['Networks', '✅ MTN is back'], /✅ MTN: open/)

const databaseIsCopied: Step = ({ world }) => takeCopy(world)
const copyIsRestored = (minutes: number): Step =>
  act(async ({ world }) => {
    await putCopyBack(world, minutes)
    await world.bot.start()
  })

const secondPhone = newPhone()
/** Turns the waiting order into one for three numbers, because no command makes such an order quickly enough. */
const becomesBulk: Step = ({ world, accountId, phone }) =>
  changeDatabase(world, (db) => {
    const id = db.prepare('SELECT id FROM "Order" WHERE accountId = ?').get(accountId)?.id ?? null
    db.prepare(`UPDATE "Order" SET kind = 'bulk', quantity = 3 WHERE id = ?`).run(id)
    const recipient = db.prepare('INSERT INTO Recipient (id, orderId, accountId, phone) VALUES (?, ?, ?, ?)')
    for (const other of [secondPhone, newPhone()]) recipient.run(`${phone} ${other}`, id, accountId, other)
  })

const lost: Fault = { kind: 'answer_lost' }
const unread: Fault = { kind: 'reset_before' }
const charged = { posts: 1, debits: 1, ends: ['placed'] } as const
const retried = { settings: { callbackTimeoutMs: 20_000, callbackRetriesMs: Array(60).fill(500) } }

const machines: MachineRow[] = [
  {
    fault: 'a refused connection, retried a bounded number of times',
    // Only a busy account may order at a price that was read some seconds ago, so the account is made busy.
    beforeConfirm: [hasUsedHalfTheMinute, ({ world }) => world.provider.stop()],
    play: [
      sees(/can’t reach the provider just now[\s\S]*Not charged yet/),
      sees(/not placed[\s\S]*couldn’t reach the provider\. Nothing was sent or charged/),
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
    fault: 'a database that is locked at a callback',
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
    fault: 'a full disk at a callback',
    world: retried,
    callbacks: true,
    play: [isPlaced, fillsDisk, provider.sets('delivered'), callbackIsRefused, freesDisk, isDelivered],
    ...charged,
  },
  {
    fault: 'a database that is locked before the POST',
    provider: [{ kind: 'rate_limited', retryAfter: '8' }],
    play: [
      sees(/waiting[\s\S]*Not charged yet/),
      locksDatabase,
      // Without writing, the bot can neither send the order nor renew its lease. Either may fail first.
      logs('an order could not be attempted', 'lost a lease'),
      hasPosted(1),
      unlocksDatabase,
      isPlaced,
    ],
    ...charged,
    posts: 2,
  },
  {
    fault: 'a full disk in the seconds in which the answer comes',
    provider: [{ kind: 'slow', delayMs: 3_000 }],
    play: [
      isBeingAnswered,
      fillsDisk,
      logs('the outcome of an order could not be committed'),
      provider.goesOn(5),
      freesDisk,
      isPlaced,
    ],
    ...charged,
  },
  {
    fault: 'a full disk at Confirm',
    beforeConfirm: [fillsDisk],
    play: [
      isToasted(/^I can’t save anything just now\. Don’t press again: I’ll act on it when I can/),
      hasPosted(0),
      freesDisk,
      isPlaced,
    ],
    ...charged,
  },
  {
    fault: 'a network switched off between the card and Confirm',
    world: { env: { OWNER_IDS: String(operatorId) } },
    beforeConfirm: [switchesOff],
    play: [isToasted(/MTN is down/), hasPosted(0), switchesOn, hasPosted(0), confirms, isPlaced],
    ...charged,
  },
  {
    fault: 'a network switched off while the order waits to be sent',
    world: { env: { OWNER_IDS: String(operatorId) } },
    provider: [{ kind: 'rate_limited', retryAfter: '8' }],
    play: [
      sees(/waiting[\s\S]*Not charged yet/),
      switchesOff,
      sees(/Waiting: MTN is down\. Not sent, not charged/),
      hasPosted(1),
      switchesOn,
      isPlaced,
    ],
    ...charged,
    posts: 2,
  },
  {
    fault: 'a second process on the same token',
    beforeConfirm: [secondProcessStarts],
    play: [isPlaced, provider.sets('delivered'), isDelivered],
    callbacks: true,
    ...charged,
  },
  {
    fault: 'a second process on the same token and the death of the first',
    beforeConfirm: [secondProcessStarts],
    provider: [lost],
    play: [isUnconfirmed, firstProcessDies, minutesLater(0.1), isPlacedAfterAll],
    ...charged,
  },
  ...[1, 24 * 60].map(
    (minutes): MachineRow => ({
      fault: `a restored backup that is ${minutes} minutes old`,
      beforeConfirm: [databaseIsCopied],
      play: [
        isPlaced,
        copyIsRestored(minutes),
        hears(/not in this bot’s books[\s\S]*charged once[\s\S]*BUD-API-/),
      ],
      posts: 1,
      debits: 1,
      ends: [],
    }),
  ),
  {
    fault: 'a bulk order that is accepted in part',
    world: { settings: { bulkPending: 'skip' } },
    before: [provider.takesAnother(secondPhone)],
    provider: [{ kind: 'rate_limited', retryAfter: '60' }],
    play: [
      sees(/waiting[\s\S]*Not charged yet/),
      becomesBulk,
      minutesLater(2),
      hears(/the provider accepted 2 of 3 numbers and charged for those[\s\S]*BUD-BULK-/),
    ],
    posts: 2,
    debits: 2,
    ends: ['placed'],
  },
  {
    fault: 'a bulk order that is accepted in part and whose answer is lost',
    world: { settings: { bulkPending: 'skip', bulkRecipients: true } },
    before: [provider.takesAnother(secondPhone)],
    provider: [{ kind: 'rate_limited', retryAfter: '60' }, lost],
    play: [
      sees(/waiting[\s\S]*Not charged yet/),
      becomesBulk,
      minutesLater(2),
      isUnconfirmed,
      minutesLater(0.1),
      sees(/most likely placed, as one charge of GHS 19\.20 matches this order/),
      hears(/accepted 2 of 3 numbers[\s\S]*Reference BUD-BULK-/),
    ],
    posts: 2,
    debits: 2,
    ends: ['placed'],
  },
]

test.concurrent.for(machines)(
  'a person is told an order’s true outcome and each debit despite $fault',
  async (row) => {
    const world = await createWorld({ judged: true, process: true, ...row.world })
    try {
      await run(world, row)
      expectCleanLog(world)
    } finally {
      await world.close()
    }
  },
)

const apart: Row[] = [
  {
    fault: 'with debit',
    provider: [lost],
    play: [isUnconfirmed, minutesLater(0.1), isPlacedAfterAll],
    ...charged,
  },
  {
    fault: 'without debit',
    provider: [unread],
    play: [isUnconfirmed, minutesLater(11), isNotPlaced],
    posts: 1,
    debits: 0,
    ends: ['not_placed'],
  },
  {
    fault: 'delivered without a callback: it shows at the first poll by our own clock',
    play: [isPlaced, provider.setsQuietly('delivered'), minutesLater(0.55), isDelivered],
    ...charged,
  },
  {
    fault: 'delivered without a callback after the first poll: it shows at the next one',
    play: [isPlaced, minutesLater(0.55), provider.setsQuietly('delivered'), minutesLater(0.75), isDelivered],
    ...charged,
  },
  {
    fault: 'of several numbers, delivered without a callback',
    numbers: 2,
    play: [
      sees(/Charged/),
      provider.setsQuietly('delivered'),
      minutesLater(0.55),
      hears(/List of 2 numbers: done/),
    ],
    ...charged,
  },
]

test.concurrent.for([
  ['ahead', 10, false],
  ['behind', -10, false],
  ['behind, and a proxy that dates its answers', -10, true],
] as const)(
  'a person is told an order’s true outcome and each debit with the provider’s clock 10 minutes %s',
  async ([_which, minutes, dateByProxy]) => {
    const world = await createWorld({
      judged: true,
      settings: { clockSkewMs: minutes * 60_000, dateByProxy },
    })
    try {
      await Promise.all(apart.map((row) => run(world, row)))
      expectCleanLog(world)
    } finally {
      await world.close()
    }
  },
)

/** The clock of our own machine is ten minutes ahead until it is set right. */
const aheadOf = new WeakMap<World, { ms: number }>()
const clockIsSetRight: Step = act(async ({ world }) => {
  const ahead = aheadOf.get(world)
  if (ahead) ahead.ms = 0
})

const setBack: Row[] = [
  {
    fault: 'after an answer was lost',
    provider: [lost],
    // Planned work waits until the clock has caught up.
    play: [isUnconfirmed, clockIsSetRight, minutesLater(10.1), isPlacedAfterAll],
    ...charged,
  },
  {
    fault: 'after a request was lost',
    provider: [unread],
    play: [isUnconfirmed, clockIsSetRight, minutesLater(21), isNotPlaced],
    posts: 1,
    debits: 0,
    ends: ['not_placed'],
  },
  {
    fault: 'before Confirm',
    beforeConfirm: [clockIsSetRight],
    play: [isPlaced, provider.sets('delivered'), isDelivered],
    callbacks: true,
    ...charged,
  },
]

test.runIf(testedKind === 'sqlite').concurrent.for(setBack)(
  'a person is told an order’s true outcome and each debit if the clock is set back 10 minutes $fault',
  async (row) => {
    const ahead = { ms: 10 * 60_000 }
    const world = await createWorld({ judged: true, wallMs: () => Date.now() + ahead.ms })
    aheadOf.set(world, ahead)
    try {
      await run(world, row)
      expectCleanLog(world)
    } finally {
      await world.close()
    }
  },
)

import type { Message } from 'grammy/types'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Fault } from '../../../src/sandbox/index.ts'
import type { Crash } from '../../support/bot/bot.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { newConnected } from '../accounts/members.ts'
import { putCopyBack, restoredBefore, takeCopy } from '../operating/restore.ts'
import {
  askFor,
  cardReads,
  changeDatabase,
  debitsOf,
  endLeases,
  inDatabase,
  newPhone,
  ordersFor,
  place,
  placementOf,
  postsFor,
  reconcileAfter,
} from '../shop.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({
    judged: true,
    crashable: true,
    settings: { callbackRetriesMs: Array(60).fill(500) },
  })
})
beforeEach(async () => {
  world.provider.clearFaults()
  if (world.bot.pid() === undefined) await world.bot.start()
})
afterAll(() => world?.close())

/** A reseller with the card of an order, for the test of one crash. */
interface Scene {
  reseller: Reseller
  phone: string
  /** The card of the order. */
  card: Message
}

const newScene = async (): Promise<Scene> => {
  const reseller = await world.newReseller()
  const phone = newPhone()
  return { reseller, phone, card: await askFor(reseller, phone) }
}

const diesByTheCrash = async (): Promise<void> => expect(await world.bot.died()).toBe('SIGKILL')

/** Starts the bot again, so long after the crash that all leases have expired. */
const startAgain = async (): Promise<void> => {
  await endLeases(world)
  await world.bot.start()
}

const isPlaced = async ({ reseller, phone, card }: Scene): Promise<void> => {
  const { text } = await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
  expect(text).toContain(ordersFor(world, phone)[0]?.reference)
}

const isPlacedAfterAll = async (scene: Scene): Promise<void> => {
  const { reseller, card } = scene
  await reseller.chat.waitForText(
    /(?:placed(?: after all)?, charged GHS 9\.60 once|one charge of GHS 9\.60 matches this order)/,
    { after: card.message_id },
  )
  await isPlaced(scene)
}

const isUnconfirmed = async ({ reseller, card }: Scene): Promise<void> => {
  await reseller.chat.waitForText(/unconfirmed[\s\S]*on’t order again/, { after: card.message_id })
}

const isSettledByItsDebit = async (scene: Scene): Promise<void> => {
  await isUnconfirmed(scene)
  await reconcileAfter(world, 0)
  await isPlacedAfterAll(scene)
}

const isNotPlaced = async (scene: Scene): Promise<void> => {
  const { reseller, card } = scene
  await isUnconfirmed(scene)
  await reconcileAfter(world, 11)
  await reseller.chat.waitForText(/not placed[\s\S]*nothing was charged/, { after: card.message_id })
  await cardReads(world, reseller, card, /not placed[\s\S]*nothing was charged/)
}

/** Waits until nothing is left to do, and expects this many requests and debits for the number. */
const cameTo = async ({ reseller, phone }: Scene, posts: number, debits: number): Promise<void> => {
  await world.until(() => rows('SELECT id FROM Notice') === 0, 'every notice to go out')
  await world.until(
    () => rows('SELECT id FROM StatusReport WHERE appliedAt IS NULL') === 0,
    'callbacks to be applied',
  )
  expect(placementOf(world, phone)).toEqual([debits === 1 ? 'placed' : 'not_placed'])
  expect(postsFor(world, phone)).toHaveLength(posts)
  expect(debitsOf(world, reseller).map(({ amountPesewas }) => amountPesewas)).toEqual(Array(debits).fill(960))
}

const rows = (query: string): number => inDatabase(world, (database) => database.prepare(query).all().length)

const silent: Fault = { kind: 'callback_never' }
const lost: Fault = { kind: 'answer_lost' }
const unread: Fault = { kind: 'reset_before' }

/** `npm test` runs one crash of each kind, the full run all of them. */
const tagged = { tags: 'killed' }

interface Confirmed {
  when: string
  crash: Crash
  faults?: Fault[]
  comesOut: string
  told: (scene: Scene) => Promise<void>
  posts: 0 | 1
  debits: 0 | 1
  inFull?: true
}

const afterConfirm: Confirmed[] = [
  {
    when: 'before `sending` is committed',
    crash: { at: 'before_intent' },
    comesOut: 'is sent after the start',
    told: isPlaced,
    posts: 1,
    debits: 1,
    inFull: true,
  },
  {
    when: 'after `sending` is committed but before the first byte',
    crash: { at: 'intent_committed' },
    comesOut: 'is unconfirmed, then not placed, and is never sent',
    told: isNotPlaced,
    posts: 0,
    debits: 0,
  },
  {
    when: 'after the first byte, without a debit',
    crash: { at: 'first_byte' },
    faults: [unread],
    comesOut: 'is unconfirmed, then not placed',
    told: isNotPlaced,
    posts: 1,
    debits: 0,
    inFull: true,
  },
  {
    when: 'after the first byte, with a debit',
    crash: { at: 'first_byte' },
    faults: [silent],
    comesOut: 'is unconfirmed, and then paired with its debit',
    told: isSettledByItsDebit,
    posts: 1,
    debits: 1,
  },
  {
    when: 'after the first byte, with a debit and a callback',
    crash: { at: 'first_byte' },
    comesOut: 'is proven by its callback',
    told: isPlacedAfterAll,
    posts: 1,
    debits: 1,
    inFull: true,
  },
  {
    when: 'after the provider’s debit but before its answer is read',
    crash: { at: 'answered' },
    faults: [silent],
    comesOut: 'is unconfirmed, and then paired with its debit',
    told: isSettledByItsDebit,
    posts: 1,
    debits: 1,
    inFull: true,
  },
  {
    when: 'in the middle of committing the answer',
    crash: { at: 'answer_half_written' },
    faults: [silent],
    comesOut: 'is unconfirmed, and then paired with its debit',
    told: isSettledByItsDebit,
    posts: 1,
    debits: 1,
    inFull: true,
  },
  {
    when: 'after `placed` is committed but before the notice is sent',
    crash: { at: 'answer_committed' },
    faults: [silent],
    comesOut: 'is reported as placed',
    told: isPlaced,
    posts: 1,
    debits: 1,
  },
]

describe('an order whose bot is killed', () => {
  for (const { when, comesOut, crash, faults = [], told, posts, debits, inFull } of afterConfirm) {
    test(`${when}, ${comesOut}`, inFull ? tagged : {}, async () => {
      const scene = await newScene()
      for (const fault of faults) world.provider.addFault(fault)
      await world.bot.crashAt(crash)
      scene.reseller.chat.press('Confirm')
      await diesByTheCrash()
      await startAgain()
      await told(scene)
      await cameTo(scene, posts, debits)
    })
  }
})

const inReconciling = [
  {
    fault: lost,
    minutes: 0,
    comesOut: 'is paired with its debit after the start',
    told: isPlacedAfterAll,
    debits: 1,
  },
  {
    fault: unread,
    minutes: 11,
    comesOut: 'is declared not placed after the start',
    told: isNotPlaced,
    debits: 0,
    inFull: true,
  },
]

describe('an order whose bot is killed after a wallet read but before it stores the result', () => {
  for (const { fault, minutes, comesOut, told, debits, inFull } of inReconciling) {
    test(comesOut, inFull ? tagged : {}, async () => {
      const scene = await newScene()
      for (const each of [silent, fault]) world.provider.addFault(each)
      await changeDatabase(world, (database) => database.exec('UPDATE "Order" SET reconcileAt = NULL'))
      scene.reseller.chat.press('Confirm')
      await isUnconfirmed(scene)
      // No other order's wallet is read any more, so only this order can reach the crash point.
      await world.bot.crashAt({ at: 'wallet_read' })
      await reconcileAfter(world, minutes)
      await diesByTheCrash()
      await startAgain()
      await told(scene)
      await cameTo(scene, 1, debits)
    })
  }
})

interface Delivered {
  when: string
  crash: Crash
  /** If the bot is killed between the message and its receipt, it sends the message twice rather than never. */
  announced: 1 | 2
  /** The answers to the tries of the provider's callback, without repeats. Null means that no answer came. */
  answers: (number | null)[]
  inFull?: true
}

const onDelivery: Delivered[] = [
  {
    when: 'after its callback is committed but before the 200',
    crash: { at: 'callbacks_committed' },
    announced: 1,
    answers: [null, 200],
  },
  {
    when: 'after Telegram accepts its card but before that is stored',
    crash: { at: 'notice_accepted' },
    announced: 1,
    answers: [200],
    inFull: true,
  },
  {
    when: 'after Telegram accepts its news but before that is stored',
    crash: { at: 'notice_accepted', time: 2 },
    announced: 2,
    answers: [200],
  },
]

describe('a delivery whose bot is killed', () => {
  for (const { when, crash, announced, answers, inFull } of onDelivery) {
    test(`${when}, is still announced`, inFull ? tagged : {}, async () => {
      const reseller = await world.newReseller()
      const phone = newPhone()
      const { reference } = await place(world, reseller, phone)
      const { message: card } = await reseller.chat.waitForButton('Refresh')
      await world.until(
        () => rows(`${eventsOf(reference)} AND appliedAt IS NOT NULL`) === 1,
        'the first callback',
      )
      await world.until(() => rows('SELECT id FROM Notice') === 0, 'the outbox to be empty')
      await world.bot.crashAt(crash)
      world.provider.setStatus(reference, 'delivered')
      await diesByTheCrash()
      await startAgain()
      await reseller.chat.waitForText(/: delivered/, { after: card.message_id })
      await cardReads(world, reseller, card, /delivered(?! \(reported\))/)
      await world.provider.idle()
      await cameTo({ reseller, phone, card }, 1, 1)
      expect(reseller.chat.texts().filter((text) => /: delivered/.test(text))).toHaveLength(announced)
      expect([...new Set(answersTo(reference, 'delivered'))]).toEqual(answers)
      expect(rows(`${eventsOf(reference)} AND status = 'delivered'`)).toBe(1)
    })
  }

  const eventsOf = (reference: string) =>
    `SELECT id FROM StatusReport WHERE source = 'callback' AND reference = '${reference}'`

  const answersTo = (reference: string, status: string) =>
    world.provider
      .callbacks()
      .filter((each) => each.reference === reference && each.status === status)
      .map(({ answer }) => answer)
})

describe('a start of the bot that is killed', () => {
  test('leaves an order to the next start, which pairs it with its debit', tagged, async () => {
    const scene = await newScene()
    world.provider.addFault(silent)
    await world.bot.crashAt({ at: 'first_byte' })
    scene.reseller.chat.press('Confirm')
    await diesByTheCrash()
    await world.bot.crashAt({ at: 'migrated' })
    await startAgain()
    await diesByTheCrash()
    await startAgain()
    await isSettledByItsDebit(scene)
    await cameTo(scene, 1, 1)
  })

  test('on a restored copy changes nothing, and the next start does all the work once', async () => {
    const scene = await newScene()
    world.provider.addFault({ kind: 'rate_limited', retryAfter: '600' })
    scene.reseller.chat.press('Confirm')
    await scene.reseller.chat.waitForText(/reached the provider’s request limit/)
    const other = await newScene()
    await takeCopy(world)
    await putCopyBack(world)
    await world.bot.crashAt({ at: 'restoring' })
    await world.bot.start()
    await diesByTheCrash()
    expect(placementOf(world, scene.phone)).toEqual(['queued'])
    expect(rows(`SELECT name FROM Fact WHERE name = 'backup_of'`)).toBe(1)
    expect(rows(`SELECT id FROM Purchase WHERE state = 'expired'`)).toBe(0)
    await changeDatabase(world, (database) => database.exec('UPDATE Account SET frozenUntil = NULL'))
    await startAgain()
    await isUnconfirmed(scene)
    await other.reseller.chat.waitForText(/expired[\s\S]*restored from a backup/)
    expect(rows(`SELECT name FROM Fact WHERE name = 'backup_of'`)).toBe(0)
    await world.bot.stop()
    await restoredBefore(world, 11)
    await world.bot.start()
    await scene.reseller.chat.waitForText(/not placed[\s\S]*nothing was charged/)
    const doubts = scene.reseller.chat.texts().filter((text) => text.includes('restored from a backup'))
    expect(doubts).toHaveLength(1)
    await cameTo(scene, 1, 0)
  })

  test(
    'right after it created the database leaves a database that the next start can use',
    tagged,
    async () => {
      const fresh = { DATABASE_URL: world.unmadeDatabaseUrl() }
      await world.bot.kill()
      await world.bot.crashAt({ at: 'migrated' })
      await world.bot.start(fresh)
      await diesByTheCrash()
      await world.bot.start(fresh)
      await place(world, await newConnected(world), newPhone())
    },
  )
})

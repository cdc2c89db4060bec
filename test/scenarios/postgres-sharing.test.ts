import { setTimeout as wait } from 'node:timers/promises'
import type { Message } from 'grammy/types'
import { describe, expect, test } from 'vitest'
import type { Topic } from '../../src/database/signals.ts'
import { claimMs } from '../../src/relay/claims.ts'
import type { BotUnderTest } from '../support/bot.ts'
import { lockDatabase } from '../support/locked-database.ts'
import type { Reseller, World } from '../support/world.ts'
import { type Crew, endsOf, newCrew } from './crew.ts'
import {
  askFor,
  dataOf,
  debitsOf,
  endLeases,
  inDatabase,
  newPhone,
  order,
  ordersFor,
  postsFor,
  settleAfter,
  useRequests,
} from './shop.ts'

/**
 * All instances on one PostgreSQL place, follow and settle orders and send messages, each those of other accounts and
 * chats.
 */

const isSent = /"from":"queued","to":"sending"/g

/** How many orders that instance has sent, by its log. */
const sendsOf = (bot: BotUnderTest): number => countIn(bot, isSent)

const countIn = (bot: BotUnderTest, words: RegExp): number => bot.output().match(words)?.length ?? 0

/** What an instance's log says where it follows or settles an order. */
const followed = {
  applying: /"reported":true[^\n]*an order has a status/g,
  polling: /the reported status of an order was confirmed/g,
  settling: /"from":"unconfirmed","to":"not_placed"/g,
} as const

type Following = keyof typeof followed

const followings = Object.keys(followed) as Following[]

/** The processes that hold claims of that kind. */
const pidsWith = (world: World, topic: Topic): string[] =>
  inDatabase(world, (db) => db.prepare(`SELECT token FROM Lease WHERE name LIKE '${topic} %'`).all()).map(
    ({ token }) => String(token).split('/').at(-2) ?? '',
  )

/** How many orders of each state there are. */
const placements = (world: World): string[] =>
  inDatabase(world, (db) => db.prepare('SELECT placement FROM "Order"').all()).map(({ placement }) =>
    String(placement),
  )

/** Looks again and again until the work has ended. */
const during = async <T>(work: Promise<T>, look: () => void): Promise<T> => {
  const looking = setInterval(look, 10)
  try {
    return await work
  } finally {
    clearInterval(looking)
  }
}

const newResellers = ({ world }: Crew, count: number): Promise<Reseller[]> =>
  Promise.all(Array.from({ length: count }, () => world.newReseller()))

/** Each orders so many times, at the same time as the others. @returns the numbers of each. */
const orderAll = (resellers: readonly Reseller[], times: number): Promise<string[][]> =>
  Promise.all(
    resellers.map(async (reseller) => {
      const phones = Array.from({ length: times }, () => newPhone())
      for (const phone of phones) await order(reseller, phone)
      return phones
    }),
  )

/**
 * Presses again where the bot has said that a press did nothing, as it does where a process stood still in it, or where
 * the machine is so busy that its database is late.
 */
const pressesAgain = ({ telegram }: World, resellers: readonly Reseller[]): (() => void) => {
  const answered = new Set<number>()
  return () => {
    for (const { id: chatId, chat } of resellers)
      for (const { message_id: id, text } of telegram.messages(chatId))
        if (text?.includes('Your press did nothing') && !answered.has(id)) {
          answered.add(id)
          chat.press('Confirm')
        }
  }
}

/** Each orders once, and nobody knows whether the provider got it. Resolves when the wallets are due to be read. */
const losePosts = async (crew: Crew, resellers: readonly Reseller[]): Promise<void> => {
  const { world } = crew
  world.provider.addFault({ kind: 'reset_before', times: resellers.length })
  await orderAll(resellers, 1)
  const pressAgain = pressesAgain(world, resellers)
  const are = () => {
    pressAgain()
    return countOf(world, 'unconfirmed') === resellers.length
  }
  await world.until(are, 'all to be unconfirmed')
  await settleAfter(world, 11)
}

const countOf = (world: World, placement: string): number =>
  placements(world).filter((each) => each === placement).length

const arePlaced = async ({ world }: Crew, resellers: readonly Reseller[], phones: readonly string[][]) => {
  const pressAgain = pressesAgain(world, resellers)
  await world.until(() => {
    pressAgain()
    return countOf(world, 'placed') === phones.flat().length
  }, 'all to be placed')
}

/** The provider delivers each, in one go. */
const deliverAll = ({ world }: Crew, phones: readonly string[][]): void => {
  for (const { reference } of phones.flat().flatMap((phone) => ordersFor(world, phone)))
    world.provider.setStatus(reference, 'delivered')
}

/** An instance in the middle of that work, and what lets the work go on. */
interface Middle {
  bot: BotUnderTest
  /** The numbers that each has ordered for. */
  phones: string[][]
  goOn: () => Promise<void>
}

/** Each orders once; then the instances begin that work and cannot end it. */
const inMiddleOf = async (topic: Following, crew: Crew, resellers: readonly Reseller[]): Promise<Middle> => {
  const { world, bots } = crew
  const phones = await orderAll(resellers, 1)
  await arePlaced(crew, resellers, phones)
  const holder = () => bots.find((bot) => pidsWith(world, topic).includes(String(bot.pid())))
  if (topic === 'applying') {
    const goOn = await lockDatabase(world, ['Order'])
    deliverAll(crew, phones)
    return { bot: await world.until(holder, 'one to apply a callback'), phones, goOn }
  }
  const path = topic === 'polling' ? '/order/status' : '/transactions'
  const isAsked = () =>
    world.provider.requests().some((each) => each.path.includes(path) && each.status === null)
  world.provider.addFault({ kind: 'slow', path, delayMs: 4_000, times: null })
  if (topic === 'polling') deliverAll(crew, phones)
  if (topic === 'settling') await losePosts(crew, resellers)
  // A message that Telegram has taken, and whose sender stops before it is marked, is sent again: none is under way.
  const isNothingOwed = () =>
    inDatabase(world, (db) => db.prepare('SELECT COUNT(*) AS many FROM Notice').get()?.many) === 0
  const bot = await world.until(() => isAsked() && isNothingOwed() && holder(), 'one to ask')
  return { bot, phones, goOn: async () => world.provider.clearFaults() }
}

/** Nothing is owed to any chat, no callback waits, and all are placed. */
const areAtRest = async ({ world }: Crew): Promise<void> => {
  const count = (from: string) => () =>
    inDatabase(world, (db) => db.prepare(`SELECT COUNT(*) AS many FROM ${from}`).get()?.many) === 0
  await world.until(count(`"Order" WHERE placement = 'unconfirmed'`), 'all to be settled')
  await world.until(count('Event WHERE appliedAt IS NULL'), 'all callbacks to be applied')
  await world.until(count('"Order" WHERE statusReported = true'), 'all ends to be confirmed')
  await world.until(count('Notice'), 'nothing to be owed')
}

/** So many orders of each were not placed: its card says so, and one message. */
const toldNotPlaced = (resellers: readonly Reseller[], count: number): void => {
  for (const { chat } of resellers)
    expect(chat.texts().filter((text) => text.includes('· not placed\n'))).toHaveLength(2 * count)
}

/** All are delivered: each was posted and debited once, and each end is told once. */
const allEndWell = async (
  { world }: Crew,
  resellers: readonly Reseller[],
  phones: readonly string[][],
): Promise<void> => {
  const all = phones.flat()
  const pressAgain = pressesAgain(world, resellers)
  const placed = await world.until(() => {
    pressAgain()
    const found = all.flatMap((phone) => ordersFor(world, phone))
    return found.length >= all.length && found
  }, 'all to be placed')
  for (const { reference } of placed) world.provider.setStatus(reference, 'delivered')
  await world.until(() => resellers.flatMap(endsOf).length >= all.length, 'all ends to be told')
  expect(new Set(resellers.flatMap(endsOf)).size).toBe(all.length)
  for (const phone of all) expect(postsFor(world, phone)).toHaveLength(1)
  for (const [index, reseller] of resellers.entries())
    expect(debitsOf(world, reseller)).toHaveLength(phones[index]?.length ?? 0)
}

describe('instances on one PostgreSQL', () => {
  test('all place orders and all send messages', async (context) => {
    const crew = await newCrew(context)
    const { world, bots } = crew
    const resellers = await newResellers(crew, 9)
    const senders = new Set<string>()
    const note = () => {
      for (const pid of pidsWith(world, 'sending')) senders.add(pid)
    }
    // Whoever claims an account first keeps it while it is busy, so one instance may get none of the first orders.
    const haveAllWorked = () => senders.size === bots.length && bots.every((bot) => sendsOf(bot) > 0)
    const orderUntilAllHaveWorked = async (phones: string[][] = []): Promise<void> => {
      const more = await orderAll(resellers, 3)
      const all = more.map((each, index) => [...(phones[index] ?? []), ...each])
      await (haveAllWorked() ? allEndWell(crew, resellers, all) : orderUntilAllHaveWorked(all))
    }
    await during(orderUntilAllHaveWorked(), note)
    const sent = resellers.flatMap((reseller) => debitsOf(world, reseller)).length
    expect(bots.map(sendsOf).reduce((sum, sends) => sum + sends, 0)).toBe(sent)
    expect(senders).toEqual(new Set(bots.map((bot) => String(bot.pid()))))
  })

  test('all apply callbacks, ask for statuses and read wallets', async (context) => {
    const crew = await newCrew(context)
    const { world, bots } = crew
    // More than two instances take at once, and a share of the work takes a while, so that the others come by.
    const resellers = await newResellers(crew, 18)
    for (const path of ['/order/status', '/transactions'])
      world.provider.addFault({ kind: 'slow', path, delayMs: 500, times: null })
    const counts = () => bots.map((bot) => followings.map((topic) => countIn(bot, followed[topic])))
    const orderUntilAllHaveWorked = async (before: string[][] = []): Promise<void> => {
      const phones = await orderAll(resellers, 1)
      const all = phones.map((each, index) => [...(before[index] ?? []), ...each])
      await allEndWell(crew, resellers, all)
      await losePosts(crew, resellers)
      await areAtRest(crew)
      if (counts().flat().includes(0)) await orderUntilAllHaveWorked(all)
    }
    await orderUntilAllHaveWorked()
    const sent = resellers.flatMap((reseller) => debitsOf(world, reseller)).length
    toldNotPlaced(resellers, sent / resellers.length)
    for (const [index] of followings.entries())
      expect(counts().reduce((sum, each) => sum + (each[index] ?? 0), 0)).toBeLessThanOrEqual(sent)
  })

  describe.for(followings)('go on without one that is in the middle of %s', (topic) => {
    test('and is killed: each charge and each end is told once', async (context) => {
      const crew = await newCrew(context)
      const resellers = await newResellers(crew, 4)
      const { bot, phones, goOn } = await inMiddleOf(topic, crew, resellers)
      await bot.kill()
      await goOn()
      await allEndWell(crew, resellers, phones)
      await areAtRest(crew)
      toldNotPlaced(resellers, topic === 'settling' ? 1 : 0)
    })

    test('and stands still for longer than its claims: it does nothing again', async (context) => {
      const crew = await newCrew(context)
      const resellers = await newResellers(crew, 4)
      const { bot, phones, goOn } = await inMiddleOf(topic, crew, resellers)
      process.kill(bot.pid() ?? 0, 'SIGSTOP')
      await goOn()
      await wait(claimMs)
      const isTaken = () => !pidsWith(crew.world, topic).includes(String(bot.pid()))
      await crew.world.until(isTaken, 'the others to take its claims')
      process.kill(bot.pid() ?? 0, 'SIGCONT')
      await allEndWell(crew, resellers, phones)
      await areAtRest(crew)
      for (const reseller of resellers) expect(endsOf(reseller)).toHaveLength(1)
      toldNotPlaced(resellers, topic === 'settling' ? 1 : 0)
    })
  })

  test('have at most four orders of an account under way, and count each request once', async (context) => {
    const crew = await newCrew(context, {}, 4)
    const { world } = crew
    const [reseller, limited] = await newResellers(crew, 2)
    if (!reseller || !limited) return
    const isOf = ({ account }: Reseller) =>
      world.provider.requests().filter((each) => each.accountId === account.id)
    world.provider.addFault({ kind: 'slow', account: reseller.account.id, delayMs: 4_000, times: null })
    let most = 0
    const note = () => {
      const open = isOf(reseller).filter(({ method, status }) => method === 'POST' && status === null)
      most = Math.max(most, open.length)
    }
    await during(
      orderAll([reseller], 8).then((phones) => allEndWell(crew, [reseller], phones)),
      note,
    )
    expect(most).toBe(4)

    // The cards come first: without room for their prices they would wait for a minute.
    const cards: Message[] = []
    for (let count = 0; count < 8; count += 1) cards.push(await askFor(limited, newPhone()))
    const before = isOf(limited).length
    /** When the account's requests were counted, ms. */
    const counted = () =>
      inDatabase(world, (db) =>
        db
          .prepare('SELECT at FROM Request WHERE accountId = (SELECT accountId FROM Member WHERE userId = ?)')
          .all(limited.id),
      ).map(({ at }) => Date.parse(String(at)))
    await useRequests(world, limited, 52 - counted().length)
    const countedBefore = counted().length
    for (const card of cards)
      world.telegram.press({ from: limited.id, messageId: card.message_id, data: dataOf(card, 'Confirm') })
    const isAtRest = () =>
      placements(world).length === 2 * cards.length &&
      inDatabase(
        world,
        (db) =>
          db
            .prepare(
              `SELECT id FROM "Order" WHERE placement = 'sending' OR placement = 'queued' AND reason IS NULL`,
            )
            .all().length === 0,
      )
    await world.until(isAtRest, 'all to be placed or to wait for the limit')
    expect(isOf(limited).length - before).toBe(counted().length - countedBefore)
    for (const endMs of counted())
      expect(counted().filter((ms) => ms > endMs - 60_000 && ms <= endMs).length).toBeLessThanOrEqual(60)
    expect(isOf(limited).filter(({ status }) => status === 429)).toEqual([])
  })

  test('go on with what one leaves that is killed in the middle: nothing is ordered twice or lost', async (context) => {
    const crew = await newCrew(context)
    const { world, bots } = crew
    const resellers = await newResellers(crew, 24)
    const phones = resellers.map(() => newPhone())
    // A message whose price is just asked for gets no card if its instance is killed: nothing was confirmed.
    await Promise.all(resellers.map((reseller, index) => askFor(reseller, phones[index] ?? '')))
    for (const { chat } of resellers) chat.press('Confirm')
    await world.until(() => bots.every((bot) => sendsOf(bot) > 0), 'all to have sent some')
    await bots[1]?.kill()
    const pressAgain = pressesAgain(world, resellers)
    const isOpen = (placement: string) => placement === 'queued' || placement === 'sending'
    await world.until(async () => {
      pressAgain()
      if (placements(world).includes('sending')) await endLeases(world)
      return placements(world).length === phones.length && !placements(world).some(isOpen)
    }, 'the others to place the rest')
    await settleAfter(world, 11)
    await world.until(
      () => placements(world).every((placement) => placement === 'placed' || placement === 'not_placed'),
      'all to be settled',
    )
    for (const phone of phones) expect(postsFor(world, phone).length).toBeLessThanOrEqual(1)
    const placed = placements(world).filter((placement) => placement === 'placed')
    expect(resellers.flatMap((reseller) => debitsOf(world, reseller))).toHaveLength(placed.length)
    for (const { reference } of phones.flatMap((phone) => ordersFor(world, phone)))
      world.provider.setStatus(reference, 'delivered')
    await world.until(() => new Set(resellers.flatMap(endsOf)).size >= placed.length, 'all ends to be told')
  })

  test('go on without one that stands still for longer than its claims, and it does nothing again', async (context) => {
    const crew = await newCrew(context)
    const { bots } = crew
    const resellers = await newResellers(crew, 9)
    const stopped = bots[1]
    const before = await orderAll(resellers, 1)
    process.kill(stopped?.pid() ?? 0, 'SIGSTOP')
    const meanwhile = await orderAll(resellers, 1)
    await wait(claimMs)
    process.kill(stopped?.pid() ?? 0, 'SIGCONT')
    const after = await orderAll(resellers, 1)
    const phones = resellers.map((_, index) =>
      [before, meanwhile, after].flatMap((each) => each[index] ?? []),
    )
    await allEndWell(crew, resellers, phones)
  })
})

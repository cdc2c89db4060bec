import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { claimMs } from '../../src/relay/claims.ts'
import type { BotUnderTest } from '../support/bot.ts'
import type { Reseller, World } from '../support/world.ts'
import { type Crew, endsOf, newCrew } from './crew.ts'
import {
  askFor,
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

/** All instances on one PostgreSQL place orders and send messages, each those of other accounts and chats. */

const isSent = /"from":"queued","to":"sending"/g

/** How many orders that instance has sent, by its log. */
const sendsOf = (bot: BotUnderTest): number => bot.output().match(isSent)?.length ?? 0

const pidsWithChats = (world: World): string[] =>
  inDatabase(world, (db) => db.prepare(`SELECT token FROM Lease WHERE name LIKE 'sending %'`).all()).map(
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
      for (const pid of pidsWithChats(world)) senders.add(pid)
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

    await useRequests(world, limited, 52)
    const before = isOf(limited).length
    /** When the account's requests were counted, ms. */
    const counted = () =>
      inDatabase(world, (db) =>
        db
          .prepare('SELECT at FROM Request WHERE accountId = (SELECT accountId FROM Member WHERE userId = ?)')
          .all(limited.id),
      ).map(({ at }) => Date.parse(String(at)))
    const countedBefore = counted().length
    await orderAll([limited], 8)
    const isAtRest = () =>
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

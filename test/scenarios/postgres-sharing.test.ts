import { setTimeout as wait } from 'node:timers/promises'
import type { Message } from 'grammy/types'
import { describe, expect, test } from 'vitest'
import { claimMs } from '../../src/relay/claims.ts'
import type { BotUnderTest } from '../support/bot.ts'
import type { Reseller } from '../support/world.ts'
import {
  allEndWell,
  countIn,
  endsOf,
  newCrew,
  newResellers,
  orderAll,
  pidsWith,
  placements,
  pressesAgain,
} from './crew.ts'
import {
  askFor,
  dataOf,
  debitsOf,
  endLeases,
  inDatabase,
  newPhone,
  ordersFor,
  postsFor,
  settleAfter,
  useRequests,
} from './shop.ts'

/** All instances on one PostgreSQL place orders and send messages, each those of other accounts and chats. */

const isSent = /"from":"queued","to":"sending"/g
/** Its claim was over before the first byte left, as on a busy machine: any instance sends it then. */
const isGivenBack = /"from":"sending","to":"queued"/g

/** How many orders that instance has sent, by its log. */
const sendsOf = (bot: BotUnderTest): number => countIn(bot, isSent)

/** Looks again and again until the work has ended. */
const during = async <T>(work: Promise<T>, look: () => void): Promise<T> => {
  const looking = setInterval(look, 25)
  try {
    return await work
  } finally {
    clearInterval(looking)
  }
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
    const sumOf = (words: RegExp) => bots.reduce((sum, bot) => sum + countIn(bot, words), 0)
    expect(sumOf(isSent) - sumOf(isGivenBack)).toBe(sent)
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
    const [first, stopped, last] = bots as [BotUnderTest, BotUnderTest, BotUnderTest]
    const before = await orderAll(resellers, 1)
    process.kill(stopped.pid() ?? 0, 'SIGSTOP')
    const sendsOfOthers = () => sendsOf(first) + sendsOf(last)
    const earlier = sendsOfOthers()
    const ordering = orderAll(resellers, 1)
    // Not until all are ordered: whoever stands still for that long no longer knows whether its own order was sent.
    await Promise.all([
      wait(claimMs),
      crew.world.until(() => sendsOfOthers() > earlier, 'an order to be sent without it'),
    ])
    process.kill(stopped.pid() ?? 0, 'SIGCONT')
    const meanwhile = await ordering
    const after = await orderAll(resellers, 1)
    const phones = resellers.map((_, index) =>
      [before, meanwhile, after].flatMap((each) => each[index] ?? []),
    )
    await allEndWell(crew, resellers, phones)
  })
})

import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { claimMs } from '../../src/relay/claims.ts'
import type { BotUnderTest } from '../support/bot.ts'
import { lockDatabase } from '../support/locked-database.ts'
import type { Reseller, World } from '../support/world.ts'
import {
  allEndWell,
  type Crew,
  countIn,
  endsOf,
  newCrew,
  newResellers,
  orderAll,
  pidsWith,
  placements,
  pressesAgain,
} from './crew.ts'
import { debitsOf, inDatabase, ordersFor, settleAfter } from './shop.ts'

/** All instances on one PostgreSQL follow and settle orders, each those of other accounts. */

/** What an instance's log says where it follows or settles an order. */
const followed = {
  applying: /"reported":true[^\n]*an order has a status/g,
  polling: /the reported status of an order was confirmed/g,
  settling: /"from":"unconfirmed","to":"not_placed"/g,
} as const

type Following = keyof typeof followed

const followings = Object.keys(followed) as Following[]

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

describe('instances on one PostgreSQL', () => {
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
})

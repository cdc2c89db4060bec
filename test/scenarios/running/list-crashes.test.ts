// @module-tag killed
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CrashPoint } from '../../../src/base/crash-point.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import {
  deliverAll,
  expectCharged,
  later,
  linesOf,
  orderList,
  ordersOf,
  paste,
  phones,
  placementsOf,
  postsOf,
  pressOn,
  referencesOf,
} from '../lists/list-shop.ts'
import { cardReads, endLeases } from '../shop.ts'

/** The bot is killed while it sends a list. It continues where that is safe, and sends nothing twice. */

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

interface Shop {
  reseller: Reseller
  numbers: string[][]
  lines: string[]
}

/** A reseller with the lines of a list that becomes three orders of two numbers each. */
const newShop = async (): Promise<Shop> => {
  const reseller = await world.newReseller()
  const numbers = [phones(2), phones(2), phones(2)]
  const lines = numbers.flatMap((some, index) => linesOf(some, `${index + 1}GB`))
  return { reseller, numbers, lines }
}

const chargedOnce = ({ reseller, numbers }: Shop): Promise<void> =>
  expectCharged(
    world,
    reseller,
    numbers.flatMap((some, index) => some.map((phone) => `${phone} ${index + 1}GB`)),
  )

const startAgain = async (): Promise<void> => {
  await endLeases(world)
  await world.bot.start()
}

/** What becomes of the list's second order. While its outcome is unknown, the rest of the list waits. */
const points: {
  at: CrashPoint
  becomes: 'placed' | 'unconfirmed, then placed' | 'unconfirmed, then not placed'
}[] = [
  { at: 'before_intent', becomes: 'placed' },
  { at: 'intent_committed', becomes: 'unconfirmed, then not placed' },
  { at: 'first_byte', becomes: 'unconfirmed, then placed' },
  { at: 'answered', becomes: 'unconfirmed, then placed' },
  { at: 'answer_half_written', becomes: 'unconfirmed, then placed' },
  { at: 'answer_committed', becomes: 'placed' },
]

describe('a bot killed at the second order of a list', () => {
  test.each(points)(
    'charges no number twice, and that order is $becomes (crash point “$at”)',
    async ({ at, becomes }) => {
      const shop = await newShop()
      const { reseller } = shop
      const card = await paste(reseller, shop.lines)
      world.provider.addFault({ kind: 'callback_never', times: null, account: reseller.account.id })
      await world.bot.crashAt({ at, time: 2 })
      pressOn(reseller, card, 'Confirm')
      expect(await world.bot.died()).toBe('SIGKILL')
      await startAgain()
      if (becomes !== 'placed') {
        await reseller.chat.waitForText(/MTN 2GB × 2: unconfirmed[\s\S]*2 numbers are waiting/)
        expect(postsOf(world, reseller).length).toBeLessThanOrEqual(2)
        await later(world, reseller, becomes === 'unconfirmed, then placed' ? 1 : 11)
      }
      if (becomes === 'unconfirmed, then not placed') {
        await cardReads(
          world,
          reseller,
          card,
          /2 waiting[\s\S]*2 not ordered[\s\S]*I checked: it wasn’t charged/,
        )
        reseller.chat.press('Continue')
        await cardReads(world, reseller, card, /🟡 4 processing[\s\S]*2 not ordered/)
        const { numbers } = shop
        await expectCharged(world, reseller, [
          ...(numbers[0] ?? []).map((phone) => `${phone} 1GB`),
          ...(numbers[2] ?? []).map((phone) => `${phone} 3GB`),
        ])
        await world.until(
          () => !placementsOf(world, reseller).includes('sending'),
          'the last answer to be kept',
        )
        expect(placementsOf(world, reseller)).toEqual(['placed', 'not_placed', 'placed'])
        return
      }
      await cardReads(world, reseller, card, /🟡 6 processing/)
      await chargedOnce(shop)
      expect(postsOf(world, reseller)).toEqual([2, 2, 2])
    },
  )
})

describe('two processes on one database', () => {
  test('share the orders of a list, and each order is sent once', async () => {
    const second = await world.anotherBot()
    await second.start()
    const numbers = phones(60)
    const reseller = await world.newReseller(1_000_000)
    const lines = numbers.map((phone, index) => `${phone} ${['1GB', '2GB', '3GB'][index % 3]}`)
    const card = await orderList(reseller, lines)
    await cardReads(world, reseller, card, /🟡 60 processing/)
    await referencesOf(world, reseller, 3)
    expect(postsOf(world, reseller)).toEqual([20, 20, 20])
    await expectCharged(world, reseller, lines)
    deliverAll(world, reseller)
    await reseller.chat.waitForText(/List of 60 numbers: done[\s\S]*60 delivered/)
    await world.until(
      () => ordersOf(world, reseller).every(({ status }) => status === 'delivered'),
      'the end',
    )
    expect(reseller.chat.texts().filter((text) => /: done/.test(text))).toHaveLength(1)
    await second.stop()
  })
})

// @module-tag process
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createWorld, type Reseller, type World, type WorldOptions } from '../../support/world.ts'
import {
  askFor,
  cardReads,
  debitsOf,
  endLeases,
  newPhone,
  place,
  placementOf,
  postsFor,
  toastOf,
} from '../shop.ts'

/** These tests take as long as the product’s own deadlines, so they run concurrently, each in its own world. */
const inWorld =
  (work: (world: World, reseller: Reseller) => Promise<void>, options: WorldOptions = {}) =>
  async () => {
    const world = await createWorld(options)
    try {
      world.provider.addFault({ kind: 'callback_never', times: null })
      await work(world, await world.newReseller())
    } finally {
      await world.close()
    }
  }

const options = { concurrent: true }
/** Contract: the person is told within 30 s of the first byte, or of the restart after a crash. */
const saidWithinMs = 30_000
/** Contract: SIGTERM ends the process within 10 s. */
const stopsWithinMs = 10_000

const stopInTime = (world: World): Promise<number | null | 'too late'> =>
  Promise.race([world.bot.stop(), wait(stopsWithinMs, 'too late' as const)])

/** Confirms an order that the provider places and debits, but never answers. */
const orderIntoSilence = async (world: World, reseller: Reseller, phone: string) => {
  const card = await askFor(reseller, phone)
  world.provider.addFault({ kind: 'hang', processed: true })
  reseller.chat.press('Confirm')
  await world.until(() => debitsOf(world, reseller).length === 1, 'the provider to take the order')
  return card
}

test(
  'a bot killed while an order is unanswered reports the order as unconfirmed and sends nothing again',
  { ...options, tags: 'killed' },
  inWorld(
    async (world, reseller) => {
      const phone = newPhone()
      const card = await orderIntoSilence(world, reseller, phone)
      await world.bot.kill()
      await endLeases(world)
      await world.bot.start()
      await cardReads(world, reseller, card, /unconfirmed/, saidWithinMs)
      await reseller.chat.waitForText('unconfirmed', { after: card.message_id })
      expect(postsFor(world, phone)).toHaveLength(1)
      expect(debitsOf(world, reseller)).toHaveLength(1)
    },
    { process: true },
  ),
)

test(
  'a bot stopped while an order is unanswered commits the order as unconfirmed and exits with 0',
  options,
  inWorld(
    async (world, reseller) => {
      const phone = newPhone()
      const card = await orderIntoSilence(world, reseller, phone)
      expect(await stopInTime(world)).toBe(0)
      expect(placementOf(world, phone)).toEqual(['unconfirmed'])
      await world.bot.start()
      await cardReads(world, reseller, card, /unconfirmed/)
      expect(postsFor(world, phone)).toHaveLength(1)
    },
    { process: true },
  ),
)

test(
  'a bot stopped while prices and a status are being read exits in time and sends the order later',
  options,
  inWorld(async (world, reseller) => {
    await place(world, reseller, newPhone())
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    await world.bot.restart()
    world.provider.addFault({ kind: 'hang', path: '/bundles' })
    world.provider.addFault({ kind: 'hang', path: world.provider.orders().map(statusPath)[0] ?? '' })
    reseller.chat.press('Confirm')
    reseller.chat.press('Refresh')
    await world.until(() => unanswered(world) === 2, 'two reads to hang')
    expect(await stopInTime(world)).toBe(0)
    expect(placementOf(world, phone)).toEqual(['queued'])
    await world.bot.start()
    await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
    expect(postsFor(world, phone)).toHaveLength(1)
  }),
)

const statusPath = ({ reference }: { reference: string }) => `/order/status/${reference}`

const unanswered = (world: World) =>
  world.provider.requests().filter(({ method, status }) => method === 'GET' && status === null).length

test(
  'a slow answer from the provider delays neither the toast of Confirm nor another chat',
  options,
  inWorld(async (world, reseller) => {
    const other = await world.newReseller()
    const [slow, quick] = [newPhone(), newPhone()]
    const card = await askFor(reseller, slow)
    world.provider.addFault({ kind: 'slow', delayMs: 15_000 })
    expect(await toastOf(world, reseller.chat.press('Confirm'))).toBe('Confirmed')
    await world.until(() => postsFor(world, slow).length === 1, 'the slow order to be sent')
    await place(world, other, quick)
    expect(postsFor(world, slow).map(({ status }) => status)).toEqual([null])
    await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/, saidWithinMs)
    expect(debitsOf(world, reseller)).toHaveLength(1)
  }),
)

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../support/world.ts'
import { age } from './age.ts'
import { cardReads, inDatabase, newPhone, place } from './shop.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ publicUrl: false })
})
afterAll(() => world?.close())

test('without a public address the provider is asked from half a minute after placing, over restarts, until the order ends', async () => {
  const reseller = await world.newReseller()
  const placed = await place(world, reseller, newPhone())
  const card = await reseller.chat.waitForText(placed.reference)
  expect(placed.webhookUrl).toBeNull()
  const { placedAt, nextPollAt } = inDatabase(world, (db) =>
    db.prepare(`SELECT placedAt, nextPollAt FROM "Order" WHERE reference = ?`).get(placed.reference),
  ) as { placedAt: string; nextPollAt: string }
  const firstMs = Date.parse(nextPollAt) - Date.parse(placedAt)
  expect(firstMs).toBeGreaterThan(29_000)
  expect(firstMs).toBeLessThan(32_000)

  await world.bot.stop()
  world.provider.setStatus(placed.reference, 'on its way')
  age(world, placed.reference, { nextPollAt: new Date() })
  await world.bot.start()
  await cardReads(world, reseller, card, /· on its way\n/)
  world.provider.setStatus(placed.reference, 'delivered')
  age(world, placed.reference, { nextPollAt: new Date() })
  await cardReads(world, reseller, card, /· delivered\n/)
  await reseller.chat.waitForText(/✅ .*: delivered/)
  const next = inDatabase(world, (db) =>
    db.prepare(`SELECT nextPollAt FROM "Order" WHERE reference = ?`).get(placed.reference),
  )
  expect(next?.nextPollAt).toBeNull()
})

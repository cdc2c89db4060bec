import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type World } from '../../support/world.ts'
import { age } from '../operating/age.ts'
import { cardReads, dataOf, inDatabase, newPhone, place } from '../shop.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ publicUrl: false })
})
afterAll(() => world?.close())

test('without a public address an order is polled from half a minute on until its end, even over restarts', async () => {
  const reseller = await world.newReseller()
  const placed = await place(world, reseller, newPhone())
  const card = await reseller.chat.waitForText(placed.reference)
  expect(placed.webhookUrl).toBeNull()
  const { answeredAt, nextPollAt } = inDatabase(world, (db) =>
    db.prepare(`SELECT answeredAt, nextPollAt FROM "Order" WHERE reference = ?`).get(placed.reference),
  ) as { answeredAt: string; nextPollAt: string }
  const firstMs = Date.parse(nextPollAt) - Date.parse(answeredAt)
  expect(firstMs).toBeGreaterThan(29_000)
  expect(firstMs).toBeLessThan(32_000)

  await world.bot.stop()
  world.provider.setStatus(placed.reference, 'on its way')
  await age(world, placed.reference, { nextPollAt: new Date() })
  await world.bot.start()
  await cardReads(world, reseller, card, /· on its way\n/)
  world.provider.setStatus(placed.reference, 'delivered')
  await age(world, placed.reference, { nextPollAt: new Date() })
  await cardReads(world, reseller, card, /· delivered\n/)
  await reseller.chat.waitForText(/✅ .*: delivered/)
  const next = inDatabase(world, (db) =>
    db.prepare(`SELECT nextPollAt FROM "Order" WHERE reference = ?`).get(placed.reference),
  )
  expect(next?.nextPollAt).toBeNull()
})

describe('an order without a final status in seven days', () => {
  const days = (count: number) => new Date(Date.now() - count * 86_400_000)
  const columnsOf = (reference: string) =>
    inDatabase(world, (db) => db.prepare('SELECT nextPollAt FROM "Order" WHERE reference = ?').get(reference))
  const asked = (reference: string) =>
    world.provider.requests().filter(({ path }) => path.endsWith(reference)).length

  test('is polled once more and reported as stale, and Refresh still works', async () => {
    const reseller = await world.newReseller()
    const { reference } = await place(world, reseller, newPhone())
    const card = await reseller.chat.waitForText(reference)
    await age(world, reference, { answeredAt: days(7.1), nextPollAt: new Date() })
    await cardReads(world, reseller, card, /processing · stale[\s\S]*I’ve stopped asking/)
    const said = await reseller.chat.waitForText('I’ve stopped asking', { after: card.message_id })
    expect(said.text).toContain('· stale')
    expect(said.reply_markup?.inline_keyboard.flat().map(({ text }) => text)).toContain('🔄 Refresh')
    expect(columnsOf(reference)?.nextPollAt).toBeNull()

    const before = asked(reference)
    world.telegram.press({ from: reseller.id, messageId: said.message_id, data: dataOf(said, 'Refresh') })
    await world.until(() => asked(reference) > before, 'the provider is asked')
    world.provider.setStatus(reference, 'delivered')
    world.telegram.press({ from: reseller.id, messageId: said.message_id, data: dataOf(said, 'Refresh') })
    await reseller.chat.waitForText(/✅ .*: delivered/, { after: said.message_id })
    // The pressed message is now the card. The message before it is unchanged, and Refresh has added none.
    expect(reseller.chat.texts().filter((text) => text.includes('I’ve stopped asking'))).toHaveLength(1)
  })

  test('becomes stale even if the last poll finds a status that is not final', async () => {
    const reseller = await world.newReseller()
    const { reference } = await place(world, reseller, newPhone())
    const card = await reseller.chat.waitForText(reference)
    world.provider.setStatus(reference, 'on its way')
    await age(world, reference, { answeredAt: days(7.1), nextPollAt: new Date() })
    await cardReads(world, reseller, card, /on its way · stale/)
    await reseller.chat.waitForText(/on its way · stale/, { after: card.message_id })
  })
})

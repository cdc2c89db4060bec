// @module-tag screens
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../../support/world.ts'
import { age } from '../operating/age.ts'
import { operatorId, operatorOf } from '../operating/operator.ts'
import { cardReads, inDatabase, newPhone, place } from '../shop.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ env: { OWNER_IDS: String(operatorId) } })
})
afterAll(() => world?.close())

const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000)

/** Waits until a callback has reported the order's status and the poll that it caused has failed. */
const isPostponed = (reference: string): Promise<unknown> =>
  world.until(
    () =>
      inDatabase(world, (db) =>
        db.prepare('SELECT statusReported, nextPollAt FROM "Order" WHERE reference = ?').all(reference),
      ).some(
        ({ statusReported, nextPollAt }) => statusReported && Date.parse(String(nextPollAt)) > Date.now(),
      ),
    `the look-up of ${reference} to fail`,
  )

test('operators are told once if look-ups find no order, and cards promise no confirmation until look-ups work again', async () => {
  const { chat: operator } = operatorOf(world)
  operator.say('/start')
  await operator.waitForText('Bundlegram')
  const reseller = await world.newReseller()
  const fault = world.provider.addFault({
    kind: 'error_before',
    path: '/order/status',
    status: 404,
    times: null,
  })
  const cards = []
  for (let index = 0; index < 5; index += 1) {
    const { reference } = await place(world, reseller, newPhone())
    cards.push({ reference, card: await reseller.chat.waitForText(reference) })
  }
  for (const { reference, card } of cards) {
    world.provider.setStatus(reference, 'delivered')
    await cardReads(world, reseller, card, /delivered \(reported\)[\s\S]*Confirming with the provider/)
    await isPostponed(reference)
  }
  for (const { reference } of cards) {
    const later = { answeredAt: minutesAgo(40), statusAt: minutesAgo(31), nextPollAt: new Date() }
    await age(world, reference, later)
  }
  const alert = await operator.waitForText('order look-up seems broken', { timeoutMs: 20_000 })
  for (const { card } of cards) {
    await cardReads(world, reseller, card, /delivered \(reported\)[\s\S]*own records don’t confirm it/)
  }

  await fetch(`${world.provider.controlUrl}/faults/${fault}`, { method: 'DELETE' })
  for (const { reference, card } of cards) {
    await age(world, reference, { nextPollAt: new Date() })
    await cardReads(world, reseller, card, /· delivered\n/)
  }
  const over = await operator.waitForText(/^✅ Over after .*look-up works again/, { timeoutMs: 20_000 })
  expect(over.message_id).toBe(alert.message_id)
})

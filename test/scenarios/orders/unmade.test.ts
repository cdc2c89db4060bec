import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../../support/world.ts'
import { cardReads, debitsOf, newPhone, order, postsFor } from '../shop.ts'

let world: World

beforeAll(async () => {
  // Too long for the address of callbacks: the client refuses more than 2,048 characters.
  world = await createWorld({ env: { PUBLIC_URL: `https://bundles.example.com/${'a'.repeat(2_100)}` } })
})
afterAll(() => world?.close())

test('an order whose request cannot be made is not placed, and “Order again” is offered', async () => {
  const reseller = await world.newReseller()
  const phone = newPhone()
  const card = await order(reseller, phone)
  const refused = await cardReads(world, reseller, card, /not placed/)
  expect(refused.text).toContain('Nothing was sent or charged')
  expect(refused.text).not.toContain('reached')
  expect(refused.reply_markup?.inline_keyboard.flat().map(({ text }) => text)).toEqual(['🔁 Order again'])
  expect(postsFor(world, phone)).toEqual([])
  expect(debitsOf(world, reseller)).toEqual([])
})

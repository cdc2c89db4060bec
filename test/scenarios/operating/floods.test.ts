// @module-tag screens
import { afterAll, beforeAll, expect, test } from 'vitest'
import { floodLimits } from '../../../src/messaging/admission.ts'
import { telegramLimits } from '../../../src/messaging/pacer.ts'
import { helpTitle } from '../../../src/telegram/features/home/help-words.ts'
import { flood, pressLeftOut } from '../../../src/telegram/words/unusable.ts'
import { createWorld, type World } from '../../support/world.ts'
import { askFor, cardReads, dataOf, newPhone, order, ordersFor, toastOf } from '../shop.ts'

/** People send more than Telegram lets a bot answer. */

let world: World

beforeAll(async () => {
  world = await createWorld({ pace: 'telegram' })
})
afterAll(() => world?.close())

test('a reseller can order and is told of the delivery during a flood of messages from strangers', async () => {
  const reseller = await world.newReseller()
  const strangers = Array.from({ length: 40 }, () => world.newPerson())
  for (let round = 0; round < 60; round += 1) for (const { chat } of strangers) chat.say('/help')
  const phone = newPhone()
  const card = await order(reseller, phone)
  await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
  world.provider.setStatus(ordersFor(world, phone).at(-1)?.reference ?? '', 'delivered')
  await reseller.chat.waitForText(`for ${phone}: delivered`)
  const answers = strangers.map(({ chat }) => chat.texts())
  for (const texts of answers) {
    expect(texts.length).toBeLessThanOrEqual(floodLimits.stranger.burst + 1)
    expect(texts.filter((text) => text === flood('stranger')).length).toBeLessThanOrEqual(1)
  }
})

test('a member who sends a thousand messages gets some answers and one warning, and Confirm still works', {
  tags: 'exhaustive',
}, async () => {
  const reseller = await world.newReseller()
  const phone = newPhone()
  const card = await askFor(reseller, phone)
  const openList = await openHelp(reseller)
  for (let sent = 0; sent < 1_000; sent += 1) reseller.chat.say('/help')
  const press = reseller.chat.press('Confirm')
  const leftOut = world.telegram.press({ from: reseller.id, ...openList })
  await world.until(() => ordersFor(world, phone).length === 1, 'the order to be placed')
  expect(await toastOf(world, press)).not.toBe(pressLeftOut)
  expect(await toastOf(world, leftOut)).toBe(pressLeftOut)
  await reseller.chat.waitForText(flood('member'))
  await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
  const texts = reseller.chat.texts()
  expect(texts.filter((text) => text === flood('member'))).toHaveLength(1)
  expect(texts.filter((text) => text.includes(helpTitle)).length).toBeLessThanOrEqual(
    1 + telegramLimits.chat.burst + 2 * floodLimits.maxWaiting,
  )
})

/** A harmless button, to press while the chat's updates are dropped. */
const openHelp = async ({
  chat,
}: {
  chat: World['newPerson'] extends () => { chat: infer C } ? C : never
}) => {
  const after = chat.say('/help').message_id
  const message = await chat.waitForText(helpTitle, { after })
  const label = message.reply_markup?.inline_keyboard.flat()[0]?.text ?? ''
  return { messageId: message.message_id, data: dataOf(message, label) }
}

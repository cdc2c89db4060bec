import { afterAll, beforeAll, expect, test } from 'vitest'
import { asksToConfirm } from '../../src/telegram/texts/draft.ts'
import { labels } from '../../src/telegram/texts/labels.ts'
import { askedAgain, cancelledAsk, keepsTrying } from '../../src/telegram/texts/unanswered.ts'
import { createWorld, type Reseller, type World } from '../support/world.ts'
import {
  cardReads,
  changeDatabase,
  dataOf,
  debitsOf,
  newPhone,
  postsFor,
  toastOf,
  useRequests,
} from './shop.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world?.close())

const unreadable = (path: string, { account }: Reseller) =>
  world.provider.addFault({ kind: 'reset_before', path, account: account.id })

/** As if it were time for the next try. */
const beDue = ({ id }: Reseller) =>
  changeDatabase(world, (database) =>
    database
      .prepare('UPDATE Unanswered SET tryAt = ? WHERE chatId = ?')
      .run(new Date().toISOString().replace('Z', '+00:00'), id),
  )

/** Orders a new number in a message, while the price list cannot be read. */
const orderUnread = async (reseller: Reseller) => {
  const phone = newPhone()
  await world.bot.restart()
  unreadable('/bundles', reseller)
  const { message_id: after } = reseller.chat.say(`${phone} 2GB`)
  const kept = await reseller.chat.waitForText(keepsTrying, { after })
  expect(kept.text).toContain(phone)
  expect(kept.text).toContain('Nothing was ordered or charged')
  return { phone, kept }
}

test('an order that comes while the provider is down turns into its card by itself, even after a restart', async () => {
  const reseller = await world.newReseller()
  const { phone, kept } = await orderUnread(reseller)
  unreadable('/bundles', reseller)
  await beDue(reseller)
  await world.bot.restart()
  await beDue(reseller)
  const card = await cardReads(world, reseller, kept, asksToConfirm)
  expect(card.text).toContain(phone)
  expect(postsFor(world, phone)).toEqual([])
  reseller.chat.press('Confirm')
  await cardReads(world, reseller, kept, /processing[\s\S]*BUD-API-/)
  expect(debitsOf(world, reseller)).toHaveLength(1)
})

test('Try again asks at once, and Cancel ends it', async () => {
  const reseller = await world.newReseller()
  const first = await orderUnread(reseller)
  reseller.chat.press(labels.tryAgain)
  const card = await cardReads(world, reseller, first.kept, asksToConfirm)
  expect(card.text).toContain(first.phone)

  const second = await orderUnread(reseller)
  const again = dataOf(second.kept, labels.tryAgain)
  const stranger = await world.newReseller()
  const press = { messageId: second.kept.message_id, data: again, stale: true }
  expect(await toastOf(world, world.telegram.press({ from: stranger.id, ...press }))).toContain('no longer')
  reseller.chat.press(labels.cancel)
  const ended = await cardReads(world, reseller, second.kept, /^Cancelled/)
  expect(ended.text).toBe(cancelledAsk)
  expect(await toastOf(world, world.telegram.press({ from: reseller.id, ...press }))).toContain('no longer')
})

test('a balance that has to wait for the limit says when, and comes by itself', async () => {
  const reseller = await world.newReseller()
  const { chat } = reseller
  await useRequests(world, reseller, 60)
  const { message_id: after } = chat.say('/balance')
  const kept = await chat.waitForText('request limit is reached', { after })
  expect(kept.text).toMatch(/I’ll show the balance here at about \d\d:\d\d/)
  await changeDatabase(world, (database) => database.prepare('DELETE FROM Request').run())
  await beDue(reseller)
  await cardReads(world, reseller, kept, /Balance: GHS/)
})

test('a view that is asked for anew is answered once, where it was asked last', async () => {
  const reseller = await world.newReseller()
  const { chat } = reseller
  for (const [path, command, answer] of [
    ['/transactions', '/transactions', 'No entries yet'],
    ['/wallet/balance', '/balance', 'Balance: GHS'],
  ] as const) {
    unreadable(path, reseller)
    const { message_id: after } = chat.say(command)
    const kept = await chat.waitForText(keepsTrying, { after })
    const { message_id: later } = chat.say(command)
    await chat.waitForText(answer, { after: later })
    expect((await cardReads(world, reseller, kept, /^Asked again/)).text).toBe(askedAgain)
  }
})

test('bundles come by themselves, and after a while nothing is tried any more', async () => {
  const reseller = await world.newReseller()
  const { chat } = reseller
  await world.bot.restart()
  unreadable('/bundles', reseller)
  const { message_id: after } = chat.say('/bundles')
  const kept = await chat.waitForText(keepsTrying, { after })
  await beDue(reseller)
  await cardReads(world, reseller, kept, /What bundles cost you/)

  const { kept: old, phone } = await orderUnread(reseller)
  await changeDatabase(world, (database) =>
    database.prepare('UPDATE Unanswered SET until = createdAt WHERE chatId = ?').run(reseller.id),
  )
  await beDue(reseller)
  await cardReads(world, reseller, old, /so I stopped trying[\s\S]*Nothing was ordered or charged/)
  expect(postsFor(world, phone)).toEqual([])
})

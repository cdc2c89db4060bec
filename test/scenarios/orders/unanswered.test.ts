import type { Message } from 'grammy/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asksToConfirm, draftLabels } from '../../../src/telegram/cards/words/draft.ts'
import { orderLabels } from '../../../src/telegram/cards/words/order.ts'
import { left, nothingToLeave } from '../../../src/telegram/features/home/words.ts'
import {
  askedAgain,
  cancelledAsk,
  keepsTrying,
} from '../../../src/telegram/features/wallet/unanswered-words.ts'
import { labels } from '../../../src/telegram/words/labels.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import {
  askFor,
  cardReads,
  changeDatabase,
  dataOf,
  debitsOf,
  newPhone,
  place,
  postsFor,
  toastOf,
  useRequests,
} from '../shop.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world?.close())

const unreadable = (path: string, { account }: Reseller) =>
  world.provider.addFault({ kind: 'reset_before', path, account: account.id, times: 2 })

/** Makes the bot's next try of the person's unanswered request due. */
const beDue = ({ id }: Reseller) =>
  changeDatabase(world, (database) =>
    database
      .prepare('UPDATE Unanswered SET tryAt = ? WHERE chatId = ?')
      .run(new Date().toISOString().replace('Z', '+00:00'), id),
  )

/** Types an order for a new number while the price list cannot be read. */
const orderUnread = async (reseller: Reseller) => {
  const phone = newPhone()
  await world.bot.restart()
  unreadable('/bundles', reseller)
  const { message_id: after } = reseller.chat.say(`${phone} 2GB`)
  const kept = await reseller.chat.waitForText(keepsTrying, { after })
  expect(kept.text).toContain(phone)
  expect(kept.text).toContain('Nothing new was ordered')
  return { phone, kept }
}

test('an order typed while the provider is down gets its card later, even after a restart', async () => {
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

test('while the provider is down, “Try again” repeats the waiting request immediately, and “Cancel” ends it', async () => {
  const reseller = await world.newReseller()
  const first = await orderUnread(reseller)
  reseller.chat.press(labels.tryAgain)
  const card = await cardReads(world, reseller, first.kept, asksToConfirm)
  expect(card.text).toContain(first.phone)

  const second = await orderUnread(reseller)
  const again = dataOf(second.kept, labels.tryAgain)
  const stranger = await world.newReseller()
  const press = { messageId: second.kept.message_id, data: again, stale: true }
  expect(await toastOf(world, world.telegram.press({ from: stranger.id, ...press }))).toContain(
    'not working on this any more',
  )
  reseller.chat.press(labels.cancel)
  const ended = await cardReads(world, reseller, second.kept, /^Cancelled/)
  expect(ended.text).toBe(cancelledAsk)
  expect(await toastOf(world, world.telegram.press({ from: reseller.id, ...press }))).toContain(
    'not working on this any more',
  )
})

describe('while the prices cannot be read, a press', () => {
  /** Presses a button while the price list cannot be read. @returns the message about that. */
  const pressUnread = async (reseller: Reseller, message: Pick<Message, 'message_id'>, label: string) => {
    await world.bot.restart()
    unreadable('/bundles', reseller)
    const { message_id: after } = reseller.chat.last() ?? message
    const current = world.telegram
      .messages(reseller.id)
      .find(({ message_id: id }) => id === message.message_id)
    world.telegram.press({
      from: reseller.id,
      messageId: message.message_id,
      data: dataOf(current ?? (message as Message), label),
    })
    return reseller.chat.waitForText(keepsTrying, { after })
  }

  test('of Repeat is kept, and later asks for Confirm instead of ordering at once', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    await place(world, reseller, phone)
    await changeDatabase(world, (database) =>
      database
        .prepare('INSERT INTO Preference (userId, freeRepeatPesewas) VALUES (?, 100000)')
        .run(reseller.id),
    )
    const card = reseller.chat.last()
    if (!card) throw new Error('There is no card.')
    reseller.chat.press(orderLabels.more)
    await reseller.chat.waitForButton(orderLabels.repeat)
    const kept = await pressUnread(reseller, card, 'Repeat')
    await beDue(reseller)
    await cardReads(world, reseller, kept, asksToConfirm)
    await cardReads(world, reseller, card, /BUD-API-/)
    expect(postsFor(world, phone)).toHaveLength(1)
  })

  test('in any step of /buy is kept, and later leads to the next step', async () => {
    const reseller = await world.newReseller()
    const { chat } = reseller
    const { message_id: after } = chat.say('/buy')
    const networks = await chat.waitForText('Which network?', { after })
    const kept = await pressUnread(reseller, networks, 'MTN')
    expect(kept.text).toContain('show the bundles here')
    await beDue(reseller)
    await cardReads(world, reseller, kept, /MTN: which bundle/)
    const asked = await pressUnread(reseller, kept, '2GB')
    await beDue(reseller)
    await cardReads(world, reseller, asked, /Which number/)
    const phone = newPhone()
    const { message_id: typed } = chat.say(phone)
    await chat.waitForText(asksToConfirm, { after: typed })
    const { message_id: alone } = chat.say(newPhone())
    const bundles = await chat.waitForText(/which bundle for/, { after: alone })
    const order = await pressUnread(reseller, bundles, '2GB')
    expect(order.text).toContain('show your card here')
    await beDue(reseller)
    await cardReads(world, reseller, order, asksToConfirm)
  })

  test('that is made twice is answered once', async () => {
    const reseller = await world.newReseller()
    const { message_id: after } = reseller.chat.say(newPhone())
    const bundles = await reseller.chat.waitForText(/which bundle for/, { after })
    const kept = await pressUnread(reseller, bundles, '2GB')
    const { id: from } = reseller
    world.telegram.press({ from, messageId: bundles.message_id, data: dataOf(bundles, '2GB') })
    await cardReads(world, reseller, bundles, asksToConfirm)
    expect((await cardReads(world, reseller, kept, /^You asked again/)).text).toBe(askedAgain)
  })

  test('of a correction is kept, and the old card stays until the answer', async () => {
    const reseller = await world.newReseller()
    const card = await askFor(reseller, newPhone())
    const sizes = await pressUnread(reseller, card, draftLabels.size)
    await beDue(reseller)
    await cardReads(world, reseller, sizes, /which bundle/)
    const set = await pressUnread(reseller, sizes, '3GB')
    await cardReads(world, reseller, card, asksToConfirm)
    await beDue(reseller)
    await cardReads(world, reseller, set, /MTN 3GB\s+Number/)
    await cardReads(world, reseller, card, /Replaced by the card below/)
  })
})

test('/cancel ends an order that waits for the provider, and another /cancel finds nothing', async () => {
  const reseller = await world.newReseller()
  const { kept } = await orderUnread(reseller)
  const { message_id: after } = reseller.chat.say('/cancel')
  await reseller.chat.waitForText(left, { after })
  expect((await cardReads(world, reseller, kept, /^Cancelled/)).text).toBe(cancelledAsk)
  const { message_id: later } = reseller.chat.say('/cancel')
  await reseller.chat.waitForText(nothingToLeave, { after: later })
})

test('a person whose balance has to wait for the request limit reads at what time it will come, and then gets it', async () => {
  const reseller = await world.newReseller()
  const { chat } = reseller
  await useRequests(world, reseller, 60)
  const { message_id: after } = chat.say('/balance')
  const kept = await chat.waitForText('reached the provider’s request limit', { after })
  expect(kept.text).toMatch(/I’ll show the balance here at about \d\d:\d\d/)
  await changeDatabase(world, (database) => database.prepare('DELETE FROM Request').run())
  await beDue(reseller)
  await cardReads(world, reseller, kept, /Balance: GHS/)
})

test('a screen that is requested twice while the provider is down is shown once, below the last request', async () => {
  const reseller = await world.newReseller()
  const { chat } = reseller
  for (const [path, command, answer] of [
    ['/transactions', '/transactions', 'No transactions yet'],
    ['/wallet/balance', '/balance', 'Balance: GHS'],
  ] as const) {
    unreadable(path, reseller)
    const { message_id: after } = chat.say(command)
    const kept = await chat.waitForText(keepsTrying, { after })
    const { message_id: later } = chat.say(command)
    await chat.waitForText(answer, { after: later })
    expect((await cardReads(world, reseller, kept, /^You asked again/)).text).toBe(askedAgain)
  }
})

test('a price list that cannot be read is sent later, and a waiting order is given up after a while', async () => {
  const reseller = await world.newReseller()
  const { chat } = reseller
  await world.bot.restart()
  unreadable('/bundles', reseller)
  const { message_id: after } = chat.say('/bundles')
  const kept = await chat.waitForText(keepsTrying, { after })
  await beDue(reseller)
  await cardReads(world, reseller, kept, /What you pay for bundles/)

  const { kept: old, phone } = await orderUnread(reseller)
  await changeDatabase(world, (database) =>
    database.prepare('UPDATE Unanswered SET until = createdAt WHERE chatId = ?').run(reseller.id),
  )
  await beDue(reseller)
  await cardReads(world, reseller, old, /so I’ve stopped trying[\s\S]*Nothing new was ordered/)
  expect(postsFor(world, phone)).toEqual([])
})

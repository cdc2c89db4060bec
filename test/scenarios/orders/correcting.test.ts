import type { Message } from 'grammy/types'
import { expect } from 'vitest'
import { asksToConfirm, draftLabels } from '../../../src/telegram/cards/words/draft.ts'
import { test } from '../../support/test.ts'
import type { Reseller, World } from '../../support/world.ts'
import { askFor, cardReads, dataOf, debitsOf, newPhone, postsFor, toastOf } from '../shop.ts'

const replaced = /Replaced by the card below/

/** Presses a button that the message had earlier. */
const pressOld = (
  world: World,
  { id }: Pick<Reseller, 'id'>,
  { message_id: messageId }: Message,
  data: string,
) => world.telegram.press({ from: id, messageId, data, stale: true })

test('a corrected number of a draft makes a new card, and the old card orders nothing any more', async ({
  world,
  reseller,
}) => {
  const { chat } = reseller
  const [wrong, right] = [newPhone(), newPhone()]
  const card = await askFor(reseller, wrong)
  const oldConfirm = dataOf(card, 'Confirm')
  chat.press(draftLabels.number)
  const asked = await cardReads(world, reseller, card, /Send the right number/)
  const { message_id: after } = chat.say('024123456')
  await chat.waitForText('has 9 digits, but a number has 10', { after })
  const { message_id: said } = chat.say(right)
  const corrected = await chat.waitForText(asksToConfirm, { after: said })
  expect(corrected.text).toContain(`Number: ${right}`)
  expect(corrected.text).toContain('MTN 2GB')
  await cardReads(world, reseller, asked, replaced)

  expect(await toastOf(world, pressOld(world, reseller, card, oldConfirm))).toContain('This card is closed')
  await cardReads(world, reseller, asked, replaced)
  chat.press('Confirm')
  await cardReads(world, reseller, corrected, /processing[\s\S]*BUD-API-/)
  expect(postsFor(world, wrong)).toEqual([])
  expect(debitsOf(world, reseller)).toHaveLength(1)
})

test('another size can be chosen on a draft’s card, and the old Confirm button orders nothing', async ({
  world,
  reseller,
}) => {
  const { chat } = reseller
  const phone = newPhone()
  const card = await askFor(reseller, phone)
  const oldConfirm = dataOf(card, 'Confirm')
  chat.press(draftLabels.size)
  await cardReads(world, reseller, card, /which bundle/)
  chat.press('Back')
  await cardReads(world, reseller, card, asksToConfirm)
  chat.press(draftLabels.size)
  await cardReads(world, reseller, card, /which bundle/)
  chat.press('▶')
  await chat.waitForButton('10GB · GHS 43.90')
  chat.press('10GB · GHS 43.90')
  const corrected = await cardReads(world, reseller, card, /MTN 10GB\s+Number/)
  expect(corrected.text).toContain(phone)
  expect(await toastOf(world, pressOld(world, reseller, card, oldConfirm))).toContain('This card is closed')
  await cardReads(world, reseller, card, replaced)
  expect(postsFor(world, phone)).toEqual([])
})

test('a draft whose card was corrected in place is charged once', async ({ world, reseller }) => {
  const { chat } = reseller
  const phone = newPhone()
  const card = await askFor(reseller, phone)
  chat.press(draftLabels.size)
  await cardReads(world, reseller, card, /which bundle/)
  chat.press('▶')
  await chat.waitForButton('10GB · GHS 43.90')
  chat.press('10GB · GHS 43.90')
  await cardReads(world, reseller, card, /MTN 10GB\s+Number/)
  chat.press('Confirm')
  await cardReads(world, reseller, card, /MTN 10GB[\s\S]*processing[\s\S]*BUD-API-/)
  expect(debitsOf(world, reseller).map(({ amountPesewas }) => amountPesewas)).toEqual([4390])
})

test('a button of a draft’s card shows the other offer of the size', async ({ world, reseller }) => {
  const { chat } = reseller
  const { message_id: after } = chat.say(`${newPhone()} 5GB`)
  const question = await chat.waitForText('more than one 5GB offer', { after })
  chat.press('5GB Express · GHS 25.45')
  await cardReads(world, reseller, question, /MTN 5GB Express[\s\S]*Price: GHS 25\.45/)
  chat.press(draftLabels.otherOffer)
  const other = await cardReads(world, reseller, question, /Price: GHS 23\.50/)
  expect(other.text).toMatch(asksToConfirm)
  chat.press('Cancel')
  await cardReads(world, reseller, question, /cancelled/)
  expect(debitsOf(world, reseller)).toEqual([])
})

test('a corrected number of another network leads to a question before the draft’s card changes', async ({
  world,
  reseller,
}) => {
  const { chat } = reseller
  const card = await askFor(reseller, newPhone(), '10GB')
  chat.press(draftLabels.number)
  await cardReads(world, reseller, card, /Send the right number/)
  const phone = newPhone('020')
  const { message_id: after } = chat.say(phone)
  const question = await chat.waitForText(`${phone} looks like Telecel`, { after })
  chat.press('Switch to Telecel 10GB')
  const corrected = await cardReads(world, reseller, question, asksToConfirm)
  expect(corrected.text).toMatch(/Telecel 10GB\s+Number: 020/)
  await cardReads(world, reseller, card, replaced)
})

test('a draft’s switch to a network with several offers asks for the bundle, and the old card orders nothing', async ({
  world,
  reseller,
}) => {
  const { chat } = reseller
  const card = await askFor(reseller, newPhone('020'), '5GB')
  const oldConfirm = dataOf(card, 'Confirm')
  chat.press(draftLabels.number)
  await cardReads(world, reseller, card, /Send the right number/)
  const phone = newPhone()
  const { message_id: after } = chat.say(phone)
  const question = await chat.waitForText(`${phone} looks like MTN`, { after })
  chat.press('Switch to MTN')
  await cardReads(world, reseller, question, /MTN: which bundle/)
  chat.press('5GB Express · GHS 25.45')
  await cardReads(world, reseller, question, /MTN 5GB Express\s+Number/)
  await cardReads(world, reseller, card, replaced)
  expect(await toastOf(world, pressOld(world, reseller, card, oldConfirm))).toContain('This card is closed')
  expect(debitsOf(world, reseller)).toEqual([])
})

test('nobody can correct a draft that has ended or a draft of another person', async ({ world }) => {
  const [reseller, stranger] = [await world.newReseller(), await world.newReseller()]
  const { chat } = reseller
  const phone = newPhone()
  const card = await askFor(reseller, phone)
  const data = ['number', 'size'] as const
  const [number, size] = data.map((name) => dataOf(card, draftLabels[name]))
  expect(await toastOf(world, pressOld(world, stranger, card, size ?? ''))).toContain('n’t yours')
  chat.press('Cancel')
  await cardReads(world, reseller, card, /cancelled/)
  expect(await toastOf(world, pressOld(world, reseller, card, number ?? ''))).toContain('This card is closed')
  expect(debitsOf(world, reseller)).toEqual([])
})

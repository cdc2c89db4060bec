// @module-tag screens
import type { Message } from 'grammy/types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestChat } from '../../../src/sandbox/index.ts'
import { encodePress } from '../../../src/telegram/buttons/table.ts'
import { complaintLabels } from '../../../src/telegram/cards/words/complaint.ts'
import { followsOpen } from '../../../src/telegram/cards/words/follower.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { operatorId, operatorOf } from '../operating/operator.ts'
import { inDatabase, newPhone, place, pressOnCard, shareLink, toastOf } from '../shop.ts'

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)
const hourMs = 60 * 60_000
const clock = { aheadMs: 0 }

let world: World

beforeAll(async () => {
  world = await createWorld({
    wallMs: () => Date.now() + clock.aheadMs,
    env: { OWNER_IDS: String(operatorId) },
  })
})
afterAll(() => world?.close())

/** A delivered order. @returns its reference, and a customer who follows it. */
const deliver = async (
  reseller: Reseller,
): Promise<{ reference: string; customer: { id: number; chat: TestChat } }> => {
  const { reference } = await place(world, reseller, newPhone())
  const customer = world.newPerson()
  world.telegram.openLink(customer.id, await shareLink(reseller))
  await customer.chat.waitForText(followsOpen)
  world.provider.setStatus(reference, 'delivered')
  await reseller.chat.waitForText(/2GB[\s\S]*delivered/, { after: reseller.chat.last()?.message_id ?? 0 })
  await customer.chat.waitForButton(complaintLabels.begin)
  return { reference, customer }
}

/** Presses a button and waits for the next message that matches, new or changed. */
const press = async (
  { chat }: { chat: TestChat },
  label: string,
  awaited: string | RegExp,
): Promise<Message> => {
  await chat.waitForButton(label)
  chat.press(label)
  return chat.waitForText(awaited)
}

/** Says what went wrong and chooses to send no picture. */
const complain = async (person: { chat: TestChat }, kind: string): Promise<void> => {
  await person.chat.waitForButton(kind)
  person.chat.press(kind)
  await person.chat.waitForButton(complaintLabels.noPicture)
  person.chat.press(complaintLabels.noPicture)
}

const openComplaints = (): number =>
  inDatabase(world, (db) =>
    Number(db.prepare('SELECT count(*) AS n FROM Complaint WHERE openFor IS NOT NULL').get()?.n),
  )

test('a customer can complain with a picture, the shop reports and solves it, and both are told', async () => {
  const reseller = await world.newReseller()
  const { reference, customer } = await deliver(reseller)
  customer.chat.press('Unfollow')
  await world.until(() => !customer.chat.button('Unfollow'), 'the card without Unfollow')
  await press(customer, complaintLabels.begin, 'What went wrong?')
  await press(customer, 'It went to another number', 'Send a picture of the data balance')
  customer.chat.say('it is on my phone')
  await customer.chat.waitForText('That isn’t a picture')
  customer.chat.sendFile('balance.png', picture)
  await customer.chat.waitForText('Complaint sent to the shop')

  const { message } = await reseller.chat.waitForPhoto()
  expect(message.caption).toMatch(/from a customer.*: it went to another number/)
  expect(message.caption).toContain(reference)
  const support = await press(reseller, 'Report', 'For the provider’s support team')
  expect(support.text).toMatch(/it went to another number\. A picture/)
  await press(reseller, complaintLabels.solved, '✅ Solved')
  await customer.chat.waitForText('The shop says it’s solved')
  expect(openComplaints()).toBe(0)
})

test('a customer who leaves a complaint before sending a picture reads that the complaint wasn’t sent, and can continue it', async () => {
  const reseller = await world.newReseller()
  const { customer } = await deliver(reseller)
  await press(customer, complaintLabels.begin, 'What went wrong?')
  const { message_id } = await press(customer, 'Nothing arrived', 'Send a picture of the data balance')
  customer.chat.say('/help')
  const left = await customer.chat.waitForText('This complaint wasn’t sent.')
  expect(left.message_id).toBe(message_id)
  expect(openComplaints()).toBe(0)
  await press(customer, complaintLabels.goOn, 'Send a picture of the data balance')
  await press(customer, complaintLabels.noPicture, 'Complaint sent to the shop')
  expect(openComplaints()).toBe(1)
  await press(customer, complaintLabels.arrived, 'It has arrived')
  expect(openComplaints()).toBe(0)
})

test('a seller who complains again about an order sees the first complaint, and is told if the order is refunded', async () => {
  const reseller = await world.newReseller()
  const { reference } = await deliver(reseller)
  await pressOnCard(reseller.chat, complaintLabels.begin)
  await complain(reseller, 'Nothing arrived')
  const { message_id: after } = await reseller.chat.waitForText('Complaint from you')
  await pressOnCard(reseller.chat, complaintLabels.begin)
  await reseller.chat.waitForText('Complaint from you', { after })
  expect(openComplaints()).toBe(1)
  world.provider.setStatus(reference, 'refunded')
  await reseller.chat.waitForText('The provider now says “refunded”', { timeoutMs: 30_000 })
  expect(openComplaints()).toBe(0)
})

test('a complaint brings a reminder before the provider’s deadline and expires at the deadline', async () => {
  const operator = operatorOf(world)
  await operator.go(['Networks', 'Complaints'], 'Complaint deadlines')
  await press(operator, 'MTN: not set', 'Complaint deadlines')
  await operator.chat.waitForButton('MTN: 23:59 that day')
  await press(operator, 'MTN: 23:59 that day', 'Complaint deadlines')
  await operator.chat.waitForButton('MTN: 24 hours')

  const reseller = await world.newReseller()
  const { customer } = await deliver(reseller)
  await press(customer, complaintLabels.begin, 'What went wrong?')
  await complain(customer, 'Less than ordered')
  await reseller.chat.waitForText(/less than ordered[\s\S]*The provider’s deadline is/)

  const id = inDatabase(world, (db) =>
    String(db.prepare('SELECT id FROM Complaint WHERE openFor IS NOT NULL').get()?.id),
  )
  const stranger = world.newPerson()
  const data = encodePress({ do: 'complaint', act: { act: 'solve', complaintId: id } })
  const forged = { from: stranger.id, chat: stranger.id, messageId: 1, data, stale: true }
  expect(await toastOf(world, world.telegram.press(forged))).toContain('Nothing was changed')
  expect(openComplaints()).toBe(1)

  clock.aheadMs += 22 * hourMs
  await reseller.chat.waitForText('Not solved yet', { timeoutMs: 30_000 })
  clock.aheadMs += 3 * hourMs
  await reseller.chat.waitForText('Not solved in time', { timeoutMs: 30_000 })
  await customer.chat.waitForText('didn’t solve it in time', { timeoutMs: 30_000 })
  expect(openComplaints()).toBe(0)
})

// @module-tag screens
import type { Message } from 'grammy/types'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { enquiryLabels, sendQuestion } from '../../../src/telegram/cards/words/enquiry.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { changeDatabase, dataOf, inDatabase, newPhone, place, shareLink } from '../shop.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.provider.clearFaults())
afterAll(() => world?.close())

/** Quiet hours that began an hour ago and last three hours, so that they include now whenever the test runs. */
const hoursAroundNow = (): string => {
  const hour = new Date().getUTCHours()
  const at = (ahead: number) => String((hour + 24 + ahead) % 24).padStart(2, '0')
  return `${at(-1)}:00-${at(3)}:00`
}

const openTopic = async ({ chat }: Pick<Reseller, 'chat'>, label: string, screen: RegExp) => {
  const { message_id: after } = chat.say('/settings')
  await chat.waitForText('Your settings', { after })
  chat.press(label)
  await chat.waitForText(screen)
}

const beQuiet = async (person: Pick<Reseller, 'chat'>): Promise<Message> => {
  await openTopic(person, 'Quiet hours', /good news and summaries wait/)
  const { message_id: after } = person.chat.say(hoursAroundNow())
  return person.chat.waitForText('Saved. 🌙 Quiet hours', { after })
}

const notifyOf = async (person: Reseller, label: string): Promise<void> => {
  await openTopic(person, 'Notifications', /a message for each new status/)
  person.chat.press(label)
  await person.chat.waitForText(/Saved\. 🔔 Notifications/)
}

const heldFor = ({ id }: Pick<Reseller, 'id'>): number =>
  inDatabase(
    world,
    (db) => db.prepare('SELECT id FROM Notice WHERE chatId = ? AND quietUntil IS NOT NULL').all(id).length,
  )

const isHeld = (person: Pick<Reseller, 'id'>, count: number): Promise<unknown> =>
  world.until(() => heldFor(person) === count, `${count} messages to be held back`)

/** Ends the quiet hours in the database. */
const endQuietHours = ({ id }: Pick<Reseller, 'id'>): Promise<unknown> =>
  changeDatabase(world, (db) =>
    db
      .prepare('UPDATE Notice SET quietUntil = ? WHERE chatId = ? AND quietUntil IS NOT NULL')
      .run('2020-01-01T00:00:00.000+00:00', id),
  )

/** The messages in the chat that say that an order was delivered. */
const deliveries = ({ chat }: Pick<Reseller, 'chat'>): string[] =>
  chat.texts().filter((text) => /^✅ .*: delivered/.test(text))

describe('quiet hours', () => {
  test('delay the news of a delivery until they end, even over a restart', async () => {
    const reseller = await world.newReseller()
    await beQuiet(reseller)
    const order = await place(world, reseller, newPhone())
    world.provider.setStatus(order.reference, 'delivered')
    await isHeld(reseller, 1)
    await reseller.chat.waitForText(/Status: delivered|delivered/)
    await world.bot.restart()
    const failing = await place(world, reseller, newPhone())
    world.provider.setStatus(failing.reference, 'failed')
    await reseller.chat.waitForText(/: failed[\s\S]*owed a refund/)
    expect(deliveries(reseller)).toEqual([])
    expect(heldFor(reseller)).toBe(1)
    await endQuietHours(reseller)
    await reseller.chat.waitForText(/✅ .*: delivered/)
    await isHeld(reseller, 0)
  })

  test('do not delay a customer’s question, which comes without a sound', async () => {
    const reseller = await world.newReseller()
    await place(world, reseller, newPhone())
    const link = await shareLink(reseller)
    await beQuiet(reseller)
    const contact = world.newPerson()
    world.telegram.openLink(contact.id, link)
    await contact.chat.waitForButton(enquiryLabels.ask)
    contact.chat.press(enquiryLabels.ask)
    await contact.chat.waitForText(sendQuestion)
    contact.chat.say('When does it come?')
    const { message_id } = await reseller.chat.waitForText('When does it come?')
    expect(world.telegram.chat(reseller.id).silent).toContain(message_id)
  })

  test('join many delayed messages into one', async () => {
    const reseller = await world.newReseller()
    await beQuiet(reseller)
    const orders = []
    for (let count = 0; count < 6; count += 1) orders.push(await place(world, reseller, newPhone()))
    for (const { reference } of orders) world.provider.setStatus(reference, 'delivered')
    await isHeld(reseller, 6)
    await endQuietHours(reseller)
    const digest = await reseller.chat.waitForText('During your quiet hours')
    for (const { phones } of orders) expect(digest.text).toContain(phones[0]?.phone)
    await isHeld(reseller, 0)
    expect(deliveries(reseller)).toEqual([])
  })

  test('send the delayed messages when they are turned off', async () => {
    const reseller = await world.newReseller()
    const saved = await beQuiet(reseller)
    const order = await place(world, reseller, newPhone())
    world.provider.setStatus(order.reference, 'delivered')
    await isHeld(reseller, 1)
    world.telegram.press({ from: reseller.id, messageId: saved.message_id, data: dataOf(saved, 'Undo') })
    await reseller.chat.waitForText(/✅ .*: delivered/)
  })

  test('of a follower delay the follower’s news, and not the reseller’s', async () => {
    const reseller = await world.newReseller()
    const order = await place(world, reseller, newPhone())
    const contact = world.newPerson()
    await beQuiet(contact)
    const { message_id: after } = contact.chat.say(order.reference)
    await contact.chat.waitForButton('Follow')
    contact.chat.press('Follow')
    await contact.chat.waitForText(/I’ll tell you here/, { after })
    world.provider.setStatus(order.reference, 'delivered')
    await reseller.chat.waitForText(/✅ .*: delivered/)
    await isHeld(contact, 1)
    await endQuietHours(contact)
    await contact.chat.waitForText(/✅ .*: delivered/)
  })
})

describe('notifications', () => {
  test('include each status with “Every change”, and no good news with “Problems only”', async () => {
    const eager = await world.newReseller()
    const calm = await world.newReseller()
    await notifyOf(eager, 'Every change')
    await notifyOf(calm, 'Problems only')
    const [first, second] = [await place(world, eager, newPhone()), await place(world, calm, newPhone())]
    world.provider.setStatus(first.reference, 'shipped')
    await eager.chat.waitForText(/: shipped/)
    world.provider.setStatus(first.reference, 'delivered')
    await eager.chat.waitForText(/✅ .*: delivered/)

    world.provider.setStatus(second.reference, 'delivered')
    await calm.chat.waitForText(/Status: delivered|delivered/)
    const third = await place(world, calm, newPhone())
    world.provider.setStatus(third.reference, 'failed')
    await calm.chat.waitForText(/: failed[\s\S]*owed a refund/)
    expect(deliveries(calm)).toEqual([])
  })
})

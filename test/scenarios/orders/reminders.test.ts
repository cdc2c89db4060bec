// @module-tag screens
import { expect } from 'vitest'
import { reminderLabels } from '../../../src/telegram/cards/words/reminder.ts'
import { labels } from '../../../src/telegram/words/labels.ts'
import { test } from '../../support/test.ts'
import type { Reseller, World } from '../../support/world.ts'
import {
  cardReads,
  changeDatabase,
  debitsOf,
  inDatabase,
  newPhone,
  ordersFor,
  place,
  pressOnCard,
} from '../shop.ts'

const remindersOf = (world: World, { id }: Pick<Reseller, 'id'>) =>
  inDatabase(world, (db) => db.prepare('SELECT * FROM Reminder WHERE userId = ?').all(id))

/** Moves the next occasion of the person's reminders to a minute ago, unless they are paused. */
const comeDue = (world: World, { id }: Pick<Reseller, 'id'>): Promise<unknown> => {
  const at = new Date(Date.now() - 60_000).toISOString().replace('Z', '+00:00')
  return changeDatabase(world, (db) =>
    db.prepare('UPDATE Reminder SET nextAt = ? WHERE userId = ? AND nextAt IS NOT NULL').run(at, id),
  )
}

const cardsIn = ({ chat }: Reseller): string[] =>
  chat.texts().filter((text) => text.includes('Your reminder'))

const say = async ({ chat }: Reseller, text: string, answer: string | RegExp) => {
  const { message_id: after } = chat.say(text)
  return chat.waitForText(answer, { after })
}

test('a typed reminder brings one card at its time, and none while it is paused', async ({
  world,
  reseller,
}) => {
  const phone = newPhone()
  await say(reseller, `Ama ${phone}`, 'Saved')
  await say(reseller, 'Fridays 18:00: MTN 2GB for Ama', /Fridays 18:00.*2GB for.*Ama[\s\S]*Next: /)
  expect(ordersFor(world, phone)).toEqual([])
  await comeDue(world, reseller)
  // A start looks for due reminders at once.
  await world.bot.restart()
  const card = await reseller.chat.waitForText('Your reminder')
  expect(cardsIn(reseller)).toHaveLength(1)
  expect(ordersFor(world, phone)).toEqual([])
  reseller.chat.press('Confirm')
  await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
  expect(debitsOf(world, reseller)).toHaveLength(1)
  expect(cardsIn(reseller)).toEqual([])

  await say(reseller, '/reminders', 'Reminders · 1')
  await say(reseller, 'show my reminders', 'Reminders · 1')
  await say(reseller, '/start', 'Balance')
  reseller.chat.press('More')
  await reseller.chat.waitForButton(reminderLabels.all)
  reseller.chat.press(reminderLabels.all)
  await reseller.chat.waitForButton('Fridays 18:00 · Ama')
  reseller.chat.press('Fridays 18:00 · Ama')
  await reseller.chat.waitForButton('Pause')
  reseller.chat.press('Pause')
  await reseller.chat.waitForButton('Resume')
  expect(remindersOf(world, reseller)).toMatchObject([{ nextAt: null }])
  reseller.chat.press('Delete')
  await reseller.chat.waitForText('Reminder deleted')
  expect(remindersOf(world, reseller)).toEqual([])
})

test('a reminder is made from an order with two presses, or by typing day and time, and can be undone', async ({
  world,
  reseller,
}) => {
  await place(world, reseller, newPhone())
  await pressOnCard(reseller.chat, 'Remind me')
  await reseller.chat.waitForText('Which day?')
  reseller.chat.press('Fridays')
  await reseller.chat.waitForButton('18:00')
  reseller.chat.press('18:00')
  await reseller.chat.waitForText(/Fridays 18:00[\s\S]*Next: /)
  expect(remindersOf(world, reseller)).toMatchObject([{ weekday: 5, minutes: 1080 }])
  reseller.chat.press('Undo')
  await reseller.chat.waitForText('Reminder deleted')
  await pressOnCard(reseller.chat, 'Remind me')
  await reseller.chat.waitForText('Which day?')
  await say(reseller, 'sometime', 'I don’t understand that time')
  await say(reseller, 'daily 6pm', /Every day 18:00[\s\S]*Next: /)
  expect(remindersOf(world, reseller)).toMatchObject([{ weekday: 7, minutes: 1080 }])
})

test('a typed reminder that may mean several bundles is set when one of them is pressed, and orders nothing', async ({
  world,
  reseller,
}) => {
  const phone = newPhone()
  await say(reseller, `Fridays 18:00: ${phone} 5GB`, 'Which one')
  expect(remindersOf(world, reseller)).toEqual([])
  reseller.chat.press('5GB Express')
  await reseller.chat.waitForText(/Fridays 18:00[\s\S]*Next: /)
  expect(remindersOf(world, reseller)).toMatchObject([{ phone, weekday: 5 }])
  await say(reseller, `daily 18:00: ${phone} Telecel 2GB`, 'Telecel')
  reseller.chat.press('Keep Telecel')
  await reseller.chat.waitForText(/Every day 18:00: Telecel 2GB[\s\S]*Next: /)
  expect(world.provider.orders().flatMap(({ phones }) => phones.map((each) => each.phone))).not.toContain(
    phone,
  )
})

test('an unclear reminder is not set, and a list under a day and a time is read as a list', async ({
  world,
  reseller,
}) => {
  const [first, second] = [newPhone(), newPhone()]
  await say(reseller, 'Fridays 18:00: Nobody 2GB', 'no reminder was set')
  await say(reseller, `Fridays 18:00: ${first} 777GB`, 'Nothing was ordered')
  await say(reseller, `Friday 6pm:\n${first} 2GB\n${second} 2GB`, '2 to order')
  await say(reseller, `${first} 2GB`, 'Confirm this order')
  expect(remindersOf(world, reseller)).toEqual([])
  expect(await world.bot.output()).not.toMatch(/"level":"error"/)
})

test('after the bot was down for a long time, a person reads which reminder they missed and can order it', async ({
  world,
  reseller,
}) => {
  const phone = newPhone()
  await say(reseller, `daily 6am ${phone} 2GB`, 'Next: ')
  const missed = new Date(Date.now() - 7 * 60 * 60_000).toISOString().replace('Z', '+00:00')
  await changeDatabase(world, (db) =>
    db.prepare('UPDATE Reminder SET nextAt = ? WHERE userId = ?').run(missed, reseller.id),
  )
  await world.bot.restart()
  await reseller.chat.waitForText(/I was offline [\s\S]*Nothing was ordered/)
  reseller.chat.press(reminderLabels.orderNow)
  await reseller.chat.waitForText('Confirm this order')
  await reseller.chat.waitForButton(labels.confirm)
})

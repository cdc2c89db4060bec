import type { Message } from 'grammy/types'
import { expect, onTestFinished, test } from 'vitest'
import { migrate, readMigrations } from '../../src/database/migrations.ts'
import { sqliteAdapter, sqliteMigratable } from '../../src/database/sqlite.ts'
import { sendNumber } from '../../src/telegram/texts/buy.ts'
import { asksToConfirm } from '../../src/telegram/texts/draft.ts'
import { createWorld, type Reseller } from '../support/world.ts'
import { rowsOfEarlierVersion, toEarlierVersion } from './earlier-version.ts'
import { deliverAll, expectCharged, orderList, paste, phones, placementsOf } from './list-shop.ts'
import {
  askFor,
  cardReads,
  dataOf,
  inDatabase,
  newPhone,
  order,
  ordersFor,
  place,
  postsFor,
  settleAfter,
} from './shop.ts'

/**
 * The present version takes up a database as the version before 1.0.0 left it, with work of every kind under way.
 */

test('the database of the version before 1.0.0 keeps every row, nothing is told twice, and what is open goes on', {
  timeout: 240_000,
}, async () => {
  const world = await createWorld({ crashable: true, settings: { callbackRetriesMs: Array(60).fill(500) } })
  onTestFinished(() => world.close())
  const reseller = await world.newReseller(100_000)
  const { chat } = reseller

  const press = ({ message_id }: Message, data: string) =>
    world.telegram.press({ from: reseller.id, messageId: message_id, data })
  const saidOf = (reference: string, { texts }: Reseller['chat'] = chat) =>
    texts().filter((text) => text.includes(reference) && /^✅ .*: delivered/.test(text))

  // Done and told.
  const done = await place(world, reseller, newPhone())
  world.provider.setStatus(done.reference, 'delivered')
  await chat.waitForText(new RegExp(`: delivered[\\s\\S]*${done.reference}`))

  // Open, and followed by a customer.
  const open = await place(world, reseller, newPhone())
  const follower = world.newPerson()
  follower.chat.say(open.reference)
  const followed = await follower.chat.waitForText(open.reference)
  follower.chat.press('Follow')
  await cardReads(world, follower, followed, /I’ll tell you here how it ends/)

  // An order that was charged, but nobody knows.
  const lostPhone = newPhone()
  const account = reseller.account.id
  world.provider.addFault({ kind: 'answer_lost', account })
  world.provider.addFault({ kind: 'callback_never', account })
  world.provider.addFault({ kind: 'error_before', path: '/transactions', times: null, account })
  const lost = await order(reseller, lostPhone)
  await cardReads(world, reseller, lost, /unconfirmed/)

  // A list under way, one that is to be confirmed, a draft, and a question that waits for its answer.
  const listed = phones(3)
  const list = await orderList(
    reseller,
    listed.map((phone) => `${phone} 1GB`),
  )
  await cardReads(world, reseller, list, /3 processing/)
  const drafted = phones(2)
  const preview = await paste(
    reseller,
    drafted.map((phone) => `${phone} 3GB`),
  )
  const draftPhone = newPhone()
  const draft = await askFor(reseller, draftPhone)
  const reported = await place(world, reseller, newPhone(), '3GB')
  chat.say('/buy')
  await chat.waitForButton('MTN')
  chat.press('MTN')
  await chat.waitForButton('2GB · GHS 9.60')
  chat.press('2GB · GHS 9.60')
  await chat.waitForText(sendNumber)

  // Callbacks that are committed, and nobody has looked at them: here the earlier version ends.
  await world.bot.crashAt({ at: 'callbacks_committed' })
  world.provider.setStatus(reported.reference, 'delivered')
  expect(await world.bot.died()).toBe('SIGKILL')
  expect(saidOf(reported.reference)).toEqual([])

  await toEarlierVersion(world)
  const before = rowsOfEarlierVersion(world)
  for (const table of [
    'Account',
    'Member',
    'Purchase',
    'List',
    'Order',
    'Recipient',
    'Event',
    'Follow',
    'Session',
  ])
    expect(before[table], table).not.toEqual([])
  const migrations = await readMigrations('sqlite')
  expect(await migrate(sqliteMigratable(sqliteAdapter(`file:${world.databasePath}`)))).toEqual(
    migrations.slice(1).map(({ name }) => name),
  )
  expect(rowsOfEarlierVersion(world)).toEqual(before)

  world.provider.clearFaults()
  await settleAfter(world, 1)
  const asked = chat.last()?.message_id ?? 0
  await world.bot.start()

  await chat.waitForText(new RegExp(`: delivered[\\s\\S]*${reported.reference}`), { after: asked })
  await chat.waitForText(/placed after all: GHS 9\.60 was charged once/, { after: asked })
  const proven = ordersFor(world, lostPhone)[0]?.reference ?? ''
  await cardReads(world, reseller, lost, new RegExp(`processing[\\s\\S]*${proven}`))

  const phone = newPhone()
  chat.say(phone)
  const card = await chat.waitForText(new RegExp(`${asksToConfirm}[\\s\\S]*${phone}`), { after: asked })
  press(card, dataOf(card, 'Confirm'))
  press(draft, dataOf(draft, 'Confirm'))
  press(preview, dataOf(preview, 'Confirm'))
  await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
  await cardReads(world, reseller, draft, /processing[\s\S]*BUD-API-/)
  await cardReads(world, reseller, preview, /2 processing/)
  await world.until(
    () => !placementsOf(world, reseller).some((placement) => /queued|sending/.test(String(placement))),
    'all to be placed',
  )

  deliverAll(world, reseller)
  await chat.waitForText(/List of 3 numbers is done[\s\S]*3 delivered/)
  await chat.waitForText(/List of 2 numbers is done[\s\S]*2 delivered/)
  await follower.chat.waitForText(/✅ MTN 2GB for .*: delivered/)
  const single = [
    done,
    open,
    reported,
    ...[lostPhone, draftPhone, phone].map((each) => ordersFor(world, each)[0]),
  ]
  for (const each of single) {
    await chat.waitForText(new RegExp(`: delivered[\\s\\S]*${each?.reference}`))
  }
  await world.until(
    () => inDatabase(world, (db) => db.prepare('SELECT count(*) AS n FROM Notice').get()?.n === 0),
    'nothing to be owed to anybody',
  )
  for (const each of single) expect(saidOf(each?.reference ?? ''), each?.phones[0]?.phone).toHaveLength(1)
  expect(follower.chat.texts().filter((text) => /^✅ .*: delivered/.test(text))).toHaveLength(1)

  await expectCharged(world, reseller, [
    ...[done, open].map(({ phones: [to] }) => `${to?.phone} 2GB`),
    ...[lostPhone, draftPhone, phone].map((to) => `${to} 2GB`),
    `${reported.phones[0]?.phone} 3GB`,
    ...listed.map((to) => `${to} 1GB`),
    ...drafted.map((to) => `${to} 3GB`),
  ])
  for (const to of [lostPhone, draftPhone, phone]) expect(postsFor(world, to)).toHaveLength(1)

  // The present version's additions count what the earlier one did.
  const { message_id: after } = chat.say(`/orders ${done.phones[0]?.phone}`)
  await chat.waitForText(/MTN 2GB .*delivered/, { after })
})

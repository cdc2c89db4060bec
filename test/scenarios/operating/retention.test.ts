// @module-tag screens
import type { Message } from 'grammy/types'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { historyTitle } from '../../../src/telegram/features/orders/history-words.ts'
import { readOut } from '../../support/as-read.ts'
import { createWorld, databaseBytes, type Reseller, type World } from '../../support/world.ts'
import { deliverAll, orderList, phones } from '../lists/list-shop.ts'
import {
  cardReads,
  changeDatabase,
  dataOf,
  inDatabase,
  newPhone,
  place,
  shareLink,
  toastOf,
} from '../shop.ts'

/** Year-old orders have lost their numbers, but every button that leads to them still works. */

let world: World
let reseller: Reseller
let follower: Pick<Reseller, 'id' | 'chat'>
let link: string
let reference: string
let card: Message
let news: Message
let refresh: string
let list: Message
const phone = newPhone()
const listed = phones(3)
const recent = newPhone()

const messageOf = ({ id }: Pick<Reseller, 'id'>, { message_id }: Message): Message => {
  const found = world.telegram.messages(id).find((message) => message.message_id === message_id)
  if (!found) throw new Error(`The message ${message_id} is gone.`)
  return found
}

const press = ({ id }: Pick<Reseller, 'id'>, { message_id }: Message, data: string): { id: string } =>
  world.telegram.press({ from: id, messageId: message_id, data, stale: true })

/** Moves all times in the database back by that many days. */
const age = (days: number): Promise<void> =>
  changeDatabase(world, (db) => {
    for (const { table, column } of timesOf(db)) {
      const rows = db.prepare(
        `SELECT rowid AS id, "${column}" AS at FROM "${table}" WHERE "${column}" IS NOT NULL`,
      )
      const change = db.prepare(`UPDATE "${table}" SET "${column}" = ? WHERE rowid = ?`)
      for (const { id, at } of rows.all()) {
        const earlier = new Date(Date.parse(String(at)) - days * 24 * 60 * 60_000)
        change.run(earlier.toISOString().replace('Z', '+00:00'), Number(id))
      }
    }
  })

type Database = Parameters<Parameters<typeof inDatabase>[1]>[0]

const timesOf = (db: Database): { table: string; column: string }[] =>
  ['Order', 'Purchase', 'StatusReport', 'Follow', 'Recipient'].flatMap((table) =>
    db
      .prepare(`PRAGMA table_info("${table}")`)
      .all()
      .filter(({ type }) => type === 'DATETIME')
      .map(({ name }) => ({ table, column: String(name) })),
  )

/** The rows of any table with one of the numbers, except saved numbers, which stay. */
const rowsWith = (numbers: readonly string[]): string[] =>
  inDatabase(world, (db) =>
    db
      .prepare(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('Contact', 'BookChange')`,
      )
      .all()
      .flatMap(({ name }) =>
        db
          .prepare(`SELECT * FROM "${name}"`)
          .all()
          .map((row) => `${name} ${readOut(Object.values(row).map(String).join(' | '))}`),
      )
      .filter((row) => numbers.some((number) => row.includes(number))),
  )

/** Whether nothing is left to poll, read or send. */
const isAtRest = (): boolean =>
  inDatabase(world, (db) => {
    const asked = db.prepare('SELECT id FROM "Order" WHERE nextPollAt IS NOT NULL').all()
    return asked.length === 0 && db.prepare('SELECT id FROM Notice').all().length === 0
  })

const isRedacted = (): boolean =>
  inDatabase(world, (db) => db.prepare(`SELECT id FROM "Order" WHERE redactedAt IS NULL`).all().length === 0)

beforeAll(async () => {
  world = await createWorld()
  reseller = await world.newReseller(200_000)
  const { chat } = reseller
  chat.say(`Kofi ${phone}`)
  await chat.waitForText(/Saved: .*Kofi/)
  const placed = await place(world, reseller, phone)
  reference = placed.reference
  const shown = world.telegram.messages(reseller.id).find(({ text }) => text?.includes(reference))
  if (!shown) throw new Error('There is no card.')
  card = shown
  refresh = dataOf(shown, 'Refresh')
  link = await shareLink(reseller)
  follower = world.newPerson()
  follower.chat.say(`/start ${new URL(link).searchParams.get('start')}`)
  await follower.chat.waitForText(reference)
  world.provider.setStatus(reference, 'delivered')
  news = await chat.waitForText(new RegExp(`: delivered[\\s\\S]*${reference}`))
  await follower.chat.waitForText(/delivered/)
  list = await orderList(
    reseller,
    listed.map((number) => `${number} 1GB`),
  )
  await cardReads(world, reseller, list, /processing/)
  await world.until(() => world.provider.orders().length >= 2, 'the list to be placed')
  deliverAll(world, reseller)
  await cardReads(world, reseller, list, /✅ 3 delivered/)
  await world.until(isAtRest, 'all to be known and said')
  await world.bot.stop()
  await age(366)
  await world.bot.start()
  await world.until(isRedacted, 'the orders to be reduced')
})
afterAll(() => world?.close())

test('after orders are redacted, no row except saved contacts has their phone numbers', () => {
  expect(rowsWith([phone, ...listed])).toEqual([])
})

test('a redacted order’s card says that the phone was removed, and its button “Repeat” says how to order again', async () => {
  const repeat = dataOf(messageOf(reseller, news), 'Repeat')
  expect(await toastOf(world, press(reseller, news, repeat))).toMatch(
    /number was removed.*send a number and a size/,
  )
  press(reseller, card, refresh)
  const drawn = await cardReads(
    world,
    reseller,
    card,
    /a removed number[\s\S]*delivered[\s\S]*is old, so its number was removed/,
  )
  expect(drawn.text).toContain(reference)
  expect(drawn.text).toMatch(/GHS \d/)
  expect(JSON.stringify(drawn.reply_markup ?? {})).not.toMatch(/Repeat|Share|Save|Kofi/)
  expect(drawn.text).not.toContain(phone)
})

test('a redacted list still shows how it ended, and cannot be repeated', async () => {
  const { chat } = reseller
  const repeat = dataOf(messageOf(reseller, list), 'Repeat')
  expect(await toastOf(world, press(reseller, list, repeat))).toMatch(/number was removed/)
  const { message_id: after } = chat.say('/orders')
  const page = await chat.waitForText(historyTitle, { after })
  expect(page.text).toMatch(/3 delivered/)
  expect(page.text).toContain('a removed number')
  press(reseller, list, dataOf(messageOf(reseller, list), '⋯'))
  await chat.waitForButton('Excel')
  chat.press('Excel')
  const { bytes } = await chat.waitForFile({ after: page.message_id })
  const cells = (await readSheet(Buffer.from(bytes))).flat()
  expect(cells.filter((cell) => cell === 'removed')).toHaveLength(3)
})

test('a redacted order is found by its reference, but not by its number', async () => {
  const { chat } = reseller
  const { message_id: after } = chat.say(`/status ${reference}`)
  await chat.waitForText(/a removed number/, { after })
  chat.say('/orders')
  const page = await chat.waitForText(historyTitle, { after })
  chat.say(`/orders ${phone}`)
  await chat.waitForText(/No orders found/, { after: page.message_id })
})

test('an export has all redacted orders, with their amounts and without phone numbers', async () => {
  const { chat } = reseller
  const { message_id: after } = chat.say('/export')
  const subjects = await chat.waitForText('file for your books', { after })
  press(reseller, subjects, dataOf(subjects, 'Orders'))
  await chat.waitForText(/Which days\?/, { after })
  chat.press('Everything')
  const screen = await chat.waitForText('What kind of file?', { after })
  press(reseller, screen, dataOf(messageOf(reseller, screen), 'CSV'))
  const { bytes } = await chat.waitForFile({ after: screen.message_id })
  const [, ...rows] = Buffer.from(bytes).toString('utf8').trim().split(/\r?\n/)
  expect(rows).toHaveLength(4)
  for (const row of rows) expect(row).toMatch(/,removed,.*,\d+\.\d\d,.*delivered/)
})

test('after an order is redacted, its followers get no more news, and its link shows nobody’s number', async () => {
  expect(inDatabase(world, (db) => db.prepare('SELECT chatId FROM Follow').all())).toEqual([])
  const stranger = world.newPerson()
  stranger.chat.say(`/start ${new URL(link).searchParams.get('start')}`)
  const shown = await stranger.chat.waitForText(/for a removed number/)
  expect(JSON.stringify(shown.reply_markup)).not.toContain('Follow')
  expect(inDatabase(world, (db) => db.prepare('SELECT chatId FROM Follow').all())).toEqual([])
})

test('a late refund of a redacted order is reported without its number', async () => {
  world.provider.setStatus(reference, 'refunded')
  const told = await reseller.chat.waitForText(/a removed number.*refunded/)
  expect(told.text).not.toContain(phone)
  expect(rowsWith([phone])).toEqual([])
})

test('the database file contains no redacted phone number, not even in unused pages', async () => {
  await world.bot.stop()
  const bytes = await databaseBytes(world.databasePath)
  const read = readOut(Buffer.from(bytes, 'latin1').toString())
  for (const number of listed) expect(read).not.toContain(number)
  await world.bot.start()
})

test('a recent order keeps its number', async () => {
  const { reference: latest } = await place(world, reseller, recent)
  world.provider.setStatus(latest, 'delivered')
  await world.until(isAtRest, 'all to be known and said')
  await world.bot.restart()
  // The restart made the bot look for old orders to redact. It must not redact this recent one.
  await world.until(isAtRest, 'the bot to be at rest')
  expect(rowsWith([recent])).not.toEqual([])
})

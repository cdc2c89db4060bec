// @module-tag screens
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Message } from 'grammy/types'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readOut } from '../../support/as-read.ts'
import type { Inside } from '../../support/inside.ts'
import { inWorldOfItsOwn } from '../../support/own-world.ts'
import { createWorld, databaseBytes, type Reseller, type World } from '../../support/world.ts'
import { cardReads, dataOf, inDatabase, newPhone, place } from '../shop.ts'

let world: World
const worlds = {
  get: () => world,
  set: (other: World) => {
    world = other
  },
}

beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.provider.clearFaults())
afterAll(() => world?.close())

type Person = Pick<Reseller, 'id' | 'chat'>

const press = ({ id }: Person, message: Message, label: string): { id: string } =>
  world.telegram.press({ from: id, messageId: message.message_id, data: dataOf(message, label) })

const openData = async (person: Person): Promise<Message> => {
  const { message_id: after } = person.chat.say('/settings')
  const overview = await person.chat.waitForText('Your settings', { after })
  press(person, overview, 'My data')
  return cardReads(world, person, overview, /My data/)
}

/** Opens the question whether to delete the data. */
const askDelete = async (person: Person): Promise<Message> => {
  const data = await openData(person)
  press(person, data, 'Delete my data')
  return cardReads(world, person, data, /Delete your data\?[\s\S]*can’t be undone/)
}

/** Every row of the database, as text. */
const rowsOf = (database: Inside): string[] => {
  const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all()
  return tables.flatMap(({ name }) =>
    database
      .prepare(`SELECT * FROM "${name}"`)
      .all()
      .map((row) => `${name} ${readOut(Object.values(row).map(String).join(' | '))}`),
  )
}

/** The rows that contain any of the words. */
const rowsWith = (words: (string | number)[]): string[] =>
  inDatabase(world, (db) => rowsOf(db).filter((row) => words.some((word) => row.includes(String(word)))))

const nothingIsLeftOf = (words: (string | number)[]): Promise<unknown> =>
  world
    .until(() => rowsWith(words).length === 0, `nothing to be left of ${words.join(', ')}`)
    .catch(() => {
      expect(rowsWith(words)).toEqual([])
    })

/** The folders in which a process is writing files. */
const foldersOf = (pid: number | undefined): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('bundlegram-') && name.includes(`-${pid}-`))

const filesOf = (pid: number | undefined): string[] =>
  foldersOf(pid).flatMap((folder) => readdirSync(join(tmpdir(), folder)))

const nameShop = async (person: Person, name: string): Promise<void> => {
  person.chat.say('/prices')
  await person.chat.waitForButton('Your shop')
  person.chat.press('Your shop')
  await person.chat.waitForButton('Name')
  person.chat.press('Name')
  await person.chat.waitForText('price lists and receipts')
  const { message_id: after } = person.chat.say(name)
  await person.chat.waitForText('Saved. 🏪', { after })
}

const callBack = (url: string, reference: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ reference, status: 'delivered', phone: '0249999999' }),
  })

describe('an owner’s data', () => {
  test('can be exported as a file with everything that is stored, and without secrets', async () => {
    const reseller = await world.newReseller()
    await nameShop(reseller, 'Ama Data')
    const phones = [newPhone(), newPhone()]
    const orders = []
    for (const phone of phones) orders.push(await place(world, reseller, phone))
    const data = await openData(reseller)
    press(reseller, data, 'Export my data')
    const file = await reseller.chat.waitForFile()
    const kept = JSON.parse(file.bytes.toString('utf8'))
    expect(file.name).toBe('my-data.json')
    expect(kept.person).toMatchObject({
      telegramId: reseller.id,
      role: 'owner',
      settings: { notify: 'final' },
    })
    expect(kept.account.shop.name).toBe('Ama Data')
    const references = kept.purchases.flatMap((purchase: { orders: { reference: string }[] }) =>
      purchase.orders.map(({ reference }) => reference),
    )
    expect(references.toSorted()).toEqual(orders.map(({ reference }) => reference).toSorted())
    const text = file.bytes.toString('utf8')
    for (const phone of phones) expect(text).toContain(phone)
    const { apiKey, apiSecret } = reseller.account
    for (const secret of [apiKey, apiSecret, 'sealed', 'keyHash']) expect(text).not.toContain(secret)
  })

  describe('in a file that is being sent when the bot is killed', { tags: 'killed' }, () => {
    inWorldOfItsOwn(worlds, { process: true })

    test('does not stay on the disk', async () => {
      const reseller = await world.newReseller()
      const phone = newPhone()
      await place(world, reseller, phone)
      world.telegram.addFault({ method: 'sendDocument', kind: 'slow', delayMs: 60_000, chat: reseller.id })
      const pid = world.bot.pid()
      press(reseller, await openData(reseller), 'Export my data')
      await world.until(() => filesOf(pid).includes('data.json'), 'the file is being sent')
      await world.bot.kill()
      expect(filesOf(pid)).toEqual(['data.json'])
      await world.bot.start()
      await world.until(() => foldersOf(pid).length === 0, 'what the killed process left is removed')
      world.telegram.clearFaults()
    })
  })

  test('is erased immediately if no order is open, and not stored again by a late callback', async () => {
    const reseller = await world.newReseller()
    await nameShop(reseller, 'Kwesi Bundles')
    const phone = newPhone()
    const order = await place(world, reseller, phone)
    world.provider.setStatus(order.reference, 'delivered')
    await reseller.chat.waitForText(/✅ .*: delivered/)
    await world.until(
      () =>
        inDatabase(world, (db) =>
          db
            .prepare('SELECT id FROM "Order" WHERE reference = ? AND nextPollAt IS NULL')
            .get(order.reference),
        ),
      'the end to be confirmed',
    )
    const callbackUrl = String(order.webhookUrl)
    const question = await askDelete(reseller)
    expect(question.text).toContain('all your orders, customers')
    press(reseller, question, 'Confirm')
    const done = await cardReads(world, reseller, question, /start again/)
    expect(done.text).toContain('To start again, /start')
    await nothingIsLeftOf([phone, reseller.id, 'Kwesi', order.reference])
    expect((await callBack(callbackUrl, order.reference)).status).toBe(200)
    await world.until(
      () =>
        inDatabase(world, (db) =>
          db
            .prepare(
              'SELECT id FROM StatusReport WHERE reference = ? AND appliedAt IS NOT NULL AND body IS NULL',
            )
            .get(order.reference),
        ),
      'the late callback to be looked at',
    )
    expect(rowsWith(['0249999999', phone])).toEqual([])
    const { message_id: after } = reseller.chat.say('/start')
    await reseller.chat.waitForText('Connect', { after })
  })

  test('is kept as long as an open order needs it, and then erased', async () => {
    const reseller = await world.newReseller()
    const [ended, open] = [newPhone(), newPhone()]
    const first = await place(world, reseller, ended)
    world.provider.setStatus(first.reference, 'delivered')
    await reseller.chat.waitForText(/✅ .*: delivered/)
    await world.until(
      () =>
        inDatabase(world, (db) =>
          db
            .prepare('SELECT id FROM "Order" WHERE reference = ? AND nextPollAt IS NULL')
            .get(first.reference),
        ),
      'the end to be confirmed',
    )
    const second = await place(world, reseller, open)
    const question = await askDelete(reseller)
    expect(question.text).toMatch(
      /1 order isn’t finished yet\.\s+When orders are done: I’ll follow it for 24 hours/,
    )
    expect(question.text).toContain('customers, prices, reminders and settings')
    press(reseller, question, 'When orders are done')
    await cardReads(world, reseller, question, /1 order isn’t finished yet. I’ll follow it/)
    await nothingIsLeftOf([ended])
    expect(rowsWith([open]).length).toBeGreaterThan(0)
    await world.bot.restart()
    world.provider.setStatus(second.reference, 'delivered')
    await reseller.chat.waitForText(new RegExp(`✅ .*${open}: delivered`))
    await world.bot.restart()
    await reseller.chat.waitForText('I’ve erased its orders and numbers here too.')
    await nothingIsLeftOf([open, reseller.id])
  })

  describe('that is to be erased while orders are open', { tags: 'killed' }, () => {
    inWorldOfItsOwn(worlds, { process: true })

    test('is gone after the next start if the bot is killed before it has erased everything', async () => {
      const reseller = await world.newReseller()
      const phones = [newPhone(), newPhone(), newPhone()]
      for (const phone of phones) await place(world, reseller, phone)
      const question = await askDelete(reseller)
      press(reseller, question, 'Now')
      await cardReads(world, reseller, question, /start again/)
      await world.bot.kill()
      await world.bot.start()
      await nothingIsLeftOf([...phones, reseller.id])
      expect(await databaseBytes(world.databasePath)).not.toContain(reseller.account.apiSecret)
    })
  })
})

describe('the data of a person without an account', () => {
  test('can be exported and erased, but not an order that they followed', async () => {
    const reseller = await world.newReseller()
    const order = await place(world, reseller, newPhone())
    const contact = world.newPerson()
    contact.chat.say(order.reference)
    await contact.chat.waitForButton('Follow')
    contact.chat.press('Follow')
    await contact.chat.waitForText(/I’ll tell you here/)
    const data = await openData(contact)
    press(contact, data, 'Export my data')
    const file = await contact.chat.waitForFile()
    const text = file.bytes.toString('utf8')
    expect(JSON.parse(text).follows).toMatchObject([{ reference: order.reference }])
    expect(text).not.toContain(order.phones[0]?.phone)
    expect(text).not.toMatch(/price/i)

    const question = await askDelete(contact)
    press(contact, question, 'Confirm')
    await cardReads(world, contact, question, /start again/)
    await nothingIsLeftOf([contact.id])
    world.provider.setStatus(order.reference, 'delivered')
    await reseller.chat.waitForText(/✅ .*: delivered/)
    expect(contact.chat.texts().filter((each) => each.includes(': delivered'))).toEqual([])
  })
})

// @module-tag screens
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { parse } from 'csv-parse/sync'
import type { Message } from 'grammy/types'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readFile } from '../../../src/lists/files/read-file.ts'
import { earlyEnoughToday } from '../../support/day.ts'
import { inWorldOfItsOwn } from '../../support/own-world.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { later } from '../lists/list-shop.ts'
import { changeDatabase, dataOf, inDatabase, newPhone, place, toastOf } from '../shop.ts'

let world: World
const worlds = {
  get: () => world,
  set: (other: World) => {
    world = other
  },
}

beforeAll(async () => {
  world = await createWorld({
    settings: { limits: { perMinute: 10_000, perHour: 10_000, perDay: 10_000 } },
  })
})
beforeEach(earlyEnoughToday)
afterAll(() => world?.close())

interface Asked {
  subject?: string
  period: string
  format: string
}

/** Presses buttons up to the choice of the file's format. */
const asked = async ({ chat }: Reseller, { subject, period }: Omit<Asked, 'format'>): Promise<Message> => {
  const { message_id: after } = chat.say('/export')
  await chat.waitForText('file for your books', { after })
  if (subject !== undefined) {
    chat.press(subject)
    await chat.waitForText(/Which days\?/, { after })
  }
  chat.press(period)
  return chat.waitForText('What kind of file?', { after })
}

const pressOn = ({ id }: Reseller, message: Message, label: string): { id: string } =>
  world.telegram.press({ from: id, chat: id, messageId: message.message_id, data: dataOf(message, label) })

const exported = async (reseller: Reseller, { format, ...what }: Asked) => {
  const screen = await asked(reseller, what)
  pressOn(reseller, screen, format)
  const file = await reseller.chat.waitForFile({ after: screen.message_id })
  // Until then the next export would be refused.
  await reseller.chat.waitForText(/^✅ Export of/, { after: screen.message_id - 1 })
  return file
}

/** The contents of the database, a row for each recipient, newest first. */
const rowsInDatabase = ({ id }: Reseller) =>
  inDatabase(world, (database) =>
    database
      .prepare(
        `SELECT "Order".createdAt, reference, network, volume, phone, chargedPesewas, sellUnitPesewas, placement,
          "Order".status, "Order".quantity,
          (SELECT name FROM Contact
            WHERE Contact.phone = Recipient.phone AND Contact.accountId = "Order".accountId) AS name
        FROM "Order" JOIN Recipient ON Recipient.orderId = "Order".id
        WHERE "Order".accountId = (SELECT accountId FROM Member WHERE userId = ?)
        ORDER BY "Order".createdAt DESC, "Order".id DESC, Recipient.position`,
      )
      .all(id),
  )

/** The export folders of a process. */
const leftovers = (pid: number | undefined): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`bundlegram-export-${pid}-`))

const ghs = (pesewas: unknown) => (pesewas === null ? '' : (Number(pesewas) / 100).toFixed(2))
/** The chat's zone is Accra, which is UTC. */
const shownTime = (time: unknown) => new Date(String(time)).toISOString().slice(0, 19).replace('T', ' ')

const save = (reseller: Reseller, phone: string, name: string) =>
  changeDatabase(world, (database) =>
    database
      .prepare(
        `INSERT INTO Contact (id, accountId, agentId, phone, name, nameKey, createdAt, updatedAt)
        VALUES (?, (SELECT accountId FROM Member WHERE userId = ?), 0, ?, ?, ?, ?, ?)`,
      )
      .run(`c${phone}`, reseller.id, phone, name, name, new Date().toISOString(), new Date().toISOString()),
  )

/** The content of a CSV cell as a spreadsheet shows it. */
const shown = (cell: string) => cell.replace(/^'(?=[=+\-@])/, '').replace(/^="(\d+)"$/, '$1')

const hostile = ['=cmd()', 'Kofi "the boss", Accra', 'two\nlines', '😀 Ama', '+233']

describe('an export of orders', () => {
  test('has the rows of the database, as CSV and as a workbook', async () => {
    const reseller = await world.newReseller(100_000)
    for (const name of hostile) {
      const phone = newPhone()
      await save(reseller, phone, name)
      await place(world, reseller, phone)
    }
    const kofi = newPhone()
    const ama = newPhone()
    reseller.chat.say(`${kofi} 1GB\n${ama} 1GB`)
    await reseller.chat.waitForButton('Confirm')
    reseller.chat.press('Confirm')
    await world.until(
      () => rowsInDatabase(reseller).filter(({ placement }) => placement === 'placed').length === 7,
      'all placed',
    )
    await changeDatabase(world, (database) =>
      database.exec(
        `UPDATE "Order" SET sellUnitPesewas = unitPricePesewas + 150 WHERE userId = ${reseller.id}`,
      ),
    )
    const expected = rowsInDatabase(reseller)

    const csv = await exported(reseller, { subject: 'Orders', period: 'Today', format: 'CSV' })
    expect(csv.name).toMatch(/^orders-\d{4}-\d\d-\d\d\.csv$/)
    expect([...csv.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const [headings = [], ...rows] = parse(csv.bytes, { bom: true }) as string[][]
    const cell = (row: string[], heading: string) => shown(row[headings.indexOf(heading)] ?? 'none')
    expect(
      rows.map((row) => [
        cell(row, 'Ordered (Accra time)'),
        cell(row, 'Reference'),
        cell(row, 'Network'),
        cell(row, 'Size'),
        cell(row, 'Number'),
        cell(row, 'Customer'),
        cell(row, 'Charged GHS'),
        cell(row, 'Status'),
        cell(row, 'Ordered by'),
      ]),
    ).toEqual(
      expected.map((row) => [
        shownTime(row.createdAt),
        row.reference,
        row.network,
        row.volume,
        row.phone,
        row.name ?? '',
        ghs(Number(row.chargedPesewas) / Number(row.quantity)),
        row.status,
        'you',
      ]),
    )
    for (const row of rows) expect(row[headings.indexOf('Number')]).toMatch(/^="0\d{9}"$/)
    expect(rows.find((row) => cell(row, 'Customer') === '=cmd()')?.[headings.indexOf('Customer')]).toBe(
      "'=cmd()",
    )

    const xlsx = await exported(reseller, { subject: 'Orders', period: '7 days', format: 'Excel' })
    expect(xlsx.name).toMatch(/\.xlsx$/)
    const [titles = [], ...table] = await readSheet(xlsx.bytes, { trim: false })
    expect(titles).toEqual(headings)
    const of = (row: (typeof table)[number], heading: string) => row[titles.indexOf(heading)]
    expect(
      table.map((row) => [
        of(row, 'Reference'),
        of(row, 'Number'),
        of(row, 'Customer'),
        of(row, 'Charged GHS'),
      ]),
    ).toEqual(
      expected.map((row) => [
        row.reference,
        row.phone,
        row.name,
        Number(row.chargedPesewas) / Number(row.quantity) / 100,
      ]),
    )
    expect(of(table[0] ?? [], 'Ordered (Accra time)')).toBeInstanceOf(Date)
    const list = await readFile({ name: xlsx.name, mimeType: '', bytes: xlsx.bytes })
    expect(list.kind === 'text' && list.text).toContain(kofi)
    await world.until(() => leftovers(process.pid).length === 0, 'the files are removed')
  })

  test('shows the charge, the refund, the selling price and the profit of each order', async () => {
    const reseller = await world.newReseller(100_000)
    const placed = await place(world, reseller, newPhone())
    const failed = await place(world, reseller, newPhone())
    await place(world, reseller, newPhone())
    await changeDatabase(world, (database) =>
      database.exec(
        `UPDATE "Order" SET sellUnitPesewas = unitPricePesewas + 150 WHERE userId = ${reseller.id}`,
      ),
    )
    world.provider.setStatus(placed.reference, 'delivered')
    await reseller.chat.waitForText('delivered')
    world.provider.setStatus(failed.reference, 'failed')
    await reseller.chat.waitForText('failed')
    await later(world, reseller, 2)
    await reseller.chat.waitForText(/came back|refunded/i)
    const { bytes } = await exported(reseller, { subject: 'Orders', period: '30 days', format: 'CSV' })
    const rows = parse(bytes, { bom: true, columns: true }) as Record<string, string>[]
    const money = (reference: string) => {
      const row = rows.find((each) => each.Reference === reference) ?? {}
      return ['Charged', 'Refunded', 'Net', 'Sold for', 'Profit'].map((what) => row[`${what} GHS`])
    }
    expect(rows.map((row) => row['Profit GHS']).sort()).toEqual(['', '', '1.50'])
    expect(money(placed.reference)).toEqual(['9.60', '0.00', '9.60', '11.10', '1.50'])
    expect(money(failed.reference)).toEqual(['9.60', '9.60', '0.00', '', ''])
  })

  test('covers the typed days, and is replaced by a sentence if there are no orders', async () => {
    const reseller = await world.newReseller(100_000)
    const [old, recent] = [newPhone(), newPhone()]
    await place(world, reseller, old)
    await changeDatabase(world, (database) =>
      database.exec(
        `UPDATE "Order" SET createdAt = '2026-02-28T23:59:59.999+00:00' WHERE userId = ${reseller.id}`,
      ),
    )
    await place(world, reseller, recent)
    const typed = async (dates: string, part: RegExp) => {
      const { message_id: after } = reseller.chat.say('/export')
      await reseller.chat.waitForText('file for your books', { after })
      reseller.chat.press('Orders')
      await reseller.chat.waitForText(/Which days\?/, { after })
      reseller.chat.press('Other dates')
      await reseller.chat.waitForText('Which dates', { after })
      reseller.chat.say('next week')
      await reseller.chat.waitForText('don’t see a date', { after })
      reseller.chat.say(dates)
      await reseller.chat.waitForText('What kind of file?', { after })
      reseller.chat.press('CSV')
      return reseller.chat.waitForText(part, { after })
    }
    await typed('2026-02-01 2026-02-28', /✅.*1 row/)
    const { bytes } = await reseller.chat.waitForFile()
    expect(bytes.toString()).toContain(old)
    expect(bytes.toString()).not.toContain(recent)
    await typed('2026-03-01 2026-03-02', /no orders/)
  })

  test.each(['Excel', 'CSV'])(
    'that is sent back to the bot (%s) orders nothing unless the button for that is pressed',
    async (format) => {
      const reseller = await world.newReseller(100_000)
      const { chat } = reseller
      const phone = newPhone()
      await place(world, reseller, phone)
      const { name, bytes } = await exported(reseller, { subject: 'Orders', period: 'Today', format })
      chat.sendFile(name, bytes)
      const answer = await chat.waitForText('That’s one of my own exports. Nothing was ordered.')
      expect(rowsInDatabase(reseller)).toHaveLength(1)
      expect(chat.texts().some((text) => /\d to order/.test(text))).toBe(false)
      pressOn(reseller, answer, 'Order these again (1)')
      await chat.waitForText(new RegExp(`0 to order · 1 skipped[\\s\\S]*${phone}`), {
        after: answer.message_id,
      })
      chat.press('Cancel')
    },
  )

  test('that is pasted as text orders nothing', async () => {
    const reseller = await world.newReseller(100_000)
    await place(world, reseller, newPhone())
    const { bytes } = await exported(reseller, { subject: 'Orders', period: 'Today', format: 'CSV' })
    reseller.chat.say(bytes.toString().replaceAll(',', '\t'))
    await reseller.chat.waitForText('That’s one of my own exports. Nothing was ordered.')
  })

  test('for an agent holds only the agent’s own orders, without the columns for owners', async () => {
    const owner = await world.newReseller(100_000)
    const [ownersPhone, agentsPhone] = [newPhone(), newPhone()]
    await place(world, owner, ownersPhone)
    await save(owner, ownersPhone, 'Owners customer')
    const person = world.newPerson()
    person.chat.say('/connect')
    await person.chat.waitForText('API key')
    person.chat.say(`${owner.account.apiKey}\n${owner.account.apiSecret}`)
    await person.chat.waitForText('Connected')
    const agent = { ...person, account: owner.account }
    await place(world, agent, agentsPhone)
    const old = await asked(agent, { subject: 'Transactions', period: 'Today' })
    await changeDatabase(world, (database) =>
      database.exec(`UPDATE Member SET role = 'agent', name = 'Esi' WHERE userId = ${agent.id}`),
    )
    const { bytes } = await exported(agent, { period: 'Everything', format: 'CSV' })
    const [headings = [], ...rows] = parse(bytes, { bom: true }) as string[][]
    expect(rows.map((row) => shown(row[headings.indexOf('Number')] ?? ''))).toEqual([agentsPhone])
    expect(headings.join()).not.toMatch(/Profit|Ordered by|Balance/)
    expect(await toastOf(world, pressOn(agent, old, 'CSV'))).toContain('owner')
  })
})

describe('an export of transactions', () => {
  const orderElsewhere = async ({ account }: Reseller, phone: string): Promise<void> => {
    const { apiKey, apiSecret } = world.provider.account(account.id)
    await fetch(`${world.provider.url}/order`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'x-api-secret': apiSecret },
      body: JSON.stringify({ bundle_id: 4, phone }),
    })
  }

  test('has each transaction of the provider once, with the order that explains it', async () => {
    const reseller = await world.newReseller(1_000_000)
    const phone = newPhone()
    const placed = await place(world, reseller, phone)
    world.provider.credit(placed.reference, 400)
    for (let each = 0; each < 103; each += 1) await orderElsewhere(reseller, newPhone())
    world.provider.credit(placed.reference, 560)
    await orderElsewhere(reseller, newPhone())
    const { bytes, name } = await exported(reseller, {
      subject: 'Transactions',
      period: 'Everything',
      format: 'Excel',
    })
    expect(name).toMatch(/^transactions-.*\.xlsx$/)
    const [headings = [], ...rows] = await readSheet(bytes)
    const cell = (row: (typeof rows)[number], heading: string) => row[headings.indexOf(heading)]
    const entries = world.provider.transactions(reseller.account.id).toReversed()
    expect(
      rows.map((row) => [
        cell(row, 'Type'),
        cell(row, 'Amount GHS'),
        cell(row, 'Balance after GHS'),
        cell(row, 'Reference'),
      ]),
    ).toEqual(
      entries.map((entry) => [
        entry.type,
        entry.amountPesewas / 100,
        entry.balanceAfterPesewas / 100,
        entry.reference,
      ]),
    )
    const own = rows.find((row) => cell(row, 'Reference') === placed.reference) ?? []
    expect([cell(own, 'Number'), cell(own, 'In this bot')]).toEqual([phone, 'order'])
    expect(cell(rows[0] ?? [], 'In this bot')).toBe('matches no order')
    // The refund's two parts are on different pages of the wallet, and only their sum is reported.
    await reseller.chat.waitForText('GHS 9.60 came back')
    expect(reseller.chat.texts().filter((text) => text.includes('came back'))).toHaveLength(1)
  })

  test('waits at the provider’s request limit, says until when, and then continues', async () => {
    const reseller = await world.newReseller(1_000_000)
    await place(world, reseller, newPhone())
    world.provider.addFault({
      kind: 'rate_limited',
      path: '/transactions',
      retryAfter: '2',
      account: reseller.account.id,
    })
    const { message_id: after } = reseller.chat.say('/help')
    const file = exported(reseller, { subject: 'Transactions', period: 'Everything', format: 'CSV' })
    await reseller.chat.waitForText('I’ll continue at', { after })
    const { bytes } = await file
    expect((parse(bytes, { bom: true }) as string[][]).length).toBe(2)
  })

  test('can be cancelled, and no second export starts in the chat while it runs', async () => {
    const reseller = await world.newReseller(1_000_000)
    await place(world, reseller, newPhone())
    world.provider.addFault({
      kind: 'rate_limited',
      path: '/transactions',
      retryAfter: '600',
      account: reseller.account.id,
    })
    const other = await asked(reseller, { subject: 'Orders', period: 'Everything' })
    const screen = await asked(reseller, { subject: 'Transactions', period: 'Everything' })
    const after = other.message_id
    pressOn(reseller, screen, 'CSV')
    const waiting = await reseller.chat.waitForText('I’ll continue at', { after })
    expect(await toastOf(world, pressOn(reseller, other, 'CSV'))).toContain('already')
    pressOn(reseller, waiting, 'Cancel')
    await reseller.chat.waitForText('cancelled.', { after })
    expect(
      (await exported(reseller, { subject: 'Orders', period: 'Everything', format: 'CSV' })).name,
    ).toMatch(/csv$/)
  })

  describe('that is cut off when the bot is killed', { tags: 'killed' }, () => {
    inWorldOfItsOwn(worlds, { process: true })

    test('leaves no files after the start, and its button says that it stopped', async () => {
      const reseller = await world.newReseller(1_000_000)
      await place(world, reseller, newPhone())
      world.provider.addFault({
        kind: 'rate_limited',
        path: '/transactions',
        retryAfter: '600',
        account: reseller.account.id,
      })
      const screen = await asked(reseller, { subject: 'Transactions', period: 'Everything' })
      pressOn(reseller, screen, 'CSV')
      const after = screen.message_id - 1
      const waiting = await reseller.chat.waitForText('I’ll continue at', { after })
      const pid = world.bot.pid()
      // Checked before the kill, because any bot that starts on this machine removes what a dead process has left.
      expect(leftovers(pid)).toHaveLength(1)
      await world.bot.kill()
      await world.bot.start()
      await world.until(() => leftovers(pid).length === 0, 'what the killed process left is removed')
      pressOn(reseller, waiting, 'Cancel')
      await reseller.chat.waitForText('This export has stopped', { after })
    })
  })
})

// @module-tag screens
import type { Message } from 'grammy/types'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { formatGhs, type Pesewas } from '../../../src/provider/money.ts'
import type { SentPhoto } from '../../../src/sandbox/index.ts'
import { earlyEnoughToday } from '../../support/day.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { accountIdOf, addMember, letAgentsSee } from '../accounts/members.ts'
import { linesOf, orderList, phones, referencesOf } from '../lists/list-shop.ts'
import { age } from '../operating/age.ts'
import { changeDatabase, inDatabase, newPhone, place, toastOf } from '../shop.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
}, 60_000)

beforeEach(earlyEnoughToday)
afterAll(() => world.close())

const day = 24 * 3_600_000

/** A reseller who sells everything for two cedis more than it costs. */
const newShop = async (): Promise<Reseller> => {
  const reseller = await world.newReseller()
  await changeDatabase(world, (database) =>
    database
      .prepare(
        `INSERT INTO Shop (accountId, name, ruleKind, ruleValue) VALUES (?, 'Ama & Sons', 'plus', 200)`,
      )
      .run(accountIdOf(world, reseller)),
  )
  return reseller
}

/** Orders one bundle, which ends with this status. */
const ended = async (reseller: Reseller, size: string, status: string, daysAgo = 0): Promise<void> => {
  const { reference } = await place(world, reseller, newPhone(), size)
  world.provider.setStatus(reference, status)
  await world.until(
    () => rowOf(reference)?.status === status && rowOf(reference)?.statusReported === 0,
    `${reference} to be ${status}`,
  )
  if (daysAgo > 0) await age(world, reference, { createdAt: new Date(Date.now() - daysAgo * day) })
}

const rowOf = (reference: string) =>
  inDatabase(world, (database) =>
    database.prepare('SELECT * FROM "Order" WHERE reference = ?').get(reference),
  )

/** The cost and income of the account's single orders since then, computed independently from the database. */
const booksOf = (reseller: Reseller, since: Date, userId: number | null = null) => {
  const rows = inDatabase(world, (database) =>
    database
      .prepare('SELECT * FROM "Order" WHERE accountId = ? AND createdAt >= ?')
      .all(accountIdOf(world, reseller), since.toISOString()),
  ).filter((row) => userId === null || row.userId === userId)
  const delivered = rows.filter(({ status }) => status === 'delivered')
  const sum = (of: typeof rows, column: string) =>
    of.reduce((total, row) => total + Number(row[column] ?? 0), 0) as Pesewas
  return {
    orders: rows.length,
    delivered: delivered.length,
    spent: formatGhs((sum(rows, 'chargedPesewas') - sum(rows, 'refundedPesewas')) as Pesewas),
    sold: formatGhs(sum(delivered, 'sellUnitPesewas')),
    profit: formatGhs((sum(delivered, 'sellUnitPesewas') - sum(delivered, 'chargedPesewas')) as Pesewas),
  }
}

const startOfDay = (daysAgo: number): Date => new Date(Math.floor(Date.now() / day - daysAgo) * day)

const captionOf = ({ message }: SentPhoto): string => message.caption ?? ''

const labelsOf = (message: Message): string[] =>
  message.reply_markup?.inline_keyboard.flat().map(({ text }) => text) ?? []

/** The picture's message as soon as its caption begins with these words. */
const changedTo = (reseller: Reseller, { message }: SentPhoto, words: string): Promise<Message> =>
  world.telegram.waitFor(
    () =>
      world.telegram
        .messages(reseller.id)
        .find((each) => each.message_id === message.message_id && each.caption?.startsWith(words)),
    { message: `Waiting for the picture to say “${words}”` },
  )

describe('statistics', () => {
  test('are a picture that changes in place with the period, and a caption that matches the database', async () => {
    const reseller = await newShop()
    await ended(reseller, '2GB', 'delivered')
    await ended(reseller, '10GB', 'failed')
    await ended(reseller, '10GB', 'delivered', 3)
    await ended(reseller, '1GB', 'delivered', 20)
    await ended(reseller, '1GB', 'delivered', 40)

    const { message_id: after } = reseller.chat.say('/stats')
    const sent = await reseller.chat.waitForPhoto({ after })
    expect(sent).toMatchObject({ width: 1080 })
    expect(sent.height).toBeLessThanOrEqual(1620)
    expect(labelsOf(sent.message)).toEqual([
      'Today',
      '✓ 7 days',
      '30 days',
      expect.stringContaining('Close the day'),
      expect.stringContaining('Home'),
    ])
    const week = booksOf(reseller, startOfDay(6))
    expect(captionOf(sent)).toContain(`Finished: ${week.orders} · 2 delivered, 1 failed`)
    expect(captionOf(sent)).toContain(`Spent: ${week.spent}`)
    expect(captionOf(sent)).toContain(`Sold for: ${week.sold} · profit ${week.profit}`)
    expect(captionOf(sent)).toMatch(/MTN: 2 delivered, 1 failed · usual time (\d+ s|about)/)

    reseller.chat.press('Today')
    const today = booksOf(reseller, startOfDay(0))
    const shownToday = await changedTo(reseller, sent, '📊 Today')
    expect(shownToday.caption).toContain(`Finished: ${today.orders} · 1 delivered, 1 failed`)
    expect(shownToday.caption).toContain(`Spent: ${today.spent}`)

    reseller.chat.press('30 days')
    const month = booksOf(reseller, startOfDay(29))
    const shownMonth = await changedTo(reseller, sent, '📊 Last 30 days')
    expect(month.orders).toBe(4)
    expect(shownMonth.caption).toContain(`Finished: 4 · 3 delivered, 1 failed`)
    expect(shownMonth.caption).toContain(`Sold for: ${month.sold} · profit ${month.profit}`)
    expect(shownMonth.photo).toMatchObject([{ width: 1080 }])

    reseller.chat.press('30 days')
    await world.until(
      () => world.telegram.calls('editMessageMedia').length >= 3,
      'the period that is shown to be drawn anew',
    )
    reseller.chat.press('Home')
    const home = await reseller.chat.waitForText(/Balance/, { after: sent.message.message_id })
    expect(home.message_id).toBeGreaterThan(sent.message.message_id)
  })

  test('count each number of a list, and say if orders have no selling price', async () => {
    const reseller = await world.newReseller()
    await orderList(reseller, linesOf(phones(3), '1GB'))
    const [reference = ''] = await referencesOf(world, reseller)
    await world.until(() => rowOf(reference), 'the bot to know that it was placed')
    world.provider.setStatus(reference, 'delivered')
    await world.until(() => rowOf(reference)?.status === 'delivered', 'the list to be delivered')
    const { message_id: after } = reseller.chat.say('/stats')
    const sent = await reseller.chat.waitForPhoto({ after })
    expect(captionOf(sent)).toContain('Finished: 3 · 3 delivered')
    expect(captionOf(sent)).toContain('these orders have no selling price. Set prices: /prices')
  })

  test('show an agent their own orders without the shop’s profit, and nothing after the agent is removed', async () => {
    const owner = await newShop()
    const agent = await addMember(world, owner)
    await letAgentsSee(world, owner, 'cost')
    await ended(owner, '10GB', 'delivered')
    await ended(agent, '1GB', 'delivered')
    const { message_id: after } = agent.chat.say('/stats')
    const sent = await agent.chat.waitForPhoto({ after })
    const books = booksOf(owner, startOfDay(6), agent.id)
    expect(captionOf(sent)).toContain('Finished: 1 · 1 delivered')
    expect(captionOf(sent)).toContain(`Cost: ${books.spent}`)
    expect(captionOf(sent)).not.toMatch(/profit|Sold|loss|Spent/i)
    await letAgentsSee(world, owner, 'selling')
    const { message_id: later } = agent.chat.say('/stats')
    const seen = captionOf(await agent.chat.waitForPhoto({ after: later }))
    expect(seen).toContain('Cost: GHS')
    expect(seen).not.toContain(books.spent)
    await changeDatabase(world, (database) =>
      database.prepare('DELETE FROM Member WHERE userId = ?').run(agent.id),
    )
    const before = agent.chat.texts()
    expect(await toastOf(world, agent.chat.press('30 days'))).not.toBe('')
    expect(agent.chat.texts()).toEqual(before)
    const { message_id: asked } = owner.chat.say('/stats')
    expect(captionOf(await owner.chat.waitForPhoto({ after: asked }))).toContain('Finished: 2 · 2 delivered')
  })

  test('without orders are words and no picture, and a person without an account is pointed to /connect', async () => {
    const reseller = await newShop()
    const { message_id: after } = reseller.chat.say('/stats')
    const empty = await reseller.chat.waitForText(/No orders in this period/, { after })
    expect(empty.photo).toBeUndefined()
    reseller.chat.press('30 days')
    await reseller.chat.waitForText(/Last 30 days[\s\S]*No orders in this period/, { after })
    const stranger = world.newPerson()
    stranger.chat.say('/stats')
    await stranger.chat.waitForText(/\/connect/)
  })
})

test('the close of a day adds up to the wallet’s balance, on the card and as a picture', async () => {
  const reseller = await newShop()
  await ended(reseller, '1GB', 'delivered')
  await ended(reseller, '2GB', 'processing')
  const { message_id: after } = reseller.chat.say('/stats')
  await reseller.chat.waitForPhoto({ after })
  reseller.chat.press('Close the day')
  const { text = '', message_id } = await reseller.chat.waitForText('Closing balance', { after })
  const amount = (label: string) => Number(new RegExp(`${label}[^:]*: GHS ([\\d.,]+)`).exec(text)?.[1])
  const [opening, topUps, charges] = ['Opening balance', 'Top-ups', 'Charges'].map(amount)
  expect((opening ?? 0) + (topUps ?? 0) - (charges ?? 0)).toBeCloseTo(amount('Closing balance'))
  expect(text).toContain('Difference: GHS 0.00')
  expect(text).toMatch(/Open orders: 1\nSold: 1 · GHS 6\.80\nCost: GHS 4\.80\nProfit: GHS 2\.00/)
  reseller.chat.press('Picture')
  await reseller.chat.waitForPhoto({ after: message_id })
})

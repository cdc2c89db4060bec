// @module-tag screens
import type { Message } from 'grammy/types'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Phone } from '../../../src/provider/phone.ts'
import { noFilter } from '../../../src/telegram/buttons/history-filter.ts'
import { encodePress } from '../../../src/telegram/buttons/table.ts'
import { complaintLabels } from '../../../src/telegram/cards/words/complaint.ts'
import { asksToConfirm } from '../../../src/telegram/cards/words/draft.ts'
import { helpTitle } from '../../../src/telegram/features/home/help-words.ts'
import { historyLabels, historyTitle } from '../../../src/telegram/features/orders/history-words.ts'
import { labels } from '../../../src/telegram/words/labels.ts'
import { earlyEnoughFor, earlyEnoughToday } from '../../support/day.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { addMember } from '../accounts/members.ts'
import { linesOf, orderList, phones } from '../lists/list-shop.ts'
import {
  cardReads,
  changeDatabase,
  dataOf,
  debitsOf,
  inDatabase,
  newPhone,
  order,
  ordersFor,
  place,
  postsFor,
  pressOnCard,
  toastOf,
} from '../shop.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ settings: { limits: { perMinute: 1_000, perHour: 2_000, perDay: 5_000 } } })
})
beforeEach(earlyEnoughToday)
afterAll(() => world?.close())

/** Sends the words. @returns the bot's next message that matches. */
const says = ({ chat }: Pick<Reseller, 'chat'>, text: string, answer: string | RegExp): Promise<Message> => {
  const { message_id: after } = chat.say(text)
  return chat.waitForText(answer, { after })
}

/** Presses that button of the message. @returns the message as soon as it matches. */
const turns = (
  reseller: Pick<Reseller, 'id' | 'chat'>,
  message: Message,
  label: string,
  answer: RegExp,
): Promise<Message> => {
  const now = world.telegram.messages(reseller.id).find((each) => each.message_id === message.message_id)
  pressData(reseller, message, dataOf(now ?? message, label))
  return cardReads(world, reseller, message, answer)
}

const pressData = ({ id }: Pick<Reseller, 'id'>, message: Message, data: string): { id: string } =>
  world.telegram.press({ from: id, messageId: message.message_id, data })

/** Presses with data that no button of the message has, as a modified client can. */
const forge = ({ id }: Pick<Reseller, 'id'>, message: Message, data: string): { id: string } =>
  world.telegram.press({ from: id, messageId: message.message_id, data, stale: true })

const labelsOf = (message: Message): string[] =>
  (message.reply_markup?.inline_keyboard ?? []).flat().map(({ text }) => text)

/** The lines of a page that show orders. There is one for each order. */
const entriesOf = ({ text = '' }: Message): string[] =>
  text.split('\n').filter((line) => /^\d+\. /.test(line))

/** Moves the times of the orders for that number back, as if they had been confirmed and sent that many minutes ago. */
const age = async (phone: string, minutes: number): Promise<void> => {
  const at = new Date(Date.now() - minutes * 60_000).toISOString().replace('Z', '+00:00')
  await changeDatabase(world, (database) =>
    database
      .prepare(
        'UPDATE "Order" SET createdAt = ?, sentAt = ? WHERE id IN (SELECT orderId FROM Recipient WHERE phone = ?)',
      )
      .run(at, at, phone),
  )
}

const days = (count: number): number => count * 24 * 60

describe('the history in /orders', () => {
  let reseller: Reseller
  const [old, failed, delivered, telecel] = [newPhone(), newPhone(), newPhone(), newPhone('020')]
  const open = Array.from({ length: 9 }, () => newPhone())

  beforeAll(async () => {
    // Monday must not begin before the test of “this week” has run.
    await earlyEnoughFor(150_000)
    reseller = await world.newReseller(200_000)
    const oldOrder = await place(world, reseller, old, '1GB')
    const failedOrder = await place(world, reseller, failed, '1GB')
    const deliveredOrder = await place(world, reseller, delivered, '1GB')
    await place(world, reseller, telecel, '2GB')
    // Each in its own chat, because Telegram allows one message a second to each.
    await Promise.all(open.map(async (phone) => place(world, await addMember(world, reseller), phone, '1GB')))
    world.provider.setStatus(oldOrder.reference, 'delivered')
    world.provider.setStatus(deliveredOrder.reference, 'delivered')
    world.provider.setStatus(failedOrder.reference, 'failed')
    await reseller.chat.waitForText(new RegExp(`${old}.*delivered`))
    await reseller.chat.waitForText(new RegExp(`${delivered}.*delivered`))
    await reseller.chat.waitForText(new RegExp(`${failed}.*failed`))
    await age(old, days(9))
  }, 280_000)

  test('can be filtered by state and day with buttons, which combine', async () => {
    const page = await says(reseller, '/orders', historyTitle)
    expect(labelsOf(page)).toEqual(['1', '2', '3', '4', '5', labels.next, historyLabels.filter, labels.home])
    const filterBy = async (label: string, answer: RegExp): Promise<Message> => {
      await turns(reseller, page, historyLabels.filter, /Which orders\?/)
      return turns(reseller, page, label, answer)
    }

    const done = await filterBy('Delivered', /Your orders: delivered/)
    expect(entriesOf(done)).toHaveLength(2)
    expect(done.text).toContain(old)
    expect(done.text).toContain(delivered)

    const recent = await filterBy('This week', /delivered · this week/)
    expect(entriesOf(recent)).toEqual([expect.stringContaining(delivered)])

    await filterBy('Failed', /failed · this week/)
    await filterBy('✓ This week', /Your orders: failed\n/)
    const none = await filterBy('Yesterday', /failed · yesterday/)
    expect(none.text).toMatch(/No orders found/)
    await turns(reseller, page, historyLabels.allOrders, /^Your orders\n/)
  })

  test('can be filtered by words, and if only one order is found, that order is opened', async () => {
    const page = await says(reseller, '/orders MTN', /Your orders: MTN/)
    expect(page.text).not.toContain(telecel)
    await says(reseller, '/orders telecel open', new RegExp(`${telecel}[\\s\\S]*BUD-API-`))
    await says(reseller, '/orders yesterday', /yesterday[\s\S]*No orders found/)
  })

  test('groups orders by day, with each price and the day’s total after refunds', async () => {
    const seller = await world.newReseller(100_000)
    const [today, before, replaced] = [newPhone(), newPhone(), newPhone()]
    await place(world, seller, today, '1GB')
    await place(world, seller, before, '2GB')
    await place(world, seller, replaced, '2GB')
    await age(before, days(1))
    await changeDatabase(world, (database) =>
      database
        .prepare(
          `UPDATE "Order" SET placement = 'superseded' WHERE id IN (SELECT orderId FROM Recipient WHERE phone = ?)`,
        )
        .run(replaced),
    )
    const page = await says(seller, '/orders', historyTitle)
    expect(page.text).toMatch(
      /^Your orders\n\nToday · total GHS 4\.80\n1\. .*GHS 4\.80 · processing · \d\d:\d\d\n\nYesterday · total GHS 9\.60\n2\. .*GHS 9\.60/,
    )
    expect(page.text).not.toContain(replaced)
    const open = await says(seller, '/orders open', 'Your orders: open')
    expect(open.text).toMatch(/\n\nToday\n1\. /)
  })

  test('includes all orders of a day in its total, with refunds and lists', async () => {
    const seller = await world.newReseller()
    await place(world, seller, newPhone(), '1GB')
    const { reference } = await place(world, seller, newPhone(), '2GB')
    world.provider.setStatus(reference, 'refunded')
    await seller.chat.waitForText(/refunded/)
    const list = await orderList(seller, linesOf(phones(2), '1GB'))
    await cardReads(world, seller, list, /Charged GHS 9\.60/)
    const page = await says(seller, '/orders', historyTitle)
    const [head = '', ...rows] = page.text?.split('\n').slice(2) ?? []
    const first = (line: string) => Number(/GHS (\d+\.\d\d)/.exec(line)?.[1])
    expect(first(head)).toBeCloseTo(rows.map(first).reduce((total, price) => total + price))
    expect(rows.join('\n')).toContain('GHS 0.00 after GHS 9.60 in refunds · refunded')
  })

  test('shows no price for an order that was refused', async () => {
    const seller = await world.newReseller()
    const [refused, phone] = [newPhone(), newPhone()]
    world.provider.addFault({ kind: 'refuse', type: 'VALIDATION_ERROR', account: seller.account.id })
    await order(seller, refused, '2GB')
    await seller.chat.waitForText(/rejected/)
    await place(world, seller, phone, '1GB')
    const page = await says(seller, '/orders', 'Your orders')
    expect(page.text).toMatch(
      /total GHS 4\.80\n1\. .*GHS 4\.80 · processing · .*\n2\. .*GB · \d{10} · rejected/,
    )
  })

  test('keeps its filter while pages are turned forward and back', async () => {
    const page = await says(reseller, '/orders open', 'Your orders: open')
    const first = await cardReads(world, reseller, page, /5\. /)
    expect(entriesOf(first)).toHaveLength(5)
    const second = await turns(reseller, page, '▶', /Your orders: open · page 2/)
    expect(entriesOf(second)).toHaveLength(5)
    expect(second.text).toMatch(/9\. .*\n10\. /)
    expect([...entriesOf(first), ...entriesOf(second)].join()).not.toContain(delivered)
    const back = await turns(reseller, page, '◀', /Your orders: open\n/)
    expect(entriesOf(back)).toEqual(entriesOf(first))
  })

  test('shows a list under each state that one of its numbers has', async () => {
    const seller = await world.newReseller()
    const numbers = phones(3)
    const card = await orderList(seller, linesOf(numbers, '1GB'))
    await cardReads(world, seller, card, /🟡 3 processing/)
    const [reference = ''] = ordersFor(world, numbers[0] ?? '').map((order) => order.reference)
    world.provider.setStatus(reference, 'failed', { phone: numbers[1] ?? '' })
    await cardReads(world, seller, card, /🟡 2 processing · ❌ 1 failed/)
    await place(world, seller, newPhone(), '1GB')
    const page = await says(seller, '/orders open', 'Your orders: open')
    expect(entriesOf(page)).toContainEqual(
      expect.stringMatching(/📋 .*3 numbers.* · 🟡 2 processing · ❌ 1 failed/),
    )
    await says(seller, '/orders failed', /3 numbers[\s\S]*❌ 1 failed/)
    await says(seller, '/orders delivered', 'No orders found')
  })
})

describe('the search in /orders', () => {
  test('finds orders by a number, a part of a reference or a customer’s name', async () => {
    const reseller = await world.newReseller(200_000)
    const [wanted, other] = [newPhone(), newPhone()]
    const first = await place(world, reseller, wanted, '1GB')
    const second = await place(world, reseller, other, '1GB')
    reseller.chat.sendContact('Kofi Mensah', wanted)
    await reseller.chat.waitForText('Saved:')

    const local = `${wanted.slice(1, 4)} ${wanted.slice(4)}`
    const ways = [wanted, `+233 ${local}`, `00233${wanted.slice(1)}`, 'kofi', 'MENSAH', 'Kofi Mensah']
    for (const written of ways) await says(reseller, `/orders ${written}`, first.reference)
    const tail = second.reference.slice(-6)
    for (const part of [second.reference, second.reference.toLowerCase(), tail.toLowerCase()]) {
      await says(reseller, `/orders ${part}`, second.reference)
      await says(reseller, `/status ${part}`, second.reference)
    }
    world.provider.setStatus(first.reference, 'delivered')
    await reseller.chat.waitForText(new RegExp(`${wanted}.*delivered`))
    await place(world, reseller, wanted, '2GB')
    const found = await says(reseller, '/orders kofi', /Orders for .*Kofi Mensah/)
    expect(entriesOf(found)).toEqual([expect.stringContaining(wanted), expect.stringContaining(wanted)])
    const all = await turns(reseller, found, historyLabels.allOrders, /Your orders\n/)
    expect(entriesOf(all)).toHaveLength(3)
    reseller.chat.press('3')
    await reseller.chat.waitForText(first.reference, { after: found.message_id })
  })

  test('asks which customer is meant if two share a name, and says so if nothing is found', async () => {
    const reseller = await world.newReseller()
    const [one, two] = [newPhone(), newPhone()]
    for (const phone of [one, two]) {
      const { message_id: after } = reseller.chat.sendContact('Ama', phone)
      await reseller.chat.waitForText('Saved:', { after })
    }
    const asked = await says(reseller, '/orders ama', 'Which one?')
    const found = await turns(reseller, asked, two, new RegExp(`Orders for .*${two}`))
    expect(found.text).toContain('No orders found')
    await says(reseller, '/orders Nobody', 'Nothing found for Nobody')
  })

  test('started by its button keeps asking until it finds something or is cancelled', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const { reference } = await place(world, reseller, phone, '1GB')
    const page = await says(reseller, '/orders delivered', 'No orders found')
    await turns(reseller, page, historyLabels.filter, /Which orders\?/)
    await says(reseller, 'Nobody', 'Nothing found for Nobody')
    await says(reseller, phone, reference)
    await says(reseller, 'Nobody', 'I don’t understand that')
    await turns(reseller, page, labels.back, /No orders found/)
    await turns(reseller, page, historyLabels.filter, /Which orders\?/)
    await says(reseller, '/cancel', 'Cancelled')
    await says(reseller, 'Nobody', 'I don’t understand that')
  })
})

describe('a person', () => {
  test('never finds another account’s orders, by a search or a button', async () => {
    const [mine, theirs] = [await world.newReseller(), await world.newReseller()]
    const phone = newPhone()
    const foreign = await place(world, theirs, phone, '1GB')
    await place(world, mine, newPhone(), '1GB')
    await says(mine, `/orders ${phone}`, 'No orders found')
    await says(mine, `/orders ${foreign.reference.slice(-6)}`, 'Nothing found')
    await says(theirs, `/orders ${phone}`, foreign.reference)
    const page = await says(mine, '/orders', historyTitle)
    const filter = { ...noFilter, search: { by: 'phone' as const, phone: phone as Phone } }
    forge(mine, page, encodePress({ do: 'orders', page: 0, filter }))
    const forged = await cardReads(world, mine, page, /Orders for/)
    expect(forged.text).toContain('No orders found')
    expect(entriesOf(forged)).toEqual([])
    // Looking up a whole reference shows what any stranger sees.
    const shared = await says(mine, `/orders ${foreign.reference}`, foreign.reference)
    expect(shared.text).not.toMatch(new RegExp(`${phone}|GHS`))
  })

  test('sees and finds only their own orders as an agent, and all orders as the owner', async () => {
    const owner = await world.newReseller(200_000)
    const agent = await addMember(world, owner)
    const [ofOwner, ofAgent] = [newPhone(), newPhone()]
    const ownersOrder = await place(world, owner, ofOwner, '1GB')
    await place(world, agent, ofAgent, '1GB')
    const seen = await says(agent, '/orders', historyTitle)
    expect(entriesOf(seen)).toEqual([expect.stringContaining(ofAgent)])
    expect(seen.text).not.toContain('👤')
    expect(seen.text).not.toContain(ofOwner)
    await says(agent, `/orders ${ofOwner}`, 'No orders found')
    await says(agent, `/orders ${ownersOrder.reference.slice(-6)}`, 'Nothing found')
    const all = await says(owner, '/orders', historyTitle)
    const lines = entriesOf(all)
    expect(lines).toHaveLength(2)
    for (const line of lines) expect(line.includes('👤')).toBe(line.includes(ofAgent))
    const line = entriesOf(all).findIndex((entry) => entry.includes(ofOwner)) + 1
    expect(await toastOf(world, forge(agent, seen, dataOf(all, String(line))))).toMatch(
      /(?:not available|n’t yours)/,
    )
    await says(agent, '/help', helpTitle)
    expect(agent.chat.texts().join()).not.toContain(ownersOrder.reference)
  })

  test('without an account is asked to connect', async () => {
    const stranger = world.newPerson()
    await says(stranger, '/orders 0241234567', '/connect')
  })
})

describe('a report for the provider’s support', () => {
  test('lists every status with its time, even for a delivered order', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const placed = await place(world, reseller, phone, '1GB')
    world.provider.setStatus(placed.reference, 'delivered')
    await reseller.chat.waitForText(new RegExp(`${phone}.*delivered(?! \\(reported\\))`))
    const { message_id: after } = await says(reseller, placed.reference, 'delivered')
    await world.until(
      () =>
        inDatabase(world, (database) =>
          database.prepare(`SELECT 1 FROM StatusReport WHERE source = 'poll'`).get(),
        ),
      'the provider’s record to be noted',
    )
    await pressOnCard(reseller.chat, complaintLabels.begin)
    for (const label of ['Nothing arrived', complaintLabels.noPicture, 'Report']) {
      await reseller.chat.waitForButton(label)
      reseller.chat.press(label)
    }
    const report = await reseller.chat.waitForText('For the provider’s support team', { after })
    expect(report.text).toContain(`Order ${placed.reference}`)
    expect(report.text).toContain(phone)
    expect(report.text).toMatch(/- \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC delivered \(callback/)
    expect(report.text).toMatch(/- .* UTC delivered \(checked/)
    expect(report.text).toContain('nothing arrived')
  })

  test('says how the request of an unconfirmed order ended, and asks about a charge', async () => {
    const reseller = await world.newReseller()
    world.provider.addFault({ kind: 'error_before', path: '/order', account: reseller.account.id })
    const card = await order(reseller, newPhone(), '1GB')
    await cardReads(world, reseller, card, /unconfirmed/)
    await pressOnCard(reseller.chat, 'Report')
    const report = await reseller.chat.waitForText('For the provider’s support team')
    expect(report.text).toMatch(
      /Order without a reference[\s\S]*you answered the request with status 5\d\d[\s\S]*whether it was charged/,
    )
  })
})

describe('a repeat that needs no Confirm', () => {
  const allow = async ({ id }: Reseller, pesewas: number): Promise<void> => {
    await changeDatabase(world, (database) =>
      database
        .prepare(
          `INSERT INTO Preference (userId, freeRepeatPesewas) VALUES (?, ?)
           ON CONFLICT (userId) DO UPDATE SET freeRepeatPesewas = excluded.freeRepeatPesewas`,
        )
        .run(id, pesewas),
    )
  }

  /** An order that was delivered long enough ago to be repeated without a question. */
  const done = async (reseller: Reseller, phone: string): Promise<Message> => {
    const placed = await place(world, reseller, phone, '1GB')
    const { message_id: after } = await reseller.chat.waitForText(placed.reference)
    world.provider.setStatus(placed.reference, 'delivered')
    await reseller.chat.waitForText(new RegExp(`${phone}.*delivered(?! \\(reported\\))`), { after })
    await age(phone, 11)
    return says(reseller, placed.reference, placed.reference)
  }

  test('is charged once, however often it is pressed, and its card says why it was sent without asking', async () => {
    const reseller = await world.newReseller()
    await allow(reseller, 1_000)
    const phone = newPhone()
    const card = await done(reseller, phone)
    for (let press = 0; press < 10; press += 1) pressData(reseller, card, dataOf(card, 'Repeat'))
    const sent = await reseller.chat.waitForText(/processing[\s\S]*without Confirm/, {
      after: card.message_id,
    })
    expect(sent.text).toContain('/settings')
    await says(reseller, '/help', helpTitle)
    expect(debitsOf(world, reseller)).toHaveLength(2)
    expect(reseller.chat.texts().filter((text) => text.includes('without Confirm'))).toHaveLength(1)
  })

  test('is charged once if it is pressed on two cards, and the second asks for Confirm', async () => {
    const reseller = await world.newReseller(100_000)
    const phone = newPhone()
    const one = await done(reseller, phone)
    const two = await done(reseller, phone)
    await allow(reseller, 1_000)
    const before = debitsOf(world, reseller).length
    for (let press = 0; press < 5; press += 1) {
      for (const card of [one, two]) pressData(reseller, card, dataOf(card, 'Repeat'))
    }
    await reseller.chat.waitForText(/processing[\s\S]*without Confirm/, { after: two.message_id })
    const asked = await reseller.chat.waitForText(asksToConfirm, { after: two.message_id })
    expect(asked.text).toContain(phone)
    expect(debitsOf(world, reseller)).toHaveLength(before + 1)
  })

  test('asks for Confirm after all within ten minutes of the order, above the set amount, or if no amount is set', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const card = await done(reseller, phone)
    pressData(reseller, card, dataOf(card, 'Repeat'))
    const unset = await reseller.chat.waitForText(asksToConfirm, { after: card.message_id })
    await allow(reseller, 100)
    const again = await says(reseller, ordersFor(world, phone)[0]?.reference ?? '', 'delivered')
    pressData(reseller, again, dataOf(again, 'Repeat'))
    const above = await reseller.chat.waitForText(asksToConfirm, { after: again.message_id })
    expect(above.message_id).not.toBe(unset.message_id)
    await allow(reseller, 1_000)
    await age(phone, 9)
    const soon = await says(reseller, ordersFor(world, phone)[0]?.reference ?? '', 'delivered')
    pressData(reseller, soon, dataOf(soon, 'Repeat'))
    await reseller.chat.waitForText(asksToConfirm, { after: soon.message_id })
    expect(debitsOf(world, reseller)).toHaveLength(1)
    expect(postsFor(world, phone)).toHaveLength(1)
  })

  test('asks for Confirm after all if the wallet holds less than the price', async () => {
    const reseller = await world.newReseller(800)
    await allow(reseller, 1_000)
    const phone = newPhone()
    const card = await done(reseller, phone)
    pressData(reseller, card, dataOf(card, 'Repeat'))
    const asked = await reseller.chat.waitForText(asksToConfirm, { after: card.message_id })
    expect(asked.text).toContain('short')
    expect(debitsOf(world, reseller)).toHaveLength(1)
  })
})

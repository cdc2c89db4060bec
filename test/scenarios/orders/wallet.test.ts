// @module-tag screens
import type { Message } from 'grammy/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { later } from '../lists/list-shop.ts'
import {
  askFor,
  cardReads,
  changeDatabase,
  dataOf,
  debitsOf,
  inDatabase,
  newPhone,
  order,
  place,
} from '../shop.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ settings: { refundAfterMs: null } })
})
afterAll(() => world?.close())

const priceOf = ({ account }: Reseller, size = '2GB'): number => {
  const bundle = world.provider
    .bundles(account.id)
    .find(({ network, volume }) => network === 'MTN' && volume === size)
  if (!bundle) throw new Error(`The provider sells no MTN ${size}.`)
  return bundle.pricePesewas
}

const ghs = (pesewas: number): string => `GHS ${(pesewas / 100).toFixed(2)}`

/** Places an order with the same key, but not through the bot. @returns its reference. */
const orderElsewhere = async ({ account }: Reseller, phone: string): Promise<string> => {
  const { apiKey, apiSecret } = world.provider.account(account.id)
  const answer = await fetch(`${world.provider.url}/order`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'x-api-secret': apiSecret },
    body: JSON.stringify({ bundle_id: 4, phone }),
  })
  expect(answer.status).toBe(201)
  return world.provider.orders().at(-1)?.reference ?? ''
}

/** Sends the command. @returns the answer. */
const ask = ({ chat }: Pick<Reseller, 'chat'>, command: string, part: string | RegExp): Promise<Message> => {
  const { message_id: after } = chat.say(command)
  return chat.waitForText(part, { after })
}

/** Presses a button. @returns the message after the press. */
const pressOn = async (
  reseller: Reseller,
  message: Message,
  label: string,
  part: RegExp,
): Promise<Message> => {
  world.telegram.press({
    from: reseller.id,
    chat: reseller.id,
    messageId: message.message_id,
    data: dataOf(message, label),
  })
  return cardReads(world, reseller, message, part)
}

const setLevel = async (reseller: Reseller, amount: string): Promise<Message> => {
  await ask(reseller, '/balance', /Balance/)
  reseller.chat.press('Alert')
  await reseller.chat.waitForText('falls below')
  const { message_id: after } = reseller.chat.say(amount)
  return reseller.chat.waitForText(/Saved\.[\s\S]*below GHS/, { after })
}

describe('/balance', () => {
  test('shows what open orders will take or return, and what the balance buys', async () => {
    const reseller = await world.newReseller(50_000)
    const price = priceOf(reseller)
    await place(world, reseller, newPhone())
    const failing = await place(world, reseller, newPhone())
    world.provider.setStatus(failing.reference, 'failed')
    await reseller.chat.waitForText(/failed[\s\S]*owed a refund/)
    const twice = newPhone()
    await place(world, reseller, twice)
    const waiting = await order(reseller, twice)
    await cardReads(world, reseller, waiting, /waiting/)
    world.provider.addFault({ kind: 'reset_before', account: reseller.account.id })
    await order(reseller, newPhone())
    await reseller.chat.waitForText('unconfirmed')
    const { balancePesewas } = world.provider.account(reseller.account.id)
    const left = balancePesewas - price
    const { text } = await ask(reseller, '/balance', /Balance/)
    expect(text).toContain(`Balance: ${ghs(balancePesewas)}`)
    expect(text).toContain(
      `1 order is waiting to be sent: ${ghs(price)} is still to be charged, leaving ${ghs(left)}.`,
    )
    expect(text).toContain(`I’m not sure yet about 1 order: ${ghs(price)} may have been charged`)
    expect(text).toContain(`${ghs(price)} should be refunded for 1 order.`)
    expect(text).toContain(`Good for ${Math.floor(left / price)} × MTN 2GB`)
    expect(text).toContain('No alert is set')
    for (const label of ['Refresh', 'Transactions', 'Alert', 'Export', 'Home'])
      expect(reseller.chat.button(label)?.label).toContain(label)
  })

  test('leaves out the usual bundle if the price list does not have it', async () => {
    const reseller = await world.newReseller(50_000)
    await place(world, reseller, newPhone())
    await changeDatabase(world, (database) =>
      database.exec(`UPDATE "Order" SET "bundleId" = 424242 WHERE "userId" = ${reseller.id}`),
    )
    const { text } = await ask(reseller, '/balance', /Balance/)
    expect(text).not.toContain('Good for')
  })

  test('shows an agent nothing of the wallet, not even by an old button', async () => {
    const reseller = await world.newReseller(12_345)
    const screen = await ask(reseller, '/balance', /GHS 123.45/)
    await changeDatabase(world, (database) =>
      database.exec(`UPDATE Member SET role = 'agent' WHERE userId = ${reseller.id}`),
    )
    for (const command of ['/balance', '/transactions']) {
      const { text } = await ask(reseller, command, /./)
      expect(text).not.toMatch(/123\.45|Balance:/)
    }
    const after = await pressOn(reseller, screen, 'Refresh', /^(?![\s\S]*123\.45)/)
    expect(after.text).not.toContain('GHS 123.45')
  })
})

describe('the low-balance alert', () => {
  const alerts = ({ chat }: Reseller) => chat.texts().filter((text) => text.includes('The balance is low'))

  test('comes once each time the balance falls below the level, and closes after a top-up', async () => {
    const reseller = await world.newReseller(20_000)
    const price = priceOf(reseller)
    await setLevel(reseller, ((20_000 - price) / 100).toFixed(2))
    const cards = []
    for (let each = 0; each < 4; each += 1) cards.push(await askFor(reseller, newPhone()))
    for (const card of cards) {
      const data = dataOf(card, 'Confirm')
      world.telegram.press({ from: reseller.id, chat: reseller.id, messageId: card.message_id, data })
    }
    await world.until(() => debitsOf(world, reseller).length === 4, 'four debits')
    for (const card of cards) await cardReads(world, reseller, card, /processing/)
    const first = await reseller.chat.waitForText('The balance is low')
    await place(world, reseller, newPhone())
    expect(alerts(reseller)).toHaveLength(1)

    world.provider.setAccount(reseller.account.id, { balancePesewas: 20_000 })
    await ask(reseller, '/balance', /GHS 200.00/)
    const closed = await reseller.chat.waitForText(/^✅ Over after .*the balance isn’t below your alert/)
    expect(closed.message_id).toBe(first.message_id)
    expect(closed.reply_markup).toBeUndefined()
    await place(world, reseller, newPhone())
    await place(world, reseller, newPhone())
    await reseller.chat.waitForText('The balance is low', { after: first.message_id })
    await place(world, reseller, newPhone())
    await ask(reseller, '/balance', /Balance/)
    expect(alerts(reseller)).toHaveLength(1)
    const balance = 20_000 - 2 * price
    expect(alerts(reseller)[0]).toContain(`The balance is low: ${ghs(balance)}`)
    expect(alerts(reseller)[0]).toContain(`Good for ${Math.floor(balance / price)} × MTN 2GB`)
  })

  test('comes to each owner at that owner’s own level', async () => {
    const reseller = await world.newReseller(20_000)
    const price = priceOf(reseller)
    const other = world.newPerson()
    await ask(other, '/connect', 'API key')
    await ask(other, `${reseller.account.apiKey}\n${reseller.account.apiSecret}`, 'Connected')
    await setLevel(reseller, ((20_000 - price) / 100).toFixed(2))
    await setLevel({ ...other, account: reseller.account }, ((20_000 - 2 * price) / 100).toFixed(2))
    const heard = { ...other, account: reseller.account }
    await place(world, reseller, newPhone())
    await place(world, reseller, newPhone())
    await reseller.chat.waitForText('The balance is low')
    expect(alerts(heard)).toHaveLength(0)
    await place(world, reseller, newPhone())
    await other.chat.waitForText('The balance is low')
    expect([alerts(reseller), alerts(heard)].map((all) => all.length)).toEqual([1, 1])
  })

  test('is not sent if the owner sets a level above the balance, because the answer shows the balance', async () => {
    const reseller = await world.newReseller(20_000)
    const { text } = await setLevel(reseller, '500')
    expect(text).toContain('GHS 200.00')
    await place(world, reseller, newPhone())
    await ask(reseller, '/balance', /Balance/)
    expect(alerts(reseller)).toHaveLength(0)
  })
})

describe('the balance that the bot knows', () => {
  const asked = ({ text = '' }: Message) => /Balance( \(as of [^)]+\))?: (GHS [\d.,]+)/.exec(text)

  test('falls by a charge that was found in the wallet', async () => {
    const reseller = await world.newReseller(50_000)
    await askFor(reseller, newPhone())
    for (const kind of ['callback_never', 'answer_lost'] as const)
      world.provider.addFault({ kind, account: reseller.account.id })
    await order(reseller, newPhone())
    await reseller.chat.waitForText('unconfirmed')
    const doubted = asked(await askFor(reseller, newPhone()))
    expect(doubted?.[2]).toBe(ghs(50_000))
    expect(doubted?.[1]).toMatch(/as of \d/)
    await later(world, reseller, 0.1)
    await reseller.chat.waitForText(/placed(?: after all)?, charged|charge of GHS \S+ matches this order/)
    const settled = asked(await askFor(reseller, newPhone()))
    expect(settled?.[2]).toBe(ghs(world.provider.account(reseller.account.id).balancePesewas))
    expect(settled?.[1]).toMatch(/as of \d/)
  })

  test('is updated on an open card after another order', async () => {
    const reseller = await world.newReseller(50_000)
    const waiting = await askFor(reseller, newPhone())
    expect(asked(waiting)?.[2]).toBe(ghs(50_000))
    await place(world, reseller, newPhone())
    const left = ghs(world.provider.account(reseller.account.id).balancePesewas)
    await cardReads(world, reseller, waiting, `Balance: ${left}`)
  })

  test('already lacks the price of a list’s confirmed part when the rest of the list is shown', async () => {
    const reseller = await world.newReseller(2 * 960 + 140)
    const { message_id: after } = reseller.chat.say(
      [newPhone(), newPhone(), newPhone()].map((phone) => `${phone} 2GB`).join('\n'),
    )
    await reseller.chat.waitForButton('Cut to what fits')
    reseller.chat.press('Cut to what fits')
    await reseller.chat.waitForButton('Confirm 2')
    reseller.chat.press('Confirm 2')
    const rest = await reseller.chat.waitForText(/From your list/, { after })
    await cardReads(world, reseller, rest, /Balance: GHS 1\.40/)
    await expect.poll(() => world.provider.account(reseller.account.id).balancePesewas).toBe(140)
    await cardReads(world, reseller, rest, /Balance: GHS 1\.40/)
  })
})

test('orders refused for a low balance are offered again when the balance covers them, and sent if confirmed', async () => {
  const reseller = await world.newReseller(50_000)
  const { chat } = reseller
  const [first, second] = [newPhone(), newPhone()]
  const { message_id: pasted } = chat.say(`${first} 2gb\n${second} 1gb`)
  await chat.waitForText('2 to order', { after: pasted })
  const account = reseller.account.id
  world.provider.addFault({ kind: 'refuse', type: 'INSUFFICIENT_BALANCE', account, times: 2 })
  chat.press('Confirm')
  await chat.waitForButton('Continue')
  chat.press('Continue')
  await chat.waitForText('List of 2 numbers: done')
  expect(debitsOf(world, reseller)).toEqual([])
  const { message_id: after } = chat.say('/balance')
  const offer = await chat.waitForText(/balance now covers what was refused[\s\S]*2 to order/, { after })
  expect(debitsOf(world, reseller)).toEqual([])
  world.telegram.press({
    from: reseller.id,
    messageId: offer.message_id,
    data: dataOf(offer, 'Confirm 2'),
  })
  await world.until(() => debitsOf(world, reseller).length === 2, 'the offered orders')
})

test('two orders for one number that were refused for a low balance are offered again as one, and the number can be ordered after Cancel', async () => {
  const reseller = await world.newReseller(50_000)
  const { chat } = reseller
  const phone = newPhone()
  const account = reseller.account.id
  world.provider.addFault({ kind: 'refuse', type: 'INSUFFICIENT_BALANCE', account, times: 2 })
  for (const _ of [1, 2]) await cardReads(world, reseller, await order(reseller, phone), /rejected/)
  const { message_id: after } = chat.say('/balance')
  const offer = await chat.waitForText(/balance now covers what was refused[\s\S]*1 to order/, { after })
  const cancel = dataOf(offer, 'Cancel')
  world.telegram.press({ from: reseller.id, messageId: offer.message_id, data: cancel })
  await cardReads(world, reseller, offer, /Cancelled/i)
  await ask(reseller, '/balance', /Balance/)
  await place(world, reseller, phone)
  expect(chat.texts().filter((text) => text.includes('balance now covers what was refused'))).toEqual([])
  expect(debitsOf(world, reseller)).toHaveLength(1)
})

describe('/transactions', () => {
  test('names the order of each line, with a button, and points out entries that no order explains', async () => {
    const reseller = await world.newReseller(50_000)
    const [phone, elsewhere, doubtful] = [newPhone(), newPhone(), newPhone()]
    const placed = await place(world, reseller, phone)
    const unknown = await orderElsewhere(reseller, elsewhere)
    world.provider.addFault({ kind: 'reset_before', account: reseller.account.id })
    await order(reseller, doubtful)
    await reseller.chat.waitForText('unconfirmed')
    const { text = '' } = await ask(reseller, '/transactions', unknown)
    expect(text).toContain(`MTN 2GB for ${phone}`)
    expect(text).toMatch(/⚠️ GHS[^⚠]*Doesn’t match any order here/)
    const { message_id: after } = reseller.chat.last() as Message
    reseller.chat.press('1')
    await reseller.chat.waitForText(new RegExp(`${phone}[\\s\\S]*${placed.reference}`), { after: after - 1 })
    const screen = await ask(reseller, '/transactions', 'Transactions')
    const choice = await pressOn(reseller, screen, 'Show: All', /Which transactions/)
    const unexplained = await pressOn(reseller, choice, 'Unexplained', /Unexplained charges/)
    expect(unexplained.text).toContain(unknown)
    expect(unexplained.text).not.toContain(placed.reference)
    const others = await pressOn(reseller, unexplained, 'Show: ', /Which transactions/)
    const credits = await pressOn(reseller, others, 'Money in', /money in/)
    expect(credits.text).not.toContain(unknown)
  })

  test('says which unconfirmed order a debit may belong to', async () => {
    const reseller = await world.newReseller(50_000)
    const phone = newPhone()
    world.provider.addFault({ kind: 'reset_before', account: reseller.account.id })
    await order(reseller, phone, '1GB')
    await reseller.chat.waitForText('unconfirmed')
    world.provider.addFault({
      kind: 'entries_reworded',
      path: '/transactions',
      times: null,
      message: 'bundle',
    })
    await orderElsewhere(reseller, phone)
    try {
      await ask(reseller, '/transactions', /May be for your order from \d\d:\d\d/)
    } finally {
      world.provider.clearFaults()
    }
  })

  test('shows all pages without a gap while new entries arrive, and leads back to the newest', async () => {
    const reseller = await world.newReseller(200_000)
    const references: string[] = []
    for (let each = 0; each < 30; each += 1) references.push(await orderElsewhere(reseller, newPhone()))
    let screen = await ask(reseller, '/transactions', references.at(-1) ?? '')
    const seen: string[] = []
    for (let pages = 0; pages < 10; pages += 1) {
      seen.push(...(screen.text?.match(/BUD-API-[\w-]+/g) ?? []))
      if (!screen.text?.includes(references[0] ?? '')) await orderElsewhere(reseller, newPhone())
      else break
      const before = seen.at(-1) ?? ''
      screen = await pressOn(reseller, screen, '▶', new RegExp(`^(?![\\s\\S]*${before})`))
    }
    expect(seen).toEqual(references.toReversed())
    const newest = world.provider.debits(reseller.account.id).at(-1)?.reference ?? ''
    for (let pages = 0; pages < 10 && !screen.text?.includes(newest); pages += 1) {
      const { text: before = '' } = screen
      const [first = ''] = before.match(/BUD-API-[\w-]+/) ?? []
      screen = await pressOn(
        reseller,
        screen,
        '◀',
        new RegExp(`^(?![\\s\\S]*1\\. [^\\n]*${first})(?!${first})`),
      )
      screen = await world.telegram.waitFor(
        () =>
          world.telegram
            .messages(reseller.id)
            .find(({ message_id, text }) => message_id === screen.message_id && text !== before),
        { message: 'the screen before' },
      )
    }
    expect(screen.text).toContain(newest)
  })

  test('names the order that was refunded', async () => {
    const reseller = await world.newReseller(50_000)
    const placed = await place(world, reseller, newPhone())
    world.provider.credit(placed.reference, 100)
    const screen = await ask(reseller, '/transactions', placed.reference)
    const choice = await pressOn(reseller, screen, 'Show: All', /Which transactions/)
    const credits = await pressOn(reseller, choice, 'Money in', /money in/)
    expect(credits.text).toContain('➕ GHS 1.00')
    expect(credits.text).toContain('MTN 2GB')
    // The next page may hold another part of the refund, so no sum is shown.
    const known = inDatabase(world, (database) =>
      database.prepare('SELECT refundedPesewas FROM "Order" WHERE reference = ?').get(placed.reference),
    )
    expect(known).toEqual({ refundedPesewas: null })
  })
})

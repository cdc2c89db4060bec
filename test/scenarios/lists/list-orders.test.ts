import type { Message } from 'grammy/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { cardReads, debitsOf, newPhone, place, postsFor, toastOf } from '../shop.ts'
import {
  deliverAll,
  expectCharged,
  later,
  linesOf,
  orderList,
  ordersOf,
  paste,
  phones,
  placementsOf,
  postsOf,
  pressOn,
  referencesOf,
} from './list-shop.ts'

/** Lists from Confirm to their last order. The provider's ledger shows what was really charged. */

let world: World

beforeAll(async () => {
  world = await createWorld({ settings: { refundAfterMs: 0 } })
})
afterAll(() => world?.close())

const rich = 5_000_000

/** Delivers everything, and waits until one number's callback has arrived and the order's record has been read. */
const tellFirst = async (reseller: Reseller, card: Message, first: string): Promise<string> => {
  const [reference = ''] = await referencesOf(world, reseller)
  await cardReads(world, reseller, card, /3 processing/)
  world.provider.setStatus(reference, 'delivered', { phone: first })
  world.provider.setStatus(reference, 'delivered', { quiet: true })
  await cardReads(world, reseller, card, /1 delivered/)
  await later(world, reseller, 0.2)
  expect(reseller.chat.texts().join()).not.toContain(': done')
  return reference
}

describe.concurrent('a list', () => {
  test('of 250 numbers, three bundles and two networks is sent in the fewest requests, in sequence', async () => {
    const reseller = await world.newReseller(rich)
    const [small, big, other] = [phones(130), phones(40), phones(80, '020')]
    const lines = [...linesOf(small, '1GB'), ...linesOf(big, '10GB'), ...linesOf(other, '2GB')]
    const card = await orderList(reseller, lines)
    await cardReads(world, reseller, card, /List of 250 numbers[\s\S]*250 processing/)
    const references = await referencesOf(world, reseller, 4)
    for (const reference of references) expect(reference).toMatch(/^BUD-BULK-/)
    pressOn(reseller, card, '▶ All numbers')
    await reseller.chat.waitForText(`Numbers 1–20 of 250`)
    reseller.chat.press('🧾 References')
    await reseller.chat.waitForText(new RegExp(references.join('[\\s\\S]*')))
    expect(postsOf(world, reseller)).toEqual([100, 30, 40, 80])
    await expectCharged(world, reseller, [
      ...small.map((phone) => `${phone} 1GB`),
      ...big.map((phone) => `${phone} 10GB`),
      ...other.map((phone) => `${phone} 2GB`),
    ])
    expect(ordersOf(world, reseller)[0]?.phones.map(({ phone }) => phone)).toEqual(small.slice(0, 100))
    deliverAll(world, reseller)
    const done = await reseller.chat.waitForText(/List of 250 numbers: done/)
    expect(done.text).toContain('✅ 250 delivered')
    const spent = 130 * 480 + 40 * 4390 + 80 * 915
    expect(done.text).toContain(
      `Charged GHS ${(spent / 100).toLocaleString('en-GB', { minimumFractionDigits: 2 })}`,
    )
  })

  test('is done as soon as its last number is reported, even if its order was reported as ended before', async () => {
    const reseller = await world.newReseller(rich)
    const [first = '', ...rest] = phones(3)
    const card = await orderList(reseller, linesOf([first, ...rest], '1GB'))
    const reference = await tellFirst(reseller, card, first)
    for (const phone of rest) world.provider.setStatus(reference, 'processing', { phone, quiet: true })
    for (const phone of rest) world.provider.setStatus(reference, 'delivered', { phone })
    const done = await reseller.chat.waitForText(/List of 3 numbers: done/)
    expect(done.text).toContain('✅ 3 delivered')
  })

  test('is closed with numbers marked as not known if no callback reports how these ended', async () => {
    const reseller = await world.newReseller(rich)
    const [first = '', ...rest] = phones(3)
    const card = await orderList(reseller, linesOf([first, ...rest], '1GB'))
    await tellFirst(reseller, card, first)
    await later(world, reseller, 1)
    const done = await reseller.chat.waitForText(/List of 3 numbers: done/)
    expect(done.text).toContain('✅ 1 delivered · ❔ 2 not known')
  })

  test('with one number for each bundle is placed as single orders', async () => {
    const reseller = await world.newReseller()
    const [one, two] = phones(2)
    await orderList(reseller, [`${one} 1GB`, `${two} 2GB`])
    await world.until(() => ordersOf(world, reseller).length === 2, 'both orders')
    expect(ordersOf(world, reseller).map(({ type }) => type)).toEqual(['single', 'single'])
    deliverAll(world, reseller)
    await reseller.chat.waitForText(/List of 2 numbers: done[\s\S]*2 delivered/)
  })

  test('waits if its second order gets no answer, and goes on as soon as the debit is found', async () => {
    const reseller = await world.newReseller(rich)
    const numbers = phones(130)
    const card = await paste(reseller, [...linesOf(numbers, '1GB'), `${newPhone()} 2GB`])
    world.provider.addFault({ kind: 'callback_never', times: null, account: reseller.account.id })
    let seen = 0
    world.provider.addFault({ kind: 'slow', delayMs: 1, account: reseller.account.id })
    world.provider.addFault({ kind: 'error_after', account: reseller.account.id })
    pressOn(reseller, card, 'Confirm')
    const held = await reseller.chat.waitForText(/MTN 1GB × 30: unconfirmed[\s\S]*Continue, or stop here\?/)
    expect(held.text).toContain('The other number is waiting: not sent, not charged')
    seen = postsOf(world, reseller).length
    expect(seen).toBe(2)
    await reseller.chat.waitForText(/MTN 1GB for 30 numbers: one charge of GHS \S+ matches this order/)
    await cardReads(world, reseller, card, /131 processing/)
    await referencesOf(world, reseller, 3)
    expect(postsOf(world, reseller)).toEqual([100, 30, 1])
    expect(debitsOf(world, reseller)).toHaveLength(3)
    deliverAll(world, reseller)
    await later(world, reseller, 5)
    await reseller.chat.waitForText(/List of 131 numbers: done[\s\S]*131 delivered/)
  })

  test('whose second order was not placed says so and offers its numbers again', async () => {
    const reseller = await world.newReseller(rich)
    const [first, second, third] = [phones(3), phones(2), phones(2)]
    const lines = [...linesOf(first, '1GB'), ...linesOf(second, '2GB'), ...linesOf(third, '3GB')]
    const card = await paste(reseller, lines)
    world.provider.addFault({ kind: 'slow', delayMs: 1, account: reseller.account.id })
    world.provider.addFault({ kind: 'error_before', account: reseller.account.id })
    pressOn(reseller, card, 'Confirm')
    await reseller.chat.waitForText(/MTN 2GB × 2: unconfirmed[\s\S]*Continue, or stop here\?/)
    await reseller.chat.waitForButton('Continue')
    reseller.chat.press('Continue')
    await cardReads(world, reseller, card, /5 processing[\s\S]*2 unconfirmed/)
    await later(world, reseller, 11)
    await reseller.chat.waitForText(/MTN 2GB for [\s\S]*not placed[\s\S]*nothing was charged/)
    await cardReads(world, reseller, card, /5 processing[\s\S]*2 not ordered/)
    await referencesOf(world, reseller, 2)
    deliverAll(world, reseller)
    await cardReads(world, reseller, card, /5 delivered/)
    await later(world, reseller, 5)
    await reseller.chat.waitForText(/List of 7 numbers: done[\s\S]*5 delivered[\s\S]*2 not ordered/)
    reseller.chat.press('Retry failed (2)')
    const again = await reseller.chat.waitForText(/2 to order[\s\S]*MTN 2GB × 2/)
    expect(
      second.every(
        (phone) =>
          !ordersOf(world, reseller).some(({ phones: had }) => had.some((each) => each.phone === phone)),
      ),
    ).toBe(true)
    pressOn(reseller, again, 'Confirm')
    await world.until(() => ordersOf(world, reseller).length === 3, 'the refused to be ordered')
    await expectCharged(world, reseller, [
      ...first.map((phone) => `${phone} 1GB`),
      ...second.map((phone) => `${phone} 2GB`),
      ...third.map((phone) => `${phone} 3GB`),
    ])
  })

  test('stops at the order for which the wallet holds too little, and the button “Continue” sends the rest', async () => {
    const reseller = await world.newReseller(rich)
    const [first, second, third] = [phones(2), phones(2), phones(2)]
    const lines = [...linesOf(first, '1GB'), ...linesOf(second, '2GB'), ...linesOf(third, '3GB')]
    const card = await paste(reseller, lines)
    world.provider.addFault({ kind: 'slow', delayMs: 1, account: reseller.account.id })
    world.provider.addFault({ kind: 'refuse', type: 'INSUFFICIENT_BALANCE', account: reseller.account.id })
    pressOn(reseller, card, 'Confirm')
    await reseller.chat.waitForText(/MTN 2GB × 2: rejected[\s\S]*Top up first[\s\S]*2 numbers are waiting/)
    await reseller.chat.waitForButton('Continue')
    reseller.chat.press('Continue')
    await cardReads(world, reseller, card, /4 processing[\s\S]*2 not ordered/)
    await expectCharged(world, reseller, [
      ...first.map((phone) => `${phone} 1GB`),
      ...third.map((phone) => `${phone} 3GB`),
    ])
  })

  test('that waits is ended by the button “Stop here”, and the rest is neither ordered nor charged', async () => {
    const reseller = await world.newReseller(rich)
    const [first, second] = [phones(2), phones(2)]
    const card = await paste(reseller, [...linesOf(first, '1GB'), ...linesOf(second, '2GB')])
    world.provider.addFault({ kind: 'refuse', type: 'UNAUTHORIZED', account: reseller.account.id })
    pressOn(reseller, card, 'Confirm')
    await reseller.chat.waitForText(/rejected[\s\S]*refused the API key[\s\S]*2 numbers are waiting/)
    await reseller.chat.waitForButton('Stop here')
    reseller.chat.press('Stop here')
    await reseller.chat.waitForText(/List of 4 numbers: done[\s\S]*4 not ordered/)
    expect(debitsOf(world, reseller)).toEqual([])
    expect(postsFor(world, first[0] ?? '')).toHaveLength(1)
    expect(postsFor(world, second[0] ?? '')).toEqual([])
  })

  test('that is stopped by an old Cancel button after a lost answer is not called uncharged, and offers the rest again', async () => {
    const reseller = await world.newReseller(rich)
    const [first, second] = [phones(2), phones(2)]
    const card = await paste(reseller, [...linesOf(first, '1GB'), ...linesOf(second, '2GB')])
    const data = reseller.chat.button('Cancel')?.data ?? ''
    const account = reseller.account.id
    world.provider.addFault({ kind: 'callback_never', times: null, account })
    world.provider.addFault({ kind: 'debit_late', delayMs: 86_400_000, account })
    world.provider.addFault({ kind: 'answer_lost', account })
    pressOn(reseller, card, 'Confirm')
    await reseller.chat.waitForText(/unconfirmed[\s\S]*Continue, or stop here\?/)
    const press = world.telegram.press({ from: reseller.id, messageId: card.message_id, data, stale: true })
    expect(await toastOf(world, press)).toBe('Stopped. Nothing more will be sent.')
    const { text } = await cardReads(world, reseller, card, /2 unconfirmed[\s\S]*2 not ordered/)
    expect(text).toContain('GHS 9.60 maybe charged')
    expect(reseller.chat.texts().join('\n')).not.toMatch(/[Nn]othing was charged/)
    expect(postsOf(world, reseller)).toEqual([2])
    reseller.chat.press('Order the 2 not sent')
    await reseller.chat.waitForText('2 numbers got nothing: safe to order again')
    reseller.chat.press('Order the 2 again')
    const rest = await reseller.chat.waitForText('2 lines: 2 to order')
    const digits = rest.text?.replace(/\s/g, '')
    expect(second.every((phone) => digits?.includes(phone))).toBe(true)
  })

  test('with a number that has an open order elsewhere says so and offers the others again', async () => {
    const reseller = await world.newReseller(rich)
    const numbers = phones(4)
    const card = await paste(reseller, [...linesOf(numbers, '1GB'), `${newPhone()} 2GB`])
    const { apiKey, apiSecret } = reseller.account
    await fetch(`${world.provider.url}/order`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'x-api-secret': apiSecret },
      body: JSON.stringify({ bundle_id: 3, phone: numbers[1] }),
    })
    pressOn(reseller, card, 'Confirm')
    const { text } = await cardReads(
      world,
      reseller,
      card,
      /MTN 1GB × 4: rejected[\s\S]*1 processing|1 processing[\s\S]*MTN 1GB × 4: rejected/,
    )
    expect(text).toContain(`${numbers[1]} has an open order`)
    await reseller.chat.waitForButton('Retry failed (3)')
    reseller.chat.press('Retry failed (3)')
    reseller.chat.press('Retry failed (3)')
    const again = await reseller.chat.waitForText(/3 to order[\s\S]*MTN 1GB × 3/)
    pressOn(reseller, again, 'Confirm')
    await world.until(() => ordersOf(world, reseller).length === 3, 'the others to be ordered')
    const had = ordersOf(world, reseller)
      .at(-1)
      ?.phones.map(({ phone }) => phone)
    expect(had).toEqual(numbers.filter((_, index) => index !== 1))
  })

  test('names the numbers in doubt before those that surely failed are retried', async () => {
    const reseller = await world.newReseller(rich)
    const { chat, account } = reseller
    const [refused, lost] = [phones(3), phones(2)]
    const card = await paste(reseller, [...linesOf(refused, '1GB'), ...linesOf(lost, '2GB')])
    await fetch(`${world.provider.url}/order`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': account.apiKey,
        'x-api-secret': account.apiSecret,
      },
      body: JSON.stringify({ bundle_id: 3, phone: refused[1] }),
    })
    world.provider.addFault({ kind: 'slow', delayMs: 1, account: account.id })
    world.provider.addFault({ kind: 'error_before', account: account.id })
    pressOn(reseller, card, 'Confirm')
    await cardReads(world, reseller, card, /2 unconfirmed · ⚪️ 3 not ordered/)
    await chat.waitForButton('Retry failed (2)')
    chat.press('Retry failed (2)')
    const doubt = await chat.waitForText(/2 numbers got nothing: safe to order again/)
    expect(doubt.text).toContain('2 unconfirmed: maybe charged. I’m checking, so don’t order again.')
    expect(doubt.text).toContain('1 number has an open order: wait for it.')
    chat.press('Order the 2 again')
    const again = await chat.waitForText(/2 to order[\s\S]*MTN 1GB × 2/)
    pressOn(reseller, again, 'Confirm')
    await world.until(() => ordersOf(world, reseller).length === 2, 'the two to be ordered')
    expect(debitsOf(world, reseller)).toHaveLength(2)
  })

  test('of many orders shows its numbers and, on demand, all their references', async () => {
    const reseller = await world.newReseller(rich)
    const { chat } = reseller
    const lines = [
      ...['1GB', '2GB', '3GB', '10GB', '20GB'].map((size) => `${newPhone()} ${size}`),
      ...['500MB', '1GB', '2GB', '5GB', '10GB', '15GB'].map((size) => `${newPhone('020')} ${size}`),
    ]
    const card = await orderList(reseller, lines)
    const references = await referencesOf(world, reseller, 11)
    pressOn(reseller, card, '⋯')
    const { message_id } = await chat.waitForText(/11 numbers\n[\s\S]*1GB/, { after: card.message_id })
    chat.press('References')
    const first = await chat.waitForText(/References 1–10 of 11/)
    expect(first.message_id).toBe(message_id)
    chat.press('▶')
    const second = await chat.waitForText(/References 11–11 of 11/)
    expect(second.message_id).toBe(first.message_id)
    for (const reference of references) expect(`${first.text} ${second.text}`).toContain(reference)
    expect(JSON.stringify(first.reply_markup)).toContain('Copy these references')
  })

  test('with names says who got what, and one press saves the names', async () => {
    const reseller = await world.newReseller(rich)
    const { chat } = reseller
    const [yaw, esi, other] = phones(3) as [string, string, string]
    const card = await paste(reseller, [`1. Yaw ${yaw} 1gb`, `2. Esi ${esi} 2gb`, `3. ${other} 1gb`])
    expect(card.text).toContain(`Yaw (${yaw})`)
    pressOn(reseller, card, 'Confirm')
    await referencesOf(world, reseller, 2)
    deliverAll(world, reseller)
    await chat.waitForText('List of 3 numbers: done')
    const { text = '' } = await cardReads(world, reseller, card, /3 delivered/)
    expect(text).toContain(`✅ ${yaw} · 1GB · Yaw\n✅ ${esi} · 2GB · Esi\n✅ ${other} · 1GB`)
    await chat.waitForButton('Save Yaw and Esi')
    chat.press('Save Yaw and Esi')
    const saved = await chat.waitForText(/Saved: 2/)
    expect(saved.text).toContain('Done')
    pressOn(reseller, saved, 'Undo')
    await chat.waitForText('2 numbers are no longer saved')
  })

  test('keeps a number with an open order waiting, and sends the other numbers', async () => {
    const reseller = await world.newReseller(rich)
    const busy = newPhone()
    const { reference } = await place(world, reseller, busy)
    const others = phones(3)
    const card = await orderList(reseller, [
      `${others[0]} 1GB`,
      `${busy} 1GB`,
      `${others[1]} 1GB`,
      `${others[2]} 3GB`,
    ])
    await cardReads(world, reseller, card, /1 waiting · 🟡 3 processing/)
    await referencesOf(world, reseller, 3)
    expect(postsOf(world, reseller)).toEqual([1, 2, 1])
    world.provider.setStatus(reference, 'delivered')
    await cardReads(world, reseller, card, /🟡 4 processing/)
    await referencesOf(world, reseller, 4)
    deliverAll(world, reseller)
    await reseller.chat.waitForText(/List of 4 numbers: done[\s\S]*4 delivered/)
    await expectCharged(world, reseller, [
      `${busy} 2GB`,
      `${busy} 1GB`,
      ...others.slice(0, 2).map((phone) => `${phone} 1GB`),
      `${others[2]} 3GB`,
    ])
  })

  test('with two bundles for one number sends one after the other', async () => {
    const reseller = await world.newReseller(rich)
    const [twice, once] = phones(2)
    const card = await orderList(reseller, [`${twice} 1GB`, `${twice} 2GB`, `${once} 2GB`])
    await cardReads(world, reseller, card, /1 waiting · 🟡 2 processing/)
    const [first = ''] = await referencesOf(world, reseller, 2)
    world.provider.setStatus(first, 'delivered')
    await world.until(() => ordersOf(world, reseller).length === 3, 'the second bundle to be ordered')
    deliverAll(world, reseller)
    await reseller.chat.waitForText(/List of 3 numbers: done[\s\S]*3 delivered/)
    await expectCharged(world, reseller, [`${twice} 1GB`, `${twice} 2GB`, `${once} 2GB`])
  })

  test('needs another Confirm before anything is sent if the balance became too low after the preview', async () => {
    const reseller = await world.newReseller(10_000)
    const card = await paste(reseller, [...linesOf(phones(2), '2GB'), ...linesOf(phones(2), '1GB')])
    world.provider.setAccount(reseller.account.id, { balancePesewas: 2_000 })
    pressOn(reseller, card, 'Confirm')
    const again = await reseller.chat.waitForText(/doesn’t have enough for this[\s\S]*Balance: GHS 20\.00/)
    expect(postsOf(world, reseller)).toEqual([])
    pressOn(reseller, again, 'Cut to what fits: 2')
    await reseller.chat.waitForButton('Confirm 2 · GHS 19.20')
    pressOn(reseller, again, 'Confirm 2')
    await world.until(() => ordersOf(world, reseller).length === 1, 'what fits to be ordered')
    expect(debitsOf(world, reseller).map(({ amountPesewas }) => amountPesewas)).toEqual([1_920])
  })

  test('that waited for more than 15 minutes needs another Confirm for the rest', async () => {
    const reseller = await world.newReseller(rich)
    const [twice, once] = phones(2)
    const card = await orderList(reseller, [`${twice} 1GB`, `${once} 1GB`, `${twice} 2GB`])
    await cardReads(world, reseller, card, /1 waiting · 🟡 2 processing/)
    await referencesOf(world, reseller)
    await later(world, reseller, 16)
    deliverAll(world, reseller)
    const again = await reseller.chat.waitForText(/waited for more than 15 minutes[\s\S]*MTN 2GB × 1/)
    await reseller.chat.waitForText(/List of 2 numbers: done[\s\S]*2 delivered/)
    await expectCharged(world, reseller, [`${twice} 1GB`, `${once} 1GB`])
    pressOn(reseller, again, 'Confirm')
    await world.until(() => ordersOf(world, reseller).length === 2, 'the rest to be ordered')
    await expectCharged(world, reseller, [`${twice} 1GB`, `${once} 1GB`, `${twice} 2GB`])
  })

  test('lets other purchases of the account be sent between its orders', async () => {
    const reseller = await world.newReseller(rich)
    const chunks = [phones(2), phones(2), phones(2)]
    const card = await paste(reseller, [
      ...linesOf(chunks[0] ?? [], '1GB'),
      ...linesOf(chunks[1] ?? [], '2GB'),
      ...linesOf(chunks[2] ?? [], '3GB'),
    ])
    world.provider.addFault({
      kind: 'slow',
      delayMs: 4_000,
      path: '/order/bulk',
      times: 2,
      account: reseller.account.id,
    })
    pressOn(reseller, card, 'Confirm')
    await world.until(() => postsOf(world, reseller).length === 1, 'the first chunk to be sent')
    await place(world, reseller, newPhone('020'), '5GB')
    expect(postsOf(world, reseller).length).toBeLessThan(4)
    await cardReads(world, reseller, card, /🟡 6 processing/)
    await referencesOf(world, reseller, 4)
    expect(postsOf(world, reseller).toSorted()).toEqual([1, 2, 2, 2])
  })
})

describe('a list', () => {
  test('whose price has changed needs another Confirm before anything is sent', async () => {
    const reseller = await world.newReseller(rich)
    const numbers = phones(3)
    const card = await paste(reseller, linesOf(numbers, '1GB'))
    await world.bot.stop()
    world.provider.setAccount(reseller.account.id, { prices: { 1: 490 } })
    await world.bot.start()
    pressOn(reseller, card, 'Confirm')
    const again = await reseller.chat.waitForText(
      /price has changed[\s\S]*MTN 1GB × 3 = GHS 14\.70 \(now GHS 4\.90 each, was GHS 4\.80\)/,
    )
    expect(debitsOf(world, reseller)).toEqual([])
    pressOn(reseller, again, 'Confirm')
    await world.until(() => ordersOf(world, reseller).length === 1, 'the order at the new price')
    await expectCharged(
      world,
      reseller,
      numbers.map((phone) => `${phone} 1GB`),
    )
    await world.until(
      () => placementsOf(world, reseller).join() === 'superseded,placed',
      'the answer to be written',
    )
  })
})

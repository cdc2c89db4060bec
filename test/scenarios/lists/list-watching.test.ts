import { parse } from 'csv-parse/sync'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { historyTitle } from '../../../src/telegram/features/orders/history-words.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { cardReads, debitsOf, newPhone, place } from '../shop.ts'
import {
  deliverAll,
  expectCharged,
  later,
  linesOf,
  orderList,
  ordersOf,
  paste,
  phones,
  pressOn,
  referencesOf,
} from './list-shop.ts'

/** The card of a confirmed list until everything is done, and its buttons after that. */

const worldOf = (settings: Parameters<typeof createWorld>[0]) => {
  const held: { world?: World } = {}
  beforeAll(async () => {
    held.world = await createWorld(settings)
  })
  afterAll(() => held.world?.close())
  return () => held.world as World
}

const closings = ({ chat }: Reseller): string[] => chat.texts().filter((text) => /: done/.test(text))

describe.concurrent('if the provider reports each number of a list', () => {
  const worldNow = worldOf({ settings: { refundAfterMs: 0 } })

  test('the card counts the reports, and the closing message offers to retry failed numbers', async () => {
    const world = worldNow()
    const reseller = await world.newReseller()
    const { chat } = reseller
    const numbers = phones(12)
    const card = await orderList(reseller, linesOf(numbers, '1GB'))
    await cardReads(world, reseller, card, /🟡 12 processing/)
    const [reference = ''] = await referencesOf(world, reseller)
    for (const phone of numbers.slice(0, 9)) world.provider.setStatus(reference, 'delivered', { phone })
    for (const phone of numbers.slice(9, 11)) world.provider.setStatus(reference, 'failed', { phone })
    await cardReads(world, reseller, card, /▰[\s\S]*91%\n🟡 1 processing · ✅ 9 delivered · ❌ 2 failed/)
    expect(closings(reseller)).toEqual([])
    world.provider.setStatus(reference, 'delivered', { phone: numbers[11] ?? '' })
    const done = await chat.waitForText(/List of 12 numbers: done/)
    expect(done.text).toContain('✅ 10 delivered · ❌ 2 failed')
    expect(done.text).toContain(`❌ ${numbers[9]} · failed`)
    // The wallet may have been read before the message was written.
    expect(done.text).toMatch(/Refund of GHS 9\.60 not seen yet|refunded GHS 9\.60/)

    await later(world, reseller, 2)
    await chat.waitForText(/MTN 1GB\. Refunded GHS 9\.60: 2 of 12 numbers failed/)
    await cardReads(world, reseller, card, /Charged GHS 57\.60 · refunded GHS 9\.60/)

    chat.press('Retry failed (2)')
    const retry = await chat.waitForText(/2 to order[\s\S]*MTN 1GB × 2/)
    chat.press('Cancel')
    await cardReads(world, reseller, retry, /cancelled/)
    await chat.waitForButton('Retry failed (2)')
    chat.press('Retry failed (2)')
    chat.press('Retry failed (2)')
    await chat.waitForText(/2 to order[\s\S]*MTN 1GB × 2/, { after: retry.message_id })
    chat.press('Confirm 2')
    await world.until(() => ordersOf(world, reseller).length === 2, 'the failed to be ordered again')
    await expectCharged(world, reseller, [
      ...numbers.map((phone) => `${phone} 1GB`),
      ...numbers.slice(9, 11).map((phone) => `${phone} 1GB`),
    ])
    deliverAll(world, reseller)
    await chat.waitForText(/List of 2 numbers: done[\s\S]*2 delivered/)
    expect(closings(reseller)).toHaveLength(2)
  })

  test('the closing message says how many lines are still to fix', async () => {
    const world = worldNow()
    const reseller = await world.newReseller()
    const { chat } = reseller
    chat.say(`MTN\n${newPhone()} 1\n024123456 5`)
    const { message_id: after } = await chat.waitForText(/1 to order · 1 to fix/)
    chat.press('Confirm 1')
    await chat.waitForText(/From your list/, { after })
    await world.until(() => ordersOf(world, reseller).length === 1, 'the number to be ordered')
    deliverAll(world, reseller)
    const done = await chat.waitForText(/: done[\s\S]*📌 1 still to fix: press the button below to continue/)
    chat.press('📌 1 still to fix')
    await chat.waitForText(/From your list/, { after: done.message_id })
  })

  test('the list’s file has a row for each number, and /orders shows the list on one line', async () => {
    const world = worldNow()
    const reseller = await world.newReseller()
    const { chat } = reseller
    const numbers = phones(3)
    const single = newPhone('020')
    const card = await orderList(reseller, [...linesOf(numbers, '1GB'), `${single} 2GB`])
    await cardReads(world, reseller, card, /🟡 4 processing/)
    const [bulk = '', other = ''] = await referencesOf(world, reseller, 2)
    world.provider.setStatus(bulk, 'delivered')
    world.provider.setStatus(other, 'failed')
    const done = await chat.waitForText(/List of 4 numbers: done[\s\S]*3 delivered · ❌ 1 failed/)
    pressOn(reseller, card, '⋯')
    await chat.waitForText('4 numbers', { after: done.message_id })
    chat.press('Excel')
    const workbook = await chat.waitForFile({ after: done.message_id })
    expect(await readSheet(workbook.bytes)).toHaveLength(5)
    chat.press('CSV')
    const file = await chat.waitForFile({ after: workbook.message.message_id })
    const rows = parse(file.bytes, { bom: true, columns: true }) as Record<string, string>[]
    expect(rows).toHaveLength(4)
    expect(rows[0]).toMatchObject({ 'No.': '1', Number: `="${numbers[0]}"`, Size: '1GB', Network: 'MTN' })
    expect(rows[0]).toMatchObject({ 'Charged GHS': '4.80', Reference: bulk, Status: 'delivered' })
    expect(rows[3]).toMatchObject({ 'No.': '4', Number: `="${single}"`, Size: '2GB', Network: 'Telecel' })
    expect(rows[3]).toMatchObject({ 'Charged GHS': '9.15', Reference: other, Status: 'failed' })

    await place(world, reseller, newPhone())
    chat.say('/orders')
    const history = await chat.waitForText(historyTitle)
    const entries = history.text?.split('\n').filter((line) => /^\d+\. /.test(line))
    expect(entries).toHaveLength(2)
    expect(entries?.[1]).toMatch(
      // The wallet is read when the list is done, so the refund may already be shown.
      /^2\. 📋 4 numbers · GHS (23\.55|14\.40 after GHS 9\.15 in refunds) · ✅ 3 delivered · ❌ 1 failed/,
    )
    chat.press('2')
    const opened = await chat.waitForText(/List of 4 numbers\n/, { after: history.message_id })
    pressOn(reseller, opened, 'Repeat')
    const repeated = await chat.waitForText(/1 to order · 3 skipped[\s\S]*Telecel 2GB × 1/, {
      after: opened.message_id,
    })
    expect(repeated.text).toMatch(
      /3 numbers already have this order \(from the last 10 minutes, or still open\)/,
    )
    expect(debitsOf(world, reseller)).toHaveLength(3)
  })

  test('an owner who looks up its order sees the counts, and a stranger only the size', async () => {
    const world = worldNow()
    const reseller = await world.newReseller()
    const numbers = phones(3)
    const card = await orderList(reseller, linesOf(numbers, '2GB'))
    await cardReads(world, reseller, card, /🟡 3 processing/)
    const [reference = ''] = await referencesOf(world, reseller)
    world.provider.setStatus(reference, 'delivered', { phone: numbers[0] ?? '' })
    await cardReads(world, reseller, card, /🟡 2 processing · ✅ 1 delivered/)
    const { message_id: after } = reseller.chat.say(`/status ${reference}`)
    const own = await reseller.chat.waitForText(reference, { after })
    expect(own.text).toContain('🟡 2 processing · ✅ 1 delivered')
    expect(reseller.chat.button('Share')).toBeUndefined()
    const stranger = world.newPerson()
    stranger.chat.say(reference)
    const seen = await stranger.chat.waitForText(reference)
    expect(seen.text).toContain('MTN 2GB for 3 numbers')
    expect(seen.text).not.toMatch(/024|GHS/)
  })

  test('a hundred reports edit one message, at most once a second', async () => {
    const world = worldNow()
    const reseller = await world.newReseller(1_000_000)
    const numbers = phones(100)
    const card = await orderList(reseller, linesOf(numbers, '1GB'))
    await cardReads(world, reseller, card, /🟡 100 processing/)
    const [reference = ''] = await referencesOf(world, reseller)
    for (const phone of numbers) world.provider.setStatus(reference, 'delivered', { phone })
    await reseller.chat.waitForText(/List of 100 numbers: done[\s\S]*✅ 100 delivered/)
    const times = world.telegram
      .calls('editMessageText')
      .filter(({ payload }) => payload.message_id === card.message_id)
      .map(({ at }) => at)
      .slice(3)
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(Math.min(...gaps, 1_500)).toBeGreaterThanOrEqual(1_000)
  })

  test('repeated and reordered callbacks change nothing in the end', async () => {
    const world = worldNow()
    const reseller = await world.newReseller()
    const account = reseller.account.id
    for (const kind of ['callback_twice', 'callback_reversed'] as const) {
      world.provider.addFault({ kind, times: null, account, path: '/order/bulk' })
    }
    const numbers = phones(5)
    const card = await orderList(reseller, linesOf(numbers, '1GB'))
    await cardReads(world, reseller, card, /🟡 5 processing/)
    const [reference = ''] = await referencesOf(world, reseller)
    world.provider.setStatus(reference, 'failed', { phone: numbers[0] ?? '' })
    world.provider.setStatus(reference, 'delivered')
    const done = await reseller.chat.waitForText(/List of 5 numbers: done/)
    expect(done.text).toContain('✅ 4 delivered · ❌ 1 failed')
    await cardReads(world, reseller, card, /✅ 4 delivered · ❌ 1 failed/)
    expect(closings(reseller)).toHaveLength(1)
  })
})

describe.concurrent('if callbacks report each number’s end but the look-up does not', () => {
  const worldNow = worldOf({ settings: { refundAfterMs: null } })

  /** A list of three numbers, of which two are delivered and the last one fails. */
  const reportedList = async (world: World) => {
    const reseller = await world.newReseller()
    world.provider.addFault({
      kind: 'status_open',
      times: null,
      path: '/order/status',
      account: reseller.account.id,
    })
    const numbers = phones(3)
    const card = await orderList(reseller, linesOf(numbers, '1GB'))
    await cardReads(world, reseller, card, /🟡 3 processing/)
    const [reference = ''] = await referencesOf(world, reseller)
    const [, , failed = ''] = numbers
    for (const phone of numbers.slice(0, 2)) world.provider.setStatus(reference, 'delivered', { phone })
    world.provider.setStatus(reference, 'failed', { phone: failed })
    const done = await reseller.chat.waitForText(/List of 3 numbers: done/)
    return { reseller, card, reference, numbers, failed, done }
  }

  test('the list is closed immediately, and a later refund is reported', async () => {
    const world = worldNow()
    const { reseller, card, reference, failed, done } = await reportedList(world)
    expect(done.text).toContain('✅ 2 delivered · ❌ 1 failed')
    expect(done.text).toContain(`❌ ${failed} · failed (reported)`)
    expect(done.text).toContain('Refund of GHS 4.80 not seen yet')
    world.provider.credit(reference, 480)
    await later(world, reseller, 2)
    const news = new RegExp(`Refunded GHS 4\\.80: 1 of 3 numbers failed[\\s\\S]*${failed}`)
    await reseller.chat.waitForText(news)
    await cardReads(world, reseller, card, new RegExp(`❌ ${failed} · 1GB · failed · refunded GHS 4\\.80`))
    await later(world, reseller, 24 * 60)
    expect(reseller.chat.texts().filter((text) => /Refunded GHS/.test(text))).toHaveLength(1)
    expect(closings(reseller)).toHaveLength(1)
    await later(world, reseller, 7 * 24 * 60)
    expect(reseller.chat.texts().filter((text) => /stale/.test(text))).toEqual([])
  })

  test('a callback that contradicts an earlier one is sent as a correction', async () => {
    const world = worldNow()
    const { reseller, reference, numbers } = await reportedList(world)
    world.provider.setStatus(reference, 'failed', { phone: numbers[0] ?? '' })
    const told = await reseller.chat.waitForText(/Correction[\s\S]*✅ 1 delivered · ❌ 2 failed/)
    expect(told.text).toContain(`❌ ${numbers[0]} · failed (reported)`)
    expect(closings(reseller)).toHaveLength(1)
  })

  test('a later look-up that contradicts a callback is sent as a correction', async () => {
    const world = worldNow()
    const { reseller, reference, failed } = await reportedList(world)
    world.provider.setStatus(reference, 'delivered', { phone: failed, quiet: true })
    await fetch(`${world.provider.controlUrl}/faults`, { method: 'DELETE' })
    await fetch(`${world.provider.controlUrl}/settings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ bulkRecipients: true }),
    })
    // If callbacks have reported every end, the record is read after three minutes.
    await later(world, reseller, 4)
    await reseller.chat.waitForText(/Correction[\s\S]*✅ 3 delivered/)
    expect(reseller.chat.texts().filter((text) => /MTN 1GB for 3 numbers: delivered/.test(text))).toEqual([])
  })
})

describe('if the provider reports only a list’s order as a whole', () => {
  const worldNow = worldOf({
    settings: { bulkCallbacks: 'order', bulkRecipients: false, refundAfterMs: null },
  })

  test('failed numbers can be retried only one by one with a warning, and all together after the refund', async () => {
    const world = worldNow()
    const reseller = await world.newReseller()
    const { chat } = reseller
    const numbers = phones(3)
    const card = await orderList(reseller, linesOf(numbers, '1GB'))
    await cardReads(world, reseller, card, /🟡 3 processing/)
    const [reference = ''] = await referencesOf(world, reseller)
    world.provider.setStatus(reference, 'failed')
    const done = await chat.waitForText(/List of 3 numbers: done[\s\S]*❌ 3 failed/)
    expect(done.text).toContain(`${numbers[0]} · failed (the whole order)`)
    pressOn(reseller, done, 'Retry failed (3)')
    const doubtful = await chat.waitForText(
      /3 numbers may have got the data\. Ask the customers before you order again/,
    )
    expect(doubtful.text).toContain(`${numbers[1]} · failed (the whole order)`)
    expect(chat.button('Order the')).toBeUndefined()
    pressOn(reseller, doubtful, `Retry ${numbers[1]}`)
    const one = await chat.waitForText(/This number may have got the data already[\s\S]*1 to order/)
    chat.press('Cancel')
    await cardReads(world, reseller, one, /cancelled/)
    world.provider.credit(reference, 3 * 480)
    await later(world, reseller, 2)
    await chat.waitForText(/MTN 1GB for 3 numbers failed: refunded GHS 14\.40/)
    await cardReads(world, reseller, card, /refunded GHS 14\.40/)
    await chat.waitForButton('Retry failed (3)')
    chat.press('Retry failed (3)')
    const retry = await chat.waitForText(/3 to order[\s\S]*MTN 1GB × 3/, { after: one.message_id })
    pressOn(reseller, retry, 'Confirm 3')
    await world.until(() => ordersOf(world, reseller).length === 2, 'the retry to be ordered')
  })
})

describe.concurrent('if the provider accepts fewer numbers of a list than were sent', () => {
  const worldNow = worldOf({
    settings: { bulkPending: 'skip', bulkCallbacks: 'order', bulkRecipients: false },
  })

  test('both counts are reported, and each number is marked as not known', async () => {
    const world = worldNow()
    const reseller = await world.newReseller()
    const { chat, account } = reseller
    const numbers = phones(4)
    const card = await orderListAfter(reseller, numbers, async () => {
      await fetch(`${world.provider.url}/order`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-key': account.apiKey,
          'x-api-secret': account.apiSecret,
        },
        body: JSON.stringify({ bundle_id: 3, phone: numbers[1] }),
      })
    })
    const told = await chat.waitForText(/accepted 3 of 4 numbers and charged for those/)
    expect(told.text).toContain('“not known”')
    const { text } = await cardReads(world, reseller, card, /❔ 4 not known/)
    expect(text).toContain('Charged GHS 14.40')
    deliverAll(world, reseller)
    const done = await chat.waitForText(/List of 4 numbers: done/)
    expect(done.text).toContain('❔ 4 not known')
    expect(chat.button('Retry failed')).toBeUndefined()
  })
})

test('a list without an answer is paired with a debit for fewer numbers if the provider’s record names them', async () => {
  const world = await createWorld({ settings: { bulkPending: 'skip', bulkRecipients: true } })
  try {
    const reseller = await world.newReseller()
    const { account } = reseller
    const numbers = phones(4)
    await orderListAfter(reseller, numbers, async () => {
      await fetch(`${world.provider.url}/order`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-key': account.apiKey,
          'x-api-secret': account.apiSecret,
        },
        body: JSON.stringify({ bundle_id: 3, phone: numbers[1] }),
      })
      world.provider.addFault({ kind: 'callback_never', times: null, account: account.id })
      world.provider.addFault({ kind: 'answer_lost', account: account.id })
    })
    const words = /most likely placed, as one charge of GHS 14\.40 matches this order/
    await reseller.chat.waitForText(words)
    await reseller.chat.waitForText(/accepted 3 of 4 numbers and charged for those/)
  } finally {
    await world.close()
  }
})

/** Orders a list. @param meanwhile runs between the preview and Confirm. */
const orderListAfter = async (reseller: Reseller, numbers: string[], meanwhile: () => Promise<void>) => {
  const card = await paste(reseller, linesOf(numbers, '1GB'))
  await meanwhile()
  pressOn(reseller, card, 'Confirm')
  return card
}

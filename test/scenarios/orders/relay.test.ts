import type { Message } from 'grammy/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProviderOrderState } from '../../../src/sandbox/index.ts'
import { asksToConfirm } from '../../../src/telegram/cards/words/draft.ts'
import { inWorldOfItsOwn } from '../../support/own-world.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { age } from '../operating/age.ts'
import { cardReads, changeDatabase, dataOf, inDatabase, newPhone, place, pressOnCard } from '../shop.ts'

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
afterAll(() => world?.close())

const callbackOf = (placed: ProviderOrderState, status: string) => ({
  event: 'order.status.updated',
  reference: placed.reference,
  status,
  network: placed.network,
  volume: placed.volume,
  phone: placed.phones[0]?.phone,
  timestamp: '2026-11-21T10:00:00+00:00',
})

const post = async (
  url: string,
  body: unknown,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<number> => {
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  const answer = await fetch(url, { method: 'POST', headers, body: text })
  await answer.arrayBuffer()
  return answer.status
}

/** An order that was placed, with its card and the address for its callbacks. */
const placedOrder = async (reseller: Reseller) => {
  const placed = await place(world, reseller, newPhone())
  const card = await reseller.chat.waitForText(placed.reference)
  return { placed, card, url: placed.webhookUrl ?? '' }
}

const announcements = ({ chat }: Reseller, { phones }: ProviderOrderState): string[] =>
  chat.texts().filter((text) => text.includes(`for ${phones[0]?.phone}: `))

const labelsOf = (message: Message): string[] =>
  message.reply_markup?.inline_keyboard.flat().map(({ text }) => text) ?? []

const eventsOf = (reference: string) =>
  inDatabase(world, (db) =>
    db
      .prepare(
        `SELECT status, disposition FROM StatusReport WHERE source = 'callback' AND reference = ? ORDER BY id`,
      )
      .all(reference)
      .map(({ status, disposition }) => ({ status, disposition })),
  )

const statusReads = (reference: string): number =>
  world.provider.requests().filter(({ path }) => path === `/order/status/${reference}`).length

/** Makes the provider fail when it is asked for the order's status. @returns a function that ends that. */
const hideStatus = (reference: string): (() => Promise<unknown>) => {
  const path = `/order/status/${reference}`
  const id = world.provider.addFault({ kind: 'error_before', path, status: 503, times: null })
  return () => fetch(`${world.provider.controlUrl}/faults/${id}`, { method: 'DELETE' })
}

describe.concurrent('a status that only a callback has reported', () => {
  test('is announced once even if fifty callbacks report it at the same time', async () => {
    const reseller = await world.newReseller()
    const { placed, url } = await placedOrder(reseller)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, number) =>
        post(url, { ...callbackOf(placed, 'delivered'), attempt: number }),
      ),
    )
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(eventsOf(placed.reference).filter(({ status }) => status === 'delivered')).toHaveLength(50)
    await world.until(
      () => eventsOf(placed.reference).every(({ disposition }) => disposition !== null),
      'all are judged',
    )
    await reseller.chat.waitForText(/: delivered \(reported\)/)
    expect(announcements(reseller, placed)).toHaveLength(1)
    expect(statusReads(placed.reference)).toBeLessThan(5)
  })

  test('is marked “(reported)” until the provider’s record confirms it', async () => {
    const reseller = await world.newReseller()
    const { placed, card } = await placedOrder(reseller)
    const showStatus = hideStatus(placed.reference)
    world.provider.setStatus(placed.reference, 'delivered')
    const announced = await reseller.chat.waitForText(/: delivered \(reported\)/)
    await cardReads(world, reseller, card, /· delivered \(reported\)[\s\S]*Confirming with the provider/)
    await showStatus()
    await age(world, placed.reference, { nextPollAt: new Date() })
    await cardReads(world, reseller, card, /· delivered\n/)
    expect(reseller.chat.last()?.message_id).toBe(announced.message_id)
    expect(announcements(reseller, placed)).toHaveLength(1)
  })

  test('does not count as a refund until the provider’s record confirms it', async () => {
    const reseller = await world.newReseller()
    const { placed, url } = await placedOrder(reseller)
    hideStatus(placed.reference)
    await post(url, callbackOf(placed, 'refunded'))
    const { text } = await reseller.chat.waitForText(/: refunded \(reported\)/)
    expect(text).toContain('I’m confirming this with the provider')
  })

  test('is announced in reply to the card, and a delivery has buttons for a receipt and a link', async () => {
    const reseller = await world.newReseller()
    const { placed, card } = await placedOrder(reseller)
    world.provider.setStatus(placed.reference, 'delivered')
    const announced = await reseller.chat.waitForText(/: delivered/)
    expect(announced.reply_to_message?.message_id).toBe(card.message_id)
    expect(labelsOf(announced)).toEqual(['🔁 Repeat', '🧾 Receipt', '⋯'])
    await pressOnCard(reseller.chat, 'Share')
    await reseller.chat.waitForText(/\?start=/, { after: announced.message_id })
  })

  test('keeps its announcement when the reseller presses Refresh, and the answer says that nothing changed', async () => {
    const reseller = await world.newReseller()
    const { placed, card } = await placedOrder(reseller)
    reseller.chat.press('Refresh')
    await reseller.chat.waitForText('No change yet: still processing. I’ve just checked.')
    world.provider.setStatus(placed.reference, 'delivered')
    const announced = await reseller.chat.waitForText(/: delivered/)
    expect(labelsOf(await cardReads(world, reseller, card, /· delivered/))).toEqual(['⋯'])
    await pressOnCard(reseller.chat, 'Refresh')
    await reseller.chat.waitForText('No change: delivered. I’ve just checked.')
    const news = await world.until(() => {
      const { message } = reseller.chat.button('Repeat') ?? {}
      return message && labelsOf(message).length === 3 && message
    }, 'the news with its first buttons')
    expect(news.message_id).toBe(announced.message_id)
    expect(news.text).toMatch(/: delivered/)
  })

  test('has an “Order again” button, if it is a failure, only after the provider’s record confirms it', async () => {
    const reseller = await world.newReseller()
    const { placed, url } = await placedOrder(reseller)
    hideStatus(placed.reference)
    await post(url, callbackOf(placed, 'failed'))
    expect(labelsOf(await reseller.chat.waitForText(/: failed \(reported\)/))).not.toContain('🔁 Order again')
    const other = await placedOrder(reseller)
    world.provider.setStatus(other.placed.reference, 'failed')
    const announced = await reseller.chat.waitForText(/: failed(?! \(reported)/)
    expect(labelsOf(announced)).toEqual(['🔁 Order again', '🛟 Report', '⋯'])
    reseller.chat.press('Order again')
    const again = await reseller.chat.waitForText(asksToConfirm, { after: announced.message_id })
    // The news stays, and its button works again.
    const pressed = dataOf(announced, 'Order again')
    const news = await world.until(() => {
      const { message } = reseller.chat.button('Order again') ?? {}
      return message && dataOf(message, 'Order again') !== pressed && message
    }, 'the button for another repeat')
    expect(news.message_id).toBe(announced.message_id)
    expect(news.text).toMatch(/: failed/)
    reseller.chat.press('Cancel')
    await cardReads(world, reseller, again, /cancelled/)
    reseller.chat.press('Order again')
    await reseller.chat.waitForText(asksToConfirm, { after: again.message_id })
  })

  test('is corrected in a new message if the provider’s record differs', async () => {
    const reseller = await world.newReseller()
    const { placed, card, url } = await placedOrder(reseller)
    const showStatus = hideStatus(placed.reference)
    await post(url, callbackOf(placed, 'delivered'))
    await reseller.chat.waitForText(/: delivered \(reported\)/)
    world.provider.setStatus(placed.reference, 'failed', { quiet: true })
    await showStatus()
    await age(world, placed.reference, { nextPollAt: new Date() })
    const corrected = await reseller.chat.waitForText('⚠️ Correction')
    expect(corrected.text).toMatch(/for 0\d{9}: failed/)
    expect(corrected.text).toContain('GHS 9.60')
    await cardReads(world, reseller, card, /· failed\n/)
    expect(announcements(reseller, placed)).toHaveLength(2)
  })
})

describe('a callback', () => {
  describe('answered just before the bot is killed', { tags: 'killed' }, () => {
    inWorldOfItsOwn(worlds, { process: true })

    test('is announced once after the next start', async () => {
      const reseller = await world.newReseller()
      const { placed, card, url } = await placedOrder(reseller)
      world.provider.setStatus(placed.reference, 'delivered', { quiet: true })
      expect(await post(url, callbackOf(placed, 'delivered'))).toBe(200)
      await world.bot.kill()
      await world.bot.start()
      await cardReads(world, reseller, card, /· delivered\n/)
      await reseller.chat.waitForText(/✅ .*: delivered/)
      expect(announcements(reseller, placed)).toHaveLength(1)
    })
  })
})

describe('the address for callbacks', () => {
  const status = (path: string, body: unknown = {}) => post(`${world.botUrl}/webhooks/${path}`, body)

  test('answers 404 without the database if its token was never issued', async () => {
    const reseller = await world.newReseller()
    const { placed, url } = await placedOrder(reseller)
    const token = url.split('/').at(-1) ?? ''
    await pressOnCard(reseller.chat, 'Share')
    const shared = await reseller.chat.waitForText('For the customer')
    const shareToken = /start=s(\S+)/.exec(shared.text ?? '')?.[1] ?? ''
    await changeDatabase(world, (db) => db.exec('ALTER TABLE StatusReport RENAME TO Gone'))
    try {
      for (const forged of [
        token.slice(0, -1),
        `${token}A`,
        `${token[0] === 'A' ? 'B' : 'A'}${token.slice(1)}`,
        'A'.repeat(44),
        shareToken,
        token.slice(-22),
        '%00',
        'a'.repeat(5_000),
      ]) {
        expect(await status(forged, callbackOf(placed, 'delivered'))).toBe(404)
      }
      expect(await post(url, callbackOf(placed, 'delivered'))).toBe(503)
    } finally {
      await changeDatabase(world, (db) => db.exec('ALTER TABLE Gone RENAME TO StatusReport'))
    }
    expect(await post(url, callbackOf(placed, 'delivered'))).toBe(200)
    await reseller.chat.waitForText(/· delivered \(reported\)/)
  })

  test('accepts any body with a reference and a status, whatever else it contains', async () => {
    const reseller = await world.newReseller()
    const { placed, url } = await placedOrder(reseller)
    const { reference } = placed
    let number = 0
    const body = () => JSON.stringify({ reference, status: 'processing', number: ++number })
    for (const headers of [
      {},
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'application/json; charset=iso-8859-1' },
      { 'content-type': 'nonsense' },
      { 'content-type': ';;' },
    ]) {
      expect([headers, await post(url, Buffer.from(body()), headers)]).toEqual([headers, 200])
    }
    const deep = `${'['.repeat(15_000)}${']'.repeat(15_000)}`
    for (const odd of [
      { reference, status: 'processing', network: 5, volume: {}, phone: [], timestamp: 'yesterday' },
      { reference, status: 'processing', delivered_at: null, event: null, more: { of: ['this'] } },
      `{"reference":"${reference}","status":"processing","deep":${deep}}`,
      `\ufeff{"reference":"${reference}","status":"processing"}`,
    ]) {
      expect([odd, await post(url, odd)]).toEqual([odd, 200])
    }
  })

  test('answers 400 to a body without a usable reference and status', async () => {
    const reseller = await world.newReseller()
    const { placed, url } = await placedOrder(reseller)
    const { reference } = placed
    for (const malformed of [
      '',
      'null',
      '[]',
      '"text"',
      '{',
      '{"reference":',
      { reference },
      { status: 'delivered' },
      { reference: '', status: 'delivered' },
      { reference, status: '   ' },
      { reference, status: ['delivered'] },
      { reference: { $ne: null }, status: 'delivered' },
      [{ reference, status: 'delivered' }],
      '['.repeat(60_000),
      new Uint8Array([0xff, 0xfe, 0x00]),
    ]) {
      expect([malformed, await post(url, malformed)]).toEqual([malformed, 400])
    }
    await reseller.chat.waitForText(/· processing\n/)
    expect(announcements(reseller, placed)).toHaveLength(0)
  })
})

// @module-tag screens
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ProviderOrderState } from '../../../src/sandbox/index.ts'
import { asksToConfirm } from '../../../src/telegram/cards/words/draft.ts'
import { followsOpen } from '../../../src/telegram/cards/words/follower.ts'
import { orderGone } from '../../../src/telegram/words/unusable.ts'
import { earlyEnoughToday } from '../../support/day.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import {
  askFor,
  cardReads,
  dataOf,
  inDatabase,
  newPhone,
  place,
  postsFor,
  shareLink,
  toastOf,
} from '../shop.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
beforeEach(earlyEnoughToday)
afterAll(() => world?.close())

const phoneOf = (order: ProviderOrderState): string => order.phones[0]?.phone ?? ''

const masked = (phone: string): string => `${phone.slice(0, 3)}•••${phone.slice(-4)}`

/** Everything that was ever sent to the chat, including what was edited or deleted since. */
const everSentTo = (chatId: number): string =>
  world.telegram
    .calls()
    .filter(({ payload }) => Number(payload.chat_id) === chatId)
    .map(({ payload }) => JSON.stringify(payload))
    .join('\n')

const expectDiscretion = (chatId: number, order: ProviderOrderState): void => {
  const everything = everSentTo(chatId)
  expect(everything).toContain(masked(phoneOf(order)))
  expect(everything).not.toContain(phoneOf(order))
  expect(everything).not.toMatch(/GHS \d/)
  expect(everything).not.toContain((order.pricePesewas / 100).toFixed(2))
}

const followers = (): number =>
  inDatabase(world, (db) => Number(db.prepare('SELECT count(*) AS n FROM Follow').get()?.n))

/** Places an order with the same credentials, as another program would. */
const placeElsewhere = async ({ account }: Pick<Reseller, 'account'>, phone: string): Promise<string> => {
  const answer = await fetch(`${world.provider.url}/order`, {
    method: 'POST',
    headers: {
      'x-api-key': account.apiKey,
      'x-api-secret': account.apiSecret,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify({ bundle_id: 2, phone }),
  })
  const { order } = (await answer.json()) as { order: { reference: string } }
  return order.reference
}

describe('a reference sent by a stranger', () => {
  test('shows bundle, masked number, status and time, and Follow sends each change', async () => {
    const reseller = await world.newReseller()
    const order = await place(world, reseller, newPhone())
    const { chat, id } = world.newPerson()
    chat.say(`  ${order.reference.toLowerCase()} `)
    const card = await chat.waitForText(order.reference)
    expect(card.text).toContain(`MTN 2GB for ${masked(phoneOf(order))}`)
    expect(card.text).toContain('Status: processing')
    expect(card.text).toMatch(/✓ sent to the network \d\d:\d\d\n● processing \d\d:\d\d\n○ delivered/)
    const press = chat.press('Follow')
    expect(await toastOf(world, press)).toBe('I’ll tell you when it arrives.')
    await cardReads(world, { id }, card, /I’ll tell you here when it arrives/)

    world.provider.setStatus(order.reference, 'out-for-delivery')
    await cardReads(world, { id }, card, /Status: out-for-delivery/)
    world.provider.setStatus(order.reference, 'delivered')
    const announced = await chat.waitForText(/✅ MTN 2GB for .*: delivered/)
    expect(announced.message_id).toBeGreaterThan(card.message_id)
    await cardReads(world, { id }, card, /Status: delivered\n/)
    await reseller.chat.waitForText(/✅ MTN 2GB for .*: delivered/)
    expect(chat.texts().filter((text) => text.startsWith('✅') && !text.includes('Status:'))).toHaveLength(1)
    expectDiscretion(id, order)
  })

  test('is found in any spelling and inside any text', async () => {
    const reseller = await world.newReseller()
    const { reference } = await place(world, reseller, newPhone())
    const { chat } = world.newPerson()
    const receipt = `Your receipt\nMTN 2GB\nReference: ${reference}.\nThank you!`
    for (const written of [reference.toLowerCase().replaceAll('-', ' '), `${reference}.`, receipt]) {
      const { message_id: after } = chat.say(written)
      const card = await chat.waitForText(reference, { after })
      expect(card.text).toContain('Status: processing')
    }
    const both = chat.say(`${reference} or BUD-API-ZZZZZZZZ-100001?`)
    await chat.waitForText('I don’t understand that', { after: both.message_id })
  })

  test('is no longer followed after Unfollow', async () => {
    const reseller = await world.newReseller()
    const order = await place(world, reseller, newPhone())
    const { chat, id } = world.newPerson()
    chat.say(`/status ${order.reference}`)
    const card = await chat.waitForText(order.reference)
    chat.press('Follow')
    await cardReads(world, { id }, card, /I’ll tell you here when it arrives/)
    chat.press('Unfollow')
    await cardReads(world, { id }, card, /^(?!.*I’ll tell you here)/s)
    world.provider.setStatus(order.reference, 'delivered')
    await reseller.chat.waitForText(/: delivered/)
    chat.press('Refresh')
    await cardReads(world, { id }, card, /Status: delivered/)
    expect(chat.texts()).toHaveLength(1)
    expectDiscretion(id, order)
  })

  test('of an order that the bot does not know causes no request to the provider', async () => {
    const reseller = await world.newReseller()
    const elsewhere = await placeElsewhere(reseller, newPhone())
    const { chat } = world.newPerson()
    const before = world.provider.requests().length
    const nowhere = `${elsewhere.slice(0, -1)}${elsewhere.endsWith('1') ? '2' : '1'}`
    const answers: string[] = []
    for (const reference of [elsewhere, nowhere]) {
      const { message_id: after } = chat.say(reference)
      const answer = await chat.waitForText('No order found', { after })
      answers.push(answer.text?.replace(reference, '…') ?? '')
    }
    expect(answers[0]).toBe(answers[1])
    expect(world.provider.requests()).toHaveLength(before)
  })

  test('is asked for after /status without a reference, and any other text is refused', async () => {
    const { chat } = world.newPerson()
    chat.say('/status')
    await chat.waitForText('Send the order’s reference')
    for (const wrong of ['BUD-API', '<b>BUD-API-AB12CD-1</b>', '0241234567', 'BUD-API-Ä-1']) {
      const { message_id: after } = chat.say(wrong)
      const answer = await chat.waitForText('A reference looks like', { after })
      expect(answer.text).toContain(wrong)
    }
    const { message_id: after } = chat.say('bud-bulk-nosuch-000001')
    await chat.waitForText('No order found for BUD-BULK-NOSUCH-000001', { after })
  })

  test('is looked up at most 20 times a minute, and the limit says when it ends', async () => {
    const reseller = await world.newReseller()
    const order = await place(world, reseller, newPhone())
    const { chat } = world.newPerson()
    for (let count = 1; count <= 21; count += 1) chat.say(`BUD-API-GUESS-${100_000 + count}`)
    const limit = await chat.waitForText('Too many look-ups')
    expect(limit.text).toMatch(/again in (\d+ s|about 1 min)\./)
    expect(chat.texts().filter((text) => text.includes('No order found'))).toHaveLength(20)
    const { chat: other } = world.newPerson()
    other.say(order.reference)
    await other.waitForText('Status: processing')
  })
})

describe('a share link', () => {
  test('opens what a stranger may see, and its customer is told of each change', async () => {
    const reseller = await world.newReseller()
    const order = await place(world, reseller, newPhone())
    const url = await shareLink(reseller)
    const forward = reseller.chat.button('Send to the customer')
    expect(new URL(forward?.url ?? '').searchParams.get('url')).toBe(url)
    expect(url.length - url.indexOf('start=') - 6).toBeLessThanOrEqual(64)
    const { chat, id } = world.newPerson()
    world.telegram.openLink(id, url)
    const card = await chat.waitForText(followsOpen)
    expect(card.text).toContain('Status: processing')
    world.telegram.openLink(id, url)
    const again = await chat.waitForText('Status: processing', { after: card.message_id })
    world.provider.setStatus(order.reference, 'failed')
    await chat.waitForText(/❌ MTN 2GB for .*: failed/, { after: again.message_id })
    await cardReads(world, { id }, again, /Status: failed/)
    world.provider.setStatus(order.reference, 'refunded')
    await chat.waitForText(/↩️ MTN 2GB for .*: refunded/, { after: again.message_id })
    expectDiscretion(id, order)

    const { message_id: after } = world.telegram.openLink(reseller.id, url)
    await reseller.chat.waitForText(/GHS 9\.60 · refunded/, { after })
  })

  test('that is forged, cut, altered or meant for something else opens nothing', async () => {
    const reseller = await world.newReseller()
    const order = await place(world, reseller, newPhone())
    const token = new URL(await shareLink(reseller)).searchParams.get('start') ?? ''
    const webhookToken = order.webhookUrl?.split('/').at(-1) ?? ''
    const before = followers()
    const swap = (text: string, at: number) =>
      `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
    const { chat, id } = world.newPerson()
    for (const payload of [
      's',
      token.slice(0, -1),
      token.slice(0, 23),
      `${token}A`,
      swap(token, 1),
      swap(token, token.length - 1),
      swap(token, 24),
      `s${webhookToken}`,
      `s${token.slice(1).split('').reverse().join('')}`,
      `s${'A'.repeat(44)}`,
    ]) {
      const { message_id: after } = chat.say(`/start ${payload}`)
      await chat.waitForText('This link is incomplete or no longer works', { after })
    }
    expect(followers()).toBe(before)
    expect(everSentTo(id)).not.toContain(order.reference)
  })
})

describe('an account', () => {
  test('finds orders that were made elsewhere with its key, and no others', async () => {
    const [owner, other] = [await world.newReseller(), await world.newReseller()]
    const phone = newPhone()
    const reference = await placeElsewhere(owner, phone)
    owner.chat.say(reference)
    const found = await owner.chat.waitForText('made outside this bot')
    expect(found.text).toContain(`MTN 2GB for ${phone}`)
    expect(found.text).toContain('GHS 9.60 · processing')
    other.chat.say(reference)
    await other.chat.waitForText(`No order found for ${reference}`)

    world.provider.addFault({ kind: 'error_before', path: '/order/status', status: 502 })
    const { message_id: after } = owner.chat.say(reference)
    await owner.chat.waitForText('I couldn’t read the status', { after })
  })

  test('sees another account’s order as a stranger does, without a request to the provider', async () => {
    const [owner, other] = [await world.newReseller(), await world.newReseller()]
    const order = await place(world, owner, newPhone())
    const before = world.provider.requests().length
    other.chat.say(order.reference)
    const card = await other.chat.waitForText('Status: processing')
    expect(card.text).toContain(masked(phoneOf(order)))
    expect(card.text).not.toMatch(/GHS \d/)
    expect(other.chat.button('Repeat')).toBeUndefined()
    expect(world.provider.requests()).toHaveLength(before)
  })

  test('has cards whose buttons do nothing if anybody else presses them', async () => {
    const owner = await world.newReseller()
    const order = await place(world, owner, newPhone())
    const card = await owner.chat.waitForText(order.reference)
    owner.chat.press('⋯')
    const { message: opened } = await owner.chat.waitForButton('Repeat')
    const phone = newPhone()
    const draft = await askFor(owner, phone)
    const stolen = [
      ...['Refresh', 'Share', '⋯'].map((label) => dataOf(card, label)),
      dataOf(opened, 'Repeat'),
      `open:${dataOf(card, 'Refresh').split(':')[1]}`,
      `send_anyway:${dataOf(card, 'Refresh').split(':')[1]}`,
      dataOf(draft, 'Confirm'),
      dataOf(draft, 'Cancel'),
    ]
    const thieves = [await world.newReseller(), world.newPerson()]
    const before = world.provider.requests().length
    for (const { chat, id } of thieves) {
      const said = chat.texts().length
      for (const data of stolen) {
        const messageId = chat.last()?.message_id ?? 1
        const press = world.telegram.press({ from: id, messageId, data, stale: true })
        expect(await toastOf(world, press)).toMatch(/isn’t yours/)
      }
      expect(chat.texts()).toHaveLength(said)
      expect(everSentTo(id)).not.toContain(order.reference)
      expect(everSentTo(id)).not.toContain(phone)
    }
    expect(world.provider.requests()).toHaveLength(before)
    expect(postsFor(world, phone)).toHaveLength(0)
    expect(owner.chat.texts().at(-1)).toContain(asksToConfirm)
    owner.chat.press('Confirm')
    await cardReads(world, owner, draft, /processing[\s\S]*BUD-API-/)
  })

  test('has orders that nobody can follow by a guessed id', async () => {
    const { chat, id } = world.newPerson()
    chat.say('/start')
    const message = await chat.waitForText('Bundlegram')
    for (const data of [`follow:${'A'.repeat(22)}`, `look:${'_'.repeat(22)}`]) {
      const press = world.telegram.press({ from: id, messageId: message.message_id, data, stale: true })
      expect(await toastOf(world, press)).toBe(orderGone)
    }
  })
})

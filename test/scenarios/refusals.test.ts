import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Fault } from '../../src/sandbox/provider/index.ts'
import { createWorld, type Reseller, type World } from '../support/world.ts'
import {
  askFor,
  cardReads,
  dataOf,
  debitsOf,
  newPhone,
  order,
  ordersFor,
  place,
  postsFor,
  toastOf,
} from './shop.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterEach(() => world.provider.clearFaults())
afterAll(() => world?.close())

/** Orders while the provider behaves so, and answers with the card when it reads so. */
const orderWith = async (reseller: Reseller, phone: string, fault: Fault, text: RegExp) => {
  const card = await askFor(reseller, phone)
  world.provider.addFault(fault)
  reseller.chat.press('Confirm')
  return cardReads(world, reseller, card, text)
}

describe('a definite no', () => {
  test('402 names the price, the balance and what is missing', async () => {
    const reseller = await world.newReseller(5_000)
    world.provider.setAccount(reseller.account.id, { balancePesewas: 700 })
    const phone = newPhone()
    const card = await order(reseller, phone)
    const refused = await cardReads(world, reseller, card, /2\.60 short/)
    expect(refused.text).toContain('rejected')
    expect(refused.text).toContain(
      'The price is GHS 9.60, your balance GHS 7.00: GHS 2.60 short. Nothing was charged.',
    )
    expect(refused.text).toContain('Top up')
    expect(debitsOf(world, reseller)).toEqual([])
    expect(postsFor(world, phone)).toHaveLength(1)
  })

  test('402 under a type of the provider’s own is still about the balance', async () => {
    const reseller = await world.newReseller()
    const fault = {
      kind: 'refuse',
      status: 402,
      type: 'LOW_FUNDS',
      message: 'You are <b>broke</b> & done.',
    } as const
    const refused = await orderWith(reseller, newPhone(), fault, /rejected/)
    expect(refused.text).toContain('Your wallet does not have enough')
    expect(refused.text).toContain('The provider says: “You are <b>broke</b> & done.”')
  })

  test('409 for an order that was made elsewhere with the same key says so', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    await placeElsewhere(reseller, phone)
    const card = await order(reseller, phone)
    const refused = await cardReads(world, reseller, card, /rejected/)
    expect(refused.text).toContain('made elsewhere with the same account, not by this bot')
    expect(refused.text).toContain('Nothing was charged for this one')
    expect(debitsOf(world, reseller)).toHaveLength(1)
    expect(refused.reply_markup?.inline_keyboard.flat().map(({ text }) => text)).toEqual(['🔁 Order again'])
  })

  const placeElsewhere = async ({ account }: Reseller, phone: string): Promise<void> => {
    const answer = await fetch(`${world.provider.url}/order`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': account.apiKey,
        'x-api-secret': account.apiSecret,
      },
      body: JSON.stringify({ bundle_id: 1, phone }),
    })
    expect(answer.status).toBe(201)
  }

  test.each([
    [400, 'VALIDATION_ERROR', 'does not accept this order as it is. Nothing was charged. Check the number'],
    [404, 'NOT_FOUND', 'no longer knows this bundle. Nothing was charged. /bundles shows'],
    [422, 'UNPROCESSABLE', 'The provider refused the order. Nothing was charged'],
  ])('%i says that nothing was charged and what to do', async (status, type, words) => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const fault = { kind: 'refuse', status, type, message: 'Not like this.' } as const
    const refused = await orderWith(reseller, phone, fault, /rejected/)
    expect(refused.text).toContain(words)
    expect(refused.text).toContain('The provider says: “Not like this.”')
    expect(debitsOf(world, reseller)).toEqual([])
    expect(postsFor(world, phone)).toHaveLength(1)
  })
})

describe('a provider that is asked too much', () => {
  test('Retry-After in each form: the card says when it goes on, and it goes on by itself, once', async () => {
    // Long enough for the card to be drawn while it waits, also on a busy machine.
    const forms = {
      seconds: () => '4',
      'an HTTP date': () => new Date(Date.now() + 4_000).toUTCString(),
      'seconds since 1970': () => String(Math.floor(Date.now() / 1_000) + 4),
      'milliseconds since 1970': () => String(Date.now() + 4_000),
    }
    const waiting = []
    for (const [form, header] of Object.entries(forms)) {
      const reseller = await world.newReseller()
      const phone = newPhone()
      const fault = { kind: 'rate_limited', retryAfter: header() } as const
      const card = await orderWith(reseller, phone, fault, /waiting[\s\S]*request limit is reached/)
      expect(card.text, form).toMatch(/nothing was sent\. It goes on by itself at \d\d:\d\d/)
      expect(card.text, form).toContain('Nothing is charged before it is sent')
      waiting.push({ form, reseller, phone, card })
    }
    for (const { form, reseller, phone, card } of waiting) {
      await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/, 20_000)
      expect(debitsOf(world, reseller), form).toHaveLength(1)
      expect(
        postsFor(world, phone).map(({ status }) => status),
        form,
      ).toEqual([429, 201])
    }
  })

  test('the limit that is met while the price is read again is told and waited for too', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    await world.bot.restart()
    world.provider.addFault({ kind: 'rate_limited', path: '/bundles', retryAfter: '4' })
    reseller.chat.press('Confirm')
    await cardReads(
      world,
      reseller,
      card,
      /request limit is reached, nothing was sent\. It goes on by itself/,
    )
    await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/, 20_000)
    expect(postsFor(world, phone)).toHaveLength(1)
  })

  test.each([
    ['missing', null, 'in about 1 min'],
    ['junk', 'soon 5', 'in about 1 min'],
    ['half a minute in milliseconds', '30000', 'in 30 s'],
    ['a day', '86400', 'You are asked again at'],
  ])(
    'Retry-After that is %s: the wait is named, and what waits can be cancelled',
    async (_form, retryAfter, wait) => {
      const reseller = await world.newReseller()
      const phone = newPhone()
      const waiting = await orderWith(
        reseller,
        phone,
        { kind: 'rate_limited', retryAfter },
        /request limit is reached, nothing was sent/,
      )
      expect(waiting.text).toContain(wait)
      const next = await order(reseller, newPhone())
      await cardReads(world, reseller, next, /waiting[\s\S]*request limit is reached/)
      const toast = await toastOf(
        world,
        world.telegram.press({
          from: reseller.id,
          messageId: waiting.message_id,
          data: dataOf(waiting, 'Cancel'),
        }),
      )
      expect(toast).toBe('Cancelled. Nothing was charged.')
      await cardReads(world, reseller, waiting, /Cancelled before it was sent: nothing was charged/)
      expect(postsFor(world, phone)).toHaveLength(1)
    },
  )
})

describe('credentials that the provider refuses', () => {
  test('at placing: the order is rejected, the way back is named, and a new /connect resumes', async () => {
    const reseller = await world.newReseller()
    const { chat, account } = reseller
    const open = await place(world, reseller, newPhone())
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    world.provider.setAccount(account.id, { disabled: true })
    chat.press('Confirm')
    const refused = await cardReads(world, reseller, card, /rejected/)
    expect(refused.text).toContain('The provider refuses your API key. Nothing was charged. /connect')
    const notice = await chat.waitForText(/The provider refuses your API key now/)
    expect(notice.text).toContain('/connect')
    expect(notice.text).toContain('dashboard')

    const asked = world.provider.requests().length
    world.provider.setStatus(open.reference, 'delivered')
    await chat.waitForText(/delivered \(reported\)/)
    expect(world.provider.requests()).toHaveLength(asked)

    world.provider.setAccount(account.id, { disabled: false })
    chat.say('/connect')
    await chat.waitForText('To replace the credentials')
    chat.say(`${account.apiKey} ${account.apiSecret}`)
    await chat.waitForText('✅ Connected.')
    await world.until(
      () =>
        world.provider
          .requests()
          .some(({ path, status }) => path === `/order/status/${open.reference}` && status === 200),
      'the open order to be followed again',
    )
    await chat.waitForText(new RegExp(`delivered\\n(?!.*reported)[\\s\\S]*${open.reference}`))
    expect(chat.texts().filter((text) => text.includes('refuses your API key now'))).toHaveLength(1)
    expect(debitsOf(world, reseller)).toHaveLength(1)
  })

  test('at reading: it is said once, and nothing more is asked', async () => {
    const reseller = await world.newReseller()
    const { chat, account } = reseller
    const open = await place(world, reseller, newPhone())
    world.provider.setAccount(account.id, { disabled: true })
    chat.press('Refresh')
    await chat.waitForText(
      'Could not read the status: the provider refuses your API key. Nothing was charged',
    )
    await chat.waitForText('refuses your API key now')
    const asked = world.provider.requests().length
    world.provider.setStatus(open.reference, 'failed')
    await chat.waitForText(/failed \(reported\)/)
    expect(world.provider.requests()).toHaveLength(asked)
    expect(chat.texts().filter((text) => text.includes('refuses your API key now'))).toHaveLength(1)
  })
})

describe('an answer that tells nothing', () => {
  /** Each with how many debits it leaves behind. */
  const silences: [string, Fault, number][] = [
    ['an error before anything was done', { kind: 'error_before' }, 0],
    ['an error after it was done', { kind: 'error_after' }, 1],
    ['the page of a proxy', { kind: 'error_before', status: 502, body: '<html>Bad gateway</html>' }, 0],
    ['broken JSON', { kind: 'bad_json' }, 1],
    ['a placed order without its reference', { kind: 'no_reference' }, 1],
    ['a redirect', { kind: 'redirect' }, 0],
    ['a connection that is reset', { kind: 'reset_before' }, 0],
    ['a connection that is reset after the debit', { kind: 'answer_lost' }, 1],
    ['a refusal that is not in the API’s words', { kind: 'bad_json', status: 400, body: 'no' }, 1],
    ['403', { kind: 'refuse', status: 403 }, 0],
  ]

  test('leaves the order unconfirmed, which is said, and it is never sent again', async () => {
    world.provider.addFault({ kind: 'callback_never', times: null })
    const unknown = []
    for (const [what, fault, debits] of silences) {
      const reseller = await world.newReseller()
      const phone = newPhone()
      const card = await orderWith(reseller, phone, fault, /unconfirmed/)
      expect(card.text, what).toContain('may have been charged')
      expect(card.text, what).toContain('Do not order again')
      const said = await reseller.chat.waitForText('unconfirmed', { after: card.message_id })
      expect(said.text, what).toContain(phone)
      unknown.push({ what, debits, reseller, phone })
    }
    await world.bot.restart()
    for (const { what, debits, reseller, phone } of unknown) {
      const { message_id: after } = reseller.chat.say('/balance')
      await reseller.chat.waitForText('Balance:', { after })
      expect(postsFor(world, phone), what).toHaveLength(1)
      expect(debitsOf(world, reseller), what).toHaveLength(debits)
    }
  })

  test('makes a second order for the number wait, which cannot be hurried', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    await orderWith(reseller, phone, { kind: 'error_before' }, /unconfirmed/)
    const second = await order(reseller, phone, '3GB')
    const waiting = await cardReads(world, reseller, second, /waiting[\s\S]*is unconfirmed/)
    expect(waiting.text).toContain('nobody knows yet whether it was charged')
    expect(waiting.reply_markup?.inline_keyboard.flat().map(({ text }) => text)).toEqual(['❌ Cancel'])
    expect(postsFor(world, phone)).toHaveLength(1)
  })

  test('a callback on the order’s own token proves it after all, which is said in a new message', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    world.provider.addFault({ kind: 'callback_late', delayMs: 300 })
    const card = await orderWith(reseller, phone, { kind: 'answer_lost' }, /unconfirmed/)
    const proof = await reseller.chat.waitForText('was placed after all', { after: card.message_id })
    const [placed] = ordersFor(world, phone)
    expect(proof.text).toContain('GHS 9.60 was charged once')
    expect(proof.text).toContain(placed?.reference)
    await cardReads(world, reseller, card, /GHS 9\.60 · processing[\s\S]*BUD-API-/)
    expect(postsFor(world, phone)).toHaveLength(1)
    world.provider.setStatus(placed?.reference ?? '', 'delivered')
    await reseller.chat.waitForText(/: delivered/)
  })

  test('a callback that comes before the lost answer proves it too', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    world.provider.addFault({ kind: 'callback_early' })
    world.provider.addFault({ kind: 'answer_lost' })
    reseller.chat.press('Confirm')
    await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
    await reseller.chat.waitForText('was placed after all')
    expect(postsFor(world, phone)).toHaveLength(1)
    expect(debitsOf(world, reseller)).toHaveLength(1)
  })

  test('a callback before the answer that does come changes nothing', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    world.provider.addFault({ kind: 'callback_early' })
    reseller.chat.press('Confirm')
    await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
    world.provider.setStatus(ordersFor(world, phone)[0]?.reference ?? '', 'delivered')
    await reseller.chat.waitForText(/: delivered/)
    expect(reseller.chat.texts().join()).not.toContain('after all')
    expect(debitsOf(world, reseller)).toHaveLength(1)
  })
})

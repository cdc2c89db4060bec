import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Fault } from '../../../src/sandbox/index.ts'
import { nowConnected } from '../../../src/telegram/cards/words/account-key.ts'
import { createWorld, type Reseller, type World } from '../../support/world.ts'
import { askFor, cardReads, dataOf, debitsOf, newPhone, order, place, postsFor, toastOf } from '../shop.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterEach(() => world.provider.clearFaults())
afterAll(() => world?.close())

/** Orders with this fault of the provider. @returns the card when it matches. */
const orderWith = async (reseller: Reseller, phone: string, fault: Fault, text: RegExp) => {
  const card = await askFor(reseller, phone)
  world.provider.addFault(fault)
  reseller.chat.press('Confirm')
  return cardReads(world, reseller, card, text)
}

describe('a refusal by the provider', () => {
  test('with 402 is shown with the balance and the missing amount', async () => {
    const reseller = await world.newReseller(5_000)
    world.provider.setAccount(reseller.account.id, { balancePesewas: 700 })
    const phone = newPhone()
    const card = await order(reseller, phone)
    const refused = await cardReads(world, reseller, card, /2\.60 short/)
    expect(refused.text).toContain('rejected')
    expect(refused.text).toContain('Your wallet has GHS 7.00, which is GHS 2.60 short. Nothing was charged.')
    expect(refused.text).toContain('Top up within 24 hours, and I’ll offer this order again.')
    expect(refused.text).not.toContain('The provider says')
    expect(debitsOf(world, reseller)).toEqual([])
    expect(postsFor(world, phone)).toHaveLength(1)
  })

  test('with 402 and an unknown type is still explained by the balance', async () => {
    const reseller = await world.newReseller()
    const fault = {
      kind: 'refuse',
      status: 402,
      type: 'LOW_FUNDS',
      message: 'You are <b>broke</b> & done.',
    } as const
    const refused = await orderWith(reseller, newPhone(), fault, /rejected/)
    expect(refused.text).toContain('Your wallet doesn’t have enough')
    expect(refused.text).toContain('The provider says: “You are <b>broke</b> & done.”')
  })

  test.each([
    [400, 'VALIDATION_ERROR', 'The provider refused this order. Nothing was charged. Check the number'],
    [404, 'NOT_FOUND', 'no longer sells this bundle. Nothing was charged. See /bundles'],
    [422, 'UNPROCESSABLE', 'The provider refused this order. Nothing was charged'],
  ])(
    'with %i leads to a message that says that nothing was charged and what to do',
    async (status, type, words) => {
      const reseller = await world.newReseller()
      const phone = newPhone()
      const fault = { kind: 'refuse', status, type, message: 'Not like this.' } as const
      const refused = await orderWith(reseller, phone, fault, /rejected/)
      expect(refused.text).toContain(words)
      expect(refused.text).toContain('The provider says: “Not like this.”')
      expect(debitsOf(world, reseller)).toEqual([])
      expect(postsFor(world, phone)).toHaveLength(1)
    },
  )
})

describe('the provider’s request limit', () => {
  test('is shown and waited for, even if it is reached while the price is read again', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    await world.bot.restart()
    world.provider.addFault({ kind: 'rate_limited', path: '/bundles', retryAfter: '4' })
    reseller.chat.press('Confirm')
    await cardReads(world, reseller, card, /reached the provider’s request limit\. I’ll send this/)
    await cardReads(world, reseller, card, /processing[\s\S]*BUD-API-/)
    expect(postsFor(world, phone)).toHaveLength(1)
  })

  test('makes all orders of the account wait, and a waiting order can be cancelled', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const waiting = await orderWith(
      reseller,
      phone,
      { kind: 'rate_limited', retryAfter: '30000' },
      /reached the provider’s request limit[\s\S]*Not charged yet/,
    )
    expect(waiting.text).toContain('in 30 s')
    const next = await order(reseller, newPhone())
    await cardReads(world, reseller, next, /waiting[\s\S]*reached the provider’s request limit/)
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
  })
})

describe('credentials that the provider refuses', () => {
  test('reject the order with a hint to /connect, and all works after connecting again', async () => {
    const reseller = await world.newReseller()
    const { chat, account } = reseller
    const open = await place(world, reseller, newPhone())
    const phone = newPhone()
    const card = await askFor(reseller, phone)
    world.provider.setAccount(account.id, { disabled: true })
    chat.press('Confirm')
    const refused = await cardReads(world, reseller, card, /rejected/)
    expect(refused.text).toContain('Nothing was charged')
    await cardReads(
      world,
      reseller,
      card,
      /The provider isn’t accepting your API key\. Nothing was charged\. \/connect with the current key/,
    )
    const notice = await chat.waitForText(/The provider no longer accepts your API key/)
    expect(notice.text).toContain('/connect')
    expect(notice.text).toContain('dashboard')

    const asked = world.provider.requests().length
    world.provider.setStatus(open.reference, 'delivered')
    await chat.waitForText(/delivered \(reported\)/)
    expect(world.provider.requests()).toHaveLength(asked)

    world.provider.setAccount(account.id, { disabled: false })
    chat.say('/connect')
    await chat.waitForText('Change your key and secret')
    chat.say(`${account.apiKey} ${account.apiSecret}`)
    await chat.waitForText(nowConnected)
    await world.until(
      () =>
        world.provider
          .requests()
          .some(({ path, status }) => path === `/order/status/${open.reference}` && status === 200),
      'the open order to be followed again',
    )
    await chat.waitForText(new RegExp(`delivered\\n(?!.*reported)[\\s\\S]*${open.reference}`))
    const closed = await chat.waitForText(/^✅ Over after .*the provider accepts your API key again/)
    expect(closed.message_id).toBe(notice.message_id)
    expect(chat.texts().filter((text) => text.includes('no longer accepts your API key'))).toEqual([])
    expect(debitsOf(world, reseller)).toHaveLength(1)
  })

  test('are reported once if a read is refused, and not used again', async () => {
    const reseller = await world.newReseller()
    const { chat, account } = reseller
    const open = await place(world, reseller, newPhone())
    world.provider.setAccount(account.id, { disabled: true })
    chat.press('Refresh')
    await chat.waitForText(
      /^I couldn’t check: the provider isn’t accepting your API key\. \/connect with the current key\.\nThis order was charged\. Status: processing\.$/,
    )
    await chat.waitForText('no longer accepts your API key')
    const asked = world.provider.requests().length
    world.provider.setStatus(open.reference, 'failed')
    await chat.waitForText(/failed \(reported\)/)
    expect(world.provider.requests()).toHaveLength(asked)
    expect(chat.texts().filter((text) => text.includes('no longer accepts your API key'))).toHaveLength(1)
  })
})

describe('an order of unknown outcome', () => {
  test('delays a second order for its number, which can only be cancelled', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    await orderWith(reseller, phone, { kind: 'error_before' }, /unconfirmed/)
    const second = await order(reseller, phone, '3GB')
    const waiting = await cardReads(world, reseller, second, /waiting[\s\S]*is unconfirmed/)
    expect(waiting.text).toContain('This one goes out when that’s cleared up')
    expect(waiting.reply_markup?.inline_keyboard.flat().map(({ text }) => text)).toEqual(['❌ Cancel'])
    expect(postsFor(world, phone)).toHaveLength(1)
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { networks } from '../../src/provider/network.ts'
import type { Phone } from '../../src/provider/phone.ts'
import { newId } from '../../src/store/id.ts'
import { type Button, decodeButton, encodeButton } from '../../src/telegram/button.ts'
import type { ListAct } from '../../src/telegram/list-button.ts'

const id = fc.stringMatching(/^[\w-]{22}$/)
const phone = fc.stringMatching(/^0\d{9}$/).map((digits) => digits as Phone)
const bundleId = fc.maxSafeNat()
const page = fc.nat(999_999)
const network = fc.constantFrom(...networks)

const digest = fc.stringMatching(/^[\w-]{8}$/)
const simpleAct = fc.constantFrom('fix', 'csv', 'look', 'go_on', 'stop', 'retry', 'again')
const act: fc.Arbitrary<ListAct> = fc.oneof(
  fc.record({ act: fc.constant('confirm' as const), digest }),
  fc.record({ act: fc.constant('page' as const), page }),
  fc.record({ act: fc.constant('answer' as const), question: digest, choice: page }),
  fc.record({ act: fc.constant('unanswer' as const), question: digest }),
  fc.record({ act: fc.constant('repeats' as const), order: fc.boolean() }),
  fc.record({ act: fc.constant('fits' as const), fits: fc.boolean() }),
  fc.record({ act: fc.constant('retry_one' as const), position: page }),
  fc.record({ act: fc.constant('repeat' as const), nonce: page }),
  simpleAct.map((name) => ({ act: name }) as ListAct),
)

type Fields<Do extends Button['do']> = Omit<Extract<Button, { do: Do }>, 'do'>

/** Every button there is, with any values that it may carry. */
const fields: { [Do in Button['do']]: fc.Arbitrary<Fields<Do>> } = {
  home: fc.record({}),
  leave: fc.record({}),
  connect: fc.record({}),
  disconnect: fc.record({
    accountId: id,
    when: fc.constantFrom('confirmed' as const, 'done' as const, 'now' as const, 'never' as const),
  }),
  switch: fc.record({ sure: fc.boolean(), untilMs: fc.nat(10 ** 15 - 1) }),
  networks: fc.record({}),
  bundles: fc.record({ network, page }),
  bundle: fc.record({ bundleId, phone: fc.option(phone) }),
  keep: fc.record({ bundleId, phone }),
  networks_for: fc.record({ phone }),
  bundles_for: fc.record({ network, phone, page }),
  confirm: fc.record({ purchaseId: id }),
  cancel: fc.record({ purchaseId: id }),
  judge: fc.record({ orderId: id, charged: fc.boolean() }),
  send_anyway: fc.record({ orderId: id }),
  refresh: fc.record({ orderId: id }),
  open: fc.record({ orderId: id }),
  again: fc.record({ orderId: id, nonce: page }),
  share: fc.record({ orderId: id }),
  report: fc.record({ orderId: id }),
  follow: fc.record({ orderId: id }),
  unfollow: fc.record({ orderId: id }),
  look: fc.record({ orderId: id }),
  orders: fc.record({ page }),
  balance: fc.record({}),
  transactions: fc.record({ page }),
  prices: fc.record({ network: fc.option(network) }),
  bulk: fc.record({}),
  bulk_bundles: fc.record({ network, page }),
  bulk_bundle: fc.record({ bundleId }),
  list: fc.record({ purchaseId: id, act }),
  help: fc.record({}),
  admin: fc.record({}),
  invite: fc.record({}),
}
const buttons = Object.entries(fields) as [Button['do'], fc.Arbitrary<object>][]

test.each(buttons)('%s reads back as it was written, within Telegram’s 64 bytes', (action, rest) => {
  fc.assert(
    fc.property(rest, (values) => {
      const button = { do: action, ...values } as Button
      const data = encodeButton(button)
      expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64)
      expect(decodeButton(data)).toEqual(button)
    }),
  )
})

describe('forged data', () => {
  const action = fc.constantFrom(...buttons.map(([name]) => name), '__proto__', 'constructor', '')
  const word = fc.oneof(
    fc.string({ unit: 'binary' }),
    id,
    phone,
    page.map(String),
    fc.constantFrom('', '007', '-1', '1e3', '2'),
  )
  const near = fc
    .tuple(action, fc.array(word, { maxLength: 4 }))
    .map(([name, words]) => [name, ...words].join(':'))

  test('is read as nothing, or as the one button that writes just this', () => {
    fc.assert(
      fc.property(fc.oneof(near, fc.string({ unit: 'binary' })), (data) => {
        const button = decodeButton(data)
        if (button !== null) expect(encodeButton(button)).toBe(data)
      }),
      { numRuns: 5000 },
    )
  })

  test.each([
    '',
    'home:',
    'home:1',
    'disconnect',
    'disconnect:1',
    `disconnect:later:${newId()}`,
    'switch:2:5',
    'switch:1:-5',
    'bundle:007',
    'bundle:5:',
    'bundle:5:123',
    'bundle:9007199254740993',
    `confirm:${newId()}:x`,
    'confirm:short',
    'orders:-1',
    'orders:1234567',
    'prices:',
    `bundles:${'x'.repeat(60)}:0`,
  ])('%s is nothing', (data) => {
    expect(decodeButton(data)).toBeNull()
  })
})

test('a button that does not fit is refused when it is made, not when it is sent', () => {
  expect(() => encodeButton({ do: 'bundles', network: 'x'.repeat(60), page: 0 })).toThrow(RangeError)
})

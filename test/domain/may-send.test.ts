import { describe, expect, test } from 'vitest'
import {
  type Learned,
  nothingLearned,
  type OfferReading,
  type OrderFacts,
  queuedCost,
  sendDecision,
} from '../../src/domain/may-send.ts'
import type { Order } from '../../src/domain/order/order.ts'
import { staleConfirmationMs } from '../../src/domain/order/placement.ts'
import { pesewas } from '../../src/provider/money.ts'

const at = new Date('2026-11-21T10:32:00Z')
const bundle = {
  id: 5,
  network: 'MTN',
  volume: '5GB',
  offerSlug: null,
  status: null,
  pricePesewas: pesewas(2350),
}
const order = {
  id: '1',
  bundleId: 5,
  network: 'MTN',
  volume: '5GB',
  unitPricePesewas: pesewas(2350),
  quantity: 2,
  listed: true,
  placement: 'queued',
  recipients: [{ phone: '0241234567' }, { phone: '0241234568' }],
} as unknown as Order
const single = { ...order, listed: false }
const other = { ...order, id: '2' }

const ready: OrderFacts = {
  order,
  left: null,
  confirmedAt: at,
  credentials: 'accepted',
  isNetworkDown: false,
  blockers: new Map(),
  isItsTurn: true,
  queuedPesewas: pesewas(4700),
}
const prices = { bundles: [bundle], readAt: at }
const offer: OfferReading = { kind: 'read', prices, balancePesewas: pesewas(4700) }
const heard = (offer: OfferReading): Learned => ({ ...nothingLearned, offer })

/** Each of these keeps an order from being sent. They are in the order in which the rule checks them. */
const denials: [string, Partial<OrderFacts>, Partial<Learned>, object][] = [
  ['it is no longer queued', { order: null }, {}, { kind: 'leave' }],
  ['its agent has left', { left: 'agent_left' }, {}, { kind: 'stop', reason: 'agent_left' }],
  [
    'it was confirmed too long ago',
    { confirmedAt: new Date(at.getTime() - staleConfirmationMs - 1) },
    {},
    { kind: 'ask_again', remark: 'waited_long', prices: null },
  ],
  ['the credentials are refused', { credentials: 'refused' }, {}, { kind: 'verify' }],
  [
    'the credentials are suspected',
    { credentials: 'suspected' },
    {},
    { kind: 'wait', reason: 'verifying', until: new Date(at.getTime() + 2_000) },
  ],
  [
    'its network is down',
    { isNetworkDown: true },
    {},
    { kind: 'wait', reason: 'network_down', until: new Date(at.getTime() + 10_000) },
  ],
  [
    'all its numbers have open orders',
    { blockers: new Map(order.recipients.map(({ phone }) => [phone, other])) },
    {},
    { kind: 'wait_for', blocker: other, until: new Date(at.getTime() + 30_000) },
  ],
  ['an earlier order of its list goes first', { isItsTurn: false }, {}, { kind: 'leave' }],
  ['its price has not been read again', {}, { offer: null }, { kind: 'read_offer' }],
]

describe('a queued order', () => {
  test('is sent if nothing prevents it', () => {
    expect(sendDecision(ready, heard(offer), at)).toEqual({ kind: 'send' })
  })

  test.each(denials)('is not sent if %s', (_, facts, learned, decision) => {
    expect(sendDecision({ ...ready, ...facts }, { ...heard(offer), ...learned }, at)).toEqual(decision)
  })

  test.each(denials.slice(1).map(([name], index) => [name, index] as const))(
    'is held back for the more important of two reasons if the other one is that %s',
    (_, index) => {
      const [, first, ask, decision] = denials[index] ?? []
      const [, second] = denials[index + 1] ?? []
      expect(sendDecision({ ...ready, ...second, ...first }, { ...heard(offer), ...ask }, at)).toEqual(
        decision,
      )
    },
  )

  test('needs another Confirm if the provider refuses the credentials when they are checked', () => {
    const decision = sendDecision(
      { ...ready, credentials: 'refused' },
      { ...heard(offer), wasVerified: true },
      at,
    )
    expect(decision).toEqual({ kind: 'ask_again', remark: 'unauthorized', prices: null })
  })

  test('is sent without the numbers that have an open order elsewhere', () => {
    const blockers = new Map([['0241234568', other]])
    expect(sendDecision({ ...ready, blockers }, nothingLearned, at)).toMatchObject({
      kind: 'take_out',
      blockers,
    })
  })

  const dearer = { bundles: [{ ...bundle, pricePesewas: pesewas(2400) }], readAt: at }
  test.each<[string, Order, OfferReading, object]>([
    [
      'the price has changed',
      single,
      { ...offer, prices: dearer },
      { kind: 'ask_again', remark: 'price_changed', prices: dearer },
    ],
    [
      'the bundle of a list is gone',
      order,
      { ...offer, prices: { bundles: [], readAt: at } },
      { kind: 'ask_again', remark: 'price_changed' },
    ],
    [
      'its bundle is gone',
      single,
      { ...offer, prices: { bundles: [], readAt: at } },
      { kind: 'stop', reason: 'bundle_gone' },
    ],
    [
      'the balance is too small',
      order,
      { ...offer, balancePesewas: pesewas(4699) },
      { kind: 'ask_again', remark: 'balance_changed', prices: null },
    ],
    [
      'the request limit is reached',
      order,
      { kind: 'rate_limited', waitMs: 7 },
      { kind: 'wait', reason: 'rate_limited', until: new Date(at.getTime() + 7) },
    ],
    [
      'the price cannot be read',
      order,
      { kind: 'unreadable', remark: 'prices_unreadable' },
      { kind: 'ask_again', remark: 'prices_unreadable' },
    ],
    [
      'the account has no credentials',
      order,
      { kind: 'no_wallet' },
      { kind: 'stop', reason: 'disconnected' },
    ],
  ])('is not sent if the provider’s answer shows that %s', (_, queued, offer, decision) => {
    expect(sendDecision({ ...ready, order: queued }, heard(offer), at)).toMatchObject(decision)
  })

  test('is sent although the balance is not known', () => {
    expect(sendDecision(ready, heard({ ...offer, balancePesewas: null }), at)).toEqual({ kind: 'send' })
  })
})

test('the balance has to cover the orders that are still queued, not those that were sent', () => {
  const sent = { ...order, placement: 'placed' as const }
  expect(queuedCost([order, sent, single])).toBe(2 * 4700)
})

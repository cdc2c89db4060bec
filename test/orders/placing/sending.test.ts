import { expect, test } from 'vitest'
import { createLog } from '../../../src/base/log.ts'
import { leaseReserveMs, sendLeaseMs } from '../../../src/domain/order/placement.ts'
import type { PlacerOptions } from '../../../src/orders/placing/placer-options.ts'
import { post } from '../../../src/orders/placing/sending.ts'
import type { Phone, Provider } from '../../../src/provider/index.ts'
import { newStore } from '../../support/database.ts'
import { addAccount, addOrder } from '../placed-orders.ts'

const now = new Date('2026-11-21T10:32:00Z')
const usableMs = sendLeaseMs - leaseReserveMs

/** Each row says whether the first byte may be sent after so much time by the wall clock and the monotonic clock. */
test.each<[boolean, string, { wallMs: number; monotonicMs: number; isWorker?: boolean }]>([
  [true, 'before the reserve of its lease', { wallMs: usableMs, monotonicMs: usableMs }],
  [false, 'within the reserve of its lease', { wallMs: usableMs + 1, monotonicMs: usableMs + 1 }],
  [
    false,
    'within the reserve by the monotonic clock, after the wall clock was set back',
    { wallMs: -3_600_000, monotonicMs: usableMs + 1 },
  ],
  [
    false,
    'within the reserve by the wall clock, as after a suspension',
    { wallMs: usableMs + 1, monotonicMs: 0 },
  ],
  [false, 'when another process is the worker', { wallMs: 0, monotonicMs: 0, isWorker: false }],
])('it is %s that an order may be sent %s', async (may, _, { wallMs, monotonicMs, isWorker = true }) => {
  const store = await newStore()
  await addAccount(store, 'a', now)
  const order = await addOrder(store, { id: '1', accountId: 'a', now })
  const claimedAtMs = 5_000
  const lease = {
    token: 't',
    endsAtMs: now.getTime() + sendLeaseMs,
    endsMonotonicMs: claimedAtMs + sendLeaseMs,
  }
  const options = {
    now: () => new Date(now.getTime() + wallMs),
    monotonicMs: () => claimedAtMs + monotonicMs,
    mayWork: () => isWorker,
    callbackUrl: () => null,
  } as unknown as PlacerOptions
  const asked: (boolean | undefined)[] = []
  const provider = {
    placeOrder: async (...[, call]: Parameters<Provider['placeOrder']>) => {
      asked.push(call?.mayStart?.())
      return { kind: 'unsent' }
    },
  } as unknown as Provider
  await post(options, provider, order, lease, new AbortController().signal)
  expect(asked).toEqual([may])
})

test.each([
  ['another number', '0249999999', ['BUD-API-AB12CD-1']],
  ['the number ordered', '0241234567', []],
  ['no number', null, []],
])(
  'the answer to an order is accepted if it names %s, and operators are told of a wrong number',
  async (_, phone, told) => {
    const store = await newStore()
    await addAccount(store, 'a', now)
    const order = await addOrder(store, { id: '1', accountId: 'a', now })
    const lease = { token: 't', endsAtMs: now.getTime() + sendLeaseMs, endsMonotonicMs: sendLeaseMs }
    const seen: string[] = []
    const options = {
      now: () => now,
      monotonicMs: () => 0,
      mayWork: () => true,
      callbackUrl: () => null,
      onOtherPhone: (reference) => seen.push(reference),
      log: createLog('silent', []),
    } as Pick<PlacerOptions, 'onOtherPhone'> as PlacerOptions
    const placed = {
      reference: 'BUD-API-AB12CD-1',
      status: 'processing',
      placedAt: now,
      phone,
      pricePesewas: 100,
    }
    const provider = {
      placeOrder: async () => ({ kind: 'placed', order: placed }),
    } as unknown as Provider
    const outcome = await post(options, provider, order, lease, new AbortController().signal)
    expect(outcome).toMatchObject({
      kind: 'placed',
      order: { reference: placed.reference, chargedPesewas: 100 },
    })
    expect(seen).toEqual(told)
  },
)

test.each([
  ['another number', ['0241234567', '0249999999'], ['BUD-BULK-AB12CD-1']],
  ['the numbers ordered', ['0241234567', '0241234568'], []],
  ['one of the numbers ordered', ['0241234568'], []],
  ['no numbers', [], []],
])(
  'the answer to a bulk order is accepted if it names %s, and operators are told of a wrong number',
  async (_, phones, told) => {
    const store = await newStore()
    await addAccount(store, 'a', now)
    const [first] = (await addOrder(store, { id: '1', accountId: 'a', now })).recipients
    if (!first) throw new Error('The order has no recipient.')
    const recipients = ['0241234567', '0241234568'].map((each) => ({ ...first, phone: each as Phone }))
    const order = {
      ...(await addOrder(store, { id: '2', accountId: 'a', now })),
      kind: 'bulk' as const,
      recipients,
    }
    const seen: string[] = []
    const options = {
      now: () => now,
      monotonicMs: () => 0,
      mayWork: () => true,
      callbackUrl: () => null,
      onOtherPhone: (reference) => seen.push(reference),
      log: createLog('silent', []),
    } as Pick<PlacerOptions, 'onOtherPhone'> as PlacerOptions
    const placed = {
      reference: 'BUD-BULK-AB12CD-1',
      status: 'processing',
      placedAt: now,
      totalQuantity: 2,
      phones,
    }
    const provider = {
      placeBulkOrder: async () => ({ kind: 'placed', order: placed }),
    } as unknown as Provider
    const lease = { token: 't', endsAtMs: now.getTime() + sendLeaseMs, endsMonotonicMs: sendLeaseMs }
    const outcome = await post(options, provider, order, lease, new AbortController().signal)
    expect(outcome).toMatchObject({ kind: 'placed', order: { acceptedQuantity: 2 } })
    expect(seen).toEqual(told)
  },
)

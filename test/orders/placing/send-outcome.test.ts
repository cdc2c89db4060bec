import { expect, test } from 'vitest'
import { createLog } from '../../../src/base/log.ts'
import type { PlacementStep } from '../../../src/domain/order/placement.ts'
import type { PlacerOptions } from '../../../src/orders/placing/placer-options.ts'
import { commitAnswer } from '../../../src/orders/placing/send-outcome.ts'
import { pesewas } from '../../../src/provider/money.ts'
import { newStore } from '../../support/database.ts'
import { addAccount, addOrder, announced, orderOf } from '../placed-orders.ts'

const now = new Date('2026-11-21T10:32:00Z')
const lease = { token: 't', endsAtMs: 0, endsMonotonicMs: 0 }
const sending = ['sending', { leaseToken: lease.token, leaseUntil: now, sentAt: now }] as const
const interrupted = ['unconfirmed', { leaseToken: null, leaseUntil: null }] as const

const placed: PlacementStep = {
  to: 'placed',
  reference: 'BUD-API-1',
  status: 'processing',
  chargedPesewas: pesewas(2350),
  balancePesewas: null,
  acceptedQuantity: null,
  placedAt: now,
}

const goesOn = new AbortController().signal

test('the answer to an order is kept until the database can store it, however long that takes', async () => {
  const store = await newStore()
  await addAccount(store, 'a', now)
  const order = await addOrder(store, { id: '1', accountId: 'a', now }, [sending, interrupted])
  let refusals = 40
  const refusing = {
    ...store,
    transaction: (async (...asked) => {
      if (refusals-- > 0) throw new Error('database or disk is full')
      return store.transaction(...asked)
    }) as typeof store.transaction,
  }
  const log = createLog('silent', [])
  const waits: number[] = []
  const sleep = async (ms: number) => void waits.push(ms)
  const told = { onNotice: () => {}, onPlaced: () => {} }
  const options = { store: refusing, log, sleep, now: () => now, ...told } as unknown as PlacerOptions
  await commitAnswer(options, order, lease, placed, goesOn)
  expect(await orderOf(store, '1')).toMatchObject({ placement: 'placed', reference: placed.reference })
  expect(waits).toHaveLength(40)
  expect(Math.max(...waits)).toBeLessThanOrEqual(2_000)
})

test.each([
  ['within the lease', [sending], '1 placement'],
  ['after the lease ended', [sending, interrupted], '1 proof'],
] as const)(
  'an order’s answer that comes %s is reported once if the account was erased during the send',
  async (_when, arrows, told) => {
    const store = await newStore()
    await addAccount(store, 'a', now)
    const order = await addOrder(store, { id: '1', accountId: 'a', now }, arrows)
    await store.accounts.erase('a')
    const log = createLog('silent', [])
    const options = { store, log, now: () => now, onNotice: () => {}, onPlaced: () => {} }
    await commitAnswer(options as unknown as PlacerOptions, order, lease, placed, goesOn)
    expect(await orderOf(store, '1')).toMatchObject({ placement: 'placed', nextPollAt: null })
    expect(await announced(store)).toEqual([told])
  },
)

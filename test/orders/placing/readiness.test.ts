import { describe, expect, test } from 'vitest'
import { createLog } from '../../../src/base/log.ts'
import { createPrices } from '../../../src/orders/buying/prices.ts'
import { markNetwork } from '../../../src/orders/permission/switches.ts'
import type { PlacerOptions } from '../../../src/orders/placing/placer-options.ts'
import { makeReady } from '../../../src/orders/placing/readiness.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { Store } from '../../../src/store/store.ts'
import { type Purpose, roomsFor, windows } from '../../../src/wallets/budget.ts'
import { overBudget, type Wallets } from '../../../src/wallets/wallets.ts'
import { newStore } from '../../support/database.ts'
import { addAccount, addOrder, orderOf } from '../placed-orders.ts'

const start = new Date('2026-11-21T10:32:00Z')
const nothing = () => {}

/** A queued order for a bundle whose price the provider may raise. The account's price list was just read. */
const stage = async () => {
  const store = await newStore()
  await addAccount(store, 'a', start)
  const { bundleId, network, volume, unitPricePesewas } = await addOrder(store, {
    id: '1',
    accountId: 'a',
    now: start,
  })
  const at = { now: start, price: unitPricePesewas }
  const bundle = { id: bundleId, network, volume, offerSlug: null, status: null }
  /** Answers as long as the budget has room. */
  const ask = async (accountId: string, purpose: Purpose) => {
    const rooms = roomsFor(purpose, at.now)
    const since = rooms.map((room) => room.since)
    const made = await store.requests.countsSince(accountId, since)
    if (rooms.some(({ most }, index) => (made[index] ?? 0) >= most)) throw overBudget(1)
    return {
      bundles: [{ ...bundle, pricePesewas: at.price }],
      meta: { serverDate: null, receivedAt: at.now },
    }
  }
  const wallets = { ask, clientFor: () => ({}) } as unknown as Wallets
  const prices = createPrices(wallets, () => at.now.getTime())
  const told = { onNotice: nothing, onPlaced: nothing, onEnded: nothing, onOtherPhone: nothing }
  const options: PlacerOptions = {
    store,
    wallets,
    prices,
    mayWork: () => true,
    callbackUrl: () => null,
    monotonicMs: () => 0,
    newId: () => 'n'.repeat(22),
    now: () => at.now,
    log: createLog('silent', []),
    ...told,
  }
  await prices.list('a', 'person')
  const { signal } = new AbortController()
  /** Sends the order, then queues it again as after a request limit. @returns whether it was sent. */
  const isSent = async () => {
    const isReady =
      (await makeReady(options, { order: await orderOf(store, '1'), isClear: false }, signal)) !== null
    if (isReady) await store.orders.go({ id: '1' }, 'queued', {}, at.now)
    return isReady
  }
  const later = (ms: number) => {
    at.now = new Date(start.getTime() + ms)
  }
  return { store, at, options, isSent, later, unitPricePesewas }
}

/** Counts this many requests of the account in the last minute. */
const use = async ({ requests }: Store, count: number): Promise<void> => {
  for (let made = 0; made < count; made += 1) await requests.countIfRoom('a', start, [])
}

const [{ limit: perMinute }] = windows as [(typeof windows)[number]]

describe('the price that is checked before an order is sent', () => {
  test('is read again after five seconds, and a higher one needs another Confirm', async () => {
    const { store, at, isSent, later, unitPricePesewas } = await stage()
    at.price = pesewas(unitPricePesewas + 50)
    later(4_999)
    expect(await isSent()).toBe(true)
    later(5_000)
    expect(await isSent()).toBe(false)
    expect((await orderOf(store, '1')).placement).toBe('superseded')
    const draft = await store.purchases.byId('n'.repeat(22))
    expect(draft).toMatchObject({ state: 'draft', remark: 'price_changed' })
    expect(draft?.lines).toMatchObject([
      { pricePesewas: unitPricePesewas + 50, confirmedPesewas: unitPricePesewas, pricedAt: at.now },
    ])
  })

  test('may be a minute old as soon as half of the minute’s requests are used', async () => {
    const { store, at, isSent, later, unitPricePesewas } = await stage()
    await use(store, perMinute / 2)
    at.price = pesewas(unitPricePesewas + 50)
    later(59_999)
    expect(await isSent()).toBe(true)
    later(60_000)
    expect(await isSent()).toBe(false)
  })

  test('is read again after five seconds while less than half of the minute’s requests are used', async () => {
    const { store, at, isSent, later, unitPricePesewas } = await stage()
    await use(store, perMinute / 2 - 1)
    at.price = pesewas(unitPricePesewas + 50)
    later(5_000)
    expect(await isSent()).toBe(false)
  })
})

test('an order whose network is down is sent as soon as the network is up, and lets its list’s next order go first', async () => {
  const { store, options, isSent } = await stage()
  const next = await addOrder(store, { id: '2', accountId: 'a', now: start })
  await store.orders.patch(next.id, { afterId: '1' }, start)
  await markNetwork(store, 'MTN', true, start)
  const due = async () => (await store.orders.dueToSend(options.now(), 10)).map(({ id }) => id)
  expect(await due()).toEqual(['1'])
  expect(await isSent()).toBe(false)
  expect(await due()).toEqual(['2'])
  expect(await orderOf(store, '1')).toMatchObject({ placement: 'queued', reason: 'network_down' })
  await markNetwork(store, 'Telecel', true, start)
  await markNetwork(store, 'Telecel', false, start)
  expect(await due()).toEqual(['2'])
  await markNetwork(store, 'MTN', false, start)
  expect(await due()).toEqual(['1', '2'])
})

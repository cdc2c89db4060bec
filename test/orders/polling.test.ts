import { expect, test } from 'vitest'
import type { Wallets } from '../../src/accounts/wallets.ts'
import { createLog } from '../../src/log.ts'
import { createTracker } from '../../src/orders/tracker.ts'
import { type Provider, ProviderError } from '../../src/provider/index.ts'
import type { Store } from '../../src/store/store.ts'
import { newStore } from '../support/database.ts'
import { addAccount, addOrder, announced, orderOf } from './placed-orders.ts'

const now = new Date('2026-11-21T10:32:00Z')
const day = 86_400_000
const before = (ms: number): Date => new Date(now.getTime() - ms)

/** A store of accounts with one placed order each, due to be asked for in that order. */
const withPlaced = async (names: string[], placedAt = before(60_000)): Promise<Store> => {
  const store = await newStore()
  for (const [index, name] of names.entries()) {
    await addAccount(store, name, now)
    const placed = { reference: name, status: 'processing', statusAt: placedAt, placedAt }
    const nextPollAt = before(names.length - index)
    const arrows = [
      ['sending', {}],
      ['placed', { ...placed, nextPollAt }],
    ] as const
    await addOrder(store, { id: name, accountId: name, now }, arrows)
  }
  return store
}

/** The tracker before a provider that answers so. */
const trackerOf = (store: Store, status: (reference: string) => string) => {
  const provider = {
    orderStatus: async (reference: string) => ({ reference, status: status(reference), deliveredAt: null }),
  } as unknown as Provider
  const wallets = { ask: (_account, _purpose, question) => question(provider) } as Wallets
  const nothing = () => {}
  const told = { onNotice: nothing, onEnded: nothing, onPlaced: nothing, onPollDue: nothing }
  return createTracker({ store, wallets, now: () => now, log: createLog('silent', []), ...told })
}

test('an order that cannot be asked for holds up nobody else, and is left alone for a while', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `a${index}`)
  const store = await withPlaced(names)
  const asked: string[] = []
  const tracker = trackerOf(store, (reference) => {
    asked.push(reference)
    if (reference === 'a0') throw new Error('nobody planned for this')
    return 'delivered'
  })
  await tracker.poll()
  await tracker.poll()
  const statuses = await Promise.all(names.map(async (name) => (await orderOf(store, name)).status))
  expect(statuses).toEqual(['processing', ...Array(19).fill('delivered')])
  expect(asked.filter((reference) => reference === 'a0')).toHaveLength(1)
})

test('an order that the provider does not answer for ends as stale, a day after the last regular look', async () => {
  const refuse = () => {
    throw new ProviderError('not_found', 'The provider knows no such order.')
  }
  const soon = await withPlaced(['a'], before(7.5 * day))
  await trackerOf(soon, refuse).poll()
  expect((await orderOf(soon, 'a')).nextPollAt).not.toBeNull()
  const late = await withPlaced(['a'], before(8 * day))
  await trackerOf(late, refuse).poll()
  expect(await orderOf(late, 'a')).toMatchObject({ nextPollAt: null, reason: 'stale' })
  expect(await announced(late)).toEqual(['a stale'])
})

test('where an account has no room for polls, all its orders wait for it together, and others are asked for', async () => {
  const store = await withPlaced(['full', 'free'])
  const second = [
    ['sending', {}],
    ['placed', { reference: 'second', placedAt: now, nextPollAt: before(9) }],
  ] as const
  await addOrder(store, { id: 'second', accountId: 'full', now }, second)
  await trackerOf(store, (reference) => {
    if (reference === 'free') return 'delivered'
    throw new ProviderError('rate_limited', 'The limit is reached.', { retryAfterMs: 20_000 })
  }).poll()
  const room = new Date(now.getTime() + 20_000)
  for (const id of ['full', 'second']) expect((await orderOf(store, id)).nextPollAt).toEqual(room)
  expect((await orderOf(store, 'free')).status).toBe('delivered')
})

import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { newId } from '../../src/database/id.ts'
import type { Placement } from '../../src/domain/order/placement.ts'
import { briefId } from '../../src/orders/buying/earlier-order.ts'
import { createPurchases, type Person, type Purchases } from '../../src/orders/buying/purchases.ts'
import { pesewas } from '../../src/provider/money.ts'
import type { Phone } from '../../src/provider/phone.ts'
import { createStore, type Store } from '../../src/store/store.ts'
import { newDatabaseUrl } from '../support/database.ts'
import { addAccount } from './placed-orders.ts'

const start = new Date('2026-11-21T10:00:00Z')
const owner: Person = { userId: 1, chatId: 1, accountId: 'a', role: 'owner' }
const line = {
  bundleId: 5,
  network: 'MTN',
  volume: '5GB',
  offerSlug: null,
  pricePesewas: pesewas(2350),
  phone: '0241234567' as Phone,
}

/** Two processes on one database. The owner allows repeats of up to GHS 23.50 without asking. */
const twoProcesses = async (): Promise<{ store: Store; both: Purchases[]; at: { now: Date } }> => {
  const url = await newDatabaseUrl()
  const databases = [await openDatabase(url), await openDatabase(url)]
  for (const { close } of databases) onTestFinished(close)
  const at = { now: start }
  const stores = databases.map((database) => createStore(database))
  const [store] = stores
  if (!store) throw new Error('There is no store.')
  await addAccount(store, 'a', start)
  await store.accounts.attach({ userId: 1, chatId: 1, accountId: 'a', role: 'owner' }, start)
  await store.preferences.change(1, { freeRepeatPesewas: pesewas(2350) })
  const both = stores.map((each) =>
    createPurchases({ store: each, now: () => at.now, newId, onQueued: () => {}, onNotice: () => {} }),
  )
  return { store, both, at }
}

/** Takes all orders through these placements. Orders that are sent get this send time. */
const come = async (store: Store, sentAt: Date, ...arrows: Placement[]): Promise<void> => {
  const orders = [...(await store.orders.queuedOfAccount('a')), ...(await store.orders.underWatch('a'))]
  for (const { id } of orders) for (const to of arrows) await store.orders.go({ id }, to, { sentAt }, sentAt)
}

const minutes = (count: number): number => count * 60_000

test('of several simultaneous repeats for a number in two processes, only one is confirmed without another press', async () => {
  const { store, both } = await twoProcesses()
  const purchases = await Promise.all(
    Array.from({ length: 10 }, (_, press) => both[press % 2]?.repeat(owner, `again:${press}:0`, line)),
  )
  const states = purchases.map((purchase) => purchase?.state).toSorted()
  expect(states).toEqual(['confirmed', ...Array.from({ length: 9 }, () => 'draft')])
  expect(await store.orders.queuedOfAccount('a')).toHaveLength(1)
})

test('one Repeat button pressed several times at the same moment in two processes makes one purchase', async () => {
  const { store, both } = await twoProcesses()
  const purchases = await Promise.all(
    Array.from({ length: 10 }, (_, press) => both[press % 2]?.repeat(owner, 'again:o:0', line)),
  )
  expect(new Set(purchases.map((purchase) => purchase?.id)).size).toBe(1)
  expect(purchases.map((purchase) => purchase?.state)).toEqual(Array.from({ length: 10 }, () => 'confirmed'))
  expect(await store.orders.queuedOfAccount('a')).toHaveLength(1)
})

test('a repeat is confirmed without another press ten minutes after the last order for the number and bundle', async () => {
  const { store, both, at } = await twoProcesses()
  const [purchases] = both
  const repeat = async (cause: string, change: Partial<typeof line> = {}) =>
    (await purchases?.repeat(owner, cause, { ...line, ...change }))?.state
  expect(await repeat('one')).toBe('confirmed')
  expect(await repeat('other number', { phone: '0241234568' as Phone })).toBe('confirmed')
  expect(await repeat('other bundle', { bundleId: 6 })).toBe('confirmed')
  await come(store, start, 'sending', 'placed')
  at.now = new Date(start.getTime() + minutes(10))
  expect(await repeat('too soon')).toBe('draft')
  at.now = new Date(start.getTime() + minutes(10) + 1)
  expect(await repeat('late enough')).toBe('confirmed')
})

test('a repeat needs another press if the last order waits, is recent or has an unknown outcome', async () => {
  const { store, both, at } = await twoProcesses()
  const [purchases] = both
  const repeat = async (cause: string, minute: number) => {
    at.now = new Date(start.getTime() + minutes(minute))
    return (await purchases?.repeat(owner, cause, line))?.state
  }
  expect(await repeat('one', 0)).toBe('confirmed')
  expect(await repeat('while it waits', 11)).toBe('draft')
  const sentAt = new Date(start.getTime() + minutes(12))
  await come(store, sentAt, 'sending', 'unconfirmed')
  expect(await repeat('while it is unconfirmed', 60)).toBe('draft')
  await come(store, sentAt, 'placed')
  expect(await repeat('nine minutes after it was sent', 21)).toBe('draft')
  expect(await repeat('when it is known', 61)).toBe('confirmed')
})

const denials: [string, (store: Store) => Promise<unknown>][] = [
  ['no amount is set for repeats', (store) => store.preferences.change(1, { freeRepeatPesewas: null })],
  [
    'the repeat costs more than the set amount',
    (store) => store.preferences.change(1, { freeRepeatPesewas: pesewas(2349) }),
  ],
  [
    'the wallet is known to hold less than the price',
    (store) =>
      store.accounts.rememberBalance(
        'a',
        { balancePesewas: pesewas(2349), balanceAt: start, accountType: null },
        null,
      ),
  ],
  ['the key is refused', (store) => store.accounts.suspect('a', start)],
  ['the account is being removed', (store) => store.accounts.closeBy('a', start)],
  ['a restored copy of the database has not been audited yet', (store) => store.copies.auditSince(start)],
  ['the person is no longer a member', (store) => store.accounts.detach(1)],
]

describe.each(denials)('if %s,', (_, hinder) => {
  test('a repeat needs another press', async () => {
    const { store, both } = await twoProcesses()
    await hinder(store)
    expect((await both[0]?.repeat(owner, 'again', line))?.state).toBe('draft')
    expect(await store.orders.queuedOfAccount('a')).toEqual([])
  })
})

/** Makes a draft for each cause, as messages or presses do. @returns their ids. */
const cards = async (purchases: Purchases | undefined, ...causes: string[]) => {
  const drafts = []
  for (const cause of causes) drafts.push(await purchases?.draft(owner, cause, [line]))
  return drafts.map((draft) => draft?.id ?? '')
}

const press = (after: string | null = null) => ({ cardMessageId: null, after })

describe('a second order of a bundle for the same number', () => {
  test('needs another press if two owners confirm at the same time in two processes', async () => {
    const { store, both } = await twoProcesses()
    // The two owners have different chats.
    await store.accounts.attach({ userId: 2, chatId: 2, accountId: 'a', role: 'owner' }, start)
    const partner: Person = { ...owner, userId: 2, chatId: 2 }
    const [own] = await cards(both[0], 'own')
    const theirs = await both[1]?.draft(partner, 'theirs', [line])
    const outcomes = await Promise.all([
      both[0]?.confirm(own ?? '', owner, press()),
      both[1]?.confirm(theirs?.id ?? '', partner, press()),
    ])
    expect(outcomes.map((outcome) => outcome?.kind).toSorted()).toEqual(['confirmed', 'repeated'])
    expect(await store.orders.queuedOfAccount('a')).toHaveLength(1)
  })

  test('gets a new card, which replaces only the same chat’s older card for that number and bundle', async () => {
    const { store, both } = await twoProcesses()
    const [older] = await cards(both[0], 'older')
    const other = await both[0]?.draft(owner, 'other', [{ ...line, bundleId: 6 }])
    const [newer] = await cards(both[0], 'newer')
    expect(await store.purchases.byId(older ?? '')).toMatchObject({ state: 'superseded', successorId: newer })
    expect((await store.purchases.byId(other?.id ?? ''))?.state).toBe('draft')
    expect((await both[0]?.confirm(older ?? '', owner, press()))?.kind).toBe('already')
    expect((await both[0]?.confirm(newer ?? '', owner, press()))?.kind).toBe('confirmed')
  })

  test('is confirmed only by a card that names the newest order before it', async () => {
    const { store, both, at } = await twoProcesses()
    const [purchases] = both
    const confirm = async (cause: string, after: string | null) => {
      at.now = new Date(at.now.getTime() + 1)
      const [id] = await cards(purchases, cause)
      return purchases?.confirm(id ?? '', owner, press(after))
    }
    await confirm('first', null)
    const asked = await confirm('second', null)
    const after = asked?.kind === 'repeated' ? briefId(asked.earlier.order) : null
    expect((await confirm('third', after))?.kind).toBe('confirmed')
    expect((await confirm('fourth', after))?.kind).toBe('repeated')
    expect(await store.orders.queuedOfAccount('a')).toHaveLength(2)
  })

  test.each([
    { end: 'failed', minutes: 1, kind: 'confirmed' },
    { end: 'delivered', minutes: 9, kind: 'repeated' },
    { end: 'delivered', minutes: 11, kind: 'confirmed' },
    { end: 'processing', minutes: 300, kind: 'repeated' },
  ])(
    'is “$kind” when confirmed $minutes min after an order that is “$end”',
    async ({ end, kind, ...rest }) => {
      const { store, both, at } = await twoProcesses()
      const [purchases] = both
      const [first] = await cards(purchases, 'first')
      await purchases?.confirm(first ?? '', owner, press())
      await come(store, start, 'sending', 'placed')
      const [order] = await store.orders.ofPurchase(first ?? '')
      const nextPollAt = end === 'processing' ? start : null
      await store.orders.patch(order?.id ?? '', { status: end, nextPollAt }, start)
      at.now = new Date(start.getTime() + minutes(rest.minutes))
      const [second] = await cards(purchases, 'second')
      expect((await purchases?.confirm(second ?? '', owner, press()))?.kind).toBe(kind)
    },
  )
})

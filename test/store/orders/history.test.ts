import { expect, test } from 'vitest'
import { type Placement, placements } from '../../../src/domain/order/placement.ts'
import { countsOf } from '../../../src/domain/order/progress.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import { type HistoryQuery, historyStates } from '../../../src/store/orders/history.ts'
import type { NewOrder, OrderPatch } from '../../../src/store/orders/order-placing.ts'
import type { Store } from '../../../src/store/store.ts'
import { addAccount, addOrder } from '../../orders/placed-orders.ts'
import { newStore } from '../../support/database.ts'

const start = new Date('2026-11-16T00:00:00Z')
const minutesLater = (minutes: number): Date => new Date(start.getTime() + minutes * 60_000)

const all: HistoryQuery = {
  accountId: 'a',
  userId: null,
  state: 'all',
  since: null,
  until: null,
  network: null,
  search: null,
}

const idsOf = async (store: Store, query: Partial<HistoryQuery> = {}, skip = 0, take = 100) =>
  (await store.history.page({ ...all, ...query }, skip, take)).map(({ order }) => order.id)

const open = async (): Promise<Store> => {
  const store = await newStore()
  await addAccount(store, 'a', start)
  await addAccount(store, 'b', start)
  return store
}

/** Gives an order a placement and a status, whatever they were. */
const put = (
  store: Store,
  id: string,
  fields: { placement: Placement; status: string | null },
): Promise<void> => store.orders.patch(id, fields as OrderPatch, start)

test('each page of the order history begins where the previous one ended, even among orders of one moment', async () => {
  const store = await open()
  for (let index = 0; index < 10; index += 1) {
    await addOrder(store, { id: `o${index}`, accountId: 'a', now: minutesLater(Math.floor(index / 4)) })
  }
  const pages = [await idsOf(store, {}, 0, 4), await idsOf(store, {}, 4, 4), await idsOf(store, {}, 8, 4)]
  expect(pages.map(({ length }) => length)).toEqual([4, 4, 2])
  expect(pages.flat()).toEqual(await idsOf(store))
  expect(pages.flat().slice(0, 2).toSorted()).toEqual(['o8', 'o9'])
  expect(new Set(pages.flat()).size).toBe(10)
})

test('in the history each order has one state, one without a final status is open, and superseded ones are hidden', async () => {
  const store = await open()
  const statuses = ['processing', 'delivered', 'failed', 'cancelled', 'refunded', 'strange', null]
  for (const placement of placements) {
    await addOrder(store, { id: placement, accountId: 'a', now: start })
    await put(store, placement, { placement, status: null })
  }
  for (const status of statuses) {
    await addOrder(store, { id: `placed ${status}`, accountId: 'a', now: start })
    await put(store, `placed ${status}`, { placement: 'placed', status })
  }
  const found = Object.fromEntries(
    await Promise.all(
      historyStates.map(async (state) => [state, (await idsOf(store, { state })).toSorted()] as const),
    ),
  )
  expect(found).toEqual({
    all: expect.anything(),
    open: [
      'placed',
      'placed null',
      'placed processing',
      'placed strange',
      'queued',
      'review',
      'sending',
      'unconfirmed',
    ],
    delivered: ['placed delivered'],
    failed: ['not_placed', 'placed cancelled', 'placed failed', 'placed refunded', 'rejected'],
  })
  const placed = statuses.map((status) => `placed ${status}`)
  const listed = placements.filter((placement) => placement !== 'superseded')
  expect(found.all).toEqual([...listed, ...placed].toSorted())
})

test('the history of a day or a week begins with its first millisecond', async () => {
  const store = await open()
  await addOrder(store, { id: 'before', accountId: 'a', now: new Date(start.getTime() - 1) })
  await addOrder(store, { id: 'at', accountId: 'a', now: start })
  expect(await idsOf(store, { since: start })).toEqual(['at'])
})

test('the history shows nobody an order of another account, and no agent an order of another agent', async () => {
  const store = await open()
  await addOrder(store, { id: 'theirs', accountId: 'b', now: start }, [], '0241234567')
  await store.orders.patch('theirs', { reference: 'BUD-API-X-123456' }, start)
  const phone = '0241234567' as Phone
  expect(await idsOf(store)).toEqual([])
  expect(await idsOf(store, { search: { by: 'phone', phone } })).toEqual([])
  expect(await idsOf(store, { search: { by: 'reference', part: '123456' } })).toEqual([])
  expect(await idsOf(store, { accountId: 'b', search: { by: 'reference', part: '123456' } })).toEqual([
    'theirs',
  ])
  expect(await idsOf(store, { accountId: 'b', search: { by: 'phone', phone } })).toEqual(['theirs'])
  expect(await idsOf(store, { accountId: 'b', userId: 1 })).toEqual(['theirs'])
  expect(await idsOf(store, { accountId: 'b', userId: 2 })).toEqual([])
  expect(await idsOf(store, { accountId: 'b', userId: 2, search: { by: 'phone', phone } })).toEqual([])
})

test('a list is one entry of the history, with its numbers counted, and is found by any of its orders', async () => {
  const store = await open()
  const person = { accountId: 'a', userId: 1, chatId: 1 }
  const draft = {
    ...person,
    cause: 'list',
    kind: 'list' as const,
    lines: [],
    createdAt: start,
    expiresAt: start,
  }
  await store.purchases.insertDraft({ id: 'list', ...draft })
  const part = (id: string, position: number, network: string, phones: string[]): NewOrder => ({
    id,
    purchaseId: 'list',
    ...person,
    kind: phones.length > 1 ? 'bulk' : 'single',
    listed: true,
    position,
    bundleId: 5,
    network,
    volume: '5GB',
    offerSlug: null,
    unitPricePesewas: pesewas(1000),
    recipients: phones.map((phone, index) => ({ phone: phone as Phone, position: position + index })),
    createdAt: start,
  })
  let next = 0
  await store.orders.insertQueued(
    [
      part('one', 0, 'MTN', ['0241000001', '0241000002', '0241000003']),
      part('two', 3, 'Telecel', ['0201000001']),
    ],
    () => `r${++next}`,
  )
  await put(store, 'one', { placement: 'placed', status: 'processing' })
  await store.orders.patchRecipients('one', ['0241000002'], 'failed', start)
  const [entry] = await store.history.page(all, 0, 9)
  if (entry?.kind !== 'list') throw new Error('The list is no entry.')
  expect(countsOf(entry.parts)).toMatchObject({ total: 4, waiting: 1, underWay: 2, failed: { length: 1 } })
  for (const query of [
    { state: 'failed' },
    { state: 'open' },
    { network: 'Telecel' },
    { network: 'MTN', state: 'failed' },
    { search: { by: 'phone', phone: '0201000001' as Phone } },
  ] as const) {
    expect(await idsOf(store, query)).toEqual(['one'])
  }
  expect(await idsOf(store, { state: 'delivered' })).toEqual([])
  expect(await idsOf(store, { state: 'failed', network: 'Telecel' })).toEqual([])
})

test('an order’s history lists the status reports applied to it, but none for a reference that it gave up', async () => {
  const store = await open()
  await addOrder(store, { id: 'o', accountId: 'a', now: start })
  const told = (status: string, reference: string, minutes: number) =>
    store.statusReports.record({
      orderId: 'o',
      source: 'poll',
      reference,
      status,
      happenedAt: null,
      receivedAt: minutesLater(minutes),
    })
  await told('failed', 'BUD-API-OTHER-1', 1)
  await told('processing', 'BUD-API-OWN-2', 2)
  await told('delivered', 'BUD-API-OWN-2', 3)
  const words = async (most: number) =>
    (await store.history.statusReports({ id: 'o', kind: 'single', reference: 'BUD-API-OWN-2' }, most)).map(
      ({ status }) => status,
    )
  expect(await words(20)).toEqual(['processing', 'delivered'])
  expect(await words(1)).toEqual(['delivered'])
})

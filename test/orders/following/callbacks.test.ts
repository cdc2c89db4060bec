import { describe, expect, test } from 'vitest'
import { createLog } from '../../../src/base/log.ts'
import { createTracker } from '../../../src/orders/following/tracker.ts'
import type { Disposition } from '../../../src/store/orders/status-reports.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Wallets } from '../../../src/wallets/wallets.ts'
import { newStore } from '../../support/database.ts'
import { addAccount, addOrder, announced, orderOf } from '../placed-orders.ts'

const now = new Date('2026-11-21T10:32:00Z')
const names = Array.from({ length: 40 }, (_, index) => `o${index}`)

/** A store with placed orders in the status `processing`. Each order's reference is its id. */
const withPlaced = async (): Promise<Store> => {
  const store = await newStore()
  await addAccount(store, 'a', now)
  for (const [index, id] of names.entries()) {
    const placed = { reference: id, status: 'processing', statusAt: now, placedAt: now }
    const arrows = [
      ['sending', {}],
      ['placed', placed],
    ] as const
    const phone = `024${String(index).padStart(7, '0')}`
    await addOrder(store, { id, accountId: 'a', now }, arrows, phone)
  }
  return store
}

const callBack = (store: Store, ...reports: [orderId: string, status: string][]): Promise<number> =>
  store.statusReports.insert(
    reports.map(([orderId, status], index) => ({
      orderId,
      source: 'callback',
      digest: `${orderId} ${status} ${index}`,
      reference: orderId,
      status,
      phone: null,
      happenedAt: null,
      receivedAt: now,
      body: null,
    })),
  )

const trackerOf = (store: Store) => {
  const told: string[] = []
  const tell = (what: string) => () => void told.push(what)
  const tracker = createTracker({
    store,
    wallets: { count: async () => null } as unknown as Wallets,
    mayWork: () => true,
    now: () => now,
    log: createLog('silent', []),
    onNotice: tell('notice'),
    onPollDue: tell('poll due'),
    onEnded: tell('ended'),
    onPlaced: tell('placed'),
  })
  return { tracker, told }
}

const dispositionsOf = async (store: Store, id: string): Promise<Disposition[]> => {
  const dispositions: Disposition[] = ['applied', 'stale', 'foreign', 'unmatched']
  const found = await Promise.all(
    dispositions.map(async (each) => (await store.statusReports.ofOrder(id, each)).map(() => each)),
  )
  return found.flat()
}

test('a callback that cannot be applied delays no other callback, and is tried again', async () => {
  const store = await withPlaced()
  let broken = true
  const transaction: Store['transaction'] = (work, options) =>
    store.transaction((tx) => {
      const patch: typeof tx.orders.patch = (id, ...rest) =>
        broken && id === 'o7'
          ? Promise.reject(new Error('nobody planned for this'))
          : tx.orders.patch(id, ...rest)
      return work({ ...tx, orders: { ...tx.orders, patch } })
    }, options)
  const { tracker } = trackerOf({ ...store, transaction })
  await callBack(store, ...names.map((name): [string, string] => [name, 'delivered']))
  await tracker.applyCallbacks()
  const statuses = async () => Promise.all(names.map(async (name) => (await orderOf(store, name)).status))
  expect(await statuses()).toEqual(names.map((name) => (name === 'o7' ? 'processing' : 'delivered')))
  expect((await store.statusReports.unapplied(0, 100)).map(({ orderId }) => orderId)).toEqual(['o7'])

  broken = false
  await tracker.applyCallbacks()
  expect(await statuses()).toEqual(names.map(() => 'delivered'))
})

test('callbacks about one order that are applied together are applied in sequence', async () => {
  const store = await withPlaced()
  const { tracker } = trackerOf(store)
  await callBack(store, ['o1', 'delivered'], ['o2', 'delivered'], ['o1', 'processing'], ['o1', 'refunded'])
  await tracker.applyCallbacks()
  expect(await orderOf(store, 'o1')).toMatchObject({ status: 'refunded', statusReported: true })
  expect(await orderOf(store, 'o2')).toMatchObject({ status: 'delivered', statusReported: true })
  expect((await dispositionsOf(store, 'o1')).sort()).toEqual(['applied', 'applied', 'stale'])
})

test('a callback that changes nothing leaves its order unchanged and causes no work', async () => {
  const store = await withPlaced()
  const { tracker, told } = trackerOf(store)
  await callBack(store, ['o1', 'delivered'])
  await tracker.applyCallbacks()
  expect(told).toEqual(['notice', 'poll due', 'ended'])
  const before = await orderOf(store, 'o1')
  await callBack(store, ['o1', 'processing'], ['unknown', 'delivered'])
  await tracker.applyCallbacks()
  expect(told).toHaveLength(3)
  expect(await orderOf(store, 'o1')).toEqual(before)
  expect(await dispositionsOf(store, 'o1')).toEqual(['applied', 'stale'])
  expect(await dispositionsOf(store, 'unknown')).toEqual(['foreign'])
})

describe('a callback that another process has just applied', () => {
  /** A tracker that was suspended after it had read the callbacks. */
  const trackerOfLate = async (store: Store) => {
    const events = await store.statusReports.unapplied(0, 100)
    const unapplied: typeof store.statusReports.unapplied = async (after, limit) =>
      events.filter(({ id }) => id > after).slice(0, limit)
    return trackerOf({ ...store, statusReports: { ...store.statusReports, unapplied } })
  }

  test('changes nothing and causes no second notice, even if its status was corrected since', async () => {
    const store = await withPlaced()
    await callBack(store, ['o1', 'delivered'])
    const late = await trackerOfLate(store)
    await trackerOf(store).tracker.applyCallbacks()
    // In the meantime the provider's own record has withdrawn the status.
    const since = { status: 'processing', statusReported: false, announcedStatus: null, callbackAt: null }
    await store.orders.patch('o1', since, now)
    await store.notices.done((await store.notices.ofChat(1)).map(({ id }) => id))
    await late.tracker.applyCallbacks()
    expect(await orderOf(store, 'o1')).toMatchObject(since)
    expect(await dispositionsOf(store, 'o1')).toEqual(['applied'])
    expect(await announced(store)).toEqual([])
    expect(late.told).toEqual([])
  })

  test('delays no callback that was read together with it', async () => {
    const store = await withPlaced()
    await callBack(store, ['o1', 'delivered'])
    const other = trackerOf(store)
    await callBack(store, ['o2', 'delivered'])
    const late = await trackerOfLate(store)
    const [first] = await store.statusReports.unapplied(0, 1)
    await store.statusReports.setDisposition([first?.id ?? 0], 'applied', now)
    await late.tracker.applyCallbacks()
    expect(await orderOf(store, 'o1')).toMatchObject({ status: 'processing' })
    expect(await orderOf(store, 'o2')).toMatchObject({ status: 'delivered', statusReported: true })
    await other.tracker.applyCallbacks()
    expect(await announced(store)).toEqual(['o2 status'])
  })

  test('causes one notice if several processes apply the callback at the same time', async () => {
    const store = await withPlaced()
    await callBack(store, ...names.map((name): [string, string] => [name, 'delivered']))
    const all = await Promise.all([trackerOfLate(store), trackerOfLate(store), trackerOfLate(store)])
    await Promise.all(all.map(({ tracker }) => tracker.applyCallbacks()))
    expect((await announced(store)).toSorted()).toEqual(names.map((name) => `${name} status`).toSorted())
    for (const name of names) expect(await dispositionsOf(store, name)).toEqual(['applied'])
  })
})

describe('if callbacks report different final statuses for one number of a list', () => {
  const phone = '0241234567'
  const at = (second: number) => new Date(now.getTime() + second * 1_000)

  /** The status of the number after callbacks with these times, in order of arrival. */
  const standsAfter = async (
    arrived: [status: string, second: number | null][],
    isTogether = false,
  ): Promise<string | null | undefined> => {
    const store = await newStore()
    await addAccount(store, 'a', now)
    const placed = { reference: 'BUD-BULK-1', status: 'processing', statusAt: now, placedAt: now }
    const arrows = [
      ['sending', {}],
      ['placed', placed],
    ] as const
    await addOrder(store, { id: '1', accountId: 'a', now }, arrows, phone, '0241234568')
    const { tracker } = trackerOf(store)
    for (const [status, second] of arrived) {
      const about = { orderId: '1', source: 'callback' as const, reference: 'BUD-BULK-1', status, phone }
      const happenedAt = second === null ? null : at(second)
      await store.statusReports.insert([
        { ...about, digest: `${status} ${second}`, happenedAt, receivedAt: now, body: null },
      ])
      if (!isTogether) await tracker.applyCallbacks()
    }
    await tracker.applyCallbacks()
    const { recipients, nextPollAt } = await orderOf(store, '1')
    const { status, reported } = recipients[0] ?? {}
    expect(reported).toBe(true)
    // The provider is asked to confirm every status.
    expect(nextPollAt).not.toBeNull()
    return status
  }

  test.each([
    [
      'a refund is kept in spite of a later delivery',
      [
        ['refunded', 5],
        ['delivered', 9],
      ],
      'refunded',
    ],
    [
      'the later status is kept',
      [
        ['delivered', 5],
        ['failed', 9],
      ],
      'failed',
    ],
    [
      'the later status is kept although it arrived first',
      [
        ['failed', 9],
        ['delivered', 5],
      ],
      'failed',
    ],
    [
      'and then a third, the newest status is kept',
      [
        ['failed', 5],
        ['delivered', 7],
        ['failed', 9],
      ],
      'failed',
    ],
    [
      'the status that arrived first is kept if either has no time',
      [
        ['failed', null],
        ['delivered', 9],
      ],
      'failed',
    ],
    [
      'the status that arrived first is kept if both have the same time',
      [
        ['failed', 5],
        ['delivered', 5],
      ],
      'failed',
    ],
  ] as [string, [string, number | null][], string][])('%s', async (_what, arrived, stands) => {
    expect(await standsAfter(arrived)).toBe(stands)
    expect(await standsAfter(arrived, true)).toBe(stands)
  })
})

import { describe, expect, test } from 'vitest'
import { createLog } from '../../../src/base/log.ts'
import { createTracker } from '../../../src/orders/following/tracker.ts'
import { type Provider, ProviderError } from '../../../src/provider/index.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Wallets } from '../../../src/wallets/wallets.ts'
import { newStore } from '../../support/database.ts'
import { addAccount, addOrder, announced, orderOf } from '../placed-orders.ts'

const now = new Date('2026-11-21T10:32:00Z')
const day = 86_400_000
const ago = (ms: number): Date => new Date(now.getTime() - ms)

/** A store of accounts with one placed order each, whose polls are due in the given sequence. */
const withPlaced = async (
  names: string[],
  answeredAt = ago(60_000),
  placedAt = answeredAt,
): Promise<Store> => {
  const store = await newStore()
  for (const [index, name] of names.entries()) {
    await addAccount(store, name, now)
    const placed = { reference: name, status: 'processing', statusAt: answeredAt, placedAt, answeredAt }
    const nextPollAt = ago(names.length - index)
    const arrows = [
      ['sending', {}],
      ['placed', { ...placed, nextPollAt }],
    ] as const
    await addOrder(store, { id: name, accountId: name, now }, arrows)
  }
  return store
}

/** The tracker of a provider that gives these statuses. */
const trackerOf = (store: Store, status: (reference: string) => string) => {
  const provider = {
    orderStatus: async (reference: string) => ({ reference, status: status(reference), deliveredAt: null }),
  } as unknown as Provider
  return trackerWith(store, provider)
}

const trackerWith = (store: Store, provider: Provider, mayWork = () => true) => {
  const wallets = { ask: (_account, _purpose, question) => question(provider) } as Wallets
  const nothing = () => {}
  const told = { onNotice: nothing, onEnded: nothing, onPlaced: nothing, onPollDue: nothing }
  return createTracker({
    store,
    wallets,
    mayWork,
    now: () => now,
    log: createLog('silent', []),
    ...told,
  })
}

test('an order whose poll fails unexpectedly delays no other order, and is not polled again for a while', async () => {
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

test.each([-10, -2, 0, 2, 10])(
  'an order is polled 30 and 75 seconds after its answer, even with the provider’s clock %s min off',
  async (minutes) => {
    const placedAt = new Date(now.getTime() - 30_000 + minutes * 60_000)
    const store = await withPlaced(['a'], ago(30_000), placedAt)
    await trackerOf(store, () => 'processing').poll()
    expect((await orderOf(store, 'a')).nextPollAt).toEqual(new Date(now.getTime() + 45_000))
  },
)

test('an order that the provider does not find becomes stale a day after the last scheduled poll', async () => {
  const refuse = () => {
    throw new ProviderError('not_found', 'The provider knows no such order.')
  }
  const soon = await withPlaced(['a'], ago(7.5 * day))
  await trackerOf(soon, refuse).poll()
  expect((await orderOf(soon, 'a')).nextPollAt).not.toBeNull()
  const late = await withPlaced(['a'], ago(8 * day))
  await trackerOf(late, refuse).poll()
  expect(await orderOf(late, 'a')).toMatchObject({ nextPollAt: null, reason: 'stale' })
  expect(await announced(late)).toEqual(['a stale'])
})

test('a process whose poll fails after another one took over leaves the order due', async () => {
  const store = await withPlaced(['a'])
  const { nextPollAt } = await orderOf(store, 'a')
  let isWorker = true
  const orderStatus = async () => {
    isWorker = false
    throw new ProviderError('timeout', 'The provider did not answer.')
  }
  await trackerWith(store, { orderStatus } as unknown as Provider, () => isWorker).poll()
  expect((await orderOf(store, 'a')).nextPollAt).toEqual(nextPollAt)
})

describe('an order that two processes poll at the same time', () => {
  /** Polls with two trackers. The provider answers only after both have asked. */
  const pollTwice = async (store: Store, answer: () => object): Promise<void> => {
    const [both, bothHaveAsked] = [Promise.withResolvers<void>(), { count: 0 }]
    const orderStatus = async (reference: string) => {
      bothHaveAsked.count += 1
      if (bothHaveAsked.count === 2) both.resolve()
      await both.promise
      return { reference, deliveredAt: null, ...answer() }
    }
    const trackers = [1, 2].map(() => trackerWith(store, { orderStatus } as unknown as Provider))
    await Promise.all(trackers.map((each) => each.poll()))
  }

  test('causes one notice of its final status', async () => {
    const store = await withPlaced(['a'])
    await pollTwice(store, () => ({ status: 'delivered' }))
    expect(await orderOf(store, 'a')).toMatchObject({ status: 'delivered', nextPollAt: null })
    expect(await announced(store)).toEqual(['a status'])
    expect(await store.statusReports.ofOrder('a', 'applied')).toHaveLength(1)
  })

  test('causes one notice that its final status is unknown', async () => {
    const store = await withPlaced(['a'], ago(8 * day))
    await pollTwice(store, () => {
      throw new ProviderError('not_found', 'The provider knows no such order.')
    })
    expect(await orderOf(store, 'a')).toMatchObject({ reason: 'stale', nextPollAt: null })
    expect(await announced(store)).toEqual(['a stale'])
  })

  test('causes one notice that a callback’s reference proved it', async () => {
    const store = await newStore()
    await addAccount(store, 'a', now)
    const lost = [
      ['sending', { sentAt: ago(60_000), clockOffsetMs: 0 }],
      ['unconfirmed', { reason: 'timeout', nextPollAt: now }],
    ] as const
    await addOrder(store, { id: 'o', accountId: 'a', now }, lost)
    const named = { orderId: 'o', source: 'callback' as const, digest: 'd', reference: 'BUD-API-AB12CD-1' }
    const said = { status: 'delivered', phone: null, happenedAt: null, receivedAt: ago(1), body: null }
    await store.statusReports.insert([{ ...named, ...said }])
    const [event] = await store.statusReports.unapplied(0, 1)
    await store.statusReports.setDisposition([event?.id ?? 0], 'unmatched', now)
    const its = { network: 'MTN', volume: '5GB', phone: '0241234567', totalQuantity: null, recipients: null }
    const charged = { pricePesewas: 2350, totalPricePesewas: null, placedAt: now }
    await pollTwice(store, () => ({ ...its, ...charged, status: 'processing' }))
    expect(await orderOf(store, 'o')).toMatchObject({ placement: 'placed', inferred: false })
    expect(await announced(store)).toEqual(['o proof'])
  })
})

test('the polls of all orders of an account wait together if its budget is used up', async () => {
  const store = await withPlaced(['full', 'free'])
  const second = [
    ['sending', {}],
    ['placed', { reference: 'second', placedAt: now, nextPollAt: ago(9) }],
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

test.each([
  { ago: 29_999, told: '1 of 3', status: 'processing', nextPollAt: ago(-30_000) },
  { ago: 30_000, told: '1 of 3', status: 'delivered', nextPollAt: null },
  { ago: 0, told: '3 of 3', status: 'delivered', nextPollAt: null },
])(
  'a bulk order polled as delivered becomes $status if callbacks reported $told numbers, the last $ago ms ago',
  async (row) => {
    const store = await newStore()
    await addAccount(store, 'a', now)
    const numbers = ['0241234567', '0241234568', '0241234569'] as Phone[]
    const placedAt = ago(60_000)
    const placed = { reference: 'BUD-BULK-1', status: 'processing', statusAt: placedAt, placedAt }
    const arrows = [
      ['sending', {}],
      ['placed', { ...placed, nextPollAt: now }],
    ] as const
    await addOrder(store, { id: 'o', accountId: 'a', now }, arrows, ...numbers)
    const told = numbers.slice(0, Number(row.told[0]))
    await store.transaction((tx) => tx.orders.patchRecipients('o', told, 'delivered', ago(row.ago), true))
    await trackerOf(store, () => 'delivered').poll()
    expect(await orderOf(store, 'o')).toMatchObject({ status: row.status, nextPollAt: row.nextPollAt })
  },
)

test('of two references that callbacks named for an order, the one that the provider knows proves the order', async () => {
  const store = await newStore()
  await addAccount(store, 'a', now)
  const sentAt = ago(60_000)
  const lost = [
    ['sending', { sentAt }],
    ['unconfirmed', { reason: 'timeout', nextPollAt: now }],
  ] as const
  await addOrder(store, { id: 'o', accountId: 'a', now }, lost)
  for (const reference of ['BUD-API-OWN', 'BUD-API-LIE']) {
    const named = { orderId: 'o', source: 'callback', reference, status: 'processing' } as const
    await store.statusReports.record({ ...named, happenedAt: null, receivedAt: now }, 'unmatched')
  }
  const record = {
    network: 'MTN',
    volume: '5GB',
    placedAt: sentAt,
    totalPricePesewas: null,
    pricePesewas: null,
  }
  const provider = {
    orderStatus: async (reference: string) => {
      if (reference === 'BUD-API-LIE')
        throw new ProviderError('not_found', 'The provider knows no such order.')
      return {
        ...record,
        reference,
        status: 'processing',
        phone: null,
        totalQuantity: null,
        recipients: null,
      }
    },
  } as unknown as Provider
  await trackerWith(store, provider).poll()
  expect(await orderOf(store, 'o')).toMatchObject({ placement: 'placed', reference: 'BUD-API-OWN' })
})

test('a callback that arrives while a poll finds no reference to look up leaves the poll due', async () => {
  const store = await newStore()
  await addAccount(store, 'a', now)
  await addOrder(store, { id: 'o', accountId: 'a', now }, [
    ['sending', { sentAt: ago(60_000) }],
    ['unconfirmed', { reason: 'timeout', nextPollAt: now }],
  ])
  const arrive = async () => {
    const report = {
      orderId: 'o',
      source: 'callback',
      reference: 'BUD-API-OWN',
      status: 'processing',
    } as const
    await store.statusReports.record({ ...report, happenedAt: null, receivedAt: now }, 'unmatched')
  }
  const ofOrder: Store['statusReports']['ofOrder'] = async (...query) => {
    const before = await store.statusReports.ofOrder(...query)
    await arrive()
    return before
  }
  const late = { ...store, statusReports: { ...store.statusReports, ofOrder } }
  await trackerOf(late, () => 'processing').poll()
  expect((await orderOf(store, 'o')).nextPollAt).toEqual(now)
})

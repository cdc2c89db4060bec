import { describe, expect, test } from 'vitest'
import { createLog } from '../../../src/base/log.ts'
import { nextReconciling, restAfterRead } from '../../../src/domain/times/reconciling-schedule.ts'
import { readPhone } from '../../../src/lists/read-phone.ts'
import { applyStatus } from '../../../src/orders/following/status-change.ts'
import { createReconciler } from '../../../src/orders/reconciling/reconciler.ts'
import { learnRefunds } from '../../../src/orders/reconciling/refunds.ts'
import {
  type Balance,
  type OrderStatus,
  type Provider,
  ProviderError,
  type Transaction,
  type TransactionPage,
} from '../../../src/provider/index.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Purpose } from '../../../src/wallets/budget.ts'
import type { Wallets } from '../../../src/wallets/wallets.ts'
import { newStore } from '../../support/database.ts'
import { addAccount, addOrder, announced, orderOf } from '../placed-orders.ts'

const now = new Date('2026-11-21T10:32:00Z')
const minute = 60_000
const hour = 60 * minute
const ago = (ms: number): Date => new Date(now.getTime() - ms)

const debit = (number: number, createdAt: Date, phone = '0240000000'): Transaction => ({
  id: number,
  type: 'debit',
  amountPesewas: pesewas(2350),
  description: `MTN 5GB ${phone}`,
  reference: `BUD-API-AB12CD-${number}`,
  balanceAfterPesewas: null,
  createdAt,
})

/** Entries about other numbers: one a minute for a day, newest first. */
const busyWallet = Array.from({ length: 1_440 }, (_, index) => debit(index, ago(index * minute)))

const newestFirst = (entries: Transaction[]): Transaction[] =>
  entries.toSorted((a, b) => Number(b.createdAt) - Number(a.createdAt))

interface Scene {
  store: Store
  /** The wallet's entries, newest first, or a promise of them, which may be rejected. */
  entries: (accountId: string) => Transaction[] | Promise<Transaction[]>
  unreadable?: number
  /** References that the look-up does not know. */
  unknown?: string[]
  /** The time of the provider's clock. */
  providersTime?: Date
  onMore?: () => void
}

/** The reconciler of wallets that have these entries. */
const reconcilerOf = ({
  store,
  entries,
  unreadable = 0,
  unknown = [],
  providersTime = now,
  ...shared
}: Scene) => {
  const metaNow = { httpStatus: 200, sentAt: now, receivedAt: now, serverDate: now }
  const asked: { accountId: string; purpose: Purpose; what: string }[] = []
  /** How many more pages may be read before the budget is used up. */
  const rules = { room: Number.POSITIVE_INFINITY }
  const providerOf = (accountId: string, purpose: Purpose): Provider => {
    const transactions = async ({ page = 1 } = {}): Promise<Partial<TransactionPage>> => {
      if (rules.room <= 0) throw new ProviderError('rate_limited', 'No room.', { retryAfterMs: 1_000 })
      rules.room -= 1
      asked.push({ accountId, purpose, what: `page ${page}` })
      const all = await entries(accountId)
      const pagination = {
        currentPage: page,
        perPage: 100,
        total: all.length,
        lastPage: Math.ceil(all.length / 100),
      }
      return { transactions: all.slice((page - 1) * 100, page * 100), unreadable, pagination, meta: metaNow }
    }
    const orderStatus = async (reference: string): Promise<Partial<OrderStatus>> => {
      asked.push({ accountId, purpose, what: reference })
      if (unknown.includes(reference)) throw new ProviderError('not_found', 'There is no such order.')
      const entry = (await entries(accountId)).find((each) => each.reference === reference)
      const phone = readPhone(entry?.description?.split(' ').at(-1) ?? '')?.phone ?? null
      const placedAt = entry?.createdAt ?? null
      return { reference, network: 'MTN', volume: '5GB', phone, placedAt, status: 'processing' }
    }
    const balance = async (): Promise<Partial<Balance>> => ({ timestamp: providersTime, meta: metaNow })
    return { transactions, orderStatus, balance } as unknown as Provider
  }
  const wallets = {
    ask: (accountId, purpose, question) => question(providerOf(accountId, purpose)),
  } as Wallets
  const nothing = () => {}
  const { onMore = nothing } = shared
  const told = { onNotice: nothing, onEnded: nothing, onPlaced: nothing, onMore }
  const log = createLog('silent', [])
  // Never resolves, so a round ends only when its reads do, even on a slow machine.
  const sleep = () => new Promise<void>(() => {})
  return {
    reconciler: createReconciler({
      store,
      wallets,
      mayWork: () => true,
      now: () => now,
      sleep,
      log,
      ...told,
    }),
    asked,
    rules,
  }
}

const unconfirmed = (sentAt: Date, reconcileAt = now) =>
  [
    ['sending', { sentAt, clockOffsetMs: 0 }],
    ['unconfirmed', { reconcileAt }],
  ] as const
const watched = (sentAt: Date, reconcileAt: Date) =>
  [...unconfirmed(sentAt), ['not_placed', { reason: 'no_debit', reconcileAt }]] as const

const pages = (asked: { what: string }[]) => asked.filter(({ what }) => what.startsWith('page')).length

const withAccounts = async (...ids: string[]): Promise<Store> => {
  const store = await newStore()
  for (const id of ids) await addAccount(store, id, now)
  return store
}

test('an unreadable wallet leaves an order unconfirmed, and after ten minutes the card says why', async () => {
  const store = await withAccounts('a')
  await addOrder(store, { id: '1', accountId: 'a', now: ago(12 * minute) }, unconfirmed(ago(12 * minute)))
  await reconcilerOf({ store, entries: () => [], unreadable: 1 }).reconciler.round()
  const { placement, reason, reconcileAt } = await orderOf(store, '1')
  expect([placement, reason]).toEqual(['unconfirmed', 'history_unreadable'])
  expect(reconcileAt?.getTime()).toBeGreaterThan(now.getTime())
  expect((await store.notices.ofChat(1)).map(({ content }) => content.subject)).toEqual(['purchase:p1'])
})

describe('in a wallet with very many entries', () => {
  const old = '0241111111'
  const withOld = async () => {
    const store = await withAccounts('a')
    const later = new Date(now.getTime() + hour / 2)
    const order = { id: 'old', accountId: 'a', now: ago(10 * hour) }
    await addOrder(store, order, watched(ago(10 * hour), later), old)
    await addOrder(store, { id: 'new', accountId: 'a', now }, unconfirmed(ago(minute)))
    return { store, later }
  }

  test('pages are read only as far as the due orders, and an older order waits for its time', async () => {
    const { store, later } = await withOld()
    const { reconciler, asked } = reconcilerOf({ store, entries: () => busyWallet })
    await reconciler.round()
    expect(pages(asked)).toBe(1)
    expect((await orderOf(store, 'old')).reconcileAt).toEqual(later)

    await store.orders.patch('old', { reconcileAt: now }, now)
    await reconciler.round()
    expect(pages(asked)).toBe(1 + 7)
    expect((await orderOf(store, 'old')).placement).toBe('not_placed')
  })

  test('an older order is reconciled immediately if a debit appears that may be its own', async () => {
    const { store } = await withOld()
    const late = debit(5_000, ago(minute / 2), old)
    const { reconciler, asked } = reconcilerOf({ store, entries: () => newestFirst([late, ...busyWallet]) })
    await reconciler.round()
    expect(await orderOf(store, 'old')).toMatchObject({ placement: 'not_placed', reconcileAt: now })
    await reconciler.round()
    expect(await orderOf(store, 'old')).toMatchObject({ placement: 'placed', reference: late.reference })
    expect(pages(asked)).toBe(1 + 7)
  })

  test('a debit that may be an older order’s is assigned only after that order is reconciled', async () => {
    const { store } = await withOld()
    const twin = { id: 'twin', accountId: 'a', now: ago(12 * minute) }
    await addOrder(store, twin, unconfirmed(ago(12 * minute)), old)
    const between = debit(5_000, ago(9 * hour), old)
    const late = debit(5_001, ago(minute / 2), old)
    const entries = newestFirst([late, ...busyWallet, between])
    const { reconciler } = reconcilerOf({ store, entries: () => entries })
    await reconciler.round()
    expect((await orderOf(store, 'twin')).placement).toBe('unconfirmed')
    await store.orders.patch('twin', { reconcileAt: now }, now)
    await reconciler.round()
    expect((await orderOf(store, 'twin')).reference).toBe(late.reference)
    expect((await orderOf(store, 'old')).reference).toBe(between.reference)
  })
})

describe('a wallet with 6,000 entries', () => {
  const own = '0241234567'
  /** Entries about other numbers: one a minute, oldest first. */
  const older = Array.from({ length: 5_999 }, (_, index) => debit(index + 1, ago((6_060 - index) * minute)))
  /** Entries whose times show no sorting: every other one is a day older. */
  const mixed = older.map((entry, index) =>
    index % 2 === 0 ? entry : { ...entry, createdAt: new Date(Number(entry.createdAt) - 24 * hour) },
  )
  const withOrder = async (sentAt: Date) => {
    const store = await withAccounts('a')
    await addOrder(store, { id: '1', accountId: 'a', now: sentAt }, unconfirmed(sentAt))
    return store
  }

  test('listed from old to new is read at its last page for a new debit', async () => {
    const store = await withOrder(ago(minute))
    const entries = [...older, debit(7_000, ago(minute), own)]
    const { reconciler, asked } = reconcilerOf({ store, entries: () => entries })
    await reconciler.round()
    expect(asked.flatMap(({ what }) => (what.startsWith('page') ? what : []))).toEqual(['page 1', 'page 60'])
    expect((await orderOf(store, '1')).placement).toBe('placed')
  })

  test('whose first 200 have the same time is read far enough to find a new debit', async () => {
    const store = await withOrder(ago(11 * minute))
    const moved = older.slice(0, 200).map((entry) => ({ ...entry, createdAt: ago(6_060 * minute) }))
    const entries = [...moved, debit(7_000, ago(11 * minute), own)]
    await reconcilerOf({ store, entries: () => entries }).reconciler.round()
    expect((await orderOf(store, '1')).placement).toBe('placed')
  })

  test('in no order is read in parts, as the budget allows, to the end', async () => {
    const store = await withOrder(ago(11 * minute))
    const { reconciler, asked, rules } = reconcilerOf({ store, entries: () => mixed })
    for (const room of [25, 25, 25]) {
      rules.room = room
      await reconciler.round()
      await store.orders.patch('1', { reconcileAt: now }, now)
    }
    const read = asked.flatMap(({ what }) => (what.startsWith('page') ? what : []))
    expect(new Set(read).size).toBe(60)
    expect(read).toHaveLength(60)
    expect((await orderOf(store, '1')).placement).toBe('not_placed')
  })

  test('is read for five pages with the priority of reconciling, and then with the lowest', async () => {
    const store = await withOrder(ago(11 * minute))
    const { reconciler, asked } = reconcilerOf({ store, entries: () => mixed })
    await reconciler.round()
    const purposes = asked.flatMap(({ what, purpose }) => (what.startsWith('page') ? purpose : []))
    expect(purposes.slice(0, 6)).toEqual([...Array(5).fill('reconciling'), 'reading'])
    expect(new Set(purposes.slice(5))).toEqual(new Set(['reading']))
  })

  test('in no order is read less often the more requests it takes, until ten minutes after the send', async () => {
    const [sent, page] = [ago(minute), 10_000]
    const next = new Date(now.getTime() + 45_000)
    const rest = (requests: number, at: Date) =>
      restAfterRead(requests, sent, at, next).getTime() - at.getTime()
    expect(rest(2, now)).toBe(45_000)
    expect(rest(20, now)).toBe(20 * page)
    expect(rest(60, now)).toBe(9 * minute)
    expect(rest(60, new Date(sent.getTime() + 10 * minute))).toBe(60 * page)
  })
})

describe('two debits under one reference in the wallet', () => {
  const twice = [1, 2].map((id) => ({ ...debit(1, ago(minute), '0241234567'), id }))

  test('are reported as a double charge when they prove an order', async () => {
    const store = await withAccounts('a')
    await addOrder(store, { id: '1', accountId: 'a', now }, unconfirmed(ago(minute)))
    await reconcilerOf({ store, entries: () => twice }).reconciler.round()
    expect(await orderOf(store, '1')).toMatchObject({ placement: 'placed', chargedPesewas: 4700 })
    expect(await announced(store)).toEqual(['1 proof', '1 overcharged'])
  })

  test('are reported once by the next read if the order already had an answer', async () => {
    const store = await withAccounts('a')
    const placed = { reference: 'BUD-API-AB12CD-1', placedAt: ago(minute), chargedPesewas: pesewas(2350) }
    const arrows = [
      ['sending', { sentAt: ago(minute) }],
      ['placed', { ...placed, reconcileAt: null }],
    ] as const
    await addOrder(store, { id: '1', accountId: 'a', now }, arrows)
    await addOrder(store, { id: '2', accountId: 'a', now }, unconfirmed(ago(minute)), '0270000000')
    const { reconciler } = reconcilerOf({ store, entries: () => twice })
    await reconciler.check('a')
    await reconciler.check('a')
    expect((await orderOf(store, '1')).chargedPesewas).toBe(4700)
    expect(await announced(store)).toEqual(['1 overcharged'])
  })

  test.each([
    ['in the same read', { refundAt: now }, ['1 overcharged', '1 refund']],
    ['in an earlier read', { refundedPesewas: 2350 }, ['1 overcharged']],
  ])('are reported for a failed order even if one refund was seen %s', async (_seen, known, told) => {
    const store = await withAccounts('a')
    const placed = { reference: 'BUD-API-AB12CD-1', placedAt: ago(minute), chargedPesewas: pesewas(2350) }
    const failed = { status: 'failed', statusAt: ago(minute), ...known }
    const arrows = [
      ['sending', { sentAt: ago(minute) }],
      ['placed', { ...placed, ...failed, reconcileAt: null }],
    ] as const
    await addOrder(store, { id: '1', accountId: 'a', now }, arrows)
    await addOrder(store, { id: '2', accountId: 'a', now }, unconfirmed(ago(minute)), '0270000000')
    const back = { ...debit(1, ago(minute)), id: 3, type: 'credit' as const }
    const { reconciler } = reconcilerOf({ store, entries: () => [back, ...twice] })
    await reconciler.check('a')
    await reconciler.check('a')
    const order = await orderOf(store, '1')
    expect(order).toMatchObject({ chargedPesewas: 4700, refundedPesewas: 2350 })
    expect(order.refundAt?.getTime()).toBeGreaterThan(now.getTime())
    expect(await announced(store)).toEqual(told)
  })
})

describe('a refund of an order', () => {
  const credited = (reference: string, amount: number): Transaction => ({
    ...debit(1, ago(minute / 2)),
    id: 90,
    type: 'credit',
    amountPesewas: pesewas(amount),
    reference,
  })
  /**
   * An order that was placed with the first reference for GHS 23.50, and another order for which the wallet is read.
   */
  const withPlaced = async (): Promise<Store> => {
    const store = await withAccounts('a')
    const placed = { reference: 'BUD-API-AB12CD-1', placedAt: ago(minute), chargedPesewas: pesewas(2350) }
    const arrows = [
      ['sending', { sentAt: ago(minute) }],
      ['placed', { ...placed, status: 'processing', statusAt: ago(minute), reconcileAt: null }],
    ] as const
    await addOrder(store, { id: '1', accountId: 'a', now }, arrows)
    await addOrder(store, { id: '2', accountId: 'a', now }, unconfirmed(ago(minute)), '0270000000')
    return store
  }
  const polled = async (store: Store, status: string): Promise<void> => {
    const report = { source: 'poll', status, at: now } as const
    const order = await orderOf(store, '1')
    await store.transaction((tx) => applyStatus(tx, order, report, null, now))
  }
  const entries = () => [credited('BUD-API-AB12CD-1', 2350), debit(1, ago(minute))]

  test('that the provider’s record showed is not reported again when the wallet shows it', async () => {
    const store = await withPlaced()
    await polled(store, 'failed')
    await polled(store, 'refunded')
    const told = await announced(store)
    await reconcilerOf({ store, entries }).reconciler.check('a')
    expect(await orderOf(store, '1')).toMatchObject({ refundedPesewas: 2350, refundAt: null })
    expect(await announced(store)).toEqual(told)
  })

  test('that was seen before the failure is neither awaited nor reported again', async () => {
    const store = await withPlaced()
    const { reconciler } = reconcilerOf({ store, entries })
    await reconciler.check('a')
    expect(await announced(store)).toEqual(['1 refund'])
    await polled(store, 'failed')
    expect((await orderOf(store, '1')).refundAt).toBeNull()
    await reconciler.check('a')
    expect(await announced(store)).toEqual(['1 refund', '1 status'])
  })

  test('that is seen in a partly read wallet counts only if it covers everything due', async () => {
    const store = await withPlaced()
    const services = { store, now: () => now, onNotice: () => {} }
    const learn = (amount: number, wholeSince: Date | null) =>
      learnRefunds(services, 'a', new Map([['BUD-API-AB12CD-1', pesewas(amount)]]), wholeSince)
    await learn(1000, null)
    await learn(1000, new Date(now.getTime() + 1))
    expect(await announced(store)).toEqual([])
    await learn(1000, now)
    await learn(2350, null)
    expect(await announced(store)).toEqual(['1 refund', '1 refund'])
    expect(await orderOf(store, '1')).toMatchObject({ refundedPesewas: 2350 })
  })

  test('that was seen before the failure and is only a part leaves the rest awaited', async () => {
    const store = await withPlaced()
    await reconcilerOf({ store, entries: () => [credited('BUD-API-AB12CD-1', 1000)] }).reconciler.check('a')
    await polled(store, 'failed')
    expect((await orderOf(store, '1')).refundAt).not.toBeNull()
  })
})

test('a wallet read that a person asks for uses the person’s budget, and also reconciles orders not yet due', async () => {
  const store = await withAccounts('a')
  const later = new Date(now.getTime() + minute)
  await addOrder(store, { id: '1', accountId: 'a', now }, unconfirmed(ago(minute), later))
  const { reconciler, asked } = reconcilerOf({ store, entries: () => [debit(1, ago(minute), '0241234567')] })
  await reconciler.check('a')
  expect(asked.map(({ purpose }) => purpose)).toEqual(['person', 'person'])
  expect((await orderOf(store, '1')).reference).toBe('BUD-API-AB12CD-1')
})

test('a wallet whose read fails unexpectedly delays no other wallet, and is not read again for a while', async () => {
  const store = await withAccounts('bad', 'good')
  for (const id of ['bad', 'good']) {
    await addOrder(store, { id, accountId: id, now }, unconfirmed(ago(11 * minute)))
  }
  const entries = (accountId: string) => {
    if (accountId === 'bad') throw new Error('nobody planned for this')
    return []
  }
  const { reconciler, asked } = reconcilerOf({ store, entries })
  await reconciler.round()
  await reconciler.round()
  expect(await orderOf(store, 'good')).toMatchObject({ placement: 'not_placed' })
  expect(asked.filter(({ accountId }) => accountId === 'bad')).toHaveLength(1)
})

test('two simultaneous reads of a wallet report an order’s doubtful debits once', async () => {
  const store = await withAccounts('a')
  const sent = ago(11 * minute)
  await addOrder(store, { id: '1', accountId: 'a', now: sent }, watched(sent, now))
  const twice = [1, 2].map((number) => debit(number, ago(10 * minute), '0241234567'))
  const { reconciler } = reconcilerOf({ store, entries: () => twice })
  await Promise.all([reconciler.round(), reconciler.check('a')])
  expect(await announced(store)).toEqual(['1 doubt'])
})

describe('two processes that read a wallet at the same time', () => {
  const sent = ago(11 * minute)
  const own = debit(1, ago(10 * minute), '0241234567')
  const credit = { ...own, id: 2, type: 'credit' as const }

  /** Reads with two reconcilers. Each gets its first page only after both have asked. */
  const readTwice = async (store: Store, ...entries: Transaction[]) => {
    const [both, bothHaveAsked] = [Promise.withResolvers<void>(), { count: 0 }]
    const inStep = async () => {
      bothHaveAsked.count += 1
      if (bothHaveAsked.count === 2) both.resolve()
      await both.promise
      return entries
    }
    const settlers = [1, 2].map(() => reconcilerOf({ store, entries: inStep }).reconciler)
    await Promise.all(settlers.map((each) => each.round()))
  }

  test.each([
    { what: 'the order has no debit', entries: [], placement: 'not_placed', told: ['1 placement'] },
    {
      what: 'a debit may belong to the order',
      entries: [{ ...own, reference: null }],
      placement: 'review',
      told: ['1 placement', '1 doubt'],
    },
  ])('report only once that $what', async ({ entries, placement, told }) => {
    const store = await withAccounts('a')
    await addOrder(store, { id: '1', accountId: 'a', now: sent }, unconfirmed(sent))
    await readTwice(store, ...entries)
    expect((await orderOf(store, '1')).placement).toBe(placement)
    expect(await announced(store)).toEqual(told)
  })

  test('report a refund only once', async () => {
    const store = await withAccounts('a')
    const failed = { reference: own.reference, status: 'failed', statusAt: sent, refundAt: now }
    const charged = { placedAt: sent, chargedPesewas: own.amountPesewas, reconcileAt: null }
    const arrows = [...unconfirmed(sent), ['placed', { ...failed, ...charged }]] as const
    await addOrder(store, { id: '1', accountId: 'a', now: sent }, arrows)
    await readTwice(store, credit, own)
    expect(await orderOf(store, '1')).toMatchObject({ refundedPesewas: own.amountPesewas, refundAt: null })
    expect(await announced(store)).toEqual(['1 refund'])
  })

  test('report a second charge only once', async () => {
    const store = await withAccounts('a')
    const placed = { reference: own.reference, placedAt: sent, chargedPesewas: own.amountPesewas }
    const arrows = [...unconfirmed(sent), ['placed', { ...placed, reconcileAt: null }]] as const
    await addOrder(store, { id: '1', accountId: 'a', now: sent }, arrows)
    await addOrder(store, { id: '2', accountId: 'a', now: sent }, unconfirmed(sent), '0241111111')
    await readTwice(store, { ...own, id: 3 }, own)
    expect(await orderOf(store, '1')).toMatchObject({ chargedPesewas: 4700 })
    expect((await announced(store)).filter((each) => each.startsWith('1'))).toEqual(['1 overcharged'])
  })
})

describe('a debit that may be an order’s', () => {
  const sent = ago(11 * minute)
  const withOne = async () => {
    const store = await withAccounts('a')
    await addOrder(store, { id: '1', accountId: 'a', now: sent }, unconfirmed(sent))
    return store
  }
  const own = debit(1, sent, '0241234567')

  test.each([
    ['has no reference', [{ ...own, reference: null }], []],
    ['has no reference and names nothing', [{ ...own, reference: null, description: null }], []],
    ['has a reference that the look-up does not know', [own], ['BUD-API-AB12CD-1']],
    ['is half an hour earlier than the send', [{ ...own, createdAt: ago(41 * minute) }], []],
  ])('sends the order to review instead of “not placed” if the debit %s', async (_what, entries, unknown) => {
    const store = await withOne()
    await reconcilerOf({ store, entries: () => entries, unknown }).reconciler.round()
    expect(await orderOf(store, '1')).toMatchObject({ placement: 'review', reason: 'unexplained' })
    expect(await announced(store)).toEqual(['1 placement', '1 doubt'])
  })

  test('makes the order placed as soon as the look-up finds the reference', async () => {
    const store = await withOne()
    const unknown = ['BUD-API-AB12CD-1']
    const { reconciler } = reconcilerOf({ store, entries: () => [own], unknown })
    await reconciler.round()
    unknown.pop()
    await store.orders.patch('1', { reconcileAt: now }, now)
    await reconciler.round()
    expect(await orderOf(store, '1')).toMatchObject({ placement: 'placed', reference: 'BUD-API-AB12CD-1' })
  })

  test('does not count if it belongs to a placed order', async () => {
    const store = await withOne()
    const placed = { reference: 'BUD-API-AB12CD-9', placedAt: sent, chargedPesewas: pesewas(2350) }
    const arrows = [...unconfirmed(sent), ['placed', { ...placed, reconcileAt: null }]] as const
    await addOrder(store, { id: '2', accountId: 'a', now: sent }, arrows)
    await reconcilerOf({ store, entries: () => [{ ...own, reference: null }] }).reconciler.round()
    expect((await orderOf(store, '1')).placement).toBe('not_placed')
  })
})

test('an order goes to review if its own callback named a reference that the look-up does not find', async () => {
  const store = await withAccounts('a')
  const sent = ago(11 * minute)
  await addOrder(store, { id: '1', accountId: 'a', now: sent }, unconfirmed(sent))
  const event = { orderId: '1', source: 'callback' as const, digest: 'd', reference: 'BUD-API-AB12CD-1' }
  const times = { happenedAt: null, receivedAt: now }
  await store.statusReports.insert([{ ...event, ...times, phone: null, status: 'delivered', body: null }])
  const [held] = await store.statusReports.unapplied(0, 1)
  await store.statusReports.setDisposition([held?.id ?? 0], 'unmatched', now)
  await reconcilerOf({ store, entries: () => [] }).reconciler.round()
  expect(await orderOf(store, '1')).toMatchObject({ placement: 'review', reason: 'hinted' })
  expect(await announced(store)).toEqual(['1 placement'])
})

describe('for bulk orders of the same size and price', () => {
  const sent = ago(11 * minute)
  const lists = async () => {
    const store = await withAccounts('a')
    const add = (id: string, ...phones: string[]) =>
      addOrder(store, { id, accountId: 'a', now: sent }, unconfirmed(sent), ...phones)
    await add('1', '0241234567', '0241234568')
    await add('2', '0241234569', '0241234560')
    return store
  }
  const total = (number: number): Transaction => ({
    ...debit(number, sent),
    reference: `BUD-BULK-AB12CD-${number}`,
    amountPesewas: pesewas(4700),
    description: 'MTN 5GB for 2 numbers',
  })

  test('two debits are not assigned by guessing, and the notice of each order names the other', async () => {
    const store = await lists()
    await reconcilerOf({ store, entries: () => [total(1), total(2)] }).reconciler.round()
    for (const id of ['1', '2']) expect((await orderOf(store, id)).placement).toBe('review')
    const doubts = (await store.notices.ofChat(1)).flatMap(({ content }) =>
      content.kind === 'announce' && content.what.about === 'doubt' ? [content.what] : [],
    )
    expect(doubts.map(({ debits, others }) => [debits.length, others?.length])).toEqual([
      [2, 1],
      [2, 1],
    ])
  })

  test('neither of two debits is assigned if only one order fits them', async () => {
    const store = await withAccounts('a')
    const arrows = unconfirmed(sent)
    await addOrder(store, { id: '1', accountId: 'a', now: sent }, arrows, '0241234567', '0241234568')
    await reconcilerOf({ store, entries: () => [total(1), total(2)] }).reconciler.round()
    expect((await orderOf(store, '1')).placement).toBe('review')
    const others = [debit(3, ago(hour), '0270000000'), total(1)]
    const alone = await withAccounts('b')
    await addOrder(alone, { id: '1', accountId: 'b', now: sent }, arrows, '0241234567', '0241234568')
    await reconcilerOf({ store: alone, entries: () => others }).reconciler.round()
    expect((await orderOf(alone, '1')).placement).toBe('review')
  })

  test('the only debit is assigned to the only order', async () => {
    const store = await withAccounts('a')
    const arrows = unconfirmed(sent)
    await addOrder(store, { id: '1', accountId: 'a', now: sent }, arrows, '0241234567', '0241234568')
    await reconcilerOf({ store, entries: () => [total(1)] }).reconciler.round()
    expect(await orderOf(store, '1')).toMatchObject({ placement: 'placed', reason: null })
  })
})

test('an order’s debit is dated by the provider’s clock, even if a proxy dates the answers ten minutes later', async () => {
  const store = await withAccounts('a')
  await addOrder(store, { id: '1', accountId: 'a', now: ago(minute) }, unconfirmed(ago(minute)))
  const providersTime = ago(10 * minute)
  const entries = [debit(1, ago(11 * minute), '0241234567')]
  await reconcilerOf({ store, entries: () => entries, providersTime }).reconciler.round()
  expect(await orderOf(store, '1')).toMatchObject({ placement: 'placed', reference: 'BUD-API-AB12CD-1' })
})

test('the provider’s clock is known from the debits of placed orders if the balance has no time', async () => {
  const store = await withAccounts('a')
  const placed = { reference: 'BUD-API-AB12CD-9', placedAt: ago(30 * minute), reconcileAt: null }
  const arrows = [
    ['sending', { sentAt: ago(20 * minute) }],
    ['placed', placed],
  ] as const
  await addOrder(store, { id: '9', accountId: 'a', now: ago(20 * minute) }, arrows, '0270000000')
  await addOrder(store, { id: '1', accountId: 'a', now: ago(minute) }, unconfirmed(ago(minute)))
  const entries = [debit(1, ago(11 * minute), '0241234567'), debit(9, ago(30 * minute), '0270000000')]
  await reconcilerOf({ store, entries: () => entries }).reconciler.round()
  expect(await orderOf(store, '1')).toMatchObject({ placement: 'placed', reference: 'BUD-API-AB12CD-1' })
})

describe('after a 409 that no open order explains', () => {
  const contested = (sentAt: Date) =>
    [
      ['sending', { sentAt, clockOffsetMs: 0 }],
      ['unconfirmed', { reconcileAt: now, reason: 'pending', providerType: 'PENDING_ORDER' }],
    ] as const

  test('a debit after the send is probably the order’s', async () => {
    const store = await withAccounts('a')
    await addOrder(store, { id: '1', accountId: 'a', now }, contested(ago(minute)))
    await reconcilerOf({ store, entries: () => [debit(1, ago(minute), '0241234567')] }).reconciler.round()
    expect(await orderOf(store, '1')).toMatchObject({ placement: 'placed', reason: 'likely' })
  })

  test('a debit from before the send sends the order to review', async () => {
    const store = await withAccounts('a')
    await addOrder(store, { id: '1', accountId: 'a', now }, contested(ago(11 * minute)))
    const earlier = debit(1, ago(11 * minute + 5_000), '0241234567')
    await reconcilerOf({ store, entries: () => [earlier] }).reconciler.round()
    expect((await orderOf(store, '1')).placement).toBe('review')
  })

  test('the order is “not placed” if there is no debit', async () => {
    const store = await withAccounts('a')
    await addOrder(store, { id: '1', accountId: 'a', now }, contested(ago(11 * minute)))
    await reconcilerOf({ store, entries: () => [] }).reconciler.round()
    expect((await orderOf(store, '1')).placement).toBe('not_placed')
  })
})

test('a debit that may belong to two unconfirmed orders is assigned to neither, even after one’s last check', async () => {
  const store = await withAccounts('a')
  const sentAt = ago(24 * hour)
  const review = (reconcileAt: Date | null) =>
    [...unconfirmed(sentAt), ['review', { reason: 'ambiguous', reconcileAt }]] as const
  const numbers = { first: ['0241111111', '0241111112'], second: ['0242222221', '0242222222'] }
  await addOrder(store, { id: '1', accountId: 'a', now: sentAt }, review(null), ...numbers.first)
  await addOrder(store, { id: '2', accountId: 'a', now: sentAt }, review(now), ...numbers.second)
  const both: Transaction = {
    ...debit(1, ago(24 * hour - minute)),
    amountPesewas: pesewas(4700),
    description: 'MTN 5GB for 2 numbers',
    reference: 'BUD-BULK-AB12CD-1',
  }
  await reconcilerOf({ store, entries: () => [both] }).reconciler.round()
  expect([(await orderOf(store, '1')).placement, (await orderOf(store, '2')).placement]).toEqual([
    'review',
    'review',
  ])
})

test.each(['unreachable', 'not_made'] as const)(
  'an order that was never sent (%s) gets no debit of the next order for its number',
  async (reason) => {
    const store = await withAccounts('a')
    const earlier = ago(20 * minute)
    const arrows = [
      ['sending', { sentAt: earlier, clockOffsetMs: 0 }],
      ['not_placed', { reason }],
    ] as const
    await addOrder(store, { id: '1', accountId: 'a', now: earlier }, arrows)
    const sentAt = ago(12 * minute)
    await addOrder(store, { id: '2', accountId: 'a', now: sentAt }, unconfirmed(sentAt))
    const { reconciler } = reconcilerOf({ store, entries: () => [debit(1, sentAt, '0241234567')] })
    await reconciler.round()
    expect(await orderOf(store, '2')).toMatchObject({ placement: 'placed', reference: 'BUD-API-AB12CD-1' })
    expect((await orderOf(store, '1')).placement).toBe('not_placed')
  },
)

test('each debit that may be an order’s is reported once, also if it appears late or after a 409', async () => {
  for (const arrow of [
    ['not_placed', { reason: 'no_debit', reconcileAt: now }],
    ['review', { reason: 'ambiguous', reconcileAt: now }],
  ] as const) {
    const store = await withAccounts('a')
    await addOrder(store, { id: '1', accountId: 'a', now }, [...unconfirmed(ago(20 * minute)), arrow])
    const debits = [debit(1, ago(20 * minute), '0241234567'), debit(2, ago(19 * minute), '0241234567')]
    let shown = debits.slice(0, 1)
    // It is not known which orders the entries belong to.
    const { reconciler } = reconcilerOf({
      store,
      entries: () => newestFirst(shown),
      unknown: debits.map(({ reference }) => reference ?? ''),
    })
    await reconciler.check('a')
    await reconciler.check('a')
    expect(await announced(store)).toEqual(['1 doubt'])
    shown = debits
    await reconciler.check('a')
    await reconciler.check('a')
    expect(await announced(store)).toEqual(['1 doubt', '1 doubt'])
  }
  const store = await withAccounts('a')
  const rejected = [
    'rejected',
    { reason: 'pending', providerType: 'PENDING_ORDER', reconcileAt: now },
  ] as const
  const sent = ['sending', { sentAt: ago(minute), clockOffsetMs: 0 }] as const
  await addOrder(store, { id: '1', accountId: 'a', now }, [sent, rejected])
  const entries = [debit(1, ago(minute), '0241234567')]
  const { reconciler } = reconcilerOf({ store, entries: () => entries, unknown: ['BUD-API-AB12CD-1'] })
  await reconciler.check('a')
  expect(await announced(store)).toEqual(['1 doubt'])
})

test('a later debit that may belong to an order already paired with another debit is reported once', async () => {
  const store = await withAccounts('a')
  await addOrder(store, { id: '1', accountId: 'a', now }, unconfirmed(ago(20 * minute)))
  let entries = [debit(1, ago(20 * minute), '0241234567')]
  const { reconciler } = reconcilerOf({ store, entries: () => entries })
  await reconciler.round()
  expect(await orderOf(store, '1')).toMatchObject({ placement: 'placed', inferred: true })
  expect((await orderOf(store, '1')).reconcileAt?.getTime()).toBeGreaterThan(now.getTime())
  const told = await announced(store)
  entries = [debit(2, ago(minute), '0241234567'), ...entries]
  for (let reads = 0; reads < 2; reads += 1) {
    await store.transaction((tx) => tx.orders.patch('1', { reconcileAt: now }, now))
    await reconciler.round()
  }
  expect(await announced(store)).toEqual([...told, '1 doubt'])
  expect(await orderOf(store, '1')).toMatchObject({ reference: 'BUD-API-AB12CD-1', reason: null })
})

test('a debit of an unconfirmed order is not reported for an older order that is paired with another debit', async () => {
  const store = await withAccounts('a')
  await addOrder(store, { id: '1', accountId: 'a', now }, unconfirmed(ago(20 * minute)))
  let entries = [debit(1, ago(20 * minute), '0241234567')]
  const { reconciler } = reconcilerOf({ store, entries: () => entries })
  await reconciler.round()
  const told = await announced(store)
  await addOrder(store, { id: '2', accountId: 'a', now }, unconfirmed(ago(minute)))
  await store.transaction((tx) => tx.orders.patch('1', { reconcileAt: now }, now))
  entries = [debit(2, ago(minute), '0241234567'), ...entries]
  await reconciler.round()
  expect(await orderOf(store, '2')).toMatchObject({ reference: 'BUD-API-AB12CD-2' })
  expect(await announced(store)).toEqual([...told, '2 proof'])
})

test('an order paired with a debit counts only as likely if other programs order with the same API key', async () => {
  const store = await withAccounts('a')
  await addOrder(store, { id: '1', accountId: 'a', now }, unconfirmed(ago(minute)))
  const entries = [debit(1, ago(minute), '0241234567'), debit(2, ago(2 * hour))]
  await reconcilerOf({ store, entries: () => entries }).reconciler.round()
  expect(await orderOf(store, '1')).toMatchObject({ placement: 'placed', inferred: true, reason: 'likely' })
})

describe('a debit at another price than the confirmed one', () => {
  const dearer = (number: number): Transaction => ({
    ...debit(number, ago(minute), '0241234567'),
    amountPesewas: pesewas(2400),
  })
  const settled = async (...others: Transaction[]) => {
    const store = await withAccounts('a')
    await addOrder(store, { id: '1', accountId: 'a', now }, unconfirmed(ago(minute)))
    await reconcilerOf({ store, entries: () => [dearer(1), ...others] }).reconciler.round()
    return store
  }

  test('is reported together with the order that it proves', async () => {
    const store = await settled()
    expect(await orderOf(store, '1')).toMatchObject({ placement: 'placed', chargedPesewas: 2400 })
    expect(await announced(store)).toEqual(['1 proof', '1 other_price'])
  })

  test('is reported even if it only probably belongs to the order', async () => {
    const store = await settled(debit(2, ago(2 * hour)))
    expect(await orderOf(store, '1')).toMatchObject({ placement: 'placed', reason: 'likely' })
    expect(await announced(store)).toEqual(['1 proof', '1 other_price'])
  })
})

test('the wallet of an unconfirmed order is read less and less often, but at least every hour', () => {
  const waits = [minute, 10 * minute, 15 * minute, hour, 10 * hour, 24 * hour, 100 * hour].map(
    (age) => (nextReconciling(ago(age), now).getTime() - now.getTime()) / 1_000,
  )
  expect(waits).toEqual([45, 45, 45, 180, 1_800, 3_600, 3_600])
})

test.each([
  ['enough to identify its order is read only once', 'MTN 5GB 0241234567', 1],
  ['too little to identify its order is read again', null, 2],
])('the provider’s record of a debit whose description says %s', async (_, description, times) => {
  const store = await withAccounts('a')
  const sent = ago(11 * minute)
  await addOrder(store, { id: '1', accountId: 'a', now: sent }, watched(sent, now))
  const entries = [1, 2].map((number) => ({ ...debit(number, ago(10 * minute)), description }))
  const { reconciler, asked } = reconcilerOf({ store, entries: () => entries })
  await reconciler.check('a')
  await store.orders.patch('1', { reconcileAt: now }, now)
  await reconciler.check('a')
  for (const { reference } of entries) {
    expect(asked.filter(({ what }) => what === reference)).toHaveLength(times)
  }
})

import { describe, expect, test } from 'vitest'
import type { Purpose } from '../../src/accounts/budget.ts'
import type { Wallets } from '../../src/accounts/wallets.ts'
import { createLog } from '../../src/log.ts'
import { createSettler } from '../../src/orders/settler.ts'
import { nextSettling } from '../../src/orders/settling.ts'
import type { OrderStatus, Provider, Transaction, TransactionPage } from '../../src/provider/index.ts'
import { pesewas } from '../../src/provider/money.ts'
import type { Phone } from '../../src/provider/phone.ts'
import type { Store } from '../../src/store/store.ts'
import { newStore } from '../support/database.ts'
import { addAccount, addOrder, announced, orderOf } from './placed-orders.ts'

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

/** Entries of other numbers, one a minute, newest first, back to a day ago. */
const busyWallet = Array.from({ length: 1_440 }, (_, index) => debit(index, ago(index * minute)))

const newestFirst = (entries: Transaction[]): Transaction[] =>
  entries.toSorted((a, b) => Number(b.createdAt) - Number(a.createdAt))

interface Scene {
  store: Store
  /** What the wallet holds, newest first; or what asking for it comes to. */
  entries: (accountId: string) => Transaction[] | Promise<Transaction[]>
  unreadable?: number
}

/** The settler before wallets that hold that. */
const settlerOf = ({ store, entries, unreadable = 0 }: Scene) => {
  const asked: { accountId: string; purpose: Purpose; what: string }[] = []
  const providerOf = (accountId: string, purpose: Purpose): Provider => {
    const transactions = async ({ page = 1 } = {}): Promise<Partial<TransactionPage>> => {
      asked.push({ accountId, purpose, what: `page ${page}` })
      const all = await entries(accountId)
      const pagination = {
        currentPage: page,
        perPage: 100,
        total: all.length,
        lastPage: Math.ceil(all.length / 100),
      }
      return { transactions: all.slice((page - 1) * 100, page * 100), unreadable, pagination }
    }
    const orderStatus = async (reference: string): Promise<Partial<OrderStatus>> => {
      asked.push({ accountId, purpose, what: reference })
      const entry = (await entries(accountId)).find((each) => each.reference === reference)
      const phone = (entry?.description?.split(' ').at(-1) ?? null) as Phone | null
      const placedAt = entry?.createdAt ?? null
      return { reference, network: 'MTN', volume: '5GB', phone, placedAt, status: 'processing' }
    }
    return { transactions, orderStatus } as unknown as Provider
  }
  const wallets = {
    ask: (accountId, purpose, question) => question(providerOf(accountId, purpose)),
  } as Wallets
  const nothing = () => {}
  const told = { onNotice: nothing, onEnded: nothing, onPlaced: nothing }
  const log = createLog('silent', [])
  return { settler: createSettler({ store, wallets, now: () => now, log, ...told }), asked }
}

const unconfirmed = (sentAt: Date, settleAt = now) =>
  [
    ['sending', { sentAt, clockOffsetMs: 0 }],
    ['unconfirmed', { settleAt }],
  ] as const
const watched = (sentAt: Date, settleAt: Date) =>
  [...unconfirmed(sentAt), ['not_placed', { reason: 'no_debit', settleAt }]] as const

const pages = (asked: { what: string }[]) => asked.filter(({ what }) => what.startsWith('page')).length

const withAccounts = async (...ids: string[]): Promise<Store> => {
  const store = await newStore()
  for (const id of ids) await addAccount(store, id, now)
  return store
}

test('a read that could not be understood to its end proves nothing, and the card says so when it is time', async () => {
  const store = await withAccounts('a')
  await addOrder(store, { id: '1', accountId: 'a', now: ago(12 * minute) }, unconfirmed(ago(12 * minute)))
  await settlerOf({ store, entries: () => [], unreadable: 1 }).settler.round()
  const { placement, reason, settleAt } = await orderOf(store, '1')
  expect([placement, reason]).toEqual(['unconfirmed', 'history_unreadable'])
  expect(settleAt?.getTime()).toBeGreaterThan(now.getTime())
  expect((await store.notices.ofChat(1)).map(({ content }) => content.subject)).toEqual(['purchase:p1'])
})

describe('of a busy wallet', () => {
  const old = '0241111111'
  const withOld = async () => {
    const store = await withAccounts('a')
    const later = new Date(now.getTime() + hour / 2)
    const order = { id: 'old', accountId: 'a', now: ago(10 * hour) }
    await addOrder(store, order, watched(ago(10 * hour), later), old)
    await addOrder(store, { id: 'new', accountId: 'a', now }, unconfirmed(ago(minute)))
    return { store, later }
  }

  test('only what is due is read back to: an older order has its own time', async () => {
    const { store, later } = await withOld()
    const { settler, asked } = settlerOf({ store, entries: () => busyWallet })
    await settler.round()
    expect(pages(asked)).toBe(1)
    expect((await orderOf(store, 'old')).settleAt).toEqual(later)

    await store.orders.patch('old', { settleAt: now }, now)
    await settler.round()
    expect(pages(asked)).toBe(1 + 7)
    expect((await orderOf(store, 'old')).placement).toBe('not_placed')
  })

  test('an older order is read for at once when a debit is seen that may be its own, and is given it then', async () => {
    const { store } = await withOld()
    const late = debit(5_000, ago(minute / 2), old)
    const { settler, asked } = settlerOf({ store, entries: () => newestFirst([late, ...busyWallet]) })
    await settler.round()
    expect(await orderOf(store, 'old')).toMatchObject({ placement: 'not_placed', settleAt: now })
    await settler.round()
    expect(await orderOf(store, 'old')).toMatchObject({ placement: 'placed', reference: late.reference })
    expect(pages(asked)).toBe(1 + 7)
  })

  test('a debit that an older order of the number may claim is given to nobody before that one is read for', async () => {
    const { store } = await withOld()
    const twin = { id: 'twin', accountId: 'a', now: ago(12 * minute) }
    await addOrder(store, twin, unconfirmed(ago(12 * minute)), old)
    const between = debit(5_000, ago(9 * hour), old)
    const late = debit(5_001, ago(minute / 2), old)
    const entries = newestFirst([late, ...busyWallet, between])
    const { settler } = settlerOf({ store, entries: () => entries })
    await settler.round()
    expect((await orderOf(store, 'twin')).placement).toBe('unconfirmed')
    await store.orders.patch('twin', { settleAt: now }, now)
    await settler.round()
    expect((await orderOf(store, 'twin')).reference).toBe(late.reference)
    expect((await orderOf(store, 'old')).reference).toBe(between.reference)
  })
})

test('what a person asks for is counted as theirs, and keeps nothing back from the settling', async () => {
  const store = await withAccounts('a')
  const later = new Date(now.getTime() + minute)
  await addOrder(store, { id: '1', accountId: 'a', now }, unconfirmed(ago(minute), later))
  const { settler, asked } = settlerOf({ store, entries: () => [debit(1, ago(minute), '0241234567')] })
  await settler.check('a')
  expect(asked.map(({ purpose }) => purpose)).toEqual(['person', 'person'])
  expect((await orderOf(store, '1')).reference).toBe('BUD-API-AB12CD-1')
})

test('a wallet whose entries cannot be applied holds up no other, and is left alone for a while', async () => {
  const store = await withAccounts('bad', 'good')
  for (const id of ['bad', 'good']) {
    await addOrder(store, { id, accountId: id, now }, unconfirmed(ago(11 * minute)))
  }
  const entries = (accountId: string) => {
    if (accountId === 'bad') throw new Error('nobody planned for this')
    return []
  }
  const { settler, asked } = settlerOf({ store, entries })
  await settler.round()
  await settler.round()
  expect(await orderOf(store, 'good')).toMatchObject({ placement: 'not_placed' })
  expect(asked.filter(({ accountId }) => accountId === 'bad')).toHaveLength(1)
})

test('two reads at once say what they found once', async () => {
  const store = await withAccounts('a')
  const sent = ago(11 * minute)
  await addOrder(store, { id: '1', accountId: 'a', now: sent }, watched(sent, now))
  const twice = [1, 2].map((number) => debit(number, ago(10 * minute), '0241234567'))
  const { settler } = settlerOf({ store, entries: () => twice })
  await Promise.all([settler.round(), settler.check('a')])
  expect(await announced(store)).toEqual(['1 doubt'])
})

test('while the entries cannot be read, they are tried again less and less often, and every hour in the end', () => {
  const waits = [minute, 10 * minute, 15 * minute, hour, 10 * hour, 24 * hour, 100 * hour].map(
    (age) => (nextSettling(ago(age), now).getTime() - now.getTime()) / 1_000,
  )
  expect(waits).toEqual([45, 45, 45, 180, 1_800, 3_600, 3_600])
})

test.each([
  ['all that tells orders apart is asked for once', 'MTN 5GB 0241234567', 1],
  ['too little is asked for again: it may say more by then', null, 2],
])('a record that says %s', async (_, description, times) => {
  const store = await withAccounts('a')
  const sent = ago(11 * minute)
  await addOrder(store, { id: '1', accountId: 'a', now: sent }, watched(sent, now))
  const entries = [1, 2].map((number) => ({ ...debit(number, ago(10 * minute)), description }))
  const { settler, asked } = settlerOf({ store, entries: () => entries })
  await settler.check('a')
  await store.orders.patch('1', { settleAt: now }, now)
  await settler.check('a')
  for (const { reference } of entries) {
    expect(asked.filter(({ what }) => what === reference)).toHaveLength(times)
  }
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Order } from '../../src/domain/order/order.ts'
import { explain } from '../../src/orders/reconciling/explanation.ts'
import type { Transaction, TransactionPage } from '../../src/provider/index.ts'
import { pesewas } from '../../src/provider/money.ts'
import { type EntriesView, entryMark, maxPagesAPress, type Place, readView } from '../../src/wallets/view.ts'
import { runs } from '../support/runs.ts'
import { confirmed } from '../telegram/words/any-order.ts'

const entryOf = (id: number): Transaction => ({
  id,
  type: id % 10 === 0 ? 'credit' : 'debit',
  amountPesewas: pesewas(100),
  description: null,
  reference: null,
  balanceAfterPesewas: null,
  createdAt: new Date(id * 60_000),
})

/** A wallet whose newest entry has the largest id. */
const walletOf = (count: number) => {
  const entries = Array.from({ length: count }, (_, index) => entryOf(count - index))
  const asked: number[] = []
  const page = async (number: number): Promise<TransactionPage> => {
    asked.push(number)
    return {
      transactions: entries.slice((number - 1) * 100, number * 100),
      unreadable: 0,
      pagination: {
        currentPage: number,
        perPage: 100,
        total: entries.length,
        lastPage: Math.max(1, Math.ceil(entries.length / 100)),
      },
      meta: {} as TransactionPage['meta'],
    }
  }
  return { asked, page, add: () => entries.unshift(entryOf(entries.length + 1)) }
}

type Wallet = ReturnType<typeof walletOf>

const look = (
  wallet: Wallet,
  from: ({ way: 'older' | 'newer' } & Place) | null = null,
  isWanted: (entry: Transaction) => boolean = () => true,
): Promise<EntriesView<number>> =>
  readView({
    readPage: wallet.page,
    choose: async (entries) =>
      entries.map((entry) => ({ entry, chosen: isWanted(entry) ? Number(entry.id) : null })),
    from,
    size: 8,
  })

const older = ({ older: place }: EntriesView<number>) => place && { way: 'older' as const, ...place }
const newer = ({ newer: place }: EntriesView<number>) => place && { way: 'newer' as const, ...place }
const descending = (from: number, count: number) => Array.from({ length: count }, (_, index) => from - index)

test('the first screen of a wallet has no button for newer entries, and the last none for older ones', async () => {
  const wallet = walletOf(20)
  const first = await look(wallet)
  expect(first).toMatchObject({ shown: descending(20, 8), newer: null, cutShort: null })
  const second = await look(wallet, older(first))
  const last = await look(wallet, older(second))
  expect([second.shown, last.shown]).toEqual([descending(12, 8), descending(4, 4)])
  expect(last.older).toBeNull()
})

test('each entry of a wallet is shown once while a person pages to older ones, whatever arrives between presses', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(450), fc.array(fc.nat(30)), async (count, arrivals) => {
      const wallet = walletOf(count)
      const shown: number[] = []
      let view = await look(wallet)
      for (let press = 0; ; press += 1) {
        shown.push(...view.shown)
        const next = older(view)
        if (!next) break
        for (let each = 0; each < (arrivals[press] ?? 0); each += 1) wallet.add()
        view = await look(wallet, next)
      }
      expect(shown).toEqual(descending(count, count))
    }),
    { numRuns: runs(40) },
  )
})

test('a wallet that is listed from old to new is shown from its newest entry backwards', async () => {
  const wallet = walletOf(0)
  const entries = Array.from({ length: 301 }, (_, index) => ({
    ...entryOf(index + 1),
    createdAt: new Date(index * 60_000),
  }))
  const readPage = async (number: number): Promise<TransactionPage> => ({
    ...(await wallet.page(number)),
    transactions: entries.slice((number - 1) * 100, number * 100),
    pagination: { currentPage: number, perPage: 100, total: 301, lastPage: 4 },
  })
  const reversed = { ...wallet, page: readPage }
  const shown: number[] = []
  let view = await look(reversed)
  for (;;) {
    shown.push(...view.shown)
    const next = older(view)
    if (!next) break
    view = await look(reversed, next)
  }
  expect(shown).toEqual(descending(301, 301))
})

test('the ◀ button of a wallet’s screens shows the previous screen, or the newest one at the top', async () => {
  const wallet = walletOf(230)
  const views = [await look(wallet)]
  for (let press = 0; press < 20; press += 1)
    views.push(await look(wallet, older(views.at(-1) as EntriesView<number>)))
  for (let press = 20; press > 0; press -= 1) {
    const back = await look(wallet, newer(views[press] as EntriesView<number>))
    expect(back.shown).toEqual(views[press - 1]?.shown)
  }
  wallet.add()
  expect((await look(wallet, newer(views[1] as EntriesView<number>))).shown).toEqual(descending(230, 8))
  const [top] = views
  expect(top?.newer).toBeNull()
})

test('a filtered wallet screen reads pages until it is full, up to the maximum for one press', async () => {
  const wallet = walletOf(2_000)
  const rare = (entry: Transaction) => Number(entry.id) % 40 === 0
  const view = await look(wallet, null, rare)
  expect(view.shown).toEqual(Array.from({ length: 8 }, (_, index) => 2_000 - index * 40))
  expect(wallet.asked).toEqual([1, 2, 3])
  const none = await look(walletOf(2_000), null, () => false)
  expect(none).toMatchObject({ shown: [], cutShort: { why: 'enough' } })
  expect(none.older?.page).toBe(maxPagesAPress)
})

test('the screens of a filtered wallet skip no matching entry in either direction', async () => {
  const wallet = walletOf(2_000)
  const rare = (entry: Transaction) => Number(entry.id) % 499 === 0
  const shown: number[] = []
  let view = await look(wallet, null, rare)
  for (let next = older(view); ; next = older(view)) {
    shown.push(...view.shown)
    if (!next) break
    view = await look(wallet, next, rare)
  }
  expect(shown).toEqual([1996, 1497, 998, 499])
  for (let place = newer(view); place; place = newer(view)) view = await look(wallet, place, rare)
  expect(view.shown).toEqual([1996])
})

test('a wallet screen shows the entries read before a page failed, with the reason why there are no more', async () => {
  const wallet = walletOf(500)
  const error = new Error('The limit is reached.')
  const view = await readView({
    readPage: async (page) => {
      if (page > 2) throw error
      return wallet.page(page)
    },
    choose: async (entries) =>
      entries.map((entry) => ({ entry, chosen: entry.id === 450 ? Number(entry.id) : null })),
    from: null,
    size: 8,
  })
  expect(view).toMatchObject({ shown: [450], cutShort: { why: 'failed', error } })
  expect(view.older).toEqual({ page: 2, mark: entryMark(entryOf(301)) })
  await expect(
    readView({
      readPage: async () => {
        throw error
      },
      choose: async () => [],
      from: null,
      size: 8,
    }),
  ).rejects.toBe(error)
})

test('a press about a wallet entry that no longer exists continues at the top of its page', async () => {
  const view = await look(walletOf(250), { way: 'older', page: 2, mark: 'gonegone' })
  expect(view.shown).toEqual(descending(150, 8))
})

test('a wallet screen names the order of a debit, or without a reference the orders that may own it', async () => {
  const known = {
    id: 'known',
    reference: 'BUD-API-AB12CD-1',
    otherReference: null,
    extraPesewas: null,
  } as Order
  const open: Order = { ...confirmed, placement: 'unconfirmed', sentAt: confirmed.createdAt }
  const journal = {
    walletOrders: { byReferences: async () => [known] },
    orders: { claimants: async () => [open] },
    statusReports: { ofOrder: async () => [] },
  }
  const entries = [
    { ...entryOf(1), reference: known.reference },
    { ...entryOf(2), createdAt: null },
  ]
  expect((await explain(journal, 'a', entries)).map(({ by }) => by)).toEqual([
    { kind: 'order', order: known },
    { kind: 'maybe', orders: [open] },
  ])
})

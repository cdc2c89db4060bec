import { expect, test } from 'vitest'
import {
  hasClaimedDebit,
  hasNamedDebit,
  type Read,
  readWallet,
  samenessOf,
} from '../../src/accounts/sameness.ts'
import type { Order } from '../../src/domain/order/order.ts'
import type { Transaction, TransactionPage } from '../../src/provider/index.ts'
import { pesewas } from '../../src/provider/money.ts'
import { confirmed } from '../telegram/words/any-order.ts'

const now = new Date('2026-11-21T12:00:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

const order = (count: number, minutes = 60 * count) => ({
  reference: `BUD-API-A-${count}`,
  placedAt: ago(minutes),
  chargedPesewas: pesewas(960),
  unitPricePesewas: pesewas(960),
  quantity: 1,
})

const debitOf = (
  { reference, placedAt, chargedPesewas }: ReturnType<typeof order>,
  changes: Partial<Transaction> = {},
): Transaction => ({
  id: reference,
  type: 'debit',
  amountPesewas: chargedPesewas,
  description: null,
  reference,
  balanceAfterPesewas: null,
  createdAt: placedAt,
  ...changes,
})

const foreign = (minutes: number): Transaction =>
  debitOf({ ...order(0, minutes), reference: `BUD-API-FOREIGN-${minutes}` })

const whole = (...entries: Transaction[]): Read => ({ entries, reachedMs: Number.NEGATIVE_INFINITY })
const part = (...entries: Transaction[]): Read => ({
  entries,
  reachedMs: Math.min(...entries.map(({ createdAt }) => createdAt?.getTime() ?? Number.POSITIVE_INFINITY)),
})
const orders = [1, 2, 3, 4].map((count) => order(count))

test('a wallet with debits for the account’s orders is recognized as the account’s wallet', () => {
  expect(samenessOf(orders, whole(...orders.map((each) => debitOf(each))), now)).toBe('same')
  const [only = order(1)] = orders
  expect(samenessOf([only], whole(debitOf(only), foreign(30)), now)).toBe('same')
  const three = orders.slice(0, 3).map((each) => debitOf(each))
  expect(samenessOf(orders, part(...three, foreign(500)), now)).toBe('same')
})

test('a debit for an order that is only minutes old shows whose wallet it is, but a missing debit shows nothing', () => {
  const fresh = order(9, 2)
  expect(samenessOf([fresh], whole(debitOf(fresh)), now)).toBe('same')
  expect(samenessOf([fresh], whole(), now)).toBe('unknown')
})

test('a wallet that was read far enough and has no debit for the account’s orders is another wallet', () => {
  expect(samenessOf(orders, whole(), now)).toBe('other')
  expect(samenessOf(orders, whole(foreign(90)), now)).toBe('other')
  expect(samenessOf(orders, part(foreign(5), foreign(500)), now)).toBe('other')
})

test.each([
  ['another reference', { reference: 'BUD-API-A-77' }],
  ['no reference and another amount', { reference: null, amountPesewas: pesewas(961) }],
  ['no reference and another time', { reference: null, createdAt: ago(600) }],
] as const)(
  'a wallet whose debits resemble the account’s orders but have %s is another wallet',
  (_, changes) => {
    const entries = orders.map((each) => debitOf(each, changes))
    expect(samenessOf(orders, whole(...entries), now)).toBe('other')
  },
)

test.each([
  ['another amount', { amountPesewas: pesewas(961) }],
  ['another time', { createdAt: ago(600) }],
  ['no time', { createdAt: null }],
  ['the type credit', { type: 'credit' }],
  ['no reference', { reference: null }],
] as const)(
  'debits that resemble the account’s orders but have %s do not show whose wallet it is',
  (_, changes) => {
    const entries = orders.map((each) => debitOf(each, changes))
    expect(samenessOf(orders, whole(...entries), now)).toBe('unknown')
  },
)

test('a wallet that was not read back to the account’s orders, or an account with few orders, leaves open whose wallet it is', () => {
  expect(samenessOf(orders, part(foreign(5), foreign(20)), now)).toBe('unknown')
  expect(samenessOf([], whole(foreign(5)), now)).toBe('unknown')
  const [one = order(1)] = orders
  expect(samenessOf(orders, whole(debitOf(one)), now)).toBe('unknown')
})

test('a debit that resembles an unconfirmed order shows whose wallet it is only if a callback named its reference', () => {
  const unknown: Order = { ...confirmed, placement: 'unconfirmed', sentAt: ago(30), reconcileAt: now }
  const fitting = { ...foreign(29), description: 'MTN 5GB for 0241234567' }
  expect(samenessOf([], whole(fitting), now)).toBe('unknown')
  expect(hasClaimedDebit([unknown], [fitting])).toBe(true)
  const claim = (...references: string[]) => [{ order: unknown, named: new Set(references) }]
  expect(hasNamedDebit(claim(), [fitting])).toBe(false)
  expect(hasNamedDebit(claim('BUD-API-ANOTHER-1'), [fitting])).toBe(false)
  expect(hasNamedDebit(claim(fitting.reference ?? ''), [fitting])).toBe(true)
  const early = { ...fitting, createdAt: ago(600) }
  expect(hasNamedDebit(claim(fitting.reference ?? ''), [early])).toBe(false)
})

/** A wallet of that many entries, one a minute. */
const walletOf = (count: number, isOldestFirst: boolean) => {
  const entries = Array.from({ length: count }, (_, index) => foreign(index + 1))
  if (isOldestFirst) entries.reverse()
  const asked: number[] = []
  return {
    asked,
    provider: {
      transactions: async ({ page = 1 } = {}): Promise<TransactionPage> => {
        asked.push(page)
        return {
          transactions: entries.slice((page - 1) * 100, page * 100),
          unreadable: 0,
          pagination: { currentPage: page, perPage: 100, total: count, lastPage: Math.ceil(count / 100) },
          meta: { httpStatus: 200, serverDate: null, sentAt: now, receivedAt: now },
        }
      },
    },
  }
}

test.each([
  ['newest first', false, [1, 2, 3], 300, 300],
  ['oldest first', true, [1, 10, 9], 250, 150],
] as const)(
  'the history of a long wallet, listed %s, is read from its newest entry backwards',
  async (_, isOldestFirst, pages, count, reached) => {
    const { provider, asked } = walletOf(950, isOldestFirst)
    const { entries, reachedMs } = await readWallet(provider, () => false)
    expect(asked).toEqual(pages)
    expect(entries).toHaveLength(count)
    expect(reachedMs).toBe(ago(reached).getTime())
  },
)

test('to see whose wallet it is, a short history is read whole unless the first page is enough', async () => {
  const { provider, asked } = walletOf(250, false)
  expect(await readWallet(provider, () => false)).toMatchObject({ reachedMs: Number.NEGATIVE_INFINITY })
  expect(asked).toEqual([1, 2, 3])
  const quick = walletOf(250, false)
  await readWallet(quick.provider, () => true)
  expect(quick.asked).toEqual([1])
})

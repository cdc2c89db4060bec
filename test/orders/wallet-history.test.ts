import { describe, expect, test } from 'vitest'
import { newHistory, takePage } from '../../src/orders/wallet-history.ts'
import { pesewas, type Transaction, type TransactionPage } from '../../src/provider/index.ts'

const startMs = Date.UTC(2026, 10, 21, 10)
const minute = 60_000

const entry = (id: number, minutes: number | null, more: Partial<Transaction> = {}): Transaction => ({
  id,
  type: 'debit',
  amountPesewas: pesewas(960),
  description: null,
  reference: `BUD-API-A-${id}`,
  balanceAfterPesewas: null,
  createdAt: minutes === null ? null : new Date(startMs + minutes * minute),
  ...more,
})

const page = (transactions: Transaction[], lastPage: number | null, more: Partial<TransactionPage> = {}) => ({
  transactions,
  unreadable: 0,
  pagination: lastPage === null ? null : { currentPage: 1, perPage: 100, total: 1_000, lastPage },
  meta: { httpStatus: 200, sentAt: new Date(startMs), receivedAt: new Date(startMs), serverDate: null },
  ...more,
})

const read = (...pages: TransactionPage[]) => {
  const history = newHistory(new Date(startMs))
  for (const each of pages) takePage(history, each, startMs - 10 * minute)
  return history
}

describe('the history of a wallet', () => {
  test('ends with the last page, or where the entries, newest first, are older than was asked for', () => {
    expect(read(page([entry(3, 0)], 2))).toMatchObject({ complete: false, page: 2 })
    expect(read(page([entry(3, 0)], 2), page([entry(2, -1)], 2)).complete).toBe(true)
    expect(read(page([entry(3, 0), entry(2, -11)], 9)).complete).toBe(true)
  })

  test('does not end at an old entry where newer ones follow older ones', () => {
    const reversed = page([entry(1, -11), entry(2, 0)], 9)
    expect(read(reversed).complete).toBe(false)
    expect(read(reversed, page([entry(3, -20)], 9)).complete).toBe(false)
  })

  test('without pagination ends with a page that is not full', () => {
    const full = Array.from({ length: 100 }, (_, index) => entry(index, 0))
    expect(read(page(full, null)).complete).toBe(false)
    expect(read(page(full.slice(1), null)).complete).toBe(true)
    expect(read(page(full.slice(1), null, { unreadable: 1 })).complete).toBe(false)
  })

  test('counts once what it meets twice, since entries shift while it is read', () => {
    const { debits } = read(page([entry(3, 0), entry(2, -1)], 2), page([entry(2, -1), entry(1, -2)], 2))
    expect([...debits.keys()]).toEqual(['BUD-API-A-3', 'BUD-API-A-2', 'BUD-API-A-1'])
  })

  test('keeps debits without a reference apart, and leaves out credits', () => {
    const bare = { reference: null }
    const { debits } = read(page([entry(3, 0, bare), entry(2, 0, bare), entry(1, 0, { type: 'credit' })], 1))
    expect([...debits.keys()]).toEqual(['#3', '#2'])
  })

  test('measures the clock of the provider, and counts what it could not understand', () => {
    const meta = {
      ...page([], 1).meta,
      serverDate: new Date(startMs + 5_000),
    }
    expect(read(page([entry(1, 0)], 1, { unreadable: 2, meta }))).toMatchObject({
      clockOffsetMs: 5_000,
      unreadable: 2,
    })
  })
})

import { describe, expect, test } from 'vitest'
import { pesewas, type Transaction, type TransactionPage } from '../../src/provider/index.ts'
import { newHistory, nextPage, reachedMs, takePage } from '../../src/wallets/wallet-history.ts'

const startMs = Date.UTC(2026, 10, 21, 10)
const minute = 60_000
const sinceMs = startMs - 10 * minute

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

const page = (
  transactions: Transaction[],
  lastPage: number | null,
  more: Partial<TransactionPage> = {},
  total = 1_000,
) => ({
  transactions,
  unreadable: 0,
  pagination: lastPage === null ? null : { currentPage: 1, perPage: 100, total, lastPage },
  meta: { httpStatus: 200, sentAt: new Date(startMs), receivedAt: new Date(startMs), serverDate: null },
  ...more,
})

/** Reads until nothing is left to read, or no answers are left. */
const read = (...answers: TransactionPage[]) => {
  const history = newHistory()
  const asked: number[] = []
  for (const answer of answers) {
    const next = nextPage(history, sinceMs)
    if (next === null) break
    asked.push(next)
    takePage(history, next, answer)
  }
  const next = nextPage(history, sinceMs)
  return { history, asked, next, reached: reachedMs(history) < sinceMs }
}

/** A wallet whose pages have one entry each, made this many minutes after the start. */
const readAll = (...minutes: number[]) => {
  const history = newHistory()
  const asked: number[] = []
  for (let next = nextPage(history, sinceMs); next !== null; next = nextPage(history, sinceMs)) {
    asked.push(next)
    takePage(history, next, page([entry(next, minutes[next - 1] ?? 0)], minutes.length))
  }
  return { asked, reached: reachedMs(history) < sinceMs }
}

describe('the read history of a wallet', () => {
  test('ends with the last page, or, if the newest come first, where entries are older than needed', () => {
    expect(read(page([entry(3, 0)], 2))).toMatchObject({ next: 2, reached: false })
    expect(read(page([entry(3, 0)], 2), page([entry(2, -1)], 2))).toMatchObject({ next: null, reached: true })
    expect(read(page([entry(3, 0), entry(2, -11)], 9))).toMatchObject({ next: null, reached: true })
  })

  test('is read from the last page backwards if it is listed from old to new', () => {
    const old = Array.from({ length: 60 }, (_, index) => index - 75)
    expect(readAll(...old, -12, -5, -1)).toEqual({ asked: [1, 63, 62, 61], reached: true })
  })

  test('does not end at an old entry if newer ones follow older ones', () => {
    expect(readAll(-11, 0, -20, -1)).toEqual({ asked: [1, 4, 3, 2], reached: true })
    expect(readAll(0, -5, -2, -11)).toEqual({ asked: [1, 4, 2, 3], reached: true })
  })

  test('does not end at a first page whose entries all have the same time', () => {
    const same = [entry(1, -60), entry(2, -60)]
    expect(read(page(same, 9))).toMatchObject({ next: 9, reached: false })
    // Listed from old to new.
    expect(read(page(same, 3), page([entry(9, -1)], 3))).toMatchObject({ next: 2, reached: false })
    // Listed from new to old.
    expect(read(page(same, 3), page([entry(9, -90)], 3))).toMatchObject({ next: null, reached: true })
    // All entries have the same time.
    expect(read(page(same, 3), page([entry(9, -60)], 3))).toMatchObject({ next: 2, reached: false })
  })

  test('is read up to its new last page if it is listed from old to new and has grown', () => {
    const first = page([entry(1, -60), entry(2, -50)], 2)
    const last = page([entry(3, -40)], 3)
    expect(read(first, last)).toMatchObject({ asked: [1, 2], next: 3 })
    expect(read(first, last, page([entry(4, -5)], 3))).toMatchObject({ next: null, reached: true })
  })

  test('has a page read again if an entry moved there during the read', () => {
    const first = page([entry(1, -60), entry(2, -50)], 4, {}, 8)
    const fourth = page([entry(7, -2), entry(8, -1)], 4, {}, 8)
    // A late entry has appeared below this page, so the last entry of this page has moved to the fourth.
    const third = page([entry(9, -6), entry(5, -5)], 4, {}, 9)
    expect(read(first, fourth, third)).toMatchObject({ asked: [1, 4, 3], next: 4 })
    const again = page([entry(6, -4), entry(7, -2)], 4, {}, 9)
    const { history, next } = read(first, fourth, third, again)
    expect(next).toBe(2)
    expect(history.met.has('debit 6')).toBe(true)
  })

  test('ends with a page that is not full if there is no pagination', () => {
    const full = Array.from({ length: 100 }, (_, index) => entry(index, 0))
    expect(read(page(full, null)).next).toBe(2)
    expect(read(page(full.slice(1), null)).next).toBe(null)
    expect(read(page(full.slice(1), null, { unreadable: 1 })).next).toBe(2)
  })

  test('proves nothing with a page that has unreadable entries', () => {
    expect(read(page([entry(3, 0), entry(2, -11)], 9, { unreadable: 1 }))).toMatchObject({
      next: null,
      reached: false,
    })
  })

  test('counts an entry once that appears on two pages because entries moved', () => {
    const { history, reached } = read(
      page([entry(3, 0), entry(2, -1)], 3),
      page([entry(3, 0), entry(2, -1), entry(1, -12)], 3),
    )
    expect([...history.met]).toEqual(['debit 3', 'debit 2', 'debit 1'])
    expect(reached).toBe(true)
  })

  test('distinguishes two debits with one reference, and a credit from a debit', () => {
    const one = { reference: 'BUD-API-A-1' }
    const { history } = read(
      page([entry(3, 0, one), entry(2, 0, one), entry(2, 0, { type: 'credit', ...one })], 1),
    )
    expect([...history.met]).toEqual(['debit 3', 'debit 2', 'credit 2'])
  })

  test('counts its unreadable entries', () => {
    const { history } = read(page([entry(1, 0)], 1, { unreadable: 2 }))
    expect(history.unreadable).toBe(2)
  })
})

import type { Transaction, TransactionPage } from '../provider/index.ts'
import type { Debit } from './matching.ts'
import { entryKey } from './wallet-history.ts'

/** What a wallet's entries say, newest first as far as they were read. */
export interface WalletEntries {
  beganAt: Date
  debits: Debit[]
  /** What came back to the wallet, by the reference of its order. */
  credits: Map<string, number>
  /**
   * Every entry after this time, by the provider's clock (epoch ms), was read and understood: −∞ where all were,
   * +∞ where the read proves nothing.
   */
  reachedMs: number
}

/** Pages of the largest size; a wallet with more entries than this in the time in question is not read to the end. */
export const entriesPerPage = 100
const mostPages = 50

/**
 * Reads the entries back to that time, all of them each time. What was read before cannot be left out: a debit may
 * show minutes late among older entries, the API promises no order, and `total` may stand still while an entry comes
 * and another drops out of what is “recent” (§4.6). Newest first, one page of a hundred mostly reaches far enough.
 */
export const readEntries = async (
  readPage: (page: number) => Promise<TransactionPage>,
  sinceMs: number,
  beganAt: Date,
): Promise<WalletEntries> => {
  const debits = new Map<string, Debit>()
  const credits = new Map<string, { reference: string; amountPesewas: number }>()
  // An old entry ends the read only where nothing newer can follow it: the API promises no order (§4.6).
  let isNewestFirst = true
  let oldestMs = Number.POSITIVE_INFINITY
  let reachedMs = Number.POSITIVE_INFINITY
  // New entries that arrive between two pages shift older ones to a later page, where they are met again.
  for (let page = 1; page <= mostPages && !(reachedMs < sinceMs); page += 1) {
    const { transactions, pagination, unreadable } = await readPage(page)
    for (const entry of transactions) {
      // Met twice where entries shifted between pages: counted once.
      if (entry.type === 'debit') debits.set(entryKey(entry), debitOf(entry))
      if (entry.type !== 'credit' || entry.reference === null) continue
      credits.set(String(entry.id), { ...entry, reference: entry.reference })
    }
    if (unreadable > 0) break
    for (const { createdAt } of transactions) {
      if (createdAt === null) continue
      isNewestFirst &&= createdAt.getTime() <= oldestMs
      oldestMs = Math.min(oldestMs, createdAt.getTime())
    }
    const last = pagination?.lastPage ?? null
    const isEnd = last === null ? transactions.length < entriesPerPage : page >= last
    reachedMs = isEnd ? Number.NEGATIVE_INFINITY : isNewestFirst ? oldestMs : Number.POSITIVE_INFINITY
  }
  return { beganAt, debits: [...debits.values()], credits: sums(credits.values()), reachedMs }
}

export const debitOf = (entry: Transaction): Debit => ({
  reference: entry.reference,
  amountPesewas: entry.amountPesewas,
  description: entry.description,
  createdAtMs: entry.createdAt?.getTime() ?? null,
})

const sums = (entries: Iterable<{ reference: string; amountPesewas: number }>): Map<string, number> => {
  const result = new Map<string, number>()
  for (const { reference, amountPesewas } of entries) {
    result.set(reference, (result.get(reference) ?? 0) + amountPesewas)
  }
  return result
}

import type { Transaction, TransactionPage } from '../provider/index.ts'
import type { Debit } from './matching.ts'
import { nextPage, reachedMs, takePage, type WalletHistory } from './wallet-history.ts'

/** What a wallet's entries say, as far as they were read. */
export interface WalletEntries {
  beganAt: Date
  /** Newest first. Of several with one reference the earliest stands for all. */
  debits: Debit[]
  /** What was charged under each reference, by all of its debits. */
  charges: Map<string, number>
  /** What came back to the wallet, by the reference of its order. */
  credits: Map<string, number>
  /**
   * Every entry after this time, by the provider's clock (epoch ms), was read and understood: −∞ where all were,
   * +∞ where the read proves nothing.
   */
  reachedMs: number
  /** It was not read to its end, but can be gone on with. */
  isUnfinished: boolean
  /** How many pages it took. */
  requests: number
}

/** So many pages are read in one go. */
const mostPages = 50

/**
 * Goes on reading the entries back to that time, or begins. Nothing that an earlier, finished read has found can be left
 * out: a debit may show minutes late among older entries, the API promises no order, and `total` may stand still while an
 * entry comes and another drops out of what is “recent” (§4.6). In order, one page of a hundred mostly reaches far enough.
 *
 * @param readPage is told how many were read before; what it throws leaves the history as it is, to be gone on with.
 */
export const readEntries = async (
  history: WalletHistory,
  readPage: (page: number, before: number) => Promise<TransactionPage>,
  sinceMs: number,
): Promise<WalletEntries> => {
  let next = nextPage(history, sinceMs)
  for (let count = 0; count < mostPages && next !== null && history.unreadable === 0; count += 1) {
    takePage(history, next, await readPage(next, history.requests))
    next = nextPage(history, sinceMs)
  }
  const debits = [...history.debits.values()].toSorted((a, b) => timeOf(b) - timeOf(a))
  const credits = [...history.credits.values()].filter(({ type }) => type === 'credit')
  return {
    beganAt: history.beganAt,
    debits: earliestOfEach(debits).map(debitOf),
    charges: sums(debits),
    credits: sums(credits),
    reachedMs: reachedMs(history),
    isUnfinished: next !== null && history.unreadable === 0,
    requests: history.requests,
  }
}

/** What has no time is taken for the newest. */
const timeOf = ({ createdAt }: Transaction): number => createdAt?.getTime() ?? Number.MAX_SAFE_INTEGER

/** @param newestFirst debits in that order, which those that are kept have too. */
const earliestOfEach = (newestFirst: Transaction[]): Transaction[] => {
  const earliest = new Map(newestFirst.map((entry) => [entry.reference, entry]))
  return newestFirst.filter((entry) => entry.reference === null || earliest.get(entry.reference) === entry)
}

export const debitOf = (entry: Transaction): Debit => ({
  reference: entry.reference,
  amountPesewas: entry.amountPesewas,
  description: entry.description,
  createdAtMs: entry.createdAt?.getTime() ?? null,
})

const sums = (entries: Transaction[]): Map<string, number> => {
  const result = new Map<string, number>()
  for (const { reference, amountPesewas } of entries) {
    if (reference !== null) result.set(reference, (result.get(reference) ?? 0) + amountPesewas)
  }
  return result
}

import type { Transaction, TransactionPage } from '../provider/index.ts'

/**
 * A wallet's entries back to some time, collected page by page (API §4.6). It may be gone on with after a pause:
 * entries that arrive meanwhile shift older ones to later pages, where they are met again and counted once.
 */
export interface WalletHistory {
  readonly beganAt: Date
  /** The page that is to be read next. */
  page: number
  complete: boolean
  /** Entries that could not be understood. */
  unreadable: number
  /** The provider's clock less ours, ms; null where no answer has told it. */
  clockOffsetMs: number | null
  debits: Map<string, Transaction>
  /** What was met so far runs from new to old: then an old entry ends it. The API promises no order. */
  newestFirst: boolean
  oldestMs: number
}

export const historyEntriesPerPage = 100

export const newHistory = (beganAt: Date): WalletHistory => ({
  beganAt,
  page: 1,
  complete: false,
  unreadable: 0,
  clockOffsetMs: null,
  debits: new Map(),
  newestFirst: true,
  oldestMs: Number.POSITIVE_INFINITY,
})

/** Takes in the page that was to be read next. @param sinceMs the time to reach back to, by the provider's clock. */
export const takePage = (history: WalletHistory, answer: TransactionPage, sinceMs: number): void => {
  const { transactions, pagination, unreadable, meta } = answer
  for (const entry of transactions) {
    if (entry.type === 'debit') history.debits.set(entryKey(entry), entry)
    if (entry.createdAt === null) continue
    history.newestFirst &&= entry.createdAt.getTime() <= history.oldestMs
    history.oldestMs = Math.min(history.oldestMs, entry.createdAt.getTime())
  }
  if (meta.serverDate) history.clockOffsetMs = meta.serverDate.getTime() - meta.receivedAt.getTime()
  history.unreadable += unreadable
  const last = pagination?.lastPage ?? null
  const isEnd =
    last === null ? transactions.length + unreadable < historyEntriesPerPage : history.page >= last
  history.complete = isEnd || (history.newestFirst && history.oldestMs < sinceMs)
  history.page += 1
}

/** What tells an entry from others: its order's reference, or its own id where it has none. */
export const entryKey = ({ reference, id }: Transaction): string => reference ?? `#${id}`

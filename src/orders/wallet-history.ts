import type { Transaction, TransactionPage } from '../provider/index.ts'

/**
 * A wallet's entries back to some time, collected page by page (API §4.6) and gone on with after a pause.
 *
 * The API promises no order. Which one the pages have is told by the times on them: newest first is read from the first
 * page on, oldest first from the last page backwards, and both end where everything after the time in question was read.
 * Pages that run both ways, or all bear one time, tell no order: then all of them are read.
 *
 * Entries that arrive meanwhile shift others to a later page, where they are met again and counted once.
 */
export interface WalletHistory {
  readonly beganAt: Date
  /** By number, what the pages that were read hold. */
  pages: Map<number, ReadPage>
  /** How many pages there are; null where the provider does not say. */
  lastPage: number | null
  /** How many entries there were when a page was read last; null where the provider does not say. */
  total: number | null
  /** Pages onto which entries may have shifted since they were read, and whether they were read once more. */
  shifted: Map<number, { isReadAgain: boolean }>
  /** Entries that could not be understood. */
  unreadable: number
  /** By what tells them from others: two debits with one reference are two. */
  debits: Map<string, Transaction>
  credits: Map<string, Transaction>
  /** How many answers were taken in. */
  requests: number
}

interface ReadPage {
  /** The times (epoch ms) of its entries that no page read before it held. */
  times: number[]
  oldestMs: number
  isUnderstood: boolean
  /** It had room for more: where the provider does not count pages there is none after it. */
  isShort: boolean
}

export const historyEntriesPerPage = 100

export const newHistory = (beganAt: Date): WalletHistory => ({
  beganAt,
  pages: new Map(),
  lastPage: null,
  total: null,
  shifted: new Map(),
  unreadable: 0,
  debits: new Map(),
  credits: new Map(),
  requests: 0,
})

/** Takes in what a page was answered with. */
export const takePage = (history: WalletHistory, page: number, answer: TransactionPage): void => {
  const { transactions, pagination, unreadable } = answer
  const fresh = transactions.filter((entry) => !mapOf(history, entry).has(entryKey(entry)))
  for (const entry of transactions) mapOf(history, entry).set(entryKey(entry), entry)
  lookForShift(history, page, pagination?.total ?? null)
  history.requests += 1
  history.unreadable += unreadable
  history.lastPage = pagination && Math.max(1, pagination.lastPage)
  const before = history.pages.get(page)
  const times = fresh.flatMap(({ createdAt }) => createdAt?.getTime() ?? [])
  history.pages.set(page, {
    times: before?.times ?? times,
    oldestMs: Math.min(before?.oldestMs ?? Number.POSITIVE_INFINITY, ...times),
    isUnderstood: unreadable === 0,
    isShort: transactions.length + unreadable < historyEntriesPerPage,
  })
}

const mapOf = ({ debits, credits }: WalletHistory, { type }: Transaction) =>
  type === 'debit' ? debits : credits

/**
 * Read backwards, an entry that shows late among older ones shifts another onto the page that was read before this one:
 * that page is read once more.
 */
const lookForShift = (history: WalletHistory, page: number, total: number | null): void => {
  const { pages, shifted } = history
  if (shifted.has(page)) shifted.set(page, { isReadAgain: true })
  const hasChanged = history.total !== null && total !== null && history.total !== total
  history.total = total
  const isNew = !pages.has(page) && pages.has(page + 1) && !shifted.has(page + 1)
  if (hasChanged && isNew) shifted.set(page + 1, { isReadAgain: false })
}

const isRead = ({ pages, shifted }: WalletHistory, page: number): boolean =>
  pages.has(page) && shifted.get(page)?.isReadAgain !== false

type Direction = 'newest_first' | 'oldest_first' | 'unordered' | 'unknown'

/** How the entries run over the pages that were read. */
const directionOf = (history: WalletHistory): Direction => {
  let [rises, falls] = [false, false]
  let beforeMs: number | null = null
  for (const [, { times }] of [...history.pages].sort(([a], [b]) => a - b)) {
    for (const time of times) {
      rises ||= beforeMs !== null && time > beforeMs
      falls ||= beforeMs !== null && time < beforeMs
      beforeMs = time
    }
  }
  if (rises && falls) return 'unordered'
  return falls ? 'newest_first' : rises ? 'oldest_first' : 'unknown'
}

/** The number of the last page; null where nobody knows yet. */
const endOf = ({ lastPage, pages }: WalletHistory): number | null => {
  if (lastPage !== null) return lastPage
  const short = [...pages].filter(([, { isShort }]) => isShort).map(([page]) => page)
  return short.length > 0 ? Math.min(...short) : null
}

/** The pages that are still to be read, in their order; of an unknown number the next one alone. */
const unreadPages = (history: WalletHistory): number[] => {
  const end = endOf(history)
  const last = end ?? Math.max(0, ...history.pages.keys()) + 1
  return Array.from({ length: last }, (_, index) => index + 1).filter((page) => !isRead(history, page))
}

/**
 * Every entry after this time was read and understood, by the provider's clock (epoch ms): −∞ where all were, +∞ where
 * what was read proves nothing yet.
 */
export const reachedMs = (history: WalletHistory): number => reached(history, (page) => page.isUnderstood)

const reached = (history: WalletHistory, counts: (page: ReadPage) => boolean): number => {
  const isEach = [...history.pages.values()].every(counts)
  if (isEach && unreadPages(history).length === 0) return Number.NEGATIVE_INFINITY
  const direction = directionOf(history)
  const end = endOf(history)
  if (direction === 'newest_first') return oldestMs(history, counts, 1, 1)
  return direction === 'oldest_first' && end !== null
    ? oldestMs(history, counts, end, -1)
    : Number.POSITIVE_INFINITY
}

/** The oldest time on the pages that were read without a gap from there on. */
const oldestMs = (
  history: WalletHistory,
  counts: (page: ReadPage) => boolean,
  from: number,
  step: 1 | -1,
): number => {
  let oldest = Number.POSITIVE_INFINITY
  for (let number = from; isRead(history, number); number += step) {
    const page = history.pages.get(number)
    if (!page || !counts(page)) break
    oldest = Math.min(oldest, page.oldestMs)
  }
  return oldest
}

/** The page to be read next, to reach back to that time by the provider's clock; null where it was reached. */
export const nextPage = (history: WalletHistory, sinceMs: number): number | null => {
  if (reached(history, () => true) < sinceMs) return null
  const unread = unreadPages(history)
  const [first = null, last = first] = [unread[0], unread.at(-1)]
  switch (directionOf(history)) {
    case 'oldest_first':
      return endOf(history) === null ? first : last
    case 'unknown':
      // The first page and the last together tell the order, unless all is of one moment.
      return history.pages.size === 1 ? last : first
    case 'newest_first':
    case 'unordered':
      return first
  }
}

/** How the entries of one page run, by its first and its last time; null where these do not differ. */
export const runOf = ({
  transactions,
}: Pick<TransactionPage, 'transactions'>): 'newest_first' | 'oldest_first' | null => {
  const times = transactions.flatMap(({ createdAt }) => createdAt?.getTime() ?? [])
  const [first = 0, last = first] = [times[0], times.at(-1)]
  if (first === last) return null
  return first < last ? 'oldest_first' : 'newest_first'
}

/** What tells an entry from others. Several may bear one reference. */
export const entryKey = ({ type, id }: Pick<Transaction, 'type' | 'id'>): string => `${type} ${id}`

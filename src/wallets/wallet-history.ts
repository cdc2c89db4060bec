import type { Transaction, TransactionPage } from '../provider/index.ts'

/**
 * Which pages of a wallet (API §4.6) were read, which to read next, and back to which time every entry is known.
 *
 * The API does not say how a wallet is sorted, but the times on the pages show it. If the newest entries come first,
 * pages are read from the first one on; if the oldest come first, from the last one backwards. Either way the read ends
 * once everything after the wanted time was read. If the pages are unsorted, or all times are the same, all pages are
 * read.
 *
 * Entries that arrive during the read shift others to later pages. An entry that is read twice counts once.
 */
export interface WalletHistory {
  /** By page number. */
  pages: Map<number, SeenPage>
  /** The number of pages; null if the provider does not give it. */
  lastPage: number | null
  /** Pages to read again, because entries may have shifted onto them. */
  stale: Set<number>
  unreadable: number
  /** The keys of all entries read so far. */
  met: Set<string>
  requests: number
}

interface SeenPage {
  /** The times (epoch ms) of the entries that no earlier page had; null if none of them has a time. */
  run: Run | null
  /** The oldest time on the page when it was last read; +∞ if no entry has a time. */
  oldestMs: number
  count: number
  /** How many entries the wallet had when the page was read; null if the provider does not give it. */
  total: number | null
  isUnderstood: boolean
}

/** A summary of entry times in page order, enough to tell how the wallet is sorted. */
interface Run {
  firstMs: number
  lastMs: number
  rises: boolean
  falls: boolean
}

/** The most entries on a page (API §4.6). */
export const entriesPerPage = 100

export const newHistory = (): WalletHistory => ({
  pages: new Map(),
  lastPage: null,
  stale: new Set(),
  unreadable: 0,
  met: new Set(),
  requests: 0,
})

/** A reference does not identify an entry, because several entries may have the same one. */
export const entryKey = ({ type, id }: Pick<Transaction, 'type' | 'id'>): string => `${type} ${id}`

/**
 * Adds the answer for a page to the history.
 * @returns its new entries, in page order
 */
export const takePage = (history: WalletHistory, page: number, answer: TransactionPage): Transaction[] => {
  const { transactions, pagination, unreadable } = answer
  const { pages } = history
  const fresh = transactions.filter((entry) => isMetFirst(history, entry))
  const before = pages.get(page)
  const seen: SeenPage = {
    run: before ? before.run : runOf(timesOf(fresh)),
    oldestMs: timesOf(transactions).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    count: transactions.length + unreadable,
    total: pagination?.total ?? null,
    isUnderstood: unreadable === 0,
  }
  if (hasShiftedOn(history, page, seen)) history.stale.add(page + 1)
  history.stale.delete(page)
  history.requests += 1
  history.unreadable += unreadable
  history.lastPage = pagination && Math.max(1, pagination.lastPage)
  pages.set(page, seen)
  return fresh
}

const isMetFirst = ({ met }: WalletHistory, entry: Transaction): boolean => {
  const key = entryKey(entry)
  if (met.has(key)) return false
  met.add(key)
  return true
}

const timesOf = (entries: Transaction[]): number[] =>
  entries.flatMap(({ createdAt }) => createdAt?.getTime() ?? [])

/**
 * Whether the next page, which was read before this one, may now have unread entries. A late entry that appears among
 * older ones pushes others onto that page. If this page had been read before too, an entry can have skipped it only if
 * the wallet has since grown by at least a whole page.
 */
const hasShiftedOn = ({ pages }: WalletHistory, page: number, { total, count }: SeenPage): boolean => {
  const next = pages.get(page + 1)
  if (!next || next.total === null || total === null || next.total === total) return false
  const before = pages.get(page)
  return !before || before.total === null || total - before.total >= count
}

const runOf = (times: number[]): Run | null => {
  const [firstMs, lastMs] = [times[0], times.at(-1)]
  if (firstMs === undefined || lastMs === undefined) return null
  const steps = times.map((time, index) => time - (times[index - 1] ?? time))
  return { firstMs, lastMs, rises: steps.some((step) => step > 0), falls: steps.some((step) => step < 0) }
}

const isRead = ({ pages, stale }: WalletHistory, page: number): boolean => pages.has(page) && !stale.has(page)

type Direction = 'newest_first' | 'oldest_first' | 'unordered' | 'unknown'

/** How the wallet is sorted; `unknown` if all times so far are the same. */
const directionOf = ({ pages }: WalletHistory): Direction => {
  let [rises, falls] = [false, false]
  let before: Run | null = null
  for (const [, { run }] of [...pages].sort(([a], [b]) => a - b)) {
    if (run === null) continue
    rises ||= run.rises || (before !== null && run.firstMs > before.lastMs)
    falls ||= run.falls || (before !== null && run.firstMs < before.lastMs)
    before = run
  }
  if (rises && falls) return 'unordered'
  return falls ? 'newest_first' : rises ? 'oldest_first' : 'unknown'
}

/** The number of the last page; null if unknown. */
const endOf = ({ lastPage, pages }: WalletHistory): number | null => {
  if (lastPage !== null) return lastPage
  // If the provider does not give the number of pages, a page that is not full is the last.
  const short = [...pages].filter(([, { count }]) => count < entriesPerPage).map(([page]) => page)
  return short.length > 0 ? Math.min(...short) : null
}

/** The pages still to read, in order. If the number of pages is unknown, only the next one is added to those. */
const unreadPages = (history: WalletHistory): number[] => {
  const end = endOf(history)
  const last = end ?? Math.max(0, ...history.pages.keys()) + 1
  return Array.from({ length: last }, (_, index) => index + 1).filter((page) => !isRead(history, page))
}

/**
 * The time (epoch ms, by the provider's clock) after which every entry was read and understood. −∞ if all entries
 * were; +∞ if the pages prove nothing yet.
 */
export const reachedMs = (history: WalletHistory): number => reached(history, (page) => page.isUnderstood)

const reached = (history: WalletHistory, counts: (page: SeenPage) => boolean): number => {
  const isEach = [...history.pages.values()].every(counts)
  if (isEach && unreadPages(history).length === 0) return Number.NEGATIVE_INFINITY
  const direction = directionOf(history)
  const isOrdered = direction === 'newest_first' || direction === 'oldest_first'
  let oldest = Number.POSITIVE_INFINITY
  for (const number of isOrdered ? newestPages(history) : []) {
    const page = history.pages.get(number)
    if (!page || !counts(page)) break
    oldest = Math.min(oldest, page.oldestMs)
  }
  return oldest
}

/**
 * The pages read without a gap, starting at the newest entries. Empty if only one page was read and it does not show
 * where the newest entries are.
 */
export const newestPages = (history: WalletHistory): number[] => {
  const direction = directionOf(history)
  const end = endOf(history)
  const isBackwards = direction === 'oldest_first'
  const isOnly = history.pages.size === 1 && end !== 1
  if (isBackwards ? end === null : direction === 'unknown' && isOnly) return []
  const result: number[] = []
  const step = isBackwards ? -1 : 1
  for (let page = isBackwards ? (end ?? 0) : 1; isRead(history, page); page += step) result.push(page)
  return result
}

/**
 * The page to read next, so that the read goes back to `sinceMs` (by the provider's clock); null if it already does.
 */
export const nextPage = (history: WalletHistory, sinceMs: number): number | null => {
  if (reached(history, () => true) < sinceMs) return null
  const unread = unreadPages(history)
  const [first = null, last = first] = [unread[0], unread.at(-1)]
  switch (directionOf(history)) {
    case 'oldest_first':
      return endOf(history) === null ? first : last
    case 'unknown':
      // The first and the last page together show how the wallet is sorted, unless all times are the same.
      return history.pages.size === 1 ? last : first
    case 'newest_first':
    case 'unordered':
      return first
  }
}

export const isOldestFirst = (history: WalletHistory): boolean => directionOf(history) === 'oldest_first'

/** The page that is as far from the last page as the given one is from the first. */
export const mirrorOf = (history: WalletHistory, page: number): number =>
  Math.max(1, (endOf(history) ?? page) + 1 - page)

/** A page that may show how the wallet is sorted, if the pages read so far do not; null if there is none. */
export const pageThatShowsSorting = (history: WalletHistory): number | null => {
  if (directionOf(history) !== 'unknown') return null
  return [1, endOf(history) ?? 1].find((page) => !history.pages.has(page)) ?? null
}

/** Whether no page has older entries than the page at that place, counted from the newest. */
export const isLastPlace = (history: WalletHistory, place: number): boolean => {
  const end = endOf(history)
  return end !== null && place >= end
}

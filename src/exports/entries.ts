import { historyEntriesPerPage } from '../orders/wallet-history.ts'
import { ProviderError, type Transaction, type TransactionPage } from '../provider/index.ts'
import type { Span } from './period.ts'

/** How far the reading of a wallet is. */
export type ReadingNews =
  /** So many entries were looked at; `total` is null where it is not known how many there will be. */
  | { kind: 'read'; entries: number; total: number | null }
  /** The request limit of the account leaves no room until then, or the provider does not answer. */
  | { kind: 'waits'; until: Date; why: 'limit' | 'no_answer' }

export interface EntriesReading {
  readPage: (page: number) => Promise<TransactionPage>
  span: Span
  now: () => Date
  /** @throws where the reading is to end. */
  wait: (ms: number) => Promise<void>
  onNews: (news: ReadingNews) => void
  /** Entries that could not be understood. */
  onUnreadable: (count: number) => void
}

/** So many pages are read at once; then the person's other requests get their turn between them. */
const pagesAtOnce = 20
const betweenPagesMs = 2_000
/** Waits before a page is asked for again that was not answered. */
const unansweredMs = [5_000, 15_000, 45_000]
/** New entries shift those that were read to the next page: as many are known again. */
const mostRemembered = 10 * historyEntriesPerPage

/**
 * A wallet's entries of some time, newest first, a page at a time and each once.
 * @throws {ProviderError} that waiting does not help against.
 */
export async function* entriesOf(reading: EntriesReading): AsyncGenerator<Transaction[]> {
  const { span, onNews, onUnreadable, wait } = reading
  const sinceMs = span.since?.getTime() ?? Number.NEGATIVE_INFINITY
  const met = new Set<string>()
  let oldestMs = Number.POSITIVE_INFINITY
  // Entries of one time tell no order yet.
  let hasFallen = false
  let isNewestFirst = true
  let looked = 0
  for (let page = 1; ; page += 1) {
    if (page > pagesAtOnce) await wait(betweenPagesMs)
    const answer = await patiently(reading, page)
    const { transactions, pagination, unreadable } = answer
    const fresh = transactions.filter(({ id }) => !met.has(String(id)))
    remember(met, fresh)
    for (const { createdAt } of fresh) {
      if (createdAt === null) continue
      isNewestFirst &&= createdAt.getTime() <= oldestMs
      hasFallen ||= createdAt.getTime() < oldestMs && Number.isFinite(oldestMs)
      oldestMs = Math.min(oldestMs, createdAt.getTime())
    }
    looked += fresh.length
    if (unreadable > 0) onUnreadable(unreadable)
    onNews({ kind: 'read', entries: looked, total: span.since === null ? (pagination?.total ?? null) : null })
    const inTime = fresh.filter(({ createdAt }) => isWithin(span, createdAt))
    if (inTime.length > 0) yield inTime
    const last = pagination?.lastPage ?? null
    const isEnd = last === null ? transactions.length + unreadable < historyEntriesPerPage : page >= last
    // An old entry ends the reading only where nothing newer can follow it: the API promises no order (§4.6).
    if (isEnd || (isNewestFirst && hasFallen && oldestMs < sinceMs)) return
  }
}

const remember = (met: Set<string>, entries: Transaction[]): void => {
  for (const { id } of entries) met.add(String(id))
  for (const oldest of met) {
    if (met.size <= mostRemembered) return
    met.delete(oldest)
  }
}

/** What has no time may be of that one. */
const isWithin = ({ since, until }: Span, at: Date | null): boolean =>
  at === null || ((since === null || at >= since) && (until === null || at < until))

/** Waits as long as the provider's limit says, and a little where it does not answer. */
const patiently = async (
  { readPage, now, wait, onNews }: EntriesReading,
  page: number,
): Promise<TransactionPage> => {
  for (let unanswered = 0; ; ) {
    try {
      return await readPage(page)
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      const isLimit = error.code === 'rate_limited'
      const waitMs = isLimit
        ? Math.max(1_000, error.retryAfterMs ?? 60_000)
        : passing.has(error.code)
          ? unansweredMs[unanswered]
          : undefined
      if (waitMs === undefined) throw error
      if (!isLimit) unanswered += 1
      onNews({
        kind: 'waits',
        until: new Date(now().getTime() + waitMs),
        why: isLimit ? 'limit' : 'no_answer',
      })
      await wait(waitMs)
    }
  }
}

const passing = new Set<string>(['timeout', 'connection_lost', 'unreachable', 'bad_answer', 'server_error'])

import { ProviderError, type Transaction, type TransactionPage } from '../provider/index.ts'
import { newestFirst, type PageRead, readPages } from '../wallets/reader.ts'
import { newHistory, type WalletHistory } from '../wallets/wallet-history.ts'
import type { ExportSpan } from './export-period.ts'

export type ReadingNews =
  /** `entries` is how many have been read so far, `total` how many the period has; null if that is not known. */
  | { kind: 'read'; entries: number; total: number | null }
  /** Reading pauses until `until`: the account's request limit is used up, or the provider does not answer. */
  | { kind: 'waits'; until: Date; why: 'limit' | 'no_answer' }

/** What to read: the source of the entries and their period. */
export interface EntriesReading {
  readPage: (page: number) => Promise<TransactionPage>
  span: ExportSpan
  now: () => Date
  /** Waits, or throws to end the reading. */
  wait: (ms: number) => Promise<void>
  onNews: (news: ReadingNews) => void
  /** Called with the number of entries that could not be understood. */
  onUnreadable: (count: number) => void
}

/**
 * This many pages are read without a pause. After that, pauses between pages leave some of the request limit for the
 * person's other requests.
 */
const pagesAtOnce = 20
const betweenPagesMs = 2_000
/** How long to wait before the first, second and third retry of a page that got no answer, ms. */
const unansweredMs = [5_000, 15_000, 45_000]
/**
 * Reads the entries of a wallet in a period, newest first, and yields them page by page, each entry once.
 * @throws {ProviderError} if retries do not help
 */
export async function* entriesOf(reading: EntriesReading): AsyncGenerator<Transaction[]> {
  const { span } = reading
  const history = newHistory()
  for await (const entries of newestFirst(history, reportedPages(reading, history))) {
    const inTime = entries.filter(({ createdAt }) => isWithin(span, createdAt))
    if (inTime.length > 0) yield inTime
  }
}

/** Yields the pages of the wallet, and reports each one to `onNews`. */
async function* reportedPages(reading: EntriesReading, history: WalletHistory): AsyncGenerator<PageRead> {
  const { span, onNews, onUnreadable, wait } = reading
  const readPage = async (page: number, before: number) => {
    if (before >= pagesAtOnce) await wait(betweenPagesMs)
    return patiently(reading, page)
  }
  const sinceMs = span.since?.getTime() ?? Number.NEGATIVE_INFINITY
  for await (const read of readPages(history, readPage, sinceMs)) {
    if (read.unreadable > 0) onUnreadable(read.unreadable)
    onNews({ kind: 'read', entries: history.met.size, total: span.since === null ? read.total : null })
    yield read
  }
}

/** Whether the span contains the time. An entry without a time counts as in any span. */
const isWithin = ({ since, until }: ExportSpan, at: Date | null): boolean =>
  at === null || ((since === null || at >= since) && (until === null || at < until))

/**
 * Reads a page. If the request limit is reached, waits as long as the answer says. If the provider does not answer,
 * tries three more times.
 */
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

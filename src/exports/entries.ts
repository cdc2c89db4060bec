import { ProviderError, type Transaction, type TransactionPage } from '../provider/index.ts'
import { newHistory, type WalletHistory } from '../wallets/history.ts'
import { newestFirst, type PageRead, readPages } from '../wallets/reader.ts'
import type { Span } from './period.ts'

/** The progress of reading a wallet. */
export type ReadingNews =
  /** So many entries were looked at. `total` is null if the number of entries is not known. */
  | { kind: 'read'; entries: number; total: number | null }
  /** The reading waits until then: the account's request limit leaves no room, or the provider does not answer. */
  | { kind: 'waits'; until: Date; why: 'limit' | 'no_answer' }

/** The source of a wallet's entries, the time to read, and the calls made meanwhile. */
export interface EntriesReading {
  readPage: (page: number) => Promise<TransactionPage>
  span: Span
  now: () => Date
  /** @throws if the reading is to end. */
  wait: (ms: number) => Promise<void>
  onNews: (news: ReadingNews) => void
  /** Called with the number of entries that could not be understood. */
  onUnreadable: (count: number) => void
}

/** So many pages are read at once. After them the person's other requests get their turn between pages. */
const pagesAtOnce = 20
const betweenPagesMs = 2_000
/** Waits before a page that got no answer is asked for again. */
const unansweredMs = [5_000, 15_000, 45_000]
/**
 * The entries of a wallet in some time, newest first, a page at a time and each entry once.
 * @throws {ProviderError} if waiting does not help.
 */
export async function* entriesOf(reading: EntriesReading): AsyncGenerator<Transaction[]> {
  const { span } = reading
  const history = newHistory()
  for await (const entries of newestFirst(history, told(reading, history))) {
    const inTime = entries.filter(({ createdAt }) => isWithin(span, createdAt))
    if (inTime.length > 0) yield inTime
  }
}

/** The pages that are read for it, each told of. */
async function* told(reading: EntriesReading, history: WalletHistory): AsyncGenerator<PageRead> {
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

/** An entry without a time may be within any span. */
const isWithin = ({ since, until }: Span, at: Date | null): boolean =>
  at === null || ((since === null || at >= since) && (until === null || at < until))

/** Waits as long as the provider's limit says, and for a while if the provider does not answer. */
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

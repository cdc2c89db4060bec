import type { Provider, Transaction, TransactionPage } from '../provider/index.ts'
import type { Purpose } from './budget.ts'
import {
  entriesPerPage,
  isOldestFirst,
  newestPages,
  nextPage,
  takePage,
  type WalletHistory,
} from './wallet-history.ts'
import type { Wallets } from './wallets.ts'

/** @param before how many requests the same read of the wallet has made so far */
export type ReadPage = (page: number, before: number) => Promise<TransactionPage>

export interface PageRead {
  page: number
  /** All entries of the page, in page order. */
  entries: Transaction[]
  /** The entries that no earlier answer had. */
  fresh: Transaction[]
  unreadable: number
  /** How many entries the wallet has; null if the provider does not give it. */
  total: number | null
}

/**
 * A page of the maximum size (API §4.6).
 * @throws {ProviderError}
 */
export const pageOf = (provider: Pick<Provider, 'transactions'>, page: number): Promise<TransactionPage> =>
  provider.transactions({ page, perPage: entriesPerPage })

/** The first requests of a read, up to this many, use the budget of its own purpose. Most reads need no more. */
const usualPages = 5

/**
 * Reads pages of an account's wallet. The later pages of a long read use the `reading` budget, which leaves room
 * for everything else.
 */
export const pagesOf =
  (wallets: Wallets, accountId: string, purpose: Purpose): ReadPage =>
  (page, before) =>
    wallets.ask(accountId, before < usualPages ? purpose : 'reading', (provider) => pageOf(provider, page))

/**
 * Starts or continues a read until every entry after `sinceMs` (epoch ms, by the provider's clock) was read, or the
 * whole wallet. Entries of earlier, finished reads cannot be skipped: a debit may appear minutes late among older
 * entries, the API does not say how a wallet is sorted, and `total` may stay the same while one entry arrives and
 * another stops being “recent” (API §4.6). If the pages are sorted, one page of a hundred entries usually goes back far
 * enough.
 *
 * The read ends early if the caller stops iterating. If `readPage` throws, the history stays as it is, so that the read
 * can be continued later.
 */
export async function* readPages(
  history: WalletHistory,
  readPage: ReadPage,
  sinceMs: number,
): AsyncGenerator<PageRead> {
  const next = () => nextPage(history, sinceMs)
  for (let page = next(); page !== null; page = next()) {
    const answer = await readPage(page, history.requests)
    const fresh = takePage(history, page, answer)
    const { transactions, unreadable, pagination } = answer
    yield { page, entries: transactions, fresh, unreadable, total: pagination?.total ?? null }
  }
}

/**
 * The entries of `reads`, newest pages first, each entry once. A page is held back until all newer pages are read,
 * which delays at most the first and the last page.
 */
export async function* newestFirst(
  history: WalletHistory,
  reads: AsyncIterable<PageRead>,
): AsyncGenerator<Transaction[]> {
  const held = new Map<number, Transaction[]>()
  const give = function* (pages: number[]): Generator<Transaction[]> {
    for (const page of pages) {
      const entries = held.get(page) ?? []
      held.delete(page)
      if (entries.length > 0) yield isOldestFirst(history) ? entries.toReversed() : entries
    }
  }
  for await (const { page, fresh } of reads) {
    held.set(page, [...fresh, ...(held.get(page) ?? [])])
    yield* give(newestPages(history))
  }
  const rest = [...held.keys()].sort((a, b) => a - b)
  yield* give(isOldestFirst(history) ? rest.toReversed() : rest)
}

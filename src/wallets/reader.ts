import type { Provider, Transaction, TransactionPage } from '../provider/index.ts'
import type { Purpose } from './budget.ts'
import {
  entriesPerPage,
  isOldestFirst,
  newestPages,
  nextPage,
  takePage,
  type WalletHistory,
} from './history.ts'
import type { Wallets } from './wallets.ts'

/** Reads a page of a wallet. @param before how many requests the read has made already. */
export type ReadPage = (page: number, before: number) => Promise<TransactionPage>

/** The content of one answer. */
export interface PageRead {
  page: number
  /** All entries of the page, in its order. */
  entries: Transaction[]
  /** The entries that no earlier answer held. */
  fresh: Transaction[]
  /** How many entries could not be understood. */
  unreadable: number
  /** How many entries the wallet has; null if the provider does not say. */
  total: number | null
}

/** Reads one page at the provider's maximum size (API §4.6). @throws {ProviderError} */
export const pageOf = (provider: Pick<Provider, 'transactions'>, page: number): Promise<TransactionPage> =>
  provider.transactions({ page, perPage: entriesPerPage })

/** Most reads take at most this many pages. */
const usualPages = 5

/** Reads pages of an account's wallet. The later pages of a long read leave room for everything else in the budget. */
export const pagesOf =
  (wallets: Wallets, accountId: string, purpose: Purpose): ReadPage =>
  (page, before) =>
    wallets.ask(accountId, before < usualPages ? purpose : 'reading', (provider) => pageOf(provider, page))

/**
 * Begins or continues a read until every entry after that time (epoch ms, by the provider's clock) or every entry at
 * all was read. Entries found by earlier, finished reads cannot be skipped: a debit may show minutes late among older
 * entries, the API promises no order, and `total` may stand still while an entry comes and another drops out of what is
 * “recent” (API §4.6). If the pages are in order, one of a hundred usually reaches far enough.
 *
 * The read ends early if the caller stops asking. If `readPage` throws, the history stays as it is, to go on later.
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
 * The entries of these reads from the newest page on, each once. A page waits until all newer pages were read, which
 * delays at most the first and the last page.
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

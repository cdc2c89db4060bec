import { mayBelong } from '../orders/matching.ts'
import { chargeOf, type Order } from '../orders/order.ts'
import { claimantOf } from '../orders/proof.ts'
import { debitsShowWithinMs, unmeasuredToleranceMs } from '../orders/settling.ts'
import { runOf } from '../orders/wallet-history.ts'
import type { Provider, Transaction, TransactionPage } from '../provider/index.ts'

/**
 * Whether a key is of the wallet that an account here has. Only the wallet's own entries tell: debits with the
 * references, amounts and times of the account's orders. That the provider answers a look-up of a reference tells
 * nothing, it may answer anybody's.
 */
export type Sameness = 'same' | 'other' | 'unknown'

type Known = Pick<Order, 'reference' | 'placedAt' | 'chargedPesewas' | 'unitPricePesewas' | 'quantity'>

/** What was read of a wallet, newest or oldest part of it in one piece. */
export interface Read {
  entries: readonly Transaction[]
  /** There are no others. */
  isWhole: boolean
}

/** So many orders are looked for, and so many of those that must be there are enough. */
export const mostKnown = 20
const enough = 3
/** Pages of a hundred entries. */
const mostPages = 3

/** @param orders placed ones whose references are proven, newest first. */
export const samenessOf = (orders: readonly Known[], read: Read, now: Date): Sameness => {
  const expected = orders.filter((order) => mustStandIn(read, order, now))
  const found = orders.filter((order) => read.entries.some((entry) => isDebitOf(order, entry)))
  const needed = Math.min(enough, Math.max(1, expected.length))
  if (found.length >= needed) return 'same'
  return found.length === 0 && expected.length > 0 ? 'other' : 'unknown'
}

const isDebitOf = (order: Known, { type, reference, amountPesewas, createdAt }: Transaction): boolean =>
  type === 'debit' &&
  reference !== null &&
  reference === order.reference &&
  amountPesewas === chargeOf(order) &&
  createdAt !== null &&
  order.placedAt !== null &&
  Math.abs(createdAt.getTime() - order.placedAt.getTime()) <= unmeasuredToleranceMs

/** Its time lies within what was read; a debit may show ten minutes late. */
const mustStandIn = ({ entries, isWhole }: Read, { placedAt }: Known, now: Date): boolean => {
  if (placedAt === null || now.getTime() - placedAt.getTime() < debitsShowWithinMs) return false
  if (isWhole) return true
  const times = entries.flatMap(({ createdAt }) => createdAt?.getTime() ?? [])
  const at = placedAt.getTime()
  return at - unmeasuredToleranceMs > Math.min(...times) && at + unmeasuredToleranceMs < Math.max(...times)
}

/** Reads a wallet from its newest entries on, whichever way they are listed, until `isEnough` or three pages. */
export const readWallet = async (
  provider: Pick<Provider, 'transactions'>,
  isEnough: (read: Read) => boolean,
): Promise<Read> => {
  const first = await pageOf(provider, 1)
  const last = first.pagination?.lastPage ?? 1
  const pages =
    last > 1 && runOf(first) === 'oldest_first'
      ? [last, last - 1, last - 2].filter((page) => page > 1)
      : [2, 3]
  let read = { entries: first.transactions, isWhole: last <= 1 }
  if (last > 1 && pages[0] === last) read = { entries: [], isWhole: false }
  let count = 1
  for (const page of pages.filter((each) => each <= last)) {
    if (isEnough(read) || count === mostPages) break
    const more = await pageOf(provider, page)
    count += 1
    read = { entries: [...read.entries, ...more.transactions], isWhole: pages[0] === 2 && page === last }
  }
  return read
}

const pageOf = (provider: Pick<Provider, 'transactions'>, page: number): Promise<TransactionPage> =>
  provider.transactions({ page, perPage: 100 })

/** Where all of the account's orders are of unknown outcome, the debit of one of them stands for a reference. */
export const hasClaimedDebit = (claimants: readonly Order[], entries: readonly Transaction[]): boolean =>
  entries.some(
    ({ type, reference, amountPesewas, description, createdAt }) =>
      type === 'debit' &&
      reference !== null &&
      claimants.some((order) =>
        mayBelong(claimantOf(order), {
          reference,
          amountPesewas,
          description,
          createdAtMs: createdAt?.getTime() ?? null,
        }),
      ),
  )

import { mayBelong } from '../journal/matching.ts'
import { chargeOf, type Order } from '../journal/order.ts'
import { debitsShowWithinMs, unmeasuredToleranceMs } from '../journal/settling-schedule.ts'
import { claimantOf } from '../orders/claimants.ts'
import type { Provider, Transaction } from '../provider/index.ts'
import { debitOf } from '../wallets/entries.ts'
import { newHistory, reachedMs } from '../wallets/history.ts'
import { pageOf, type ReadPage, readPages } from '../wallets/reader.ts'

/**
 * Whether a key belongs to the wallet of an account here. Only the wallet's own entries tell: debits with the
 * references, amounts and times of the account's orders. An answer to a look-up of a reference tells nothing, because
 * the provider may answer anybody's.
 */
export type Sameness = 'same' | 'other' | 'unknown'

type Known = Pick<Order, 'reference' | 'placedAt' | 'chargedPesewas' | 'unitPricePesewas' | 'quantity'>

/** The part of a wallet that was read. */
export interface Read {
  entries: readonly Transaction[]
  /** Every entry after this time was read (epoch ms, by the provider's clock); −∞ if all were. */
  reachedMs: number
}

/** How many orders are looked for, and how many of those that must be there are enough. */
export const maxKnown = 20
const enough = 3
/** Pages of a hundred entries. */
const maxPages = 3

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

/** Whether the order's time lies within the part that was read. A debit may show ten minutes late. */
const mustStandIn = ({ entries, reachedMs }: Read, { placedAt }: Known, now: Date): boolean => {
  if (placedAt === null || now.getTime() - placedAt.getTime() < debitsShowWithinMs) return false
  if (reachedMs === Number.NEGATIVE_INFINITY) return true
  const times = entries.flatMap(({ createdAt }) => createdAt?.getTime() ?? [])
  const at = placedAt.getTime()
  return at - unmeasuredToleranceMs > reachedMs && at + unmeasuredToleranceMs < Math.max(...times)
}

/** Reads a wallet from its newest entries on, whichever way they are listed, until `isEnough` or three pages. */
export const readWallet = async (
  provider: Pick<Provider, 'transactions'>,
  isEnough: (read: Read) => boolean,
): Promise<Read> => {
  const history = newHistory()
  const entries: Transaction[] = []
  const readPage: ReadPage = (page) => pageOf(provider, page)
  for await (const { fresh } of readPages(history, readPage, Number.NEGATIVE_INFINITY)) {
    entries.push(...fresh)
    const isLast = history.requests === maxPages
    if (isLast || isEnough({ entries, reachedMs: reachedMs(history) })) break
  }
  return { entries, reachedMs: reachedMs(history) }
}

/**
 * Whether a debit may be that of an order whose outcome is unknown. If all of the account's orders are such, this debit
 * serves in place of a reference.
 */
export const hasClaimedDebit = (claimants: readonly Order[], entries: readonly Transaction[]): boolean =>
  entries.some(
    (entry) =>
      entry.type === 'debit' &&
      entry.reference !== null &&
      claimants.some((order) => mayBelong(claimantOf(order), debitOf(entry))),
  )

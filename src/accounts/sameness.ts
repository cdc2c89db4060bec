import { mayBelong } from '../domain/matching.ts'
import { type Order, ownChargeOf } from '../domain/order.ts'
import { debitsShowWithinMs, unmeasuredToleranceMs } from '../domain/reconciling-schedule.ts'
import { claimantOf } from '../orders/reconciling/claimants.ts'
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

type Known = Pick<Order, 'reference' | 'placedAt' | 'chargedPesewas' | 'unitPricePesewas' | 'quantity'> &
  Partial<Pick<Order, 'extraPesewas'>>

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
  const isDenied = expected.length > 0 && !read.entries.some((entry) => mayBeOf(orders, entry))
  return isDenied ? 'other' : 'unknown'
}

/**
 * Whether the entry is about one of the orders, as far as it tells: an entry that does not prove the wallet may still
 * keep it from being called another.
 */
const mayBeOf = (
  orders: readonly Known[],
  { type, reference, amountPesewas, createdAt }: Transaction,
): boolean =>
  orders.some((order) =>
    reference === null
      ? type === 'debit' && amountPesewas === ownChargeOf(order) && isNear(order, createdAt)
      : reference === order.reference,
  )

const isNear = ({ placedAt }: Known, at: Date | null): boolean =>
  at === null || placedAt === null || Math.abs(at.getTime() - placedAt.getTime()) <= unmeasuredToleranceMs

const isDebitOf = (order: Known, { type, reference, amountPesewas, createdAt }: Transaction): boolean =>
  type === 'debit' &&
  reference !== null &&
  reference === order.reference &&
  amountPesewas === ownChargeOf(order) &&
  createdAt !== null &&
  order.placedAt !== null &&
  isNear(order, createdAt)

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

/** An order whose outcome is unknown, with the references that callbacks on its own token named. */
export interface Claim {
  order: Order
  named: ReadonlySet<string>
}

/** Whether a debit has the reference that a callback named for an order of unknown outcome. That proves the wallet. */
export const hasNamedDebit = (claims: readonly Claim[], entries: readonly Transaction[]): boolean =>
  claims.some(({ order, named }) => {
    const own = entries.filter(({ reference }) => reference !== null && named.has(reference))
    return hasClaimedDebit([order], own)
  })

/**
 * Whether a debit may be that of an order whose outcome is unknown. This proves nothing: whoever has two wallets may
 * have ordered the same on the other one, because the first gave no answer. It is a reason to ask the person.
 */
export const hasClaimedDebit = (claimants: readonly Order[], entries: readonly Transaction[]): boolean =>
  entries.some(
    (entry) =>
      entry.type === 'debit' &&
      entry.reference !== null &&
      claimants.some((order) => mayBelong(claimantOf(order), debitOf(entry))),
  )

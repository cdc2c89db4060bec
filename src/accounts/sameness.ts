import { mayBelong } from '../domain/debits/matching.ts'
import { type Order, ownChargeOf } from '../domain/order/order.ts'
import { debitsShowWithinMs, unmeasuredToleranceMs } from '../domain/times/reconciling-schedule.ts'
import { claimantOf } from '../orders/reconciling/claimants.ts'
import type { Provider, Transaction } from '../provider/index.ts'
import { pageOf, type ReadPage, readPages } from '../wallets/reader.ts'
import { newHistory, reachedMs } from '../wallets/wallet-history.ts'
import { debitOf } from '../wallets/wallet-reading.ts'

/**
 * Whether a key opens the same wallet as an account that is known here. Only entries in the wallet prove it: debits
 * with the references, amounts and times of the account's orders. Looking up an order by its reference proves nothing,
 * because the provider may answer that with any key.
 */
export type Sameness = 'same' | 'other' | 'unknown'

type Known = Pick<Order, 'reference' | 'placedAt' | 'chargedPesewas' | 'unitPricePesewas' | 'quantity'> &
  Partial<Pick<Order, 'extraPesewas'>>

export interface Read {
  entries: readonly Transaction[]
  /** All entries later than this were read (ms since 1970, by the provider's clock). −∞ if every entry was read. */
  reachedMs: number
}

/** The most orders of the account that are looked for in the wallet. */
export const maxKnown = 20
const enoughMatches = 3
/** The most pages that are read, of a hundred entries each. */
const maxPages = 3

/**
 * Judges a wallet by its entries that were read.
 * @param orders placed orders of the account whose references are proven, newest first.
 */
export const samenessOf = (orders: readonly Known[], read: Read, now: Date): Sameness => {
  const expected = orders.filter((order) => mustStandIn(read, order, now))
  const found = orders.filter((order) => read.entries.some((entry) => isDebitOf(order, entry)))
  const needed = Math.min(enoughMatches, Math.max(1, expected.length))
  if (found.length >= needed) return 'same'
  const isDenied = expected.length > 0 && !read.entries.some((entry) => mayBeOf(orders, entry))
  return isDenied ? 'other' : 'unknown'
}

/**
 * Whether the entry may be about one of the orders. Such an entry does not prove that the wallet is the account's, but
 * because of it the wallet cannot be ruled out either.
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

/**
 * Whether the order's debit has to be among the entries that were read, if the wallet is the account's. A debit may
 * appear up to ten minutes late, so newer orders do not count.
 */
const mustStandIn = ({ entries, reachedMs }: Read, { placedAt }: Known, now: Date): boolean => {
  if (placedAt === null || now.getTime() - placedAt.getTime() < debitsShowWithinMs) return false
  if (reachedMs === Number.NEGATIVE_INFINITY) return true
  const times = entries.flatMap(({ createdAt }) => createdAt?.getTime() ?? [])
  const at = placedAt.getTime()
  return at - unmeasuredToleranceMs > reachedMs && at + unmeasuredToleranceMs < Math.max(...times)
}

/**
 * Reads up to three pages of a wallet, newest entries first, in whichever order the provider sorts them. Stops once
 * `isEnough` returns true.
 */
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

/** An order with an unknown outcome, and the references that callbacks to its own address named. */
export interface Claim {
  order: Order
  named: ReadonlySet<string>
}

/**
 * Whether a debit matches an order with an unknown outcome and has a reference that a callback named for that order.
 * That proves that the wallet is the account's.
 */
export const hasNamedDebit = (claims: readonly Claim[], entries: readonly Transaction[]): boolean =>
  claims.some(({ order, named }) => {
    const own = entries.filter(({ reference }) => reference !== null && named.has(reference))
    return hasClaimedDebit([order], own)
  })

/**
 * Whether a debit may belong to an order with an unknown outcome. This proves nothing: a person with two wallets may
 * have ordered the same from the second one when the first did not answer. But it is a reason to ask the person.
 */
export const hasClaimedDebit = (claimants: readonly Order[], entries: readonly Transaction[]): boolean =>
  entries.some(
    (entry) =>
      entry.type === 'debit' &&
      entry.reference !== null &&
      claimants.some((order) => mayBelong(claimantOf(order), debitOf(entry))),
  )

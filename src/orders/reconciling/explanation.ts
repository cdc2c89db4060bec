import { mayBelong } from '../../domain/debits/matching.ts'
import type { Order } from '../../domain/order/order.ts'
import { isExtraOwed } from '../../domain/order/recipient-ends.ts'
import type { Transaction } from '../../provider/index.ts'
import type { Store } from '../../store/store.ts'
import { entryKey } from '../../wallets/wallet-history.ts'
import { debitOf } from '../../wallets/wallet-reading.ts'
import { claimantOf } from './claimants.ts'

/** A wallet entry, and the orders in the bot that explain it. */
export interface ExplainedEntry {
  entry: Transaction
  by: Explanation
}

export type Explanation =
  /** The entry is a charge or a refund of this order. */
  | { kind: 'order'; order: Order }
  /** A debit beyond its order's price, which has not been refunded. */
  | { kind: 'extra'; order: Order }
  /** A debit that may belong to one of these orders, whose outcome is unknown. */
  | { kind: 'maybe'; orders: Order[] }
  /** A debit that no order here explains. */
  | { kind: 'nothing' }
  /** The entry is not a debit and belongs to no order here: a top-up, for example. */
  | { kind: 'not_of_an_order' }

/** The order that the entry is about, if that is certain. */
export const orderIn = (by: Explanation): Order | null =>
  by.kind === 'order' || by.kind === 'extra' ? by.order : null

interface Journal {
  walletOrders: Pick<Store['walletOrders'], 'byReferences'>
  orders: Pick<Store['orders'], 'claimants'>
  statusReports: Pick<Store['statusReports'], 'ofOrder'>
}

/** Finds the account's order for each of these entries. */
export const explain = async (
  journal: Journal,
  accountId: string,
  entries: readonly Transaction[],
): Promise<ExplainedEntry[]> => {
  const references = entries.flatMap(({ reference }) => reference ?? [])
  const held = await journal.walletOrders.byReferences(accountId, references)
  const byReference = new Map(
    held.flatMap((order) =>
      [order.reference, order.otherReference].flatMap((each) =>
        each === null ? [] : [[each, order] as const],
      ),
    ),
  )
  const extra = new Set<string>()
  for (const order of held.filter(isExtraOwed)) {
    for (const { status } of await journal.statusReports.ofOrder(order.id, 'extra')) extra.add(status)
  }
  const orderOf = ({ reference }: Transaction) =>
    reference === null ? undefined : byReference.get(reference)
  const isOpen = (entry: Transaction) => entry.type === 'debit' && !orderOf(entry)
  const claimants = entries.some(isOpen) ? await journal.orders.claimants(accountId) : []
  return entries.map((entry) => {
    const order = orderOf(entry)
    const isExtra = order !== undefined && extra.has(entryKey(entry))
    return { entry, by: isExtra ? { kind: 'extra', order } : explanationOf(entry, order, claimants) }
  })
}

const explanationOf = (
  entry: Transaction,
  order: Order | undefined,
  claimants: readonly Order[],
): Explanation => {
  if (order) return { kind: 'order', order }
  if (entry.type !== 'debit') return { kind: 'not_of_an_order' }
  const orders = claimants.filter((claimant) => mayBelong(claimantOf(claimant), debitOf(entry)))
  return orders.length > 0 ? { kind: 'maybe', orders } : { kind: 'nothing' }
}

import type { Transaction } from '../provider/index.ts'
import { mayBelong } from './matching.ts'
import type { Order } from './order.ts'
import { claimantOf } from './proof.ts'
import { debitOf } from './wallet-entries.ts'

/** A wallet's entry, and what the journal knows of it. */
export interface ExplainedEntry {
  entry: Transaction
  by: Explanation
}

export type Explanation =
  /** The order whose debit it is, or which it gives money back for. */
  | { kind: 'order'; order: Order }
  /** A debit that orders of unknown outcome may claim. */
  | { kind: 'maybe'; orders: Order[] }
  /** A debit that no order here explains. */
  | { kind: 'nothing' }
  /** No debit, and of no order here: a top-up, for example. */
  | { kind: 'not_of_an_order' }

/** Where the journal is asked. */
export interface Journal {
  byReferences(accountId: string, references: string[]): Promise<Order[]>
  claimants(accountId: string): Promise<Order[]>
}

/** What the orders of the account tell of these entries. */
export const explain = async (
  journal: Journal,
  accountId: string,
  entries: readonly Transaction[],
): Promise<ExplainedEntry[]> => {
  const references = entries.flatMap(({ reference }) => reference ?? [])
  const held = await journal.byReferences(accountId, references)
  const byReference = new Map(
    held.flatMap((order) =>
      [order.reference, order.otherReference].flatMap((each) =>
        each === null ? [] : [[each, order] as const],
      ),
    ),
  )
  const orderOf = ({ reference }: Transaction) =>
    reference === null ? undefined : byReference.get(reference)
  const isOpen = (entry: Transaction) => entry.type === 'debit' && !orderOf(entry)
  const claimants = entries.some(isOpen) ? await journal.claimants(accountId) : []
  return entries.map((entry) => ({ entry, by: explanationOf(entry, orderOf(entry), claimants) }))
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

import { atLeastZero, minus, type Pesewas, plus, zero } from '../provider/money.ts'
import { type Order, ownChargeOf } from './order.ts'

/**
 * A wallet that was charged more than once for one order, or more than the order costs. The provider has no idempotency
 * key (API §4.2), so its own fault shows in the wallet's entries alone.
 */

/** A debit under a known reference. */
export interface NamedDebit {
  /** Tells the entry from others. */
  key: string
  reference: string | null
  amountPesewas: Pesewas
  /** By the provider's clock, epoch ms; null if it does not say. */
  createdAtMs: number | null
}

/** What the wallet was charged beyond an order's price. */
export interface Overcharge {
  /** How many debits have the order's reference. */
  debits: number
  chargedPesewas: Pesewas
  extraPesewas: Pesewas
  /** The debits that should not be there. */
  extraKeys: string[]
}

type Charged = Pick<Order, 'chargedPesewas' | 'extraPesewas' | 'unitPricePesewas' | 'quantity'>

/**
 * Compares all debits under the order's reference with its price. The earliest is the order's own.
 * @returns null if the wallet was charged no more than the order costs.
 */
export const overchargeIn = (order: Charged, debits: readonly NamedDebit[]): Overcharge | null => {
  const chargedPesewas = debits.reduce((sum, { amountPesewas }) => plus(sum, amountPesewas), zero)
  const extraPesewas = atLeastZero(minus(chargedPesewas, ownChargeOf(order)))
  if (extraPesewas === zero) return null
  const oldestFirst = debits.toSorted((a, b) => (a.createdAtMs ?? 0) - (b.createdAtMs ?? 0))
  const later = oldestFirst.slice(1)
  const extraKeys = (later.length > 0 ? later : oldestFirst).map(({ key }) => key)
  return { debits: debits.length, chargedPesewas, extraPesewas, extraKeys }
}

/** An order's own debit has its time, give or take the provider's delay. */
const ownDebitWithinMs = 10 * 60_000

/** Whether the debit came so long after the order that it may be a second one, with the first further back. */
export const mayBeSecond = (
  { placedAt }: Pick<Order, 'placedAt'>,
  { createdAtMs }: Pick<NamedDebit, 'createdAtMs'>,
): boolean => placedAt !== null && createdAtMs !== null && createdAtMs - placedAt.getTime() > ownDebitWithinMs

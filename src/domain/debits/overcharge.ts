import { atLeastZero, minus, type Pesewas, plus, zero } from '../../provider/money.ts'
import { type Order, ownChargeOf } from '../order/order.ts'

/**
 * Finds orders for which the wallet was charged more than once, or more than they cost. The provider has no idempotency
 * key (API §4.2), so if the provider repeats an order by mistake, only the wallet's entries show it.
 */

export interface NamedDebit {
  /** Identifies the wallet's entry. */
  key: string
  reference: string | null
  amountPesewas: Pesewas
  /** By the provider's clock, epoch ms; null if the entry has no time. */
  createdAtMs: number | null
}

/** What the wallet was charged beyond an order's price. */
export interface Overcharge {
  /** How many debits have the order's reference. */
  debits: number
  chargedPesewas: Pesewas
  extraPesewas: Pesewas
  /** Identifies the debits that should not exist. */
  extraKeys: string[]
}

type Charged = Pick<Order, 'chargedPesewas' | 'extraPesewas' | 'unitPricePesewas' | 'quantity'>

/**
 * Compares all debits under the order's reference with its price. The earliest debit is the order's own.
 * @returns null if the wallet was charged no more than the order costs
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

/** An order's own debit comes within this time of the order, even if the provider is slow. */
const ownDebitWithinMs = 10 * 60_000

/**
 * Whether the debit is so much later than the order that it may be a second one, and the first may be on a page that
 * was not read.
 */
export const mayBeSecond = (
  { placedAt }: Pick<Order, 'placedAt'>,
  { createdAtMs }: Pick<NamedDebit, 'createdAtMs'>,
): boolean => placedAt !== null && createdAtMs !== null && createdAtMs - placedAt.getTime() > ownDebitWithinMs

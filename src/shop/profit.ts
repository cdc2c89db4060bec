import { chargeOf, type Order } from '../orders/order.ts'
import { stateOf } from '../orders/progress.ts'
import { isTerminal } from '../orders/status.ts'
import type { Pesewas } from '../provider/money.ts'

/**
 * What selling brings. A sale counts when it is delivered: its profit is the selling price that was frozen when the
 * order was confirmed, less what the provider charged for it. What failed costs nothing, for its money comes back.
 */
interface Takings {
  /** Recipients that got theirs, as far as is told. */
  delivered: number
  /** Recipients that may still get theirs. */
  open: number
  /** Recipients of whom the provider does not tell. */
  notKnown: number
  /** What the delivered ones cost. */
  costPesewas: Pesewas
  /** What they were sold for; null where the order has no selling price. */
  salesPesewas: Pesewas | null
}

/** What an order has brought so far. */
export const takingsOf = (order: Order): Takings => {
  const { delivered, open, notKnown } = countOf(order)
  const { sellUnitPesewas } = order
  return {
    delivered,
    open,
    notKnown,
    costPesewas: costOf(order, delivered),
    salesPesewas: sellUnitPesewas === null ? null : ((sellUnitPesewas * delivered) as Pesewas),
  }
}

/** What an order has earned; null where it has no selling price, or nobody knows what became of it. */
export const profitOf = (order: Order): Pesewas | null => {
  const { salesPesewas, costPesewas, delivered, notKnown } = takingsOf(order)
  if (salesPesewas === null || (notKnown > 0 && delivered === 0)) return null
  return (salesPesewas - costPesewas) as Pesewas
}

/** What it will have earned if all that is open is delivered; null as for `profitOf`. */
export const hopedProfitOf = (order: Order): Pesewas | null => {
  const { delivered, open } = countOf(order)
  const { sellUnitPesewas } = order
  if (sellUnitPesewas === null) return null
  const count = delivered + open
  return (sellUnitPesewas * count - costOf(order, count)) as Pesewas
}

/** Sums over orders, such as those of a list. */
export interface TakingsTotal {
  delivered: number
  open: number
  salesPesewas: Pesewas
  profitPesewas: Pesewas
  /** What all will have been sold for, and earned, if what is open is delivered. */
  hopedSalesPesewas: Pesewas
  hopedProfitPesewas: Pesewas
  /** Orders with something delivered or open that have no selling price: they are in none of the sums. */
  unpriced: number
}

export const totalTakings = (orders: readonly Order[]): TakingsTotal => {
  const all = orders.map((order) => ({ order, takings: takingsOf(order) }))
  const live = all.filter(({ takings }) => takings.delivered + takings.open > 0)
  const priced = live.filter(({ order }) => order.sellUnitPesewas !== null)
  const sum = (amount: (each: (typeof priced)[number]) => number) =>
    priced.reduce((total, each) => total + amount(each), 0) as Pesewas
  return {
    delivered: sum(({ takings }) => takings.delivered),
    open: sum(({ takings }) => takings.open),
    salesPesewas: sum(({ takings }) => takings.salesPesewas ?? 0),
    profitPesewas: sum(({ takings }) => (takings.salesPesewas ?? 0) - takings.costPesewas),
    hopedSalesPesewas: sum(
      ({ order, takings }) => (order.sellUnitPesewas ?? 0) * (takings.delivered + takings.open),
    ),
    hopedProfitPesewas: sum(({ order }) => hopedProfitOf(order) ?? 0),
    unpriced: live.length - priced.length,
  }
}

const countOf = (order: Order): Pick<Takings, 'delivered' | 'open' | 'notKnown'> => {
  const count = { delivered: 0, open: 0, notKnown: 0 }
  for (const recipient of order.recipients) {
    const state = stateOf(order, recipient)
    if (state.kind === 'not_known') count.notKnown += 1
    else if (state.kind === 'placement') count.open += mayStillBePlaced(order) ? 1 : 0
    else if (state.status === 'delivered') count.delivered += 1
    else if (!isTerminal(state.status)) count.open += 1
  }
  return count
}

const mayStillBePlaced = ({ placement }: Order): boolean =>
  placement === 'queued' || placement === 'sending' || placement === 'unconfirmed' || placement === 'review'

/** What so many of its recipients cost: each the same part of what it was charged with. */
const costOf = (order: Order, count: number): Pesewas => {
  const taken = order.acceptedQuantity ?? order.quantity
  return Math.round((chargeOf(order) * count) / Math.max(1, taken)) as Pesewas
}

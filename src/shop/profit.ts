import { chargeOf, type Order } from '../domain/order/order.ts'
import { type RecipientState, stateOf } from '../domain/order/progress.ts'
import { isTerminal } from '../domain/order/status.ts'
import { paidFor } from '../domain/selling/shares.ts'
import { minus, type Pesewas, pesewas, sum, times, zero } from '../provider/money.ts'

/**
 * The sales and costs of an order. A delivered recipient is a sale. Its profit is the selling price, which was fixed
 * when the order was confirmed, less the final charge to the wallet for it (`paidFor`). A failed recipient costs
 * nothing, because its charge is refunded.
 */
interface Takings {
  delivered: number
  /** Recipients whose bundle may still be delivered. */
  open: number
  /** Recipients whose outcome the provider does not report. */
  notKnown: number
  /** The cost of the delivered recipients. */
  costPesewas: Pesewas
  /** The selling price of the delivered recipients; null if the order has no selling price. */
  salesPesewas: Pesewas | null
}

export const takingsOf = (order: Order): Takings => {
  const { delivered, open, notKnown } = countOf(order)
  const { sellUnitPesewas } = order
  return {
    delivered,
    open,
    notKnown,
    costPesewas: paidFor(order, isDelivered) ?? zero,
    salesPesewas: sellUnitPesewas === null ? null : times(sellUnitPesewas, delivered),
  }
}

/**
 * The profit of an order so far; null if it has no selling price, or if no delivery is known and some outcomes are
 * unknown.
 */
export const profitOf = (order: Order): Pesewas | null => {
  const { salesPesewas, costPesewas, delivered, notKnown } = takingsOf(order)
  if (salesPesewas === null || (notKnown > 0 && delivered === 0)) return null
  return minus(salesPesewas, costPesewas)
}

/** The profit of an order if every open recipient is delivered; null if it has no selling price. */
export const hopedProfitOf = (order: Order): Pesewas | null => {
  const { delivered, open } = countOf(order)
  const { sellUnitPesewas } = order
  if (sellUnitPesewas === null) return null
  const paid = paidFor(order, (state) => isDelivered(state) || isOpen(order, state))
  return minus(times(sellUnitPesewas, delivered + open), paid ?? chargeFor(order, open))
}

export interface TakingsTotal {
  delivered: number
  open: number
  salesPesewas: Pesewas
  profitPesewas: Pesewas
  /** Sales and profit if every open recipient is delivered. */
  hopedSalesPesewas: Pesewas
  hopedProfitPesewas: Pesewas
  /**
   * How many orders with delivered or open recipients have no selling price. They are not included in the sums above.
   */
  unpriced: number
}

/** All sums cover only orders with a selling price. */
export const totalTakings = (orders: readonly Order[]): TakingsTotal => {
  const all = orders.map((order) => ({ order, takings: takingsOf(order) }))
  const live = all.filter(({ takings }) => takings.delivered + takings.open > 0)
  const priced = live.filter(({ order }) => order.sellUnitPesewas !== null)
  const count = (of: (takings: Takings) => number) =>
    priced.reduce((total, { takings }) => total + of(takings), 0)
  const salesPesewas = sum(priced.map(({ takings }) => takings.salesPesewas ?? zero))
  const hopedSales = ({ order, takings }: (typeof priced)[number]) =>
    times(order.sellUnitPesewas ?? zero, takings.delivered + takings.open)
  return {
    delivered: count(({ delivered }) => delivered),
    open: count(({ open }) => open),
    salesPesewas,
    profitPesewas: minus(salesPesewas, sum(priced.map(({ takings }) => takings.costPesewas))),
    hopedSalesPesewas: sum(priced.map(hopedSales)),
    hopedProfitPesewas: sum(priced.map(({ order }) => hopedProfitOf(order) ?? zero)),
    unpriced: live.length - priced.length,
  }
}

const countOf = (order: Order): Pick<Takings, 'delivered' | 'open' | 'notKnown'> => {
  const count = { delivered: 0, open: 0, notKnown: 0 }
  for (const recipient of order.recipients) {
    const state = stateOf(order, recipient)
    if (state.kind === 'not_known') count.notKnown += 1
    else if (isDelivered(state)) count.delivered += 1
    else if (isOpen(order, state)) count.open += 1
  }
  return count
}

export const isDelivered = (state: RecipientState): boolean =>
  state.kind === 'status' && state.status === 'delivered'

const isOpen = (order: Order, state: RecipientState): boolean => {
  if (state.kind === 'placement') return mayStillBePlaced(order)
  return state.kind === 'status' && !isTerminal(state.status)
}

const mayStillBePlaced = ({ placement }: Order): boolean =>
  placement === 'queued' || placement === 'sending' || placement === 'unconfirmed' || placement === 'review'

/** The cost of `count` recipients of an order that is not placed yet: each has an equal part of the charge. */
const chargeFor = (order: Order, count: number): Pesewas =>
  pesewas(Math.round((chargeOf(order) * count) / Math.max(1, order.quantity)))

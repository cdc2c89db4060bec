import { chargeOf, type Order } from '../domain/order.ts'
import { type RecipientState, stateOf } from '../domain/progress.ts'
import { paidFor } from '../domain/shares.ts'
import { isTerminal } from '../domain/status.ts'
import { minus, type Pesewas, pesewas, sum, times, zero } from '../provider/money.ts'

/**
 * The sales and costs of an order. A sale counts when it is delivered. Its profit is the selling price that was frozen
 * when the order was confirmed, less what the wallet finally paid for it (`paidFor`). A failed recipient costs nothing,
 * because the money comes back.
 */
interface Takings {
  /** Recipients whose bundle was delivered, as far as the provider tells. */
  delivered: number
  /** Recipients whose bundle may still be delivered. */
  open: number
  /** Recipients about whom the provider says nothing. */
  notKnown: number
  /** The cost of the delivered ones. */
  costPesewas: Pesewas
  /** The selling price of the delivered ones; null if the order has no selling price. */
  salesPesewas: Pesewas | null
}

/** The sales and costs of an order so far. */
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
 * The profit of an order so far; null if it has no selling price, or if nothing is known to be delivered and some
 * outcome is not known.
 */
export const profitOf = (order: Order): Pesewas | null => {
  const { salesPesewas, costPesewas, delivered, notKnown } = takingsOf(order)
  if (salesPesewas === null || (notKnown > 0 && delivered === 0)) return null
  return minus(salesPesewas, costPesewas)
}

/** The profit of an order if all that is open is delivered; null if it has no selling price. */
export const hopedProfitOf = (order: Order): Pesewas | null => {
  const { delivered, open } = countOf(order)
  const { sellUnitPesewas } = order
  if (sellUnitPesewas === null) return null
  const paid = paidFor(order, (state) => isDelivered(state) || isOpen(order, state))
  return minus(times(sellUnitPesewas, delivered + open), paid ?? chargeFor(order, open))
}

/** Sums over orders, such as those of a list. */
export interface TakingsTotal {
  delivered: number
  open: number
  salesPesewas: Pesewas
  profitPesewas: Pesewas
  /** Sales and profit if all that is open is delivered. */
  hopedSalesPesewas: Pesewas
  hopedProfitPesewas: Pesewas
  /** Orders with something delivered or open that have no selling price: they are in none of the sums. */
  unpriced: number
}

/** Sums up orders. Sales and profit cover only those with a selling price. */
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

/** Whether a recipient counts as a sale. */
export const isDelivered = (state: RecipientState): boolean =>
  state.kind === 'status' && state.status === 'delivered'

const isOpen = (order: Order, state: RecipientState): boolean => {
  if (state.kind === 'placement') return mayStillBePlaced(order)
  return state.kind === 'status' && !isTerminal(state.status)
}

const mayStillBePlaced = ({ placement }: Order): boolean =>
  placement === 'queued' || placement === 'sending' || placement === 'unconfirmed' || placement === 'review'

/** What so many recipients of an order cost that is not placed yet: each an equal part of the charge. */
const chargeFor = (order: Order, count: number): Pesewas =>
  pesewas(Math.round((chargeOf(order) * count) / Math.max(1, order.quantity)))

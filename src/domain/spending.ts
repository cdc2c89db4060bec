import { atLeastZero, minus, type Pesewas, zero } from '../provider/money.ts'
import type { Amounts } from './agent-prices.ts'
import type { Order } from './order.ts'
import { ownChargeOf } from './order.ts'

/** The columns that decide an order's cost to the wallet. */
export type Spending = Amounts & Pick<Order, 'placement' | 'reason'>

/** The cost of an order to the wallet, as far as is known. An open outcome counts as charged. */
export const costOf = (order: Spending): Pesewas => {
  switch (order.placement) {
    case 'queued':
    case 'sending':
    case 'unconfirmed':
    case 'review':
    case 'placed':
      // What was charged beyond the price is the provider's mistake, and comes back first.
      return atLeastZero(
        minus(
          ownChargeOf(order),
          atLeastZero(minus(order.refundedPesewas ?? zero, order.extraPesewas ?? zero)),
        ),
      )
    case 'rejected':
    case 'not_placed':
    case 'cancelled':
    case 'expired':
    case 'superseded':
      return zero
  }
}

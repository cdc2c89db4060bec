import { atLeastZero, minus, type Pesewas, zero } from '../provider/money.ts'
import type { Amounts } from './agent-prices.ts'
import type { Order } from './order.ts'
import { chargeOf } from './order.ts'

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
      return atLeastZero(minus(chargeOf(order), order.refundedPesewas ?? zero))
    case 'rejected':
    case 'not_placed':
    case 'cancelled':
    case 'expired':
    case 'superseded':
      return zero
  }
}

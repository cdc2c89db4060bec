import { atLeastZero, minus, type Pesewas, zero } from '../../provider/money.ts'
import type { Order } from '../order/order.ts'
import { ownChargeOf } from '../order/order.ts'
import type { Amounts } from './agent-prices.ts'

/** The columns that decide what an order costs the wallet. */
export type Spending = Amounts & Pick<Order, 'placement' | 'reason'>

/** What an order costs the wallet, as far as is known. An order with an open outcome counts as charged. */
export const costOf = (order: Spending): Pesewas => {
  switch (order.placement) {
    case 'queued':
    case 'sending':
    case 'unconfirmed':
    case 'review':
    case 'placed':
      // Refunds pay back the charge beyond the price first, because that is the provider's mistake.
      return atLeastZero(
        minus(
          ownChargeOf(order),
          atLeastZero(minus(order.refundedPesewas ?? zero, order.extraPesewas ?? zero)),
        ),
      )
    case 'rejected':
    case 'not_placed':
    case 'cancelled':
    case 'superseded':
      return zero
  }
}

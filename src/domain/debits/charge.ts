import { larger, type Pesewas, plus, zero } from '../../provider/money.ts'
import { chargeOf, type Order } from '../order/order.ts'
import type { Amounts } from '../selling/agent-prices.ts'

/**
 * What is known about an order's charge. Sums over orders keep these kinds apart, so that no total claims more than is
 * known.
 *
 * | word | the wallet |
 * |---|---|
 * | `charged` | was charged: the provider took the order, or the person says so |
 * | `maybe` | may have been charged: nobody knows |
 * | `being_sent` | is charged about now, if the provider takes the order |
 * | `to_be_sent` | is not charged yet |
 * | `none` | was not charged for the order |
 */
export type ChargeKnown = 'charged' | 'maybe' | 'being_sent' | 'to_be_sent' | 'none'

export const chargeKnownOf = ({ placement, reason }: Pick<Order, 'placement' | 'reason'>): ChargeKnown => {
  switch (placement) {
    case 'placed':
      return 'charged'
    case 'unconfirmed':
      return 'maybe'
    case 'review':
      return reason === 'charged_by_person' ? 'charged' : 'maybe'
    case 'not_placed':
      return reason === 'late_doubt' ? 'maybe' : 'none'
    case 'sending':
      return 'being_sent'
    case 'queued':
      return 'to_be_sent'
    case 'rejected':
    case 'cancelled':
    case 'superseded':
      return 'none'
  }
}

/** The columns that decide what is known about an order's money. */
export type ChargedOrder = Amounts & Pick<Order, 'placement' | 'reason' | 'status' | 'statusReported'>

/** Sums over some orders. Each order counts in one of the first four sums, or in none. */
export interface Charges {
  chargedPesewas: Pesewas
  maybePesewas: Pesewas
  beingSentPesewas: Pesewas
  toBeSentPesewas: Pesewas
  /** How much of `chargedPesewas` was refunded. */
  refundedPesewas: Pesewas
}

export const noCharges: Charges = {
  chargedPesewas: zero,
  maybePesewas: zero,
  beingSentPesewas: zero,
  toBeSentPesewas: zero,
  refundedPesewas: zero,
}

const sums = {
  charged: 'chargedPesewas',
  maybe: 'maybePesewas',
  being_sent: 'beingSentPesewas',
  to_be_sent: 'toBeSentPesewas',
} as const

export const chargesOf = (orders: readonly ChargedOrder[]): Charges => {
  const charges = { ...noCharges }
  for (const order of orders) {
    const known = chargeKnownOf(order)
    if (known === 'none') continue
    charges[sums[known]] = plus(charges[sums[known]], chargeOf(order))
    if (known === 'charged') charges.refundedPesewas = plus(charges.refundedPesewas, refundOf(order))
  }
  return charges
}

/** The refund seen in the wallet, or the whole charge if the provider's record says `refunded`. */
export const refundOf = (order: Amounts & Pick<Order, 'status' | 'statusReported'>): Pesewas => {
  const isRefunded = order.status === 'refunded' && !order.statusReported
  return larger(order.refundedPesewas ?? zero, isRefunded ? chargeOf(order) : zero)
}

import { awaitedRefund } from '../../orders/recipients.ts'
import { formatGhs, type Pesewas } from '../../provider/money.ts'
import type { SeenOrder } from '../viewer.ts'

/** What is known of the money of an order that failed. */
export const refundWords = (order: SeenOrder): string => {
  if (isRefunded(order)) return `refunded${amountOf(order.priced?.refundedPesewas)}`
  const seen = isPartlyRefunded(order)
    ? order.priced
      ? `refunded${amountOf(order.priced.refundedPesewas)} of${amountOf(awaitedRefund(order.priced))}`
      : 'refunded in part'
    : 'refund not seen yet'
  return order.refundAt || order.statusReported
    ? `${seen}: the wallet is being watched for it`
    : `${seen}, and a day has passed: Report has a text for the provider’s support`
}

const amountOf = (amount: Pesewas | null | undefined): string => (amount ? ` ${formatGhs(amount)}` : '')

/** All of it that has to come back has. */
export const isRefunded = ({ refund }: SeenOrder): boolean => refund === 'whole'
const isPartlyRefunded = ({ refund }: SeenOrder): boolean => refund === 'part'

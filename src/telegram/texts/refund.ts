import type { Order } from '../../orders/order.ts'
import { awaitedRefund } from '../../orders/recipients.ts'
import { formatGhs, type Pesewas } from '../../provider/money.ts'

/** What is known of the money of an order that failed. */
export const refundWords = (order: Order): string => {
  const refunded = order.refundedPesewas ?? (0 as Pesewas)
  if (refunded >= awaitedRefund(order)) return `refunded ${formatGhs(refunded)}`
  const seen =
    refunded > 0
      ? `refunded ${formatGhs(refunded)} of ${formatGhs(awaitedRefund(order))}`
      : 'refund not seen yet'
  return order.refundAt || order.statusReported
    ? `${seen}: the wallet is being watched for it`
    : `${seen}, and a day has passed: Report has a text for the provider’s support`
}

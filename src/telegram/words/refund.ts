import { awaitedRefund } from '../../domain/recipients.ts'
import { watchEndsMs } from '../../domain/reconciling-schedule.ts'
import { formatGhs, type Pesewas } from '../../provider/money.ts'
import type { SeenOrder } from '../cards/viewer.ts'
import { lengthIn } from './length.ts'

/** The part of a failed order's refund that was seen, as a part of a sentence. */
export const refundSeen = (order: SeenOrder): string => {
  if (isRefunded(order)) return `refunded${amountOf(order.priced?.refundedPesewas)}`
  if (!isPartlyRefunded(order)) return 'refund not seen yet'
  return order.priced
    ? `refunded${amountOf(order.priced.refundedPesewas)} of${amountOf(awaitedRefund(order.priced))}`
    : 'refunded in part'
}

/** The same, with what is done about the rest. */
export const refundWords = (order: SeenOrder): string => {
  const seen = refundSeen(order)
  if (isRefunded(order)) return seen
  return order.refundAt || order.statusReported
    ? `${seen}. I’m watching for it`
    : `${seen}, and ${lengthIn('day', watchEndsMs)} has passed. Press Report and send its text to the provider’s support`
}

const amountOf = (amount: Pesewas | null | undefined): string => (amount ? ` ${formatGhs(amount)}` : '')

/** All money that has to come back did. */
export const isRefunded = ({ refund }: SeenOrder): boolean => refund === 'whole'
const isPartlyRefunded = ({ refund }: SeenOrder): boolean => refund === 'part'

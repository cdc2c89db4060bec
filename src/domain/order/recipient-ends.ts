import { minus, type Pesewas, plus, times, zero } from '../../provider/money.ts'
import { chargeOf, type Order, type Recipient } from './order.ts'
import { isTerminal } from './status.ts'

/**
 * Whether the final status of each accepted number is known, even if only from callbacks. If so, nobody waits for more
 * news. The status record of the whole order may still say `processing`, and may not list single numbers (API §4.4).
 */
export const haveAllRecipientsEnded = ({
  kind,
  placement,
  status,
  recipients,
  acceptedQuantity,
  quantity,
}: Pick<Order, 'kind' | 'placement' | 'status' | 'acceptedQuantity' | 'quantity'> & {
  recipients: readonly Pick<Recipient, 'status'>[]
}): boolean => {
  if (placement !== 'placed') return false
  if (kind === 'single') return isTerminal(status)
  return recipients.filter((each) => isTerminal(each.status)).length >= (acceptedQuantity ?? quantity)
}

/** Whether the final status of the whole order contradicts the final statuses of all its numbers. */
export const contradictsRecipients = (order: Order, status: string): boolean =>
  order.kind === 'bulk' &&
  isTerminal(status) &&
  haveAllRecipientsEnded(order) &&
  !order.recipients.some((each) => isTerminal(each.status) && !isOtherEnd(each.status, status))

/** Whether one final status is a delivery and the other is not. A refund counts as no delivery. */
export const isOtherEnd = (before: string | null, after: string): boolean =>
  isTerminal(before) && isTerminal(after) && (before === 'delivered') !== (after === 'delivered')

export const isPending = (order: Order, phone: string): boolean => {
  const recipient = order.recipients.find((each) => each.phone === phone)
  const isEnded =
    order.placement === 'placed' && order.kind === 'bulk' && isTerminal(recipient?.status ?? null)
  return recipient !== undefined && !isEnded
}

/**
 * The refund that is due: for an order that failed as a whole, its charge without the price of delivered recipients;
 * otherwise the price of each failed recipient of a bulk order, and what was charged beyond the price.
 */
export const owedRefund = (order: Order): Pesewas => {
  if (isFailure(order.status) && !order.statusReported) {
    const delivered = order.kind === 'bulk' ? order.recipients.filter(isDelivered).length : 0
    return minus(chargeOf(order), times(order.unitPricePesewas, delivered))
  }
  const failed = order.kind === 'bulk' ? failedOf(order).length : 0
  return plus(times(order.unitPricePesewas, failed), order.extraPesewas ?? zero)
}

/** The refund to look for: the one that is due, or the whole charge if nothing is known to be due. */
export const awaitedRefund = (order: Order): Pesewas => {
  const isWhole = order.kind === 'single' && (isFailure(order.status) || order.status === 'refunded')
  const owed = isWhole ? zero : owedRefund(order)
  return owed === zero ? chargeOf(order) : owed
}

/** Whether the wallet was charged more than the order costs and that part has not been refunded. */
export const isExtraOwed = (order: Order): boolean =>
  order.extraPesewas !== null && (order.refundedPesewas ?? 0) < awaitedRefund(order)

/**
 * The failed recipients of a bulk order. A failure that only a callback reported counts too: the status record may
 * not name single numbers (API §4.4), and the wallet will show whether it is true.
 */
export const failedOf = (order: Order): Recipient[] =>
  order.recipients.filter(({ status }) => isTerminal(status) && status !== 'delivered')

/**
 * The failures known only from callbacks that this refund confirms: all of them if it covers every failed recipient,
 * otherwise none.
 */
export const confirmedByRefund = (order: Order, refundedPesewas: number): Recipient[] => {
  const failed = failedOf(order)
  if (failed.length === 0 || refundedPesewas < failed.length * order.unitPricePesewas) return []
  return failed.filter(({ reported }) => reported)
}

/** The time from which money is due back: the latest failure or overcharge, so that each is watched for a full day. */
export const failedAt = (order: Order): Date => {
  const ofRecipients = order.kind === 'bulk' ? failedOf(order) : []
  const times = ofRecipients.flatMap(({ statusAt }) => statusAt?.getTime() ?? [])
  const failed = times.length > 0 ? new Date(Math.max(...times)) : (order.statusAt ?? order.createdAt)
  if (order.extraPesewas === null || order.extraAt === null) return failed
  const isFailed = times.length > 0 || isFailure(order.status)
  return isFailed && failed > order.extraAt ? failed : order.extraAt
}

const isDelivered = ({ status, reported }: Recipient): boolean => status === 'delivered' && !reported

/** Whether an order with this final status is due a refund. */
export const isFailure = (status: string | null): boolean => status === 'failed' || status === 'cancelled'

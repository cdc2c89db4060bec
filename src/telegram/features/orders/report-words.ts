import { chargeOf, type Order, ownChargeOf, type PricelessOrder } from '../../../domain/order/order.ts'
import { isExtraOwed } from '../../../domain/order/recipient-ends.ts'
import { isTerminal } from '../../../domain/order/status.ts'
import { formatGhs, zero } from '../../../provider/money.ts'
import type { Complaint } from '../../../store/chats/complaints.ts'
import type { HistoryReport } from '../../../store/orders/history.ts'
import type { SeenOrder } from '../../cards/viewer.ts'
import { kindWords } from '../../cards/words/complaint.ts'
import { escapeHtml, oneLine } from '../../chat/screen.ts'
import { whatCameToUs } from '../../words/charge.ts'
import { ungroupedOr } from '../../words/numbers.ts'

/**
 * A text to copy for the provider's support: what was ordered, when, and every reported status with its time. Times are
 * to the second, as in the provider's own log.
 * @param events the status reports that were applied, in the order in which they came.
 * @param complaints the open complaints about the order.
 */
export const reportText = (
  order: SeenOrder,
  events: readonly HistoryReport[],
  isCostSeen: boolean,
  now: Date,
  complaints: readonly Complaint[] = [],
): string => {
  const lines = [
    ...factsOf(order),
    ...historyOf(order, events),
    ...moneyOf(order, isCostSeen),
    `As of: ${utc(now)}`,
    '',
    ...complaintsOf(order, complaints),
    questionOf(order, complaints.length > 0),
  ]
  return `<b>For the provider’s support team</b>: press the text to copy it.\n\n<pre>${escapeHtml(lines.join('\n'))}</pre>`
}

const factsOf = (order: PricelessOrder): string[] => {
  const numbers = order.recipients.map(({ phone }) => ungroupedOr(phone))
  const more = numbers.length > maxNumbers ? ` and ${numbers.length - maxNumbers} more` : ''
  return [
    `Order ${oneLine(order.reference ?? 'without a reference', 80)}`,
    `${oneLine(order.network)} ${oneLine(order.volume)} for ${numbers.slice(0, maxNumbers).join(', ')}${more}`,
    `Sent: ${utc(order.sentAt ?? order.createdAt)}`,
    ...(order.placedAt ? [`Placed: ${utc(order.placedAt)}`] : []),
  ]
}

const maxNumbers = 3

/** Each reported status, with its source and time; if none was reported, the last known status. */
const historyOf = (order: PricelessOrder, events: readonly HistoryReport[]): string[] => {
  if (order.placement !== 'placed') return [`Our record: ${stateOf(order)}`, ...refusalOf(order)]
  if (events.length > 0) return ['Status history:', ...events.map((event) => eventLine(event, order.kind))]
  return order.status && order.statusAt
    ? [`Status: ${oneLine(order.status)}, as of ${utc(order.statusAt)}`]
    : []
}

const eventLine = (
  { source, status, phone, happenedAt, receivedAt }: HistoryReport,
  kind: Order['kind'],
): string => {
  const by = source === 'callback' ? 'callback' : 'checked'
  const stamp = happenedAt ? `, your time ${utc(happenedAt)}` : ''
  return `- ${utc(receivedAt)} ${oneLine(status)}${phone && kind === 'bulk' ? ` for ${oneLine(ungroupedOr(phone))}` : ''} (${by}${stamp})`
}

const stateOf = (order: PricelessOrder): string => {
  switch (order.placement) {
    case 'queued':
      return 'not sent yet'
    case 'sending':
      return 'being sent'
    case 'unconfirmed':
      return whatCameToUs(order)
    case 'review':
      return `${whatCameToUs(order)}, and the wallet’s entries don’t show if it was charged`
    case 'not_placed':
      return `${whatCameToUs(order)}, and the wallet shows no charge`
    case 'rejected':
      return 'refused'
    case 'cancelled':
      return 'cancelled before it was sent'
    case 'superseded':
      return 'not sent'
    case 'placed':
      return 'placed'
  }
}

const refusalOf = ({ placement, providerMessage }: PricelessOrder): string[] =>
  placement === 'rejected' && providerMessage ? [`Your answer: ${oneLine(providerMessage, 300)}`] : []

/**
 * What the order cost, if the reader sees costs. Agents' prices are left out, because they mean nothing to the
 * provider.
 */
const moneyOf = (order: SeenOrder, isCostSeen: boolean): string[] => {
  const { priced } = order
  if (order.placement !== 'placed' || !priced || !isCostSeen) return []
  const refunded = priced.refundedPesewas ?? zero
  const isFailed = isTerminal(order.status) && order.status !== 'delivered'
  return [
    `Charged: ${formatGhs(chargeOf(priced))}${priced.extraPesewas ? ` instead of ${formatGhs(ownChargeOf(priced))}` : ''}`,
    ...(isFailed || priced.extraPesewas || refunded > 0
      ? [`Refund seen in the wallet: ${formatGhs(refunded)}`]
      : []),
  ]
}

const complaintsOf = ({ recipients }: PricelessOrder, complaints: readonly Complaint[]): string[] =>
  complaints.map(({ kind, position, createdAt, photoId }) => {
    const phone = recipients.find((each) => each.position === position)?.phone
    const whom = phone === undefined ? '' : ` about ${ungroupedOr(phone)}`
    return `Complaint${whom} made ${utc(createdAt)}: ${kindWords[kind]}.${photoId === null ? '' : ' A picture of the data balance is attached.'}`
  })

/** The question to the support, by the order's state. */
const questionOf = (order: SeenOrder, isComplained: boolean): string => {
  const { placement, status } = order
  if (placement === 'rejected') return 'Please tell me why it was refused.'
  if (placement !== 'placed') return 'Please tell me whether you have this order and whether it was charged.'
  const extra = order.costs && isExtraOwed(order.costs) ? order.costs.extraPesewas : null
  if (extra)
    return `Please tell me why it was charged more than once, and when ${formatGhs(extra)} will be refunded.`
  if (status === 'delivered')
    return isComplained
      ? 'It is shown as delivered. Please check the delivery.'
      : 'It is shown as delivered, but the customer got nothing. Please check the delivery.'
  return isTerminal(status)
    ? 'Please tell me why it failed, and when the money will be refunded.'
    : 'Please tell me its status.'
}

const utc = (at: Date): string => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`

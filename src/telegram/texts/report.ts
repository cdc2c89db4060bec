import { chargeOf, type Order, type PricelessOrder } from '../../orders/order.ts'
import { isTerminal } from '../../orders/status.ts'
import { formatGhs, type Pesewas } from '../../provider/money.ts'
import type { HistoryEvent } from '../../store/history.ts'
import { escapeHtml, oneLine } from '../screen.ts'
import type { SeenOrder } from '../viewer.ts'
import { numberOr } from './removed.ts'

/**
 * A text for the provider's support, to be copied: what was ordered, when, and every status of it that was told
 * here, with its time. Times are to the second, as the provider's own log has them.
 * @param events those that were applied, in the order in which they came.
 */
export const reportText = (
  order: SeenOrder,
  events: readonly HistoryEvent[],
  isCostSeen: boolean,
  now: Date,
): string => {
  const lines = [
    ...factsOf(order),
    ...historyOf(order, events),
    ...moneyOf(order, isCostSeen),
    `Looked at: ${utc(now)}`,
    '',
    questionOf(order),
  ]
  return `<b>For the provider’s support</b>: press the text to copy it.\n\n<pre>${escapeHtml(lines.join('\n'))}</pre>`
}

const factsOf = (order: PricelessOrder): string[] => {
  const numbers = order.recipients.map(({ phone }) => numberOr(phone))
  const more = numbers.length > mostNumbers ? ` and ${numbers.length - mostNumbers} more` : ''
  return [
    `Order ${oneLine(order.reference ?? 'without a reference', 80)}`,
    `${oneLine(order.network)} ${oneLine(order.volume)} for ${numbers.slice(0, mostNumbers).join(', ')}${more}`,
    `Sent: ${utc(order.sentAt ?? order.createdAt)}`,
    ...(order.placedAt ? [`Placed: ${utc(order.placedAt)}`] : []),
  ]
}

const mostNumbers = 3

/** Each status with how and when it was told; without any, the last one that is known. */
const historyOf = (order: PricelessOrder, events: readonly HistoryEvent[]): string[] => {
  if (order.placement !== 'placed') return [`State here: ${stateWords[order.placement]}`, ...refusalOf(order)]
  if (events.length > 0) return ['Statuses told:', ...events.map((event) => eventLine(event, order.kind))]
  return order.status && order.statusAt
    ? [`Status: ${oneLine(order.status)}, as of ${utc(order.statusAt)}`]
    : []
}

const eventLine = (
  { source, status, phone, happenedAt, receivedAt }: HistoryEvent,
  kind: Order['kind'],
): string => {
  const by = source === 'callback' ? 'callback' : 'status asked'
  const stamp = happenedAt ? `, your time ${utc(happenedAt)}` : ''
  return `- ${utc(receivedAt)} ${oneLine(status)}${phone && kind === 'bulk' ? ` for ${oneLine(numberOr(phone))}` : ''} (${by}${stamp})`
}

const stateWords: Record<Exclude<Order['placement'], 'placed'>, string> = {
  queued: 'not sent yet',
  sending: 'being sent',
  unconfirmed: 'no answer came to the request',
  review: 'no answer came to the request, and the wallet’s entries do not tell',
  rejected: 'refused',
  not_placed: 'no answer came to the request, and the wallet shows no charge',
  cancelled: 'cancelled before it was sent',
  expired: 'not sent',
  superseded: 'not sent',
}

const refusalOf = ({ placement, providerMessage }: PricelessOrder): string[] =>
  placement === 'rejected' && providerMessage ? [`Your answer: ${oneLine(providerMessage, 300)}`] : []

/** What it cost is for those alone who see the costs: an agent's prices are no news to the provider. */
const moneyOf = (order: SeenOrder, isCostSeen: boolean): string[] => {
  const { priced } = order
  if (order.placement !== 'placed' || !priced || !isCostSeen) return []
  const refunded = priced.refundedPesewas ?? (0 as Pesewas)
  const isFailed = isTerminal(order.status) && order.status !== 'delivered'
  return [
    `Charged: ${formatGhs(chargeOf(priced))}`,
    ...(isFailed || refunded > 0 ? [`Refund seen in the wallet: ${formatGhs(refunded)}`] : []),
  ]
}

/** What the reseller wants to know, by how the order stands. */
const questionOf = ({ placement, status }: PricelessOrder): string => {
  if (placement === 'rejected') return 'Please tell why it was refused.'
  if (placement !== 'placed') return 'Please tell whether you have this order, and whether it was charged.'
  if (status === 'delivered')
    return 'It is shown as delivered, but the customer says that nothing has arrived. Please check the delivery.'
  return isTerminal(status)
    ? 'Please tell why it failed, and when the money is back.'
    : 'Please tell what became of it.'
}

const utc = (at: Date): string => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`

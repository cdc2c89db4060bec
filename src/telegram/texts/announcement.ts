import { chargeOf, totalPesewas } from '../../orders/order.ts'
import { awaitedRefund } from '../../orders/recipients.ts'
import { formatGhs } from '../../provider/money.ts'
import type { DoubtedDebit } from '../../relay/notice.ts'
import { foreignWord } from '../screen.ts'
import { when } from '../time.ts'
import type { SeenOrder } from '../viewer.ts'
import { doubtForAgent } from './agent.ts'
import { bundleOf } from './bundle.ts'
import { b, code, lines } from './markup.ts'
import { forWhom } from './recipients.ts'
import { refundWords } from './refund.ts'
import { markOf, statusWord } from './status.ts'

/** What is told of an order when there is news of it. */

/** @param name with which the number is saved. */
export const announceStatus = (
  order: SeenOrder,
  status: string,
  reported: boolean,
  contradicts: boolean,
  name: string | null = null,
) => {
  const head = `${markOf({ placement: 'placed', status })} ${bundleOf(order)} for ${forWhom(order, name)}: ${b(foreignWord(status) + (reported ? ' (reported)' : ''))}`
  return lines(
    contradicts
      ? '⚠️ Correction: a message here said otherwise before. The provider’s own record says:'
      : null,
    head,
    order.reference ? code(order.reference) : null,
    status === 'failed' || status === 'cancelled'
      ? `The provider owes your wallet ${formatGhs(awaitedRefund(order))} for it. I look for the refund and tell you here.`
      : null,
    status === 'refunded' ? refunded(order, reported) : null,
  )
}

/** A callback is from anybody who knows its address: money is said to be there when the provider's own record says so. */
const refunded = (order: SeenOrder, reported: boolean): string =>
  reported
    ? `Then ${formatGhs(chargeOf(order))} is back in your wallet. A callback said so; the provider’s own record is being asked.`
    : `${formatGhs(chargeOf(order))} is back in your wallet.`

export const announceDoubt = (order: SeenOrder, debits: readonly DoubtedDebit[], more: number, now: Date) =>
  lines(
    `🔎 ${bundleOf(order)} for ${forWhom(order)}, sent ${when(order.sentAt ?? order.createdAt, now)}: your wallet was charged for what may be this order, or another like it:`,
    ...debits.map(
      ({ reference, amountPesewas, atMs }) =>
        `• ${b(formatGhs(amountPesewas))}${atMs === null ? '' : ` · ${when(new Date(atMs), now)}`} · ${code(reference)}`,
    ),
    more > 0 ? `… and ${more} more: /transactions` : null,
    order.placement === 'review'
      ? 'Is one of them this order’s? Send a reference to see what became of it, then say so on the card.'
      : 'I cannot tell whose it is. Send the reference to see what became of it.',
  )

/** To an agent, who sees no entries of the wallet. */
export const announceDoubtToAgent = (order: SeenOrder) => doubtForAgent(bundleOf(order), forWhom(order))

export const announceRefund = (order: SeenOrder) =>
  `↩️ ${bundleOf(order)} for ${forWhom(order)} ${foreignWord(order.status ?? '')}: ${b(refundWords(order))}. ${order.reference ? code(order.reference) : ''}`.trim()

export const announceOtherPrice = (order: SeenOrder) =>
  `⚠️ ${bundleOf(order)}: the provider charged ${b(formatGhs(chargeOf(order)))}, and you confirmed ${formatGhs(totalPesewas(order))}. ${order.reference ? `Reference ${code(order.reference)}. ` : ''}The provider’s support can tell why.`

export const announceProof = (order: SeenOrder) =>
  `ℹ️ ${bundleOf(order)} for ${forWhom(order)} was placed after all: ${formatGhs(chargeOf(order))} was charged once. Reference ${code(order.reference ?? '')}.`

export const announceMistaken = (order: SeenOrder, reference: string) =>
  [
    `⚠️ Correction: the reference ${code(reference)} is another order’s. What was said here with it about ${bundleOf(order)} for ${forWhom(order)}, its charge and its status, was not about this order.`,
    order.placement === 'unconfirmed'
      ? `Nobody knows yet whether this one was charged: that is being checked now, and you will be told here. Do not order it again.`
      : `This one is now: ${b(statusWord(order))}.`,
  ].join('\n')

export const announceOtherReference = (order: SeenOrder, reference: string) =>
  `⚠️ Correction: ${bundleOf(order)} for ${forWhom(order)} has the reference ${code(order.reference ?? '')}, for which ${formatGhs(chargeOf(order))} was charged. What was said here with the reference ${code(reference)} was about another order.`

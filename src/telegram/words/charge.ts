import type { Charges } from '../../domain/debits/charge.ts'
import { chargeOf, isOtherCharge } from '../../domain/order/order.ts'
import { reasonIn } from '../../domain/order/reason.ts'
import { awaitedRefund } from '../../domain/order/recipient-ends.ts'
import { watchEndsMs } from '../../domain/times/reconciling-schedule.ts'
import { formatGhs, minus, type Pesewas } from '../../provider/money.ts'
import type { Spent } from '../../shop/tally.ts'
import type { SeenOrder, SeenProgress, ViewerRole } from '../cards/viewer.ts'
import { b, capital, joined, lengthIn } from './markup.ts'
import { statusWord } from './order-state.ts'

/** What is known of a charge, in words. An unknown amount is never given as a number. */

/** How much of a failed order's refund was seen, for use within a sentence. */
export const refundSeen = (order: SeenOrder): string => {
  if (isRefunded(order)) return `refunded${amountOf(order.priced?.refundedPesewas)}`
  if (!isPartlyRefunded(order)) return 'refund not seen yet'
  return order.priced
    ? `refunded${amountOf(order.priced.refundedPesewas)} of${amountOf(awaitedRefund(order.priced))}`
    : 'partly refunded'
}

/** Like `refundSeen`, and what is done about the part that is missing. */
export const refundWords = (order: SeenOrder): string => {
  const seen = refundSeen(order)
  if (isRefunded(order)) return seen
  return order.refundAt || order.statusReported
    ? `${seen}. I’m watching for ${isPartlyRefunded(order) ? 'the rest' : 'it'}`
    : `${seen}, and it’s been ${lengthIn('day', watchEndsMs)}. Press Report for a message to send to the provider’s support team`
}

const amountOf = (amount: Pesewas | null | undefined): string => (amount ? ` ${formatGhs(amount)}` : '')

/** Whether all the money that is due back came back. */
export const isRefunded = ({ refund }: SeenOrder): boolean => refund === 'whole'

const isPartlyRefunded = ({ refund }: SeenOrder): boolean => refund === 'part'

/** The known sums of a list; null if nothing was charged or may have been charged. */
export const chargeLine = (charges: Charges): string | null => {
  const { chargedPesewas, refundedPesewas } = charges
  return (
    joined(
      ' · ',
      chargedPesewas > 0 ? `Charged ${b(formatGhs(chargedPesewas))}` : null,
      refundedPesewas > 0 ? `refunded ${formatGhs(refundedPesewas)}` : null,
      ...openSums(charges),
    ) || null
  )
}

/** The sums that may or may not have been charged, because the outcome is not known yet. */
export const openSums = ({
  maybePesewas,
  beingSentPesewas,
}: Pick<Charges, 'maybePesewas' | 'beingSentPesewas'>): (string | null)[] => [
  maybePesewas > 0 ? maybeCharged(maybePesewas) : null,
  beingSentPesewas > 0 ? `${formatGhs(beingSentPesewas)} in orders being sent` : null,
]

/** `GHS 14.70 maybe charged` */
export const maybeCharged = (amount: Pesewas): string => `${b(formatGhs(amount))} maybe charged`

/** What the orders cost after refunds, for a line of the history; null if nothing. */
export const paidText = (charges: Charges): string | null => {
  const { chargedPesewas, refundedPesewas, toBeSentPesewas } = charges
  const net = formatGhs(minus(chargedPesewas, refundedPesewas))
  return (
    joined(
      ' · ',
      chargedPesewas === 0
        ? null
        : refundedPesewas === 0
          ? net
          : `${net} after ${formatGhs(refundedPesewas)} in refunds`,
      ...openSums(charges),
      toBeSentPesewas > 0 ? `${formatGhs(toBeSentPesewas)} not charged yet` : null,
    ) || null
  )
}

/** What the orders of a period cost, as far as known. A cost of zero is left out if something may have been charged. */
export const spentWords = (
  word: string,
  { spentPesewas, refundedPesewas, maybePesewas }: Spent,
): (string | null)[] => [
  maybePesewas > 0 && spentPesewas + refundedPesewas === 0 ? null : `${word} ${formatGhs(spentPesewas)}`,
  maybePesewas > 0 ? maybeCharged(maybePesewas) : null,
]

export const isAgents = (viewer: ViewerRole): boolean => viewer === 'agent' || viewer === 'removed_agent'

/** Says that an order with an unknown outcome may have cost the wallet's or the reader's money. */
export const mayBeChargedText = ({ viewer }: Pick<SeenOrder, 'viewer'>): string =>
  isAgents(viewer) ? 'The wallet may have been charged' : 'You may have been charged'

/** Who answered whether an order was charged: only owners can. */
export const whoSaid = (viewer: ViewerRole): string => (isAgents(viewer) ? 'The owner said' : 'You said')

/** What to do about a charge that may be an order's: only owners see the wallet's entries. */
export const checkCharges = (viewer: ViewerRole): string =>
  isAgents(viewer) ? 'Ask the owner to check' : 'Check /transactions'

/**
 * What is known of an order's charge if the provider could not be asked. @param isTriedAgain whether the bot keeps
 * asking.
 */
export const knownOf = (order: SeenOrder, isTriedAgain: boolean): string => {
  switch (order.placement) {
    case 'queued':
      return 'This order hasn’t been sent or charged yet.'
    case 'sending':
      return 'This order is being sent now, so don’t order it again.'
    case 'unconfirmed':
      return `${mayBeChargedText(order)}, so don’t order again.${isTriedAgain ? ' I’ll keep checking.' : ''}`
    case 'review':
      return order.reason === 'charged_by_person'
        ? `${whoSaid(order.viewer)} this was charged.`
        : 'I can’t tell if this was charged, so don’t order again yet.'
    case 'not_placed':
      return knownOfUnplaced(order)
    case 'rejected':
      return order.reason === 'pending'
        ? 'The provider refused this order: the number had an open order.'
        : 'The provider refused this order, so nothing was charged.'
    case 'cancelled':
    case 'superseded':
      return 'This order wasn’t sent, so nothing was charged.'
    case 'placed':
      return knownOfPlaced(order, isTriedAgain)
  }
}

const knownOfUnplaced = ({ reason, viewer }: SeenOrder): string => {
  switch (reasonIn('not_placed', reason)) {
    case 'unreachable':
    case 'not_made':
      return 'This order wasn’t sent, so nothing was charged.'
    case 'late_doubt':
      return 'A charge that may be for this has appeared, so don’t order again yet.'
    case 'by_person':
      return `${whoSaid(viewer)} nothing was charged.`
    case 'no_debit':
    case null:
      return 'When I last looked, nothing had been charged for this.'
  }
}

const knownOfPlaced = (order: SeenOrder, isTriedAgain: boolean): string => {
  const isFailed = order.status === 'failed' || order.status === 'cancelled'
  if (isFailed) return `This order was charged. Status: ${b(statusWord(order))}, ${refundSeen(order)}.`
  if (order.status === 'refunded' && isRefunded(order)) return 'This order was charged and refunded.'
  const again = isTriedAgain && order.nextPollAt !== null ? ' I’ll check again automatically.' : ''
  return order.inferred
    ? `${capital(fittingCharge(order))}. Status: ${b(statusWord(order))}. Don’t order again.${again}`
    : `This order was charged. Status: ${b(statusWord(order))}.${again}`
}

/** What came from the provider instead of a yes or no to the order. */
export const whatCame = ({ reason, answerStatus }: Pick<SeenOrder, 'reason' | 'answerStatus'>): string => {
  const status = answerStatus === null ? '' : ` (${answerStatus})`
  switch (reasonIn('unconfirmed', reason)) {
    case 'server_error':
      return `The provider answered with an error${status}.`
    case 'unexpected_status':
      return `The provider gave an unexpected answer${status}.`
    case 'bad_answer':
      return `The provider’s answer doesn’t name the order${status}.`
    case 'too_large':
      return `The provider’s answer was too long to read${status}.`
    case 'reference_taken':
      return 'The provider’s answer is about another order.'
    case 'mistaken':
      return 'The reference I had belongs to another order.'
    case 'pending':
      return 'The provider already has an order for this number: this one, or one made elsewhere.'
    case 'interrupted':
      return 'I was restarted before the provider answered.'
    case 'restored':
      return 'I was restored from a backup, so I don’t know if this was sent.'
    case 'timeout':
    case 'aborted':
    case 'connection_lost':
    case 'history_unreadable':
    case null:
      return answerStatus === null
        ? 'No answer from the provider.'
        : `The provider gave no clear answer${status}.`
  }
}

/**
 * What came from the provider, in a text for its support. It needs only the answer's status, which is kept even when
 * the order is no longer open.
 */
export const whatCameToUs = ({ answerStatus }: Pick<SeenOrder, 'answerStatus'>): string =>
  answerStatus === null ? 'the request got no answer' : `you answered the request with status ${answerStatus}`

/**
 * The charge in the wallet that fits an order. It is no proof that the order was charged, because it does not name the
 * order's reference.
 */
export const fittingCharge = ({ costs, acceptedQuantity, quantity }: SeenOrder): string => {
  if (!costs) return 'one charge in the wallet matches this order'
  const charged = formatGhs(chargeOf(costs))
  return isOtherCharge(costs, costs.chargedPesewas, acceptedQuantity ?? quantity)
    ? `a charge of ${charged} in the wallet matches this order`
    : `one charge of ${charged} matches this order`
}

/**
 * `charged GHS 4.65 once`. Without `once` if the charge differs from the confirmed price, or there may be a second one,
 * which another message explains. Null if the reader sees no costs.
 */
export const chargedOnce = (order: SeenOrder): string | null => {
  const { costs, acceptedQuantity, quantity, otherReference } = order
  if (costs === null) return null
  const isOther = isOtherCharge(costs, costs.chargedPesewas, acceptedQuantity ?? quantity)
  return `charged ${formatGhs(chargeOf(costs))}${isOther || otherReference ? '' : ' once'}`
}

/**
 * What is known of a list's charges if the provider could not be asked. @param isTriedAgain whether the bot keeps
 * asking.
 */
export const knownOfList = (
  { unconfirmed, underWay, waiting, money: seen }: SeenProgress,
  isTriedAgain: boolean,
): string => {
  const maybe = seen?.charges.maybePesewas ?? 0
  if (unconfirmed > 0 || maybe > 0)
    return `${seen && maybe > 0 ? formatGhs(seen.charges.maybePesewas) : 'Some of this'} may have been charged, so don’t order again yet.${isTriedAgain ? ' I’ll keep checking.' : ''}`
  const charged = seen?.charges.chargedPesewas ?? 0
  return joined(
    ' ',
    seen && charged > 0
      ? `${formatGhs(seen.charges.chargedPesewas)} was charged.`
      : 'The card shows what I know.',
    isTriedAgain && underWay + waiting > 0 ? 'I’ll check again automatically.' : null,
  )
}

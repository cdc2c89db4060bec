import { chargeOf, ownChargeOf, type PricelessOrder, totalPesewas } from '../../../domain/order/order.ts'
import { isAcceptedInPart } from '../../../domain/order/progress.ts'
import { isTerminal } from '../../../domain/order/status.ts'
import { formatGhs } from '../../../provider/money.ts'
import { foreignWord } from '../../chat/screen.ts'
import { bundleOf } from '../../words/bundle.ts'
import { chargedOnce, fittingCharge, isAgents, refundSeen } from '../../words/charge.ts'
import { b, code, grouped, joined, lines } from '../../words/markup.ts'
import { forWhom } from '../../words/numbers.ts'
import { orderMark, statusWord } from '../../words/order-state.ts'
import type { SeenOrder } from '../viewer.ts'

/** One message with the news that a chat missed, or that its quiet hours held back. */

/** @param quiet whether the chat's own quiet hours held the news back. */
export const digest = (news: string[], counted: [status: string, count: number][], quiet = false) => {
  const more = counted.reduce((sum, [, count]) => sum + count, 0)
  return lines(
    b(quiet ? 'During your quiet hours:' : 'While I couldn’t write to you:'),
    ...news,
    more > 0 ? `… and ${grouped(more)} more: ${countedWords(counted)}.` : null,
    '\nThe cards here are up to date. /orders shows all your orders.',
  )
}

/** How many statuses a digest counts one by one. */
const maxCounted = 4

const countedWords = (counted: [status: string, count: number][]): string => {
  const counts = new Map<string, number>()
  for (const [status, count] of counted) {
    const words = newsWords.get(status) ?? foreignWord(status)
    counts.set(words, (counts.get(words) ?? 0) + count)
  }
  return [...counts]
    .slice(0, maxCounted)
    .map(([words, count]) => `${grouped(count)} ${words}`)
    .join(', ')
}

/** The words for news that does not name a status. */
const newsWords = new Map<string, string>([
  ['placed', 'placed'],
  ['placement', 'not placed or unconfirmed'],
  ['other_price', 'charged at a different price'],
  ['overcharged', 'charged too much'],
  ['proof', 'cleared up'],
  ['mistaken', 'corrected'],
  ['other_reference', 'corrected'],
  ['refund', 'with refund news'],
  ['two_references', 'with two references'],
  ['second_status', 'with news of a second reference'],
  ['second_refund', 'with news of a second reference'],
  ['accepted_in_part', 'partly accepted'],
])

const secondNews = ['two_references', 'second_status', 'second_refund']

export const digestLine = (order: SeenOrder, about: string[]) => {
  const remarks = digestRemarks(order, about)
  return joined(
    ' · ',
    `${orderMark(order)} ${bundleOf(order)} for ${forWhom(order)}: ${b(statusWord(order))}`,
    ...remarks,
    order.reference ? code(order.reference) : null,
  )
}

const digestRemarks = (order: SeenOrder, about: string[]): string[] => {
  const isCorrected = about.includes('mistaken') || about.includes('other_reference')
  const correction = isCorrected
    ? ['correction: my earlier messages with another reference weren’t about this order']
    : []
  return [...correction, ...remarksOf(order, about)]
}

const remarksOf = (order: SeenOrder, about: string[]): string[] => {
  const { costs } = order
  const charged = costs && formatGhs(chargeOf(costs))
  switch (order.placement) {
    case 'unconfirmed':
      return ['may have been charged, so don’t order again']
    case 'review':
      return [reviewRemark(order)]
    case 'not_placed':
      if (order.reason === 'late_doubt') return ['a charge that may be for it has appeared: see its card']
      if (order.reason === 'by_person')
        return [
          isAgents(order.viewer) ? 'the owner said nothing was charged' : 'you said nothing was charged',
        ]
      return ['nothing was charged']
    case 'rejected':
      return ['nothing was charged']
    case 'placed':
      return [
        about.includes('proof')
          ? order.inferred
            ? `${order.reason === 'likely' ? 'most likely placed, as ' : ''}${fittingCharge(order)}`
            : joined(', ', 'placed after all', chargedOnce(order))
          : null,
        about.includes('accepted_in_part')
          ? isAcceptedInPart(order)
            ? `${grouped(order.acceptedQuantity ?? 0)} of them accepted; I don’t know which`
            : 'all of them accepted'
          : null,
        about.includes('other_price')
          ? costs && ownChargeOf(costs) !== totalPesewas(costs)
            ? `${order.inferred ? fittingCharge(order) : `charged ${formatGhs(ownChargeOf(costs))}`}, you confirmed ${formatGhs(totalPesewas(costs))}`
            : order.inferred
              ? 'one charge in the wallet matches this order, but the amount is different'
              : 'charged a different amount'
          : null,
        about.includes('overcharged')
          ? costs?.extraPesewas
            ? `charged ${charged} instead of ${formatGhs(ownChargeOf(costs))}`
            : 'the wallet was charged too much'
          : null,
        about.some((each) => secondNews.includes(each))
          ? `has two references: ${isAgents(order.viewer) ? 'I’ve asked the owner to look for both' : 'look for both in /transactions'}`
          : null,
        isTerminal(order.status) && order.status !== 'delivered' ? refundSeen(order) : null,
      ].filter((remark) => remark !== null)
    default:
      return []
  }
}

const reviewRemark = ({ reason, viewer }: SeenOrder): string => {
  if (reason === 'charged_by_person')
    return isAgents(viewer) ? 'the owner said it was charged' : 'you said it was charged'
  return isAgents(viewer)
    ? 'the owner can check whether it was charged'
    : 'was it charged? Answer on its card'
}

export const followedDigestLine = (order: PricelessOrder, maskedPhone: string) =>
  `${orderMark(order)} ${bundleOf(order)} for ${maskedPhone}: ${b(statusWord(order))}${order.reference ? ` · ${code(order.reference)}` : ''}`

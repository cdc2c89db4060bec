import { chargeOf, type PricelessOrder, totalPesewas } from '../../orders/order.ts'
import { isAcceptedInPart } from '../../orders/progress.ts'
import { isTerminal } from '../../orders/status.ts'
import { formatGhs } from '../../provider/money.ts'
import { foreignWord } from '../screen.ts'
import type { SeenOrder } from '../viewer.ts'
import { bundleOf } from './bundle.ts'
import { b, code, joined, lines } from './markup.ts'
import { forWhom } from './recipients.ts'
import { refundWords } from './refund.ts'
import { markOf, statusWord } from './status.ts'

/** What a chat is told all at once: what it missed, or what its quiet hours held back. */

/** @param quiet it was held back by the chat's own quiet hours. */
export const digest = (news: string[], counted: [status: string, count: number][], quiet = false) => {
  const more = counted.reduce((sum, [, count]) => sum + count, 0)
  return lines(
    b(quiet ? 'While you had quiet hours:' : 'While I could not write to you:'),
    ...news,
    more > 0 ? `and ${more} more: ${countedWords(counted)}.` : null,
    '\nThe cards in this chat show what is true now. /orders lists all.',
  )
}

/** The most statuses that a digest counts one by one. */
const mostCounted = 6

const countedWords = (counted: [status: string, count: number][]): string =>
  counted
    .slice(0, mostCounted)
    .map(([status, count]) => `${count} ${newsWords.get(status) ?? foreignWord(status)}`)
    .join(', ')

/** What an announcement that names no status is about. */
const newsWords = new Map<string, string>([
  ['placed', 'placed'],
  ['placement', 'ended or unconfirmed'],
  ['other_price', 'charged with another price'],
  ['proof', 'placed after all'],
  ['mistaken', 'corrected'],
  ['other_reference', 'corrected'],
  ['refund', 'with news of a refund'],
  ['two_references', 'with two references'],
  ['second_status', 'with news of a second reference'],
  ['second_refund', 'with news of a second reference'],
  ['accepted_in_part', 'accepted in part'],
])

const secondNews = ['two_references', 'second_status', 'second_refund']

export const digestLine = (order: SeenOrder, about: string[]) => {
  const remarks = digestRemarks(order, about)
  return joined(
    ' · ',
    `${markOf(order)} ${bundleOf(order)} for ${forWhom(order)}: ${b(statusWord(order))}`,
    ...remarks,
    order.reference ? code(order.reference) : null,
  )
}

const digestRemarks = (order: SeenOrder, about: string[]): string[] => {
  const isCorrected = about.includes('mistaken') || about.includes('other_reference')
  const correction = isCorrected
    ? ['correction: what was said with another reference was another order’s']
    : []
  return [...correction, ...remarksOf(order, about)]
}

const remarksOf = (order: SeenOrder, about: string[]): string[] => {
  const { costs } = order
  const charged = costs && formatGhs(chargeOf(costs))
  switch (order.placement) {
    case 'unconfirmed':
      return ['it may have been charged, do not order again']
    case 'review':
      return ['look at its card: was it charged?']
    case 'not_placed':
      if (order.reason === 'late_doubt') return ['a charge that may be for it has appeared: look at its card']
      if (order.reason === 'by_person') return ['you said that nothing was charged']
      return ['nothing was charged']
    case 'rejected':
      return ['nothing was charged']
    case 'placed':
      return [
        about.includes('proof')
          ? order.reason === 'likely'
            ? 'most likely placed after all, but others order with the same key'
            : `placed after all, ${charged ?? 'it'} was charged once`
          : null,
        about.includes('accepted_in_part')
          ? isAcceptedInPart(order)
            ? `taken for ${order.acceptedQuantity} of them, it is not known for which`
            : 'taken for all of them'
          : null,
        about.includes('other_price')
          ? costs && chargeOf(costs) !== totalPesewas(costs)
            ? `${charged} was charged, you confirmed ${formatGhs(totalPesewas(costs))}`
            : 'the wallet was charged another amount than expected'
          : null,
        about.some((each) => secondNews.includes(each))
          ? 'has two references: look for both in the wallet'
          : null,
        isTerminal(order.status) && order.status !== 'delivered' ? refundWords(order) : null,
      ].filter((remark) => remark !== null)
    default:
      return []
  }
}

export const followedDigestLine = (order: PricelessOrder, maskedPhone: string) =>
  `${markOf(order)} ${bundleOf(order)} for ${maskedPhone}: ${b(statusWord(order))}${order.reference ? ` · ${code(order.reference)}` : ''}`

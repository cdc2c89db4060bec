import { chargeOf, isOtherCharge, type Order, totalPesewas } from '../../orders/order.ts'
import { failedNumbers } from '../../orders/progress.ts'
import { awaitedRefund, isFailure } from '../../orders/recipients.ts'
import { formatGhs, type Pesewas } from '../../provider/money.ts'
import type { Announcement, DoubtedDebit, DoubtedOrder } from '../../relay/notice.ts'
import { foreignText, foreignWord } from '../screen.ts'
import { when } from '../time.ts'
import type { SeenOrder } from '../viewer.ts'
import { doubtForAgent } from './agent.ts'
import { bundleOf } from './bundle.ts'
import { b, code, counted, lines } from './markup.ts'
import { forWhom } from './recipients.ts'
import { refundWords } from './refund.ts'
import { numberOr } from './removed.ts'
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
    isFailure(status) ? owed(order) : null,
    status === 'refunded' ? refunded(order, reported) : null,
  )
}

/** Where the money stands of what failed: some or all of it may have come back before. */
const owed = (order: SeenOrder): string => {
  switch (order.refund) {
    case 'none':
      return order.costs
        ? `The provider owes ${whoseWallet(order)} ${formatGhs(awaitedRefund(order.costs))} for it. I look for the refund and tell you here.`
        : 'The provider owes a refund for it. I look for it and tell you here.'
    case 'part':
      return `${cameBack(order)} is back in ${whoseWallet(order)} already. I look for the rest and tell you here.`
    case 'whole':
      return `${cameBack(order)} is back in ${whoseWallet(order)} already.`
  }
}

/** A callback is from anybody who knows its address: money is said to be there when the provider's own record says so. */
const refunded = (order: SeenOrder, reported: boolean): string =>
  reported
    ? `Then ${moneyOf(order)} is back in ${whoseWallet(order)}. A callback said so; the provider’s own record is being asked.`
    : `${capitalOf(moneyOf(order))} is back in ${whoseWallet(order)}.`

// A figure of the wallet is what it costs: an agent's own price is not the wallet's money.
const amountIn = ({ costs }: SeenOrder, amount: (order: Order) => Pesewas): string =>
  costs ? ` ${formatGhs(amount(costs))}` : ''
const moneyOf = ({ costs }: SeenOrder): string => (costs ? formatGhs(chargeOf(costs)) : 'the money')
const capitalOf = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
/** What the wallet shows to have come back. */
const cameBack = ({ costs, refund }: SeenOrder): string =>
  costs ? formatGhs(costs.refundedPesewas ?? (0 as Pesewas)) : refund === 'whole' ? 'The money' : 'Money'
/** Who reads it decides, not whose order it is: an owner reads news of an agent's order too. */
const isTheirWallet = ({ viewer }: SeenOrder): boolean => viewer === 'owner' || viewer === 'former_owner'
const whoseWallet = (order: SeenOrder): string => (isTheirWallet(order) ? 'your wallet' : 'the wallet')

/** What may be this order's in the wallet, and what else may be meant by it. */
type Doubt = Extract<Announcement, { about: 'doubt' }>

export const announceDoubt = (order: SeenOrder, { debits, more, others = [], isShared }: Doubt, now: Date) =>
  lines(
    `🔎 ${bundleOf(order)} for ${forWhom(order)}, sent ${when(order.sentAt ?? order.createdAt, now)}: your wallet was charged for what may be this order, or another like it:`,
    ...debits.map((debit) => `• ${doubtedDebit(debit, now)}`),
    more > 0 ? `… and ${more} more: /transactions` : null,
    ...others.map((other) => `It may also be for ${doubtedOrder(other, now)}.`),
    isShared ? 'Others order with this key too, so it may be theirs.' : null,
    doubtAdvice(order, debits),
  )

const doubtedDebit = ({ reference, amountPesewas, description, atMs }: DoubtedDebit, now: Date): string => {
  const time = atMs === null ? '' : ` · ${when(new Date(atMs), now)}`
  const words = description ? `, “${foreignText(description)}”` : ''
  return `${b(formatGhs(amountPesewas))}${time} · ${reference === null ? `no reference${words}` : code(reference)}`
}

const doubtedOrder = ({ network, volume, quantity, sentAtMs }: DoubtedOrder, now: Date): string =>
  `${foreignWord(network)} ${foreignWord(volume)} for ${quantity === 1 ? 'one number' : `${quantity} numbers`}, sent ${when(new Date(sentAtMs), now)}`

const doubtAdvice = ({ placement }: SeenOrder, debits: readonly DoubtedDebit[]): string => {
  const isNamed = debits.some(({ reference }) => reference !== null)
  if (placement !== 'review')
    return isNamed
      ? 'I cannot tell whose it is. Send the reference to see what became of it.'
      : 'I cannot tell whose it is: the provider’s dashboard may show more.'
  return isNamed
    ? 'Is one of them this order’s? Send a reference to see what became of it, then say so on the card.'
    : 'Is one of them this order’s? The provider’s dashboard may show more. Then say so on the card.'
}

/** To an agent, who sees no entries of the wallet. */
export const announceDoubtToAgent = (order: SeenOrder) => doubtForAgent(bundleOf(order), forWhom(order))

export const announceRefund = (order: SeenOrder) =>
  isFailed(order)
    ? `↩️ ${bundleOf(order)} for ${forWhom(order)} ${foreignWord(order.status ?? '')}: ${b(refundWords(order))}. ${referenceOf(order)}`.trim()
    : order.kind === 'bulk'
      ? announceRefundInPart(order)
      : lines(
          `↩️ ${bundleOf(order)} for ${forWhom(order)}: ${b(`${cameBack(order)} came back`)} to ${whoseWallet(order)}, and its status is ${foreignWord(order.status ?? '')}. ${referenceOf(order)}`.trim(),
          'Ask the provider why before you order it again.',
        )

/** Some of its numbers failed. Where nobody knows which, that is said. */
const announceRefundInPart = (order: SeenOrder): string => {
  const failed = failedNumbers(order)
  const total = order.recipients.length
  if (failed.length === 0)
    return lines(
      `↩️ ${bundleOf(order)} for ${forWhom(order)}: ${b(`${cameBack(order)} came back`)} to ${whoseWallet(order)}. ${referenceOf(order)}`.trim(),
      'The provider does not say for which of the numbers. Ask before you order for them again.',
    )
  const left = failed.length - mostNamed
  const many = `${failed.length} of ${counted(total, 'number', 'numbers')} failed`
  const isWhole = order.refund === 'whole'
  const words = sentence(refundWords(order))
  return lines(
    `↩️ ${bundleOf(order)}. ${isWhole ? `${b(words)}: ${many}.` : `${many}. ${b(words)}.`} ${referenceOf(order)}`.trim(),
    `${failed
      .slice(0, mostNamed)
      .map((phone) => code(numberOr(phone)))
      .join(', ')}${left > 0 ? ` and ${left} more` : ''}`,
  )
}

/** Failed numbers that one message names. */
const mostNamed = 10

const isFailed = ({ status }: SeenOrder): boolean =>
  status === 'failed' || status === 'cancelled' || status === 'refunded'

const referenceOf = ({ reference }: SeenOrder): string => (reference ? code(reference) : '')

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** An agent who does not see the costs has a price of their own, which that is not: the owner has the figures. */
export const announceOtherPrice = (order: SeenOrder) =>
  order.costs === null
    ? `ℹ️ ${bundleOf(order)} for ${forWhom(order)}: the provider charged the wallet another amount than expected. Your price stays as you confirmed it, and the owner is told.`
    : order.reason === 'likely'
      ? `⚠️ ${bundleOf(order)}: the charge that is most likely this order’s is ${b(formatGhs(chargeOf(order.costs)))}, and you confirmed ${formatGhs(totalPesewas(order.costs))}. Reference ${code(order.reference ?? '')}.`
      : `⚠️ ${bundleOf(order)}: the provider charged ${b(formatGhs(chargeOf(order.costs)))}, and you confirmed ${formatGhs(totalPesewas(order.costs))}. ${order.reference ? `Reference ${code(order.reference)}. ` : ''}The provider’s support can tell why.`

export const announceProof = (order: SeenOrder) =>
  order.reason === 'likely'
    ? `ℹ️ ${bundleOf(order)} for ${forWhom(order)} was most likely placed after all: the wallet was charged${amountIn(order, chargeOf)}${onceOf(order)} for one like it. Reference ${code(order.reference ?? '')}. Others order with this key too, so it may be theirs.`
    : `ℹ️ ${bundleOf(order)} for ${forWhom(order)} was placed after all: ${order.costs ? formatGhs(chargeOf(order.costs)) : 'it'} was charged${onceOf(order)}. Reference ${code(order.reference ?? '')}.`

/** Another sum than the confirmed one is explained by a message of its own; of a sum that is not seen nothing is said. */
const onceOf = ({ costs, acceptedQuantity, quantity }: SeenOrder): string =>
  costs === null || isOtherCharge(costs, costs.chargedPesewas, acceptedQuantity ?? quantity) ? '' : ' once'

export const announceMistaken = (order: SeenOrder, reference: string) =>
  [
    `⚠️ Correction: the reference ${code(reference)} is another order’s. What was said here with it about ${bundleOf(order)} for ${forWhom(order)}, its charge and its status, was not about this order.`,
    order.placement === 'unconfirmed'
      ? `Nobody knows yet whether this one was charged: that is being checked now, and you will be told here. Do not order it again.`
      : `This one is now: ${b(statusWord(order))}.`,
  ].join('\n')

export const announceOtherReference = (order: SeenOrder, reference: string) =>
  `⚠️ Correction: ${bundleOf(order)} for ${forWhom(order)} has the reference ${code(order.reference ?? '')}, for which ${order.costs ? formatGhs(chargeOf(order.costs)) : 'the wallet'} was charged. What was said here with the reference ${code(reference)} was about another order.`

export const announceTwoReferences = (order: SeenOrder, reference: string) =>
  lines(
    `⚠️ ${bundleOf(order)} for ${forWhom(order)} has two references: a callback proved ${code(order.reference ?? '')}, and the provider’s answer to the order names ${code(reference)}.`,
    !isTheirWallet(order)
      ? 'The wallet may have been charged twice. Its owner is told, and looks for both. I keep both and follow the first.'
      : `${order.costs ? formatGhs(chargeOf(order.costs)) : 'It'} may have been charged twice. Look for both in /transactions, and ask the provider’s support. I keep both and follow the first.`,
  )

/** @param status as only a callback told it. */
export const announceSecondStatus = (order: SeenOrder, reference: string, status: string) =>
  lines(
    `${status === 'refunded' ? '↩️' : '⚠️'} ${bundleOf(order)} for ${forWhom(order)}: its second reference ${code(reference)} is ${b(`${foreignWord(status)} (reported)`)}.`,
    status === 'delivered'
      ? `It may have been delivered twice and charged twice. ${whereToLook(order)}`
      : `If ${whoseWallet(order)} was charged for it, that money has to come back. ${whereToLook(order)}`,
  )

/** @param refundedPesewas what the wallet shows: it is said to those who see costs. */
export const announceSecondRefund = (order: SeenOrder, reference: string, refundedPesewas: Pesewas) =>
  `↩️ ${bundleOf(order)} for ${forWhom(order)}: ${b(`${order.costs ? formatGhs(refundedPesewas) : 'money'} came back`)} to ${whoseWallet(order)} for its second reference ${code(reference)}.`

const whereToLook = (order: SeenOrder): string =>
  isTheirWallet(order)
    ? 'Look for both references in /transactions.'
    : 'The wallet’s owner is told, and looks for both.'

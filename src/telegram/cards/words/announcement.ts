import type { Announcement, DoubtedDebit, DoubtedOrder } from '../../../domain/notice.ts'
import { chargeOf, totalPesewas } from '../../../domain/order/order.ts'
import { failedNumbers } from '../../../domain/order/progress.ts'
import { awaitedRefund, isFailure } from '../../../domain/order/recipient-ends.ts'
import { formatGhs, type Pesewas, zero } from '../../../provider/money.ts'
import { foreignText, foreignWord } from '../../chat/screen.ts'
import { when } from '../../chat/time.ts'
import { bundleOf } from '../../words/bundle.ts'
import { chargedOnce, fittingCharge, mayBeChargedText, refundWords } from '../../words/charge.ts'
import { b, capital, code, counted, grouped, lines } from '../../words/markup.ts'
import { forWhom, phoneText } from '../../words/numbers.ts'
import { orderMark, statusWord } from '../../words/order-state.ts'
import type { SeenOrder } from '../viewer.ts'
import { doubtForAgent } from './agent-permissions.ts'

/** @param name the name that the number is saved with. */
export const announceStatus = (
  order: SeenOrder,
  status: string,
  reported: boolean,
  contradicts: boolean,
  name: string | null = null,
) => {
  const head = `${orderMark({ placement: 'placed', status })} ${bundleOf(order)} for ${forWhom(order, name)}: ${b(foreignWord(status) + (reported ? ' (reported)' : ''))}`
  return lines(
    contradicts ? '⚠️ Correction: the provider now says otherwise.' : null,
    head,
    order.reference ? code(order.reference) : null,
    isFailure(status) ? owed(order) : null,
    status === 'refunded' ? refunded(order, reported) : null,
  )
}

/** What the news says about the money of a failed order, some or all of which may have come back already. */
const owed = (order: SeenOrder): string => {
  switch (order.refund) {
    case 'none':
      return `${isTheirWallet(order) ? 'You’re' : 'The wallet is'} owed a refund${order.costs ? ` of ${formatGhs(awaitedRefund(order.costs))}` : ''}. ${watched}`
    case 'part':
      return `${cameBack(order)} is already back in ${whoseWallet(order)}. I’m watching for the rest.`
    case 'whole':
      return `${cameBack(order)} is already back in ${whoseWallet(order)}.`
  }
}

const watched = 'I’m watching for it.'

/** Anybody who knows a callback's address can send one, so a callback proves nothing about money. */
const refunded = (order: SeenOrder, reported: boolean): string =>
  reported
    ? `${capital(moneyOf(order))} should be back in ${whoseWallet(order)}. I’m confirming this with the provider.`
    : `${capital(moneyOf(order))} is back in ${whoseWallet(order)}.`

// The amount that the wallet was charged. Readers who see no costs read “the money”, because their own price is another
// amount.
const moneyOf = ({ costs }: SeenOrder): string => (costs ? formatGhs(chargeOf(costs)) : 'the money')
/** The money that the wallet shows as refunded. */
const cameBack = ({ costs, refund }: SeenOrder): string =>
  costs ? formatGhs(costs.refundedPesewas ?? zero) : refund === 'whole' ? 'The money' : 'Some of the money'
/**
 * Whether the wallet belongs to the reader, who may not be the person who ordered: owners also read news of their
 * agents' orders.
 */
const isTheirWallet = ({ viewer }: SeenOrder): boolean => viewer === 'owner' || viewer === 'former_owner'
const whoseWallet = (order: SeenOrder): string => (isTheirWallet(order) ? 'your wallet' : 'the wallet')

/** Wallet entries that may be for this order, and the other orders that they may be for. */
type Doubt = Extract<Announcement, { about: 'doubt' }>

export const announceDoubt = (
  order: SeenOrder,
  { debits, more, others = [], isShared }: Doubt,
  now: Date,
) => {
  const left = more + Math.max(0, debits.length - maxDebits)
  const isOne = debits.length + more === 1
  return lines(
    `🔎 ${bundleOf(order)} for ${forWhom(order)}, sent ${when(order.sentAt ?? order.createdAt, now)}. Your wallet was charged for this order or one like it:`,
    ...debits.slice(0, maxDebits).map((debit) => `• ${doubtedDebit(debit, now)}`),
    left > 0 ? `… and ${left} more: /transactions` : null,
    ...others
      .slice(0, maxOthers)
      .map((other) => `${isOne ? 'It' : 'They'} may also be for ${doubtedOrder(other, now)}.`),
    isShared ? `Others use this key too, so ${isOne ? 'it' : 'some'} may be theirs.` : null,
    doubtAdvice(order, debits, isOne),
  )
}

/** How many charges one message names. */
const maxDebits = 3
/** How many other orders one message names. */
const maxOthers = 2

const doubtedDebit = ({ reference, amountPesewas, description, atMs }: DoubtedDebit, now: Date): string => {
  const time = atMs === null ? '' : ` · ${when(new Date(atMs), now)}`
  const words = description ? `, “${foreignText(description)}”` : ''
  return `${b(formatGhs(amountPesewas))}${time} · ${reference === null ? `no reference${words}` : code(reference)}`
}

const doubtedOrder = ({ network, volume, quantity, sentAtMs }: DoubtedOrder, now: Date): string =>
  `${foreignWord(network)} ${foreignWord(volume)} for ${quantity === 1 ? 'one number' : `${grouped(quantity)} numbers`}, sent ${when(new Date(sentAtMs), now)}`

const doubtAdvice = ({ placement }: SeenOrder, debits: readonly DoubtedDebit[], isOne: boolean): string => {
  const isNamed = debits.some(({ reference }) => reference !== null)
  if (placement !== 'review')
    return `I can’t tell whose ${isOne ? 'it is' : 'they are'}. ${
      isNamed
        ? `Send ${isOne ? 'the' : 'a'} reference to see that order.`
        : 'The provider’s dashboard may show more.'
    }`
  return `Is ${isOne ? 'it' : 'one of them'} for this order? ${
    isNamed
      ? `Send ${isOne ? 'the' : 'a'} reference to check, then answer on the card.`
      : 'Look in the provider’s dashboard, then answer on the card.'
  }`
}

/** The news, for agents, that it is unclear whether an order was charged. Agents see no wallet entries. */
export const announceDoubtToAgent = (order: SeenOrder) => doubtForAgent(bundleOf(order), forWhom(order))

export const announceRefund = (order: SeenOrder) =>
  isFailed(order)
    ? `↩️ ${bundleOf(order)} for ${forWhom(order)}${order.status === 'refunded' ? '' : ` ${foreignWord(order.status ?? '')}`}: ${b(refundWords(order))}. ${referenceOf(order)}`.trim()
    : order.kind === 'bulk'
      ? announceRefundInPart(order)
      : order.costs?.extraPesewas
        ? announceExtraRefund(order)
        : lines(
            `↩️ ${bundleOf(order)} for ${forWhom(order)}: ${b(`${cameBack(order)} came back`)} to ${whoseWallet(order)}, but the order’s status is still ${foreignWord(order.status ?? '')}. ${referenceOf(order)}`.trim(),
            'Ask the provider why before you order again.',
          )

/** News that an extra charge was refunded, was refunded in part, or is not refunded yet. */
const announceExtraRefund = (order: SeenOrder): string => {
  const head = `${bundleOf(order)} for ${forWhom(order)}`
  if (order.refund === 'whole')
    return lines(
      `↩️ ${head}: ${b(`${cameBack(order)} came back`)} to ${whoseWallet(order)}. ${referenceOf(order)}`.trim(),
      'That was the extra charge. It’s settled.',
    )
  const owed = order.costs ? formatGhs(awaitedRefund(order.costs)) : 'money'
  return order.refund === 'part'
    ? `↩️ ${head}: ${b(`${cameBack(order)} of ${owed} came back`)} for the extra charge. ${order.refundAt ? watchedRest : askSupport} ${referenceOf(order)}`.trim()
    : `⚠️ ${head}: the extra ${owed} hasn’t come back after a day. ${askSupport} ${referenceOf(order)}`.trim()
}

const watchedRest = 'I’m watching for the rest.'
const askSupport = 'Press <b>Report</b> for a message to send to the provider’s support team.'

/**
 * News of the refund of a bulk order in which some numbers failed. If nobody knows which numbers failed, the news says
 * so.
 */
const announceRefundInPart = (order: SeenOrder): string => {
  const failed = failedNumbers(order)
  const total = order.recipients.length
  if (failed.length === 0)
    return lines(
      `↩️ ${bundleOf(order)} for ${forWhom(order)}: ${b(`${cameBack(order)} came back`)} to ${whoseWallet(order)}. ${referenceOf(order)}`.trim(),
      'The provider doesn’t say which numbers it’s for. Ask the customers before you order again.',
    )
  const left = failed.length - maxNamed
  const many = `${failed.length} of ${counted(total, 'number', 'numbers')} failed`
  const isWhole = order.refund === 'whole'
  const words = capital(refundWords(order))
  return lines(
    `↩️ ${bundleOf(order)}. ${isWhole ? `${b(words)}: ${many}.` : `${many}. ${b(words)}.`} ${referenceOf(order)}`.trim(),
    `${failed
      .slice(0, maxNamed)
      .map((phone) => phoneText(phone))
      .join(', ')}${left > 0 ? ` and ${left} more` : ''}`,
  )
}

/** How many failed numbers one message names. */
const maxNamed = 10

const isFailed = ({ status }: SeenOrder): boolean =>
  status === 'failed' || status === 'cancelled' || status === 'refunded'

const referenceOf = ({ reference }: SeenOrder): string => (reference ? code(reference) : '')

/**
 * The news that the wallet was charged another amount than the confirmed price. Agents who see no costs read no amount,
 * because their own price does not change.
 */
export const announceOtherPrice = (order: SeenOrder) =>
  order.costs === null
    ? `ℹ️ ${bundleOf(order)} for ${forWhom(order)}: ${order.inferred ? 'one charge in the wallet matches this order, but the amount is different' : 'the provider charged a different amount'}. Your price stays the same. I’ve told the owner.`
    : order.reason === 'likely'
      ? `⚠️ ${bundleOf(order)}: most likely ${b(formatGhs(chargeOf(order.costs)))} was charged for it. You confirmed ${formatGhs(totalPesewas(order.costs))}. Reference ${code(order.reference ?? '')}.`
      : order.inferred
        ? `⚠️ ${bundleOf(order)}: ${fittingCharge(order)}. You confirmed ${formatGhs(totalPesewas(order.costs))}. Reference ${code(order.reference ?? '')}.`
        : `⚠️ ${bundleOf(order)}: the provider charged ${b(formatGhs(chargeOf(order.costs)))}. You confirmed ${formatGhs(totalPesewas(order.costs))}. ${order.reference ? `Reference ${code(order.reference)}. ` : ''}Ask the provider’s support team why.`

/** The news that the wallet was charged more than the order's price, for example twice. */
export const announceOvercharge = (
  order: SeenOrder,
  { debits, chargedPesewas, pricePesewas }: Extract<Announcement, { about: 'overcharged' }>,
) => {
  const what = `${bundleOf(order)} to ${forWhom(order)}`
  if (!order.costs)
    return `ℹ️ The provider charged the wallet ${timesCharged(debits)} for ${what}. Your price stays the same. I’ve told the owner.`
  const who = isTheirWallet(order) ? 'You were' : 'The wallet was'
  return lines(
    `⚠️ ${who} charged ${timesCharged(debits)} for ${what}: ${b(`${formatGhs(chargedPesewas)} instead of ${formatGhs(pricePesewas)}`)}.`,
    `I’m watching for the refund. Press <b>Report</b> for a message to send to the provider’s support team. ${referenceOf(order)}`.trim(),
  )
}

const timesCharged = (debits: number): string =>
  debits < 2 ? 'too much' : debits === 2 ? 'twice' : `${debits} times`

/**
 * The news that it is unknown whether an order was placed. The message replies to the order's card, which explains it.
 */
export const announceUnconfirmed = (order: SeenOrder) =>
  `${orderMark(order)} ${bundleOf(order)} for ${forWhom(order)}: ${b(statusWord(order))}\nNo clear answer from the provider. Don’t order again: I’m checking.`

export const announceProof = (order: SeenOrder) =>
  order.inferred
    ? lines(
        `ℹ️ ${bundleOf(order)} for ${forWhom(order)}: ${order.reason === 'likely' ? 'most likely placed, as ' : ''}${fittingCharge(order)}. Reference ${code(order.reference ?? '')}.`,
        order.reason === 'likely'
          ? 'Others use this key too, so it may be theirs.'
          : 'I’m treating it as yours, so don’t order again.',
      )
    : `ℹ️ ${bundleOf(order)} for ${forWhom(order)} was placed after all${order.costs ? `, ${chargedOnce(order)}` : ''}. Reference ${code(order.reference ?? '')}.`

export const announceMistaken = (order: SeenOrder, reference: string) =>
  [
    `⚠️ Correction: the reference ${code(reference)} belongs to another order. My earlier messages with it weren’t about ${bundleOf(order)} for ${forWhom(order)}.`,
    order.placement === 'unconfirmed'
      ? `${mayBeChargedText(order)} for this one, so don’t order it again. I’m checking and will tell you here.`
      : `Its status is now ${b(statusWord(order))}.`,
  ].join('\n')

export const announceOtherReference = (order: SeenOrder, reference: string) =>
  `⚠️ Correction: ${bundleOf(order)} for ${forWhom(order)} has the reference ${code(order.reference ?? '')}. ${order.costs ? `${formatGhs(chargeOf(order.costs))} was charged for it. ` : ''}My earlier messages with ${code(reference)} were about another order.`

export const announceTwoReferences = (order: SeenOrder, reference: string) =>
  lines(
    `⚠️ ${bundleOf(order)} for ${forWhom(order)}: the provider names two references, ${code(order.reference ?? '')} and ${code(reference)}.`,
    !isTheirWallet(order)
      ? 'The wallet may have been charged twice. I’ve asked the owner to look for both references. I’m following the first.'
      : `${order.costs ? formatGhs(chargeOf(order.costs)) : 'It'} may have been charged twice. Look for both in /transactions and ask the provider’s support team. I’m following the first.`,
  )

/** @param status a status that is known only from a callback. */
export const announceSecondStatus = (order: SeenOrder, reference: string, status: string) =>
  lines(
    `${status === 'refunded' ? '↩️' : '⚠️'} ${bundleOf(order)} for ${forWhom(order)}: its second reference ${code(reference)} is ${b(`${foreignWord(status)} (reported)`)}.`,
    status === 'delivered'
      ? `It may have been delivered and charged twice. ${whereToLook(order)}`
      : `If ${whoseWallet(order)} was charged for it, that money should come back. ${whereToLook(order)}`,
  )

/** @param refundedPesewas the refund as the wallet shows it. Only readers who see costs are shown it. */
export const announceSecondRefund = (order: SeenOrder, reference: string, refundedPesewas: Pesewas) =>
  `↩️ ${bundleOf(order)} for ${forWhom(order)}: ${b(`${order.costs ? formatGhs(refundedPesewas) : 'some money'} came back`)} to ${whoseWallet(order)} for its second reference ${code(reference)}.`

const whereToLook = (order: SeenOrder): string =>
  isTheirWallet(order)
    ? 'Look for both references in /transactions.'
    : 'I’ve asked the owner to look for both references.'

import type { RestOfList } from '../../../domain/list-draft.ts'
import type { Order } from '../../../domain/order/order.ts'
import { staleConfirmationMs } from '../../../domain/order/placement.ts'
import type { Counts, Failure, Group } from '../../../domain/order/progress.ts'
import type { PurchaseRemark } from '../../../domain/order/reason.ts'
import { reasonIn } from '../../../domain/order/reason.ts'
import { draftMs, restOfListMs } from '../../../domain/times/draft-lifetime.ts'
import { formatGhs, minus } from '../../../provider/money.ts'
import { escapeHtml, foreignWord, oneLine } from '../../chat/screen.ts'
import {
  chargeLine,
  checkCharges,
  fittingCharge,
  isAgents,
  mayBeChargedText,
  paidText,
  whatCame,
  whoSaid,
} from '../../words/charge.ts'
import { b, capital, code, counted, grouped, joined, lengthIn, lines } from '../../words/markup.ts'
import { phoneText, spaced } from '../../words/numbers.ts'
import type { SeenOrder, SeenProgress, SeenStanding } from '../viewer.ts'
import type { DraftEnd } from './draft.ts'

/** Texts about lists, except the preview. */

const listed = (phones: readonly string[]) =>
  `${phones
    .slice(0, 3)
    .map((phone) => phoneText(phone))
    .join(', ')}${phones.length > 3 ? ', …' : ''}`

// ── Drafts, except the texts in list-preview.ts ──────────────────────────────────────────────────────────────────────

export const listLabels = {
  result: '📗 Excel',
  goOn: '▶️ Continue',
  stop: '⏹ Stop here',
  retryFailed: (count: number) => `🔁 Retry failed (${grouped(count)})`,
  orderUnsent: (count: number) => `▶️ Order the ${grouped(count)} not sent`,
  /** @param only the number, if there is only one. */
  orderAgain: (count: number, only: string | null) =>
    only === null ? `🔁 Order the ${grouped(count)} again` : `🔁 Order ${spaced(only)} again`,
  allNumbers: '▶ All numbers',
  references: '🧾 References',
  numbers: '‹ Numbers',
  /** `👤 Save Yaw and Esi`; `👤 Save 5 names` */
  saveNames: (names: readonly { name: string }[]) =>
    names.length > 2
      ? `👤 Save ${grouped(names.length)} names`
      : `👤 Save ${names.map(({ name }) => oneLine(name, 18)).join(' and ')}`,
  copyReferences: '📋 Copy these references',
  openList: '📋 The list',
  repeatList: '🔁 Repeat',
} as const

export const listRemark = (remark: PurchaseRemark): string => {
  switch (remark) {
    case 'price_changed':
      return '⚠️ A price has changed since you confirmed. Nothing below was sent or charged. Here are the new prices:\n'
    case 'balance_changed':
      return '⚠️ The wallet doesn’t have enough for this. Nothing below was sent or charged.\n'
    case 'prices_unreadable':
      return '⚠️ I couldn’t check the prices. Nothing below was sent or charged. Confirm to try again.\n'
    case 'unauthorized':
      return '⚠️ The provider isn’t accepting the API key. Nothing below was sent or charged. /connect with the current key, then confirm.\n'
    case 'waited_long':
      return `⚠️ This waited for more than ${lengthIn('minute', staleConfirmationMs)}, so nothing below was sent or charged. Do you still want it?\n`
    case 'not_certain':
      return `${oneByOne}\n`
    case 'topped_up':
      return '💰 Your balance now covers what was refused. Nothing below was sent or charged.\n'
    case 'reminder':
    case 'reminder_unnamed':
    case 'left_over':
    case 'by_setting':
    case 'crowded_out':
      return ''
    case 'restored':
      return '⚠️ I was restored from a backup. I haven’t sent anything below.\n'
  }
}

export const listChanged = 'This card has changed, so nothing was ordered. Check it again.'
export const listRepeated =
  'You ordered some of this a moment ago from another card, so I’m skipping it here. Nothing new was ordered. Check the card again.'
export const listClosing = 'This account is being removed, so nothing new was ordered. To keep it, /connect.'

export const listUnreadable = (why: string) =>
  `📋 Your list is kept for ${lengthIn('hour', draftMs)}.\n${why}`

/** @param lastedMs how long the list could be confirmed. */
export const listEnded = (state: DraftEnd, count: number, lastedMs: number): string => {
  // When newer lists crowd a list out, its text is deleted, so its lines cannot be counted.
  const head = count === 0 ? '📋 List' : `📋 List of ${counted(count, 'line', 'lines')}`
  switch (state) {
    case 'superseded':
      return `↪️ ${head}: ${b('replaced')} by the card below.`
    case 'cancelled':
      return `❌ ${head}: ${b('cancelled')}\n${nothingDone}`
    case 'expired':
      return `⌛ ${head}: ${b('expired')}\nNot confirmed within ${lengthIn('hour', lastedMs)}. ${nothingDone}`
    case 'left':
      return `⌛ ${head}: ${b('expired')}\nYou can no longer order with that wallet. ${nothingDone}`
    case 'crowded_out':
      return `⌛ ${head}: ${b('expired')}\nYou’ve sent newer lists, so I closed this card. ${nothingDone} If you still need it, send it again.`
    case 'restored':
      return `⌛ ${head}: ${b('expired')}\nI was restored from a backup. If you confirmed this list after the backup was made, it may have been charged: check before you order again.`
  }
}
const nothingDone = 'Nothing was ordered or charged.'

// ── Progress ───────────────────────────────────────────────────────────────────────────────────────────────────

const barLength = 12

const bar = (done: number, total: number) => {
  const full = total === 0 ? 0 : Math.floor((done / total) * barLength)
  return `${'▰'.repeat(full)}${'▱'.repeat(barLength - full)} ${total === 0 ? 0 : Math.floor((done / total) * 100)}%`
}

const endedOf = (progress: SeenProgress) =>
  progress.delivered + progress.failed.length + progress.notOrdered + progress.notKnown

/** How many numbers are in each state. */
export const progressLine = (progress: Counts) =>
  joined(
    ' · ',
    progress.waiting > 0 ? `⏳ ${grouped(progress.waiting)} waiting` : null,
    progress.underWay > 0 ? `🟡 ${grouped(progress.underWay)} processing` : null,
    progress.delivered > 0 ? `✅ ${grouped(progress.delivered)} delivered` : null,
    progress.failed.length > 0 ? `❌ ${grouped(progress.failed.length)} failed` : null,
    progress.unconfirmed > 0 ? `❓ ${grouped(progress.unconfirmed)} unconfirmed` : null,
    progress.notOrdered > 0 ? `⚪️ ${grouped(progress.notOrdered)} not ordered` : null,
    progress.notKnown > 0 ? `❔ ${grouped(progress.notKnown)} not known` : null,
  )

const money = ({ money: seen }: SeenProgress) => seen && chargeLine(seen.charges)

/** Only customers know whether the data arrived. */
const askCustomers = (numbers: number) => `Ask the ${numbers === 1 ? 'customer' : 'customers'}`

const unknownNote = ({ notKnown }: SeenProgress) =>
  notKnown > 0
    ? `❔ ${counted(notKnown, 'number', 'numbers')}: the provider doesn’t say what happened to ${notKnown === 1 ? 'it' : 'them'}. ${askCustomers(notKnown)} before you order again.`
    : null

export const listCard = (
  progress: SeenProgress,
  details: {
    times: string
    orders: string[]
    numbers: string[]
    left: string | null
    held: string | null
  },
) =>
  lines(
    `📋 ${b(`List of ${counted(progress.total, 'number', 'numbers')}`)}`,
    bar(endedOf(progress), progress.total),
    progressLine(progress),
    money(progress),
    ...details.orders,
    ...details.numbers,
    details.left,
    details.held,
    details.times,
  )

/** One order of a list, in a line or two. */
export const listOrderLine = (order: SeenOrder, word: string, why: string | null) =>
  `${foreignWord(order.network)} ${foreignWord(order.volume)} × ${grouped(order.quantity)}: ${b(word)}${why ? `. ${why}` : ''}`

const groupMarks: Readonly<Record<Group, string>> = {
  waiting: '⏳',
  underWay: '🟡',
  delivered: '✅',
  failed: '❌',
  unconfirmed: '❓',
  notOrdered: '⚪️',
  notKnown: '❔',
}

/** One number of a list: `✅ 024 123 4567 · 1GB · Yaw` */
export const numberLine = ({
  phone,
  volume,
  name,
  group,
  failure,
}: {
  phone: string
  volume: string
  name: string | null
  group: Group
  failure: Failure | null
}) =>
  joined(
    ' · ',
    `${groupMarks[group]} ${phoneText(phone)}`,
    foreignWord(volume),
    name === null ? null : foreignWord(name),
    ...(failure ? failureWords(failure) : []),
  )

/** A page of lines. `first`: the place of its first line among all `total` lines. */
interface Page {
  first: number
  lines: string[]
  total: number
}

/** One page of all numbers. */
export const numbersText = ({ first, lines: shown, total }: Page) =>
  lines(
    total > shown.length
      ? `📋 ${b(`Numbers ${grouped(first)}–${grouped(first + shown.length - 1)} of ${grouped(total)}`)}`
      : `📋 ${b(counted(total, 'number', 'numbers'))}`,
    ...shown,
  )

/** One order on the page of all references. */
export const referenceLine = ({ network, volume, quantity, reference }: SeenOrder, word: string) =>
  `${foreignWord(network)} ${foreignWord(volume)} × ${grouped(quantity)}: ${b(word)}${reference ? ` ${code(reference, 60)}` : ''}`

export const referencesText = ({ first, lines: shown, total }: Page) =>
  lines(
    total > shown.length
      ? `🧾 ${b(`References ${grouped(first)}–${grouped(first + shown.length - 1)} of ${grouped(total)}`)}`
      : `🧾 ${b('References')}`,
    ...shown,
  )

// ── What is left of a list, and what is ordered again ──────────────────────────────────────────────────────────

/** `9 still to fix · 12 still to order` */
const leftWords = ({ lines: toFix, numbers }: RestOfList): string => {
  const words = joined(
    ' · ',
    toFix > 0 ? `${grouped(toFix)} still to fix` : null,
    numbers > 0 ? `${grouped(numbers)} still to order` : null,
  )
  return words || 'The rest'
}

/** The line on a list's card about its rest, whose card is below. */
export const leftLine = (left: RestOfList) => `📌 ${b(leftWords(left))}: see the card below`
/** The line in news of the list about its rest, whose card may be further up. */
export const leftNews = (left: RestOfList) => `📌 ${b(leftWords(left))}: press the button below to continue`
/** The label of the button that shows the rest of a list. Plain text. */
export const leftLabel = (left: RestOfList) => `📌 ${leftWords(left)}`

/** The heading of the preview of the rest. */
export const leftHead = (left: RestOfList) =>
  `📌 From your list: ${b(leftWords(left))}. Not ordered, not charged. Kept for ${lengthIn('hour', restOfListMs)}.\n`

export interface RetryWords {
  sure: number
  doubtful: number
  /** The numbers on this page whose failure is not certain. */
  shown: readonly Failure[]
  unconfirmed: number
  toReview: number
  notKnown: number
  pending: number
}

export const retryText = (retry: RetryWords) =>
  lines(
    `🔁 ${b('Retry failed')}`,
    retry.sure > 0
      ? `✅ ${counted(retry.sure, 'number', 'numbers')} got nothing: safe to order again.`
      : null,
    retry.doubtful > 0
      ? `❓ ${counted(retry.doubtful, 'number', 'numbers')} may have got the data. ${askCustomers(retry.doubtful)} before you order again:`
      : null,
    ...retry.shown.map(failedLine),
    retry.unconfirmed > 0
      ? `❓ ${grouped(retry.unconfirmed)} unconfirmed: maybe charged. I’m checking, so don’t order again.`
      : null,
    retry.toReview > 0
      ? `🔎 ${grouped(retry.toReview)} to review: maybe charged. Tell me with a button.`
      : null,
    retry.notKnown > 0
      ? `❔ ${grouped(retry.notKnown)} not known. ${askCustomers(retry.notKnown)} before you order again.`
      : null,
    retry.pending > 0
      ? `⏳ ${counted(retry.pending, 'number has an open order: wait for it.', 'numbers have open orders: wait for them.')}`
      : null,
    retry.sure + retry.doubtful + retry.unconfirmed + retry.toReview === 0 ? nothingFailed : null,
  )
/** The label of a button that opens an order to review. Plain text. */
export const toReviewLabel = ({
  network,
  volume,
  quantity,
}: Pick<Order, 'network' | 'volume' | 'quantity'>) =>
  `🔎 ${oneLine(network)} ${oneLine(volume)} × ${grouped(quantity)}`

/**
 * Why an order of a list did not succeed, or not at once; null if it did. @param pending the numbers that the
 * provider's refusal names.
 */
export const listOrderWhy = (order: SeenOrder, pending: readonly string[]): string | null => {
  const said = order.providerMessage
    ? ` The provider says: “${escapeHtml(oneLine(order.providerMessage, 120))}”`
    : ''
  const these = order.quantity === 1 ? 'this' : 'these'
  switch (order.placement) {
    case 'unconfirmed':
      if (order.reason === 'pending')
        return `The provider says ${order.quantity === 1 ? 'this number' : 'one of these numbers'} has an open order. It may be this one. ${mayBeChargedText(order)}. I’m checking, so don’t order ${these} again.`
      return `${whatCame(order)} ${mayBeChargedText(order)}. I’m checking, so don’t order ${these} again.`
    case 'review':
      return order.reason === 'charged_by_person'
        ? `${whoSaid(order.viewer)} it was charged.`
        : order.reason === 'hinted'
          ? `The provider sent a report on this order, but can’t find its reference yet. Don’t order ${these} again until that’s clear.`
          : order.reason === 'unexplained'
            ? `The wallet was charged for an order like this. Don’t order ${these} again until that’s clear.`
            : `I can’t tell if this was charged. Don’t order ${these} again until that’s clear.`
    case 'not_placed':
      return order.reason === 'unreachable'
        ? 'I couldn’t reach the provider. Nothing was charged.'
        : order.reason === 'late_doubt'
          ? `A charge that may be for this has appeared since. ${checkCharges(order.viewer)} before you order ${these} again.`
          : order.reason === 'by_person'
            ? `${whoSaid(order.viewer)} nothing was charged.`
            : 'Checked: nothing was charged.'
    case 'rejected':
      return `${refusalWhy(order, pending)} Nothing was charged.${order.reason === 'pending' && pending.length > 0 ? '' : said}`
    case 'placed':
      if (order.reason === 'likely')
        return `Most likely placed, as ${fittingCharge(order)}. Others use the same key, so it may be theirs.`
      if (order.inferred) return `${capital(fittingCharge(order))}.`
      return (order.acceptedQuantity ?? order.quantity) < order.quantity
        ? `The provider accepted ${grouped(order.acceptedQuantity ?? 0)} of ${grouped(order.quantity)} and charged only for those.`
        : null
    default:
      return null
  }
}

const refusalWhy = ({ reason, quantity }: SeenOrder, pending: readonly string[]): string => {
  switch (reasonIn('rejected', reason)) {
    case 'pending':
      if (quantity === 1)
        return `${pending.length > 0 ? listed(pending) : 'This number'} has an open order, so the provider refused this order.`
      return pending.length > 0
        ? `${listed(pending)} ${pending.length === 1 ? 'has' : 'have'} an open order, so the provider refused all of these.`
        : 'One of these numbers has an open order, so the provider refused them all. It doesn’t say which.'
    case 'balance':
      return 'The wallet doesn’t have enough for this.'
    case 'unauthorized':
      return 'The provider refused the API key.'
    case 'not_found':
      return 'The provider no longer sells this bundle.'
    case 'invalid':
    case 'unprocessable':
    case null:
      return 'The provider refused this order.'
  }
}

/** @param tookMs how long the list took; null until it is done. */
export const listTimes = (confirmed: string, tookMs: number | null) =>
  joined(' · ', `Confirmed ${confirmed}`, tookMs === null ? null : `done in ${span(tookMs)}`)

/** `42 s`, `3 min 5 s`, `2 h 4 min` */
const span = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min${seconds % 60 > 0 ? ` ${seconds % 60} s` : ''}`
  return `${Math.floor(minutes / 60)} h${minutes % 60 > 0 ? ` ${minutes % 60} min` : ''}`
}

/** Why the rest of a list waits for `order`, which has its own line above. */
export const heldWhy = (order: Pick<SeenOrder, 'placement' | 'reason' | 'viewer'>): string => {
  const { placement, reason, viewer } = order
  switch (placement) {
    case 'rejected':
      if (reason === 'unauthorized')
        return isAgents(viewer)
          ? 'The provider refused the owner’s key. Ask them to /connect first.'
          : 'The provider refused the API key. If there’s a new one, /connect with it first.'
      return `The wallet doesn’t have enough for the next order. ${isAgents(viewer) ? 'Ask the owner to top up.' : 'Top up first.'}`
    case 'not_placed':
      switch (reasonIn('not_placed', reason)) {
        case 'unreachable':
        case 'not_made':
          return 'I couldn’t reach the provider.'
        case 'by_person':
          return `${whoSaid(viewer)} one order wasn’t charged.`
        case 'late_doubt':
          return `A charge that may be for one of these orders has appeared since. ${checkCharges(viewer)}.`
        case 'no_debit':
        case null:
          return 'One order wasn’t placed. I checked: it wasn’t charged.'
      }
      break
    case 'review':
      return `I can’t tell whether one of these orders was charged. ${checkCharges(viewer)}.`
    case 'placed':
      return 'The order that the rest was waiting for has been placed.'
    default:
      return 'One order is unconfirmed. If it was placed, the rest will go out.'
  }
}

export const heldText = (why: string, waiting: number) =>
  `⚠️ ${why}\nThe other ${waiting === 1 ? 'number is' : `${grouped(waiting)} numbers are`} waiting: not sent, not charged. Continue, or stop here?`

export const goOnToast = 'Continuing'
export const stoppedToast = 'Stopped. Nothing more will be sent.'
export const nothingHeld = 'Nothing is waiting any more. See the card.'
export const nothingWaits = 'Nothing left to stop: everything has been sent.'
export const nothingFailed =
  'Nothing to order again: no failure is confirmed yet, or the numbers have open orders.'

const failedWhy = ({ status, told }: Failure): string => {
  const word = foreignWord(status)
  if (told === 'surely') return word
  return told === 'whole' ? `${word} (the whole order)` : `${word} (reported)`
}

/** Labels of buttons. Plain text. */
export const retryOneLabel = (phone: string) => `🔁 Retry ${spaced(oneLine(phone))}`

export const listDone = (progress: SeenProgress, took: string, details: string[]) =>
  lines(
    `${progress.delivered === progress.total ? '✅' : '📋'} ${b(`List of ${counted(progress.total, 'number', 'numbers')}: ${progress.isDone ? 'done' : 'not done yet'}`)}`,
    progressLine(progress),
    money(progress),
    owedNote(progress),
    ...details,
    unknownNote(progress),
    progress.underWay > 0 ? 'I’ll tell you about the rest.' : null,
    took,
  )

export const listHasChanged = (progress: SeenProgress, details: string[]) =>
  lines(
    `⚠️ ${b('Correction')}: the list of ${counted(progress.total, 'number', 'numbers')} turned out differently. The provider now says:`,
    progressLine(progress),
    money(progress),
    ...details,
    unknownNote(progress),
  )

/** The note about the refund for failed numbers that has not come yet. */
const owedNote = ({ money: seen }: SeenProgress) =>
  seen && seen.owedPesewas > seen.charges.refundedPesewas
    ? `Refund of ${formatGhs(minus(seen.owedPesewas, seen.charges.refundedPesewas))} not seen yet. I’m watching for it.`
    : null

export const failedLine = (failure: Failure) =>
  joined(' · ', `❌ ${phoneText(failure.phone)}`, ...failureWords(failure))
const failureWords = (failure: Failure): (string | null)[] => [
  failedWhy(failure),
  failure.refundedPesewas === null ? null : `refunded ${formatGhs(failure.refundedPesewas)}`,
]
export const moreLines = (count: number) => `… and ${grouped(count)} more`
const oneByOne =
  '⚠️ This number may have got the data already: its failure isn’t confirmed. Ask the customer before you order again.'
export const acceptedInPart = ({ network, volume, acceptedQuantity, quantity, reference }: SeenOrder) =>
  acceptedQuantity === null || acceptedQuantity >= quantity
    ? `ℹ️ Correction for ${foreignWord(network)} ${foreignWord(volume)}: the provider accepted all ${grouped(quantity)} numbers and charged for all of them.\nReference ${code(reference ?? '', 60)}`
    : `⚠️ ${foreignWord(network)} ${foreignWord(volume)}: the provider accepted ${grouped(acceptedQuantity ?? 0)} of ${grouped(quantity)} numbers and charged for those. It doesn’t say which.\nReference ${code(reference ?? '', 60)}\nUntil it says which, they all count as “not known”: don’t order them again.`

/** A list as one line of the history. */
export const listEntry = (index: number, progress: SeenStanding, when: string) =>
  joined(
    ' · ',
    `${index}. 📋 ${b(counted(progress.total, 'number', 'numbers'))}`,
    progress.charges && paidText(progress.charges),
    progressLine(progress) || 'nothing sent',
    when,
  )

export const resultCaption = (progress: Counts) =>
  `${counted(progress.total, 'number', 'numbers')}: ${progressLine(progress)}`

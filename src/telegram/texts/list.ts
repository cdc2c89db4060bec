import type { Order, PurchaseRemark } from '../../orders/order.ts'
import type { Counts, Failure } from '../../orders/progress.ts'
import { formatGhs, type Pesewas } from '../../provider/money.ts'
import { escapeHtml, foreignWord, oneLine } from '../screen.ts'
import type { SeenOrder, SeenProgress, SeenStanding } from '../viewer.ts'
import { type DraftEnd, endedUnconfirmed } from './draft.ts'
import { b, code, counted, grouped, joined, lines } from './markup.ts'
import { waitsForNetwork } from './network.ts'
import { numberOr } from './removed.ts'

/** The words of lists: part of the catalogue. */

const listed = (phones: readonly string[]) =>
  `${phones
    .slice(0, 3)
    .map((phone) => code(phone))
    .join(', ')}${phones.length > 3 ? ', …' : ''}`

// ── Drafts, beside what preview.ts has ───────────────────────────────────────────────────────────────────

export const listLabels = {
  resultCsv: '📄 CSV',
  goOn: '▶️ Go on',
  stop: '⏹ Stop here',
  retryFailed: (count: number) => `🔁 Retry failed (${grouped(count)})`,
  orderRefused: (count: number) => `🔁 Order the refused again (${grouped(count)})`,
  openList: '📋 The list',
  repeatList: '🔁 Repeat',
} as const

export const listRemark = (remark: PurchaseRemark): string => {
  switch (remark) {
    case 'price_changed':
      return '⚠️ A price has changed since you confirmed. What stands below was not sent and not charged; these are the prices now:\n'
    case 'balance_changed':
      return '⚠️ The wallet holds less than this costs. What stands below was not sent and not charged:\n'
    case 'prices_unreadable':
      return '⚠️ The provider’s prices could not be checked. What stands below was not sent and not charged. Confirm to try again:\n'
    case 'unauthorized':
      return '⚠️ The provider refuses your API key. What stands below was not sent and not charged. /connect with the current key, then confirm:\n'
    case 'waited_long':
      return '⚠️ This waited for more than 15 minutes, so it was not sent and not charged. Still wanted?\n'
    case 'not_certain':
      return `${oneByOne}\n`
    case 'left_over':
      return '📌 Left of your list: not ordered, not charged.\n'
    case 'by_setting':
    case 'crowded_out':
      return ''
    case 'restored':
      return '⚠️ The bot was restored from an older copy. What stands below was not sent by it.\n'
  }
}

export const listChanged =
  'This is not what the card said when that button was made. Look at the card as it is now; nothing was ordered.'
export const listRepeated =
  'Some of this was ordered a moment ago from another card, and is skipped here now. Look at this card again; nothing was ordered by this press.'
export const listClosing =
  'This account is being removed, so nothing new is ordered on it. /connect keeps it.'

export const listUnreadable = (why: string) => `📋 Your list is kept for an hour.\n${why}`

export const listEnded = (state: DraftEnd, count: number): string => {
  // What has given its place is kept no more.
  const head = count === 0 ? '📋 List' : `📋 List of ${counted(count, 'line', 'lines')}`
  return state === 'superseded'
    ? `↪️ ${head}\nreplaced by the card below. Nothing was ordered by this one and nothing was charged.`
    : endedUnconfirmed(state, head)
}

// ── Watching ───────────────────────────────────────────────────────────────────────────────────────────────────

const barLength = 12

const bar = (done: number, total: number) => {
  const full = total === 0 ? 0 : Math.floor((done / total) * barLength)
  return `${'▰'.repeat(full)}${'▱'.repeat(barLength - full)} ${total === 0 ? 0 : Math.floor((done / total) * 100)}%`
}

const endedOf = (progress: SeenProgress) =>
  progress.delivered + progress.failed.length + progress.notOrdered + progress.notKnown

/** How many of the recipients stand where. */
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

const money = ({ money: seen }: SeenProgress) =>
  seen &&
  `Charged ${b(formatGhs(seen.spentPesewas))}${seen.refundedPesewas > 0 ? ` · refunded ${formatGhs(seen.refundedPesewas)}` : ''}`

const unknownNote = ({ notKnown }: SeenProgress) =>
  notKnown > 0
    ? `❔ The provider does not say what became of ${counted(notKnown, 'number', 'numbers')}: ask before you order for ${notKnown === 1 ? 'it' : 'them'} again.`
    : null

export const listCard = (
  progress: SeenProgress,
  details: { times: string; orders: string[]; failed: string[]; held: string | null },
) =>
  lines(
    `📋 ${b(`List of ${counted(progress.total, 'number', 'numbers')}`)}`,
    bar(endedOf(progress), progress.total),
    progressLine(progress),
    money(progress),
    ...details.orders,
    ...details.failed,
    details.held,
    details.times,
  )

/** One order of a list, in a line or two. */
export const listOrderLine = (order: SeenOrder, word: string, why: string | null) =>
  `${foreignWord(order.network)} ${foreignWord(order.volume)} × ${grouped(order.quantity)}: ${b(word)}${order.reference ? ` ${code(order.reference, 60)}` : ''}${why ? `. ${why}` : ''}`

/** The reference of one order of a list. */
export const listReferenceLine = ({ network, volume, quantity, reference }: SeenOrder) =>
  `${foreignWord(network)} ${foreignWord(volume)} × ${grouped(quantity)}: ${code(reference ?? '', 60)}`
export const moreReferences = (count: number) =>
  `… and ${counted(count, 'more reference', 'more references')}: the CSV has all.`

/** What stands behind the word of an order that did not simply go through. @param pending numbers that its refusal names. */
export const listOrderWhy = (order: SeenOrder, pending: readonly string[]): string | null => {
  const said = order.providerMessage
    ? ` The provider says: “${escapeHtml(oneLine(order.providerMessage, 120))}”`
    : ''
  switch (order.placement) {
    case 'queued':
      return order.reason === 'network_down' ? waitsForNetwork(order.network) : null
    case 'unconfirmed':
      if (order.reason === 'pending')
        return 'The provider says that an order for one of these is open already. It may be these, sent twice on the way: you may have been charged. Do not order these again. The wallet is being read to tell.'
      return 'It may have been charged or not: do not order these again. It is being checked.'
    case 'review':
      return order.reason === 'charged_by_person'
        ? 'You said that it was charged.'
        : order.reason === 'hinted'
          ? 'The provider reported on this, but does not know its reference yet. Do not order these again before it is cleared up.'
          : order.reason === 'unexplained'
            ? 'The wallet was charged for what may be this, and nothing proves it. Do not order these again before it is cleared up.'
            : 'The wallet’s entries do not pair up with your orders: was it charged? Do not order these again before it is cleared up.'
    case 'not_placed':
      return order.reason === 'unreachable'
        ? 'The provider could not be reached, nothing was charged.'
        : order.reason === 'late_doubt'
          ? 'A charge that may be for this has appeared since: look at /transactions before you order these again.'
          : order.reason === 'by_person'
            ? 'You said that nothing was charged.'
            : 'Checked: nothing was charged.'
    case 'rejected':
      return `${refusalWhy(order.reason, pending)} Nothing was charged.${order.reason === 'pending' && pending.length > 0 ? '' : said}`
    case 'placed':
      if (order.reason === 'likely')
        return 'Most likely this one: its charge was found in the wallet, but others order with the same key.'
      return (order.acceptedQuantity ?? order.quantity) < order.quantity
        ? `The provider took ${grouped(order.acceptedQuantity ?? 0)} of ${grouped(order.quantity)}, and charged for those alone.`
        : null
    default:
      return null
  }
}

const refusalWhy = (reason: string | null, pending: readonly string[]): string => {
  switch (reason) {
    case 'pending':
      return pending.length > 0
        ? `The provider takes one order a number at a time, and ${listed(pending)} ${pending.length === 1 ? 'has' : 'have'} one open, so it refused all of these.`
        : 'The provider takes one order a number at a time. One of these has one open, it does not say which, so it refused all of them.'
    case 'balance':
      return 'The wallet holds too little.'
    case 'unauthorized':
      return 'The provider refused your API key for it.'
    case 'not_found':
      return 'The provider no longer knows this bundle.'
    default:
      return 'The provider refused it.'
  }
}

/** @param elapsedMs since it was confirmed. */
export const listTimes = (confirmed: string, elapsedMs: number, isDone: boolean) =>
  `Confirmed ${confirmed} · ${isDone ? 'done after' : 'as of'} ${span(elapsedMs)}${isDone ? '' : ' later'}`

/** `42 s`, `3 min 5 s`, `2 h 4 min` */
const span = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min${seconds % 60 > 0 ? ` ${seconds % 60} s` : ''}`
  return `${Math.floor(minutes / 60)} h${minutes % 60 > 0 ? ` ${minutes % 60} min` : ''}`
}

/** Why the rest of a list is held up: what became of the order that does it. */
export const heldWhy = ({ placement, reason }: Pick<Order, 'placement' | 'reason'>): string => {
  switch (placement) {
    case 'rejected':
      return reason === 'unauthorized'
        ? 'The provider refused your API key for one order. If you regenerated it, /connect with the new one first.'
        : 'The wallet holds too little for the next order: top up first.'
    case 'not_placed':
      return reason === 'unreachable'
        ? 'The provider could not be reached.'
        : 'The order that had no answer was checked: it was not charged.'
    case 'review':
      return 'Nobody can tell whether one order was charged: look at /transactions.'
    case 'placed':
      return 'The order before was placed after all.'
    default:
      return 'The provider did not answer for one order: it may have been charged or not, and is being checked. The rest goes on by itself if it turns out to be placed.'
  }
}

export const heldText = (why: string, waiting: number) =>
  `⚠️ ${why} The other ${counted(waiting, 'number waits', 'numbers wait')}: not sent, not charged. Go on, or stop here?`

export const goOnToast = 'Going on'
export const stoppedToast = 'Stopped. What was not sent is not charged.'
export const nothingHeld = 'Nothing is held up any more. The card shows how it stands.'
export const nothingWaits = 'Nothing waits any more: all of it was sent, or has ended.'
export const nothingFailed =
  'There is nothing to order again: nothing of it is known to have failed, or it has an open order.'

const failedWhy = ({ status, told }: Failure): string => {
  const word = foreignWord(status)
  if (told === 'surely') return word
  return told === 'whole' ? `${word} (told of the order as a whole)` : `${word} (reported)`
}

/** Labels of buttons; plain text. */
export const retryOneLabel = (phone: string) => `🔁 ${oneLine(phone)} once more`

export const listDone = (progress: SeenProgress, took: string, details: string[]) =>
  lines(
    `${progress.delivered === progress.total ? '✅' : '📋'} ${b(`List of ${counted(progress.total, 'number', 'numbers')} is done`)}`,
    progressLine(progress),
    money(progress),
    owedNote(progress),
    ...details,
    unknownNote(progress),
    took,
  )

export const listHasChanged = (progress: SeenProgress, details: string[]) =>
  lines(
    `⚠️ ${b('Correction')}: what was said of your list of ${counted(progress.total, 'number', 'numbers')} when it was done is not true any more. The provider says now:`,
    progressLine(progress),
    money(progress),
    ...details,
    unknownNote(progress),
  )

/** Money of failed numbers that has not been seen in the wallet. */
const owedNote = ({ failed, money: seen }: SeenProgress) =>
  seen && failed.length > 0 && seen.owedPesewas > seen.refundedPesewas
    ? `${formatGhs((seen.owedPesewas - seen.refundedPesewas) as Pesewas)} not seen back yet: the wallet is being watched for it.`
    : null

export const failedLine = (failure: Failure) =>
  joined(
    ' · ',
    `❌ ${code(numberOr(failure.phone))}: ${failedWhy(failure)}`,
    failure.refundedPesewas === null ? null : `refunded ${formatGhs(failure.refundedPesewas)}`,
  )
export const moreLines = (count: number) => `… and ${grouped(count)} more: the CSV has all.`
const oneByOne =
  '⚠️ It is not certain that this number got nothing: the provider told of its order as a whole, or only a callback said so. It may have been delivered. Ask before you order again.'
export const acceptedInPart = ({ network, volume, acceptedQuantity, quantity, reference }: SeenOrder) =>
  acceptedQuantity === null || acceptedQuantity >= quantity
    ? `ℹ️ Correction: ${foreignWord(network)} ${foreignWord(volume)}: the provider took all ${grouped(quantity)} numbers, and charged for all. Reference ${code(reference ?? '', 60)}.`
    : `⚠️ ${foreignWord(network)} ${foreignWord(volume)}: the provider took ${grouped(acceptedQuantity ?? 0)} of ${grouped(quantity)} numbers and charged for those; it does not say which. Reference ${code(reference ?? '', 60)}. Until it tells, they stand as “not known”: do not order for them again before you know.`

/** A list among other orders, in a line. */
export const listEntry = (index: number, progress: SeenStanding, when: string) =>
  `${index}. 📋 ${b(counted(progress.total, 'number', 'numbers'))} · ${progress.confirmedPesewas === null ? '' : `${formatGhs(progress.confirmedPesewas)} · `}${progressLine(progress) || 'nothing sent'} · ${when}`

export const resultFile = (day: string) => `list-${day}.csv`
export const resultCaption = (progress: Counts) =>
  `${counted(progress.total, 'number', 'numbers')}: ${progressLine(progress)}`
/** The first line of the CSV of a confirmed list. */
export const resultColumns = [
  'position',
  'phone',
  'network',
  'bundle',
  'price GHS',
  'sold for GHS',
  'reference',
  'placement',
  'status',
  'reported',
  'confirmed',
  'sent',
  'placed',
  'status since',
]
export const notKnown = 'not known'
export const reportedWord = 'reported'

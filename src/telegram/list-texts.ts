import type { Note, Problem, Question, ReadLine, ReadRecipient } from '../lists/reading.ts'
import type { Size } from '../lists/size.ts'
import type { Selection } from '../orders/list.ts'
import type { Order, PurchaseRemark } from '../orders/order.ts'
import type { Failure, Progress } from '../orders/progress.ts'
import { formatGhs, type Pesewas } from '../provider/money.ts'
import { escapeHtml, foreignText, foreignWord, oneLine } from './screen.ts'

/** The words of lists: part of the catalogue in `texts.ts`. */
const b = (text: string) => `<b>${text}</b>`
const code = (text: string) => `<code>${escapeHtml(oneLine(text, 60))}</code>`

const counted = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${grouped(count)} ${many}`
const grouped = (count: number) => count.toLocaleString('en-GB')

export const sizeText = ({ amount, unit }: Size) => `${amount}${unit}`

// ── The preview ────────────────────────────────────────────────────────────────────────────────────────────────

export const listLabels = {
  fix: (count: number) => `✏️ Fix ${grouped(count)}`,
  csv: '📄 All lines (.csv)',
  resultCsv: '📄 CSV',
  confirmList: (count: number, total: Pesewas) => `✅ Confirm ${grouped(count)} · ${formatGhs(total)}`,
  sendWhatFits: (count: number, total: Pesewas) => `Send what fits: ${grouped(count)} · ${formatGhs(total)}`,
  sendAll: '↩️ The whole list again',
  orderRepeats: (count: number) => `Order ${grouped(count)} once more`,
  skipRepeats: (count: number) => `Skip ${grouped(count)}`,
  goOn: '▶️ Go on',
  stop: '⏹ Stop here',
  retryFailed: (count: number) => `🔁 Retry failed (${grouped(count)})`,
  orderRefused: (count: number) => `🔁 Order the refused again (${grouped(count)})`,
  openList: '📋 The list',
  repeatList: '🔁 Repeat',
} as const

export interface PreviewSums {
  lines: number
  ready: number
  fix: number
  ignored: number
  /** Recipients by bundle, in the order of the list. */
  bundles: { network: string; volume: string; count: number; totalPesewas: Pesewas }[]
  selection: Selection
  balancePesewas: Pesewas | null
  waiting: number
  restored: number
  otherPrices: number
}

export const listDraft = (remark: string | null, sums: PreviewSums) => {
  const { selection, balancePesewas } = sums
  const { send, totalPesewas, neededPesewas, cut, repeats } = selection
  const short = balancePesewas === null ? 0 : neededPesewas - balancePesewas
  return lines(
    remark,
    `📋 ${b(counted(sums.lines, 'line', 'lines'))}: ${sums.ready} ready · ${sums.fix} to fix · ${sums.ignored} ignored`,
    '',
    ...sums.bundles
      .slice(0, 12)
      .map(
        ({ network, volume, count, totalPesewas: sum }) =>
          `${foreignWord(network)} ${foreignWord(volume)} × ${grouped(count)} = ${formatGhs(sum)}`,
      ),
    sums.bundles.length > 12 ? `… and ${sums.bundles.length - 12} more bundles` : null,
    send.length === 0
      ? b('Nothing can be ordered yet.')
      : `${b(counted(send.length, 'number', 'numbers'))} · ${b(formatGhs(totalPesewas))}`,
    cut.length > 0
      ? `${counted(cut.length, 'number is', 'numbers are')} left out: the balance is not enough.`
      : null,
    balancePesewas === null
      ? 'Balance: could not be read.'
      : `Balance ${formatGhs(balancePesewas)}${totalPesewas <= balancePesewas ? ` → ${formatGhs((balancePesewas - totalPesewas) as Pesewas)} after` : ''}`,
    short > 0
      ? `⚠️ Needed ${formatGhs(neededPesewas)}, present ${formatGhs(balancePesewas ?? (0 as Pesewas))}: ${formatGhs(short as Pesewas)} short.`
      : null,
    repeats.length > 0
      ? `🔁 ${counted(repeats.length, 'number', 'numbers')} had the same bundle ordered in the last ten minutes (${repeats
          .slice(0, 3)
          .map(
            ({ recipient, reference }) => `${code(recipient.phone)}${reference ? ` ${code(reference)}` : ''}`,
          )
          .join(', ')}${repeats.length > 3 ? ', …' : ''}).`
      : null,
    sums.waiting > 0
      ? `⏳ ${counted(sums.waiting, 'number has', 'numbers have')} an order that is still open: theirs wait for it.`
      : null,
    sums.restored > 0 ? `Zero restored in ${counted(sums.restored, 'number', 'numbers')}.` : null,
    sums.otherPrices > 0
      ? `⚠️ ${counted(sums.otherPrices, 'amount', 'amounts')} written beside a number differ from the price.`
      : null,
  )
}

export const bulkNetwork = `${b('Order a list')}\nWhich network? Or just send the list, with a size behind each number.`
export const nothingChargedYet = 'Nothing is charged before you confirm.'

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

export const listReading = '📋 Reading your list…'
export const listUnreadable = (why: string) => `📋 Your list is kept for an hour.\n${why}`

export const listOutdated = (count: number) =>
  `⌛ 📋 List of ${counted(count, 'line', 'lines')}\n${b('expired')}: this bot was restored from an older copy of its data. Nothing was ordered by this card there, and it orders nothing any more. If you had confirmed it since, look at /transactions before you order again.`

export const listEnded = (state: 'cancelled' | 'expired' | 'superseded', count: number) => {
  const head = `📋 List of ${counted(count, 'line', 'lines')}`
  switch (state) {
    case 'cancelled':
      return `❌ ${head}\n${b('cancelled')}: nothing was ordered and nothing was charged.`
    case 'expired':
      return `⌛ ${head}\n${b('expired')}: not confirmed within an hour. Nothing was ordered and nothing was charged.`
    case 'superseded':
      return `↪️ ${head}\nreplaced by the card below. Nothing was ordered by this one and nothing was charged.`
  }
}

export const fixHeading = (first: number, last: number, total: number) =>
  total > last - first + 1
    ? `\n${b('To fix')} (${first} to ${last} of ${total}): reply with the corrected lines`
    : `\n${b('To fix')}: reply with the corrected lines`

export const fixLine = ({ number, text, problems }: ReadLine) =>
  `${number}. ${code(text)} ${problems.map(problemText).join('; ')}`

export const askFix =
  'Send the corrected lines, with their numbers (<code>12. 0241234567 5GB</code>) or just the right phone and size. What you do not send stays as it is.'

/** What is wrong, and what to send instead. */
export const problemText = (problem: Problem): string => {
  switch (problem.code) {
    case 'phone_short':
      return `${code(problem.written)}: ${counted(problem.missing, 'digit is', 'digits are')} missing; send all ten`
    case 'phone_long':
      return `${code(problem.written)}: ${counted(problem.extra, 'digit', 'digits')} too many; send ten`
    case 'landline':
      return `${code(problem.written)} is a landline; send a mobile number`
    case 'phone_abroad':
      return `${code(problem.written)} is not a number of Ghana`
    case 'phone_damaged':
      return `${code(problem.written)} is no number${problem.suggestion ? `; did you mean ${code(problem.suggestion)}?` : '; send ten digits'}`
    case 'phone_unclear':
      return `${code(problem.written)} can be read in two ways; write the number without spaces`
    case 'scientific':
      return `${code(problem.written)}: a spreadsheet damaged this number; format the column as text and send it again`
    case 'two_sizes':
      return `two sizes (${problem.written.map(code).join(', ')}); send one`
    case 'several_times':
      return `${code(problem.written)}: several orders? Write the number once for each`
    case 'decimal_comma':
      return `${code(problem.written)}: ${problem.suggestion ? `${sizeText(problem.suggestion)}, or two numbers? ` : ''}write it with a point`
    case 'not_paired':
      return `${counted(problem.phones, 'number', 'numbers')} and ${counted(problem.sizes, 'size', 'sizes')} do not pair up; write one pair a line`
    case 'numbering_or_size':
      return `is ${code(problem.written)} the size or the line’s number? Write the size as ${code('5GB')}`
    case 'two_networks':
      return `two networks (${problem.networks.map(foreignWord).join(', ')}); name one`
    case 'network_unclear':
      return `does ${code(problem.written)} name the network? Write it on the line of the number`
    case 'network_unknown':
      return `which network is ${code(problem.phone)}? Write it behind the size`
    case 'not_sold':
      return `${sizeText(problem.size)} is not sold${problem.network ? ` on ${foreignWord(problem.network)}` : ''}${
        problem.nearest.length > 0
          ? `; near it: ${problem.nearest.map(({ volume, pricePesewas }) => `${foreignWord(volume)} ${formatGhs(pricePesewas)}`).join(', ')}`
          : ''
      }`
    case 'doubtful_word':
      return `${code(problem.written)}: is it to be ordered? Send it without that word`
    case 'unclear':
      return `${code(problem.written)} is not clear; send number and size`
    case 'too_long':
      return `longer than ${grouped(problem.longest)} characters; write one number a line`
    case 'seam':
      return 'Telegram cut the list here; send this line again'
    case 'heading_lost':
      return 'its heading may have been cut off; send number, size and network'
    case 'asked':
      return 'waits for your answer below'
  }
}

export const noteText = (note: Note): string => {
  switch (note.code) {
    case 'zero_restored':
      return 'zero restored'
    case 'other_price':
      return `the list says ${formatGhs(note.writtenPesewas)}, the price is ${formatGhs(note.pricePesewas)}`
    case 'other_prefix':
      return `looks like ${note.likely.map(foreignWord).join(' or ')}`
    case 'repeated':
      return `the same as line ${note.line}, kept once`
    case 'dropped':
      return 'left out'
    case 'size_not_used':
      return `${sizeText(note.size)} not used`
  }
}

/** A question of the preview, for one message line. */
export const questionText = (question: Question): string => {
  const { count } = question
  switch (question.kind) {
    case 'duplicates':
      return `❓ ${counted(question.phones.length, 'number stands', 'numbers stand')} twice with the same bundle (${listed(question.phones)}). Keep one or both?`
    case 'size':
      return `❓ ${counted(count, 'number has', 'numbers have')} no size. One size for all ${grouped(count)}?`
    case 'network':
      return `❓ ${counted(count, 'number', 'numbers')}: ${question.networks.map(foreignWord).join(' or ')}?`
    case 'offer':
      return `❓ ${foreignWord(question.network)} ${sizeText(question.size)} for ${counted(count, 'number', 'numbers')}: which offer?`
    case 'mismatch':
      return `❓ ${counted(count, 'number looks', 'numbers look')} like ${question.likely.map(foreignWord).join(' or ')}, and you chose ${foreignWord(question.chosen.network)}.`
    case 'other_size':
      return `❓ ${counted(count, 'number has', 'numbers have')} another size (${question.sizes.map(sizeText).join(', ')}) than ${foreignWord(question.chosen.volume)}.`
  }
}

const listed = (phones: readonly string[]) =>
  `${phones.slice(0, 3).map(code).join(', ')}${phones.length > 3 ? ', …' : ''}`

/** The label of an answer; plain text. */
export const choiceLabel = (question: Question, answer: string, fits: number): string => {
  switch (question.kind) {
    case 'duplicates':
      return answer === 'one' ? 'Keep one' : 'Keep both'
    case 'size':
      return `${oneLine(answer)}${fits < question.count ? ` (${fits} of ${question.count})` : ''}`
    case 'network':
      return oneLine(answer)
    case 'offer': {
      const bundle = question.bundles.find(({ id }) => String(id) === answer)
      return bundle
        ? `${formatGhs(bundle.pricePesewas)}${bundle.offerSlug ? ` · ${oneLine(bundle.offerSlug)}` : ''}`
        : oneLine(answer)
    }
    case 'mismatch':
      if (answer === 'keep') return `Keep ${oneLine(question.chosen.network)}`
      return answer === 'switch' ? `Switch to ${oneLine(question.likely.join(' or '))}` : 'Leave them out'
    case 'other_size':
      if (answer === 'chosen') return `${oneLine(question.chosen.volume)} for them too`
      return answer === 'written' ? 'As written' : 'Leave them out'
  }
}

// ── Watching ───────────────────────────────────────────────────────────────────────────────────────────────────

const barLength = 12

const bar = (done: number, total: number) => {
  const full = total === 0 ? 0 : Math.floor((done / total) * barLength)
  return `${'▰'.repeat(full)}${'▱'.repeat(barLength - full)} ${total === 0 ? 0 : Math.floor((done / total) * 100)}%`
}

const endedOf = (progress: Progress) =>
  progress.delivered + progress.failed.length + progress.notOrdered + progress.notKnown

/** How many of the recipients stand where. */
export const progressLine = (progress: Progress) =>
  [
    progress.waiting > 0 ? `⏳ ${grouped(progress.waiting)} waiting` : null,
    progress.underWay > 0 ? `🟡 ${grouped(progress.underWay)} processing` : null,
    progress.delivered > 0 ? `✅ ${grouped(progress.delivered)} delivered` : null,
    progress.failed.length > 0 ? `❌ ${grouped(progress.failed.length)} failed` : null,
    progress.unconfirmed > 0 ? `❓ ${grouped(progress.unconfirmed)} unconfirmed` : null,
    progress.notOrdered > 0 ? `⚪️ ${grouped(progress.notOrdered)} not ordered` : null,
    progress.notKnown > 0 ? `❔ ${grouped(progress.notKnown)} not known` : null,
  ]
    .filter((part) => part !== null)
    .join(' · ')

const money = ({ spentPesewas, refundedPesewas }: Progress) =>
  `Charged ${b(formatGhs(spentPesewas))}${refundedPesewas > 0 ? ` · refunded ${formatGhs(refundedPesewas)}` : ''}`

const unknownNote = ({ notKnown }: Progress) =>
  notKnown > 0
    ? `❔ The provider does not say what became of ${counted(notKnown, 'number', 'numbers')}: ask before you order for ${notKnown === 1 ? 'it' : 'them'} again.`
    : null

export const listCard = (
  progress: Progress,
  details: { times: string; orders: string[]; held: string | null },
) =>
  lines(
    `📋 ${b(`List of ${counted(progress.total, 'number', 'numbers')}`)}`,
    bar(endedOf(progress), progress.total),
    progressLine(progress),
    money(progress),
    ...details.orders,
    details.held,
    details.times,
  )

/** One order of a list, in a line or two. */
export const listOrderLine = (
  order: Pick<Order, 'network' | 'volume' | 'quantity' | 'reference'>,
  word: string,
  why: string | null,
) =>
  `${foreignWord(order.network)} ${foreignWord(order.volume)} × ${grouped(order.quantity)}: ${b(word)}${order.reference ? ` ${code(order.reference)}` : ''}${why ? `. ${why}` : ''}`

/** What stands behind the word of an order that did not simply go through. @param pending numbers that its refusal names. */
export const listOrderWhy = (
  order: Pick<Order, 'placement' | 'reason' | 'acceptedQuantity' | 'quantity' | 'providerMessage'>,
  pending: readonly string[],
): string | null => {
  const said = order.providerMessage ? ` The provider says: “${foreignText(order.providerMessage)}”` : ''
  switch (order.placement) {
    case 'unconfirmed':
      return 'It may have been charged or not: do not order these again. It is being checked.'
    case 'review':
      return order.reason === 'charged_by_person'
        ? 'You said that it was charged.'
        : 'The wallet’s entries do not pair up with your orders: was it charged? Do not order these again before it is cleared up.'
    case 'not_placed':
      return order.reason === 'unreachable'
        ? 'The provider could not be reached, nothing was charged.'
        : 'Checked: nothing was charged.'
    case 'rejected':
      return `${refusalWhy(order.reason, pending)} Nothing was charged.${order.reason === 'pending' && pending.length > 0 ? '' : said}`
    case 'placed':
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
      return 'The provider refuses your API key.'
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
        ? 'The provider refuses your API key: /connect with the current one first.'
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

export const listDone = (progress: Progress, took: string, details: string[]) =>
  lines(
    `${progress.delivered === progress.total ? '✅' : '📋'} ${b(`List of ${counted(progress.total, 'number', 'numbers')} is done`)}`,
    progressLine(progress),
    money(progress),
    owedNote(progress),
    ...details,
    unknownNote(progress),
    took,
  )

export const listHasChanged = (progress: Progress, details: string[]) =>
  lines(
    `⚠️ ${b('Correction')}: what was said of your list of ${counted(progress.total, 'number', 'numbers')} when it was done is not true any more. By the provider’s own record it stands so:`,
    progressLine(progress),
    money(progress),
    ...details,
    unknownNote(progress),
  )

/** Money of failed numbers that has not been seen in the wallet. */
const owedNote = ({ failed, owedPesewas, refundedPesewas }: Progress) =>
  failed.length > 0 && owedPesewas > refundedPesewas
    ? `${formatGhs((owedPesewas - refundedPesewas) as Pesewas)} not seen back yet: the wallet is being watched for it.`
    : null

export const failedLine = (failure: Failure) => `❌ ${code(failure.phone)}: ${failedWhy(failure)}`
export const moreLines = (count: number) => `… and ${grouped(count)} more: the CSV has all.`
export const oneByOne =
  '⚠️ It is not certain that this number got nothing: the provider told of its order as a whole, or only a callback said so. It may have been delivered. Ask before you order again.'
export const acceptedInPart = ({ network, volume, acceptedQuantity, quantity, reference }: Order) =>
  `⚠️ ${foreignWord(network)} ${foreignWord(volume)}: the provider took ${grouped(acceptedQuantity ?? 0)} of ${grouped(quantity)} numbers and charged for those; it does not say which. Reference ${code(reference ?? '')}. Until it tells, they stand as “not known”: do not order for them again before you know.`

/** A list among other orders, in a line. */
export const listEntry = (index: number, progress: Progress, when: string) =>
  `${index}. 📋 ${b(counted(progress.total, 'number', 'numbers'))} · ${formatGhs(progress.confirmedPesewas)} · ${progressLine(progress) || 'nothing sent'} · ${when}`

export const resultFile = (day: string) => `list-${day}.csv`
export const resultCaption = (progress: Progress) =>
  `${counted(progress.total, 'number', 'numbers')}: ${progressLine(progress)}`
/** The first line of the CSV of a confirmed list. */
export const resultColumns = [
  'position',
  'phone',
  'network',
  'bundle',
  'price GHS',
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

export const recipientWords = ({ phone, network, volume, pricePesewas }: ReadRecipient) =>
  `${phone} ${foreignText(network)} ${foreignText(volume)} ${formatGhs(pricePesewas)}`

const lines = (...parts: (string | null)[]): string => parts.filter((part) => part !== null).join('\n')

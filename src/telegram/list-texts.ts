import type { Note, Problem, Question, ReadLine, ReadRecipient } from '../lists/reading.ts'
import type { Size } from '../lists/size.ts'
import type { Selection } from '../orders/list.ts'
import type { Order, PurchaseRemark } from '../orders/order.ts'
import type { Progress } from '../orders/progress.ts'
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

const progressLine = (progress: Progress) =>
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

/** One order of a list, in a line. */
export const listOrderLine = (bundle: string, quantity: number, word: string, reference: string | null) =>
  `${bundle} × ${grouped(quantity)}: ${word}${reference ? ` ${code(reference)}` : ''}`

export const listConfirmedAt = (time: string) => `Confirmed ${time}`

/** Why the rest of a list is held up: what became of the order that does it. */
export const heldWhy = ({ placement, reason }: Pick<Order, 'placement' | 'reason'>): string => {
  if (placement === 'rejected') {
    return reason === 'unauthorized'
      ? 'The provider refuses your API key: /connect with the current one first.'
      : 'The wallet holds too little for the next order: top up first.'
  }
  if (placement === 'not_placed') return 'The provider could not be reached.'
  return placement === 'placed'
    ? 'The order before was placed after all.'
    : 'The provider did not answer for one order: it may have been charged or not, and is being checked.'
}

export const failedWhy = (status: string, isCertain: boolean) =>
  isCertain ? foreignWord(status) : `${foreignWord(status)} (told of the order as a whole)`

/** The label of a button; plain text. */
export const retryOneLabel = (phone: string) => `🔁 ${oneLine(phone)} once more`

export const heldText = (why: string, waiting: number) =>
  `⚠️ ${why} The other ${counted(waiting, 'number waits', 'numbers wait')}: not sent, not charged. Go on, or stop here?`

export const listDone = (progress: Progress, details: string[]) =>
  lines(
    `${progress.failed.length + progress.notOrdered + progress.notKnown + progress.unconfirmed === 0 ? '✅' : '📋'} ${b(`List of ${counted(progress.total, 'number', 'numbers')} is done`)}`,
    progressLine(progress),
    money(progress),
    ...details,
  )

export const failedLine = (phone: string, why: string) => `❌ ${code(phone)}: ${why}`
export const moreLines = (count: number) => `… and ${grouped(count)} more: the CSV has all.`
export const oneByOne =
  '⚠️ Only the order as a whole is known to have failed, not this number alone. It may have been delivered: ask before you order again.'
export const acceptedInPart = ({ network, volume, acceptedQuantity, quantity, reference }: Order) =>
  `⚠️ ${foreignWord(network)} ${foreignWord(volume)}: the provider took ${grouped(acceptedQuantity ?? 0)} of ${grouped(quantity)} numbers and charged for those; it does not say which. Reference ${code(reference ?? '')}. Until it tells, they stand as “not known”: do not order for them again before you know.`

export const recipientWords = ({ phone, network, volume, pricePesewas }: ReadRecipient) =>
  `${phone} ${foreignText(network)} ${foreignText(volume)} ${formatGhs(pricePesewas)}`

const lines = (...parts: (string | null)[]): string => parts.filter((part) => part !== null).join('\n')

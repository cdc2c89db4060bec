import type { ListedBundle } from '../../lists/listed-bundle.ts'
import type { Note, Problem, Question, ReadLine, Verdict } from '../../lists/reading.ts'
import type { Size } from '../../lists/size.ts'
import type { Selection } from '../../orders/list.ts'
import { formatGhs, type Pesewas } from '../../provider/money.ts'
import { bundleNames } from '../../shop/price-list.ts'
import { phoneText } from '../phone-text.ts'
import { escapeHtml, foreignWord, oneLine } from '../screen.ts'
import { leftToday } from './agent.ts'
import { bundleName } from './bundle.ts'
import { b, code, counted, grouped, joined, lines } from './markup.ts'
import { downInList } from './network.ts'

/** The words of a list before it is confirmed: part of the catalogue. Lines fit a small phone. */
const brief = (text: string, most = 40) => code(text, most)

/** Values of which one text names no more than this. */
const mostNamed = 3
const some = (values: readonly string[], word: (value: string) => string) =>
  `${values
    .slice(0, mostNamed)
    .map((value) => word(value))
    .join(', ')}${values.length > mostNamed ? ', …' : ''}`

export const sizeText = ({ amount, unit }: Size) => `${amount}${unit}`

/** A price behind something; whoever sees none reads the thing alone. */
const behind = (price: Pesewas | null): string => (price === null ? '' : ` · ${formatGhs(price)}`)

/** Plain text, on buttons. */
export const labels = {
  fix: (count: number) => `✏️ Fix ${grouped(count)}`,
  reading: '📄 All lines',
  confirm: (count: number, total: Pesewas | null) => `✅ Confirm ${grouped(count)}${behind(total)}`,
  confirmAgain: (count: number, again: number, total: Pesewas | null) =>
    `⚠️ Confirm ${grouped(count)}, ${grouped(again)} of them again${behind(total)}`,
  sendWhatFits: (count: number, total: Pesewas | null) => `Send what fits: ${grouped(count)}${behind(total)}`,
  sendAll: '↩️ The whole list again',
  orderRepeats: (count: number) => `Order ${count === 1 ? 'it' : `all ${grouped(count)}`} once more`,
  skipRepeats: (count: number) => `↩️ Skip ${count === 1 ? 'it' : `the ${grouped(count)}`} again`,
  undo: '↩️ Undo answer',
} as const

// ── The guided flow ────────────────────────────────────────────────────────────────────────────────────────────

export const askNetwork = `${b('Order a list')}\nOne size for all: which network?\n\nWith sizes in it, just send the list: pasted, forwarded, or as a file (.txt, .csv, .xlsx).`
export const askBundle = (network: string) =>
  `${b(`Order a list · ${foreignWord(network)}`)}\nWhich bundle do all get?`
export const askNumbers = ({
  network,
  volume,
  pricePesewas,
}: Pick<ListedBundle, 'network' | 'volume' | 'pricePesewas'>) =>
  `${b(`${foreignWord(network)} ${foreignWord(volume)}`)}${pricePesewas === null ? '' : `${behind(pricePesewas)} each`}\nNow send the numbers: pasted, forwarded, or as a file (.txt, .csv, .xlsx). You see what would be ordered before anything is charged.`
export const noNumbers = 'There is no number in that. Send the numbers, one a line, or a file with them.'

// ── What a further message did ─────────────────────────────────────────────────────────────────────────────────

export const askFix =
  'Send the corrected lines, as many as you like:\n• with the number of the line: <code>12. 0241234567 5GB</code>\n• or just number and size\n• <code>12. skip</code> leaves it out\n\nWhat you do not send stays as it is.'
export const nothingCorrected =
  'I found no correction in that, so the list is as it was. Send a number and a size, with the number of the line in front: <code>12. 0241234567 5GB</code>.'
export const correctionTooLong =
  'That is too long for a correction: Telegram may have cut it. Nothing of it was taken. Send fewer lines at a time.'
export const listTooLong =
  'With that the list would be too long: I take at most 10,000 lines. Nothing of it was taken. Confirm what is there first, then send the rest as a list of its own.'

// ── The card ───────────────────────────────────────────────────────────────────────────────────────────────────

export const nothingCharged = '<i>Nothing is charged before you confirm.</i>'
/** Where the prices may be a minute old when the list is sent. */
export const pricedAtText = (time: string) => `Prices as of ${time}.`
export const unread = (lines: number) =>
  `📋 ${b(`Your list of ${counted(lines, 'line', 'lines')}`)}\nis kept for an hour. Prices and balance could not be read yet, so nothing can be ordered from it: try again.`

interface Whom {
  phone: string
  /** With which the number is saved. */
  name: string | null
}

export interface PriceChange {
  before: Pesewas
  now: Pesewas
}

export interface PreviewSums {
  lines: number
  ready: number
  fix: number
  /** Of those to fix, how many only wait for an answer. */
  asked: number
  ignored: number
  /** Lines that were ordered with the list of which this is the rest. */
  done: number
  /** Recipients by bundle, in the order of the list. */
  bundles: {
    network: string
    volume: string
    offer: string | null
    count: number
    whom: Whom[]
    /** Null where whoever looks sees no price of it. */
    totalPesewas: Pesewas | null
    change: PriceChange | null
  }[]
  selection: Selection
  balancePesewas: Pesewas | null
  /** When the balance was read, where that was a while ago. */
  balanceAt?: string | null
  /** An agent's limit of the day, of which the balance is what is left; null for one without. */
  limitPesewas?: Pesewas | null | undefined
  /** The agent may not know what is left of it. */
  isLeftHidden?: boolean
  /** An agent sees the shop's prices, of some bundles none. */
  isUnpriced?: boolean
  /** The networks that an agent may order on, where some of the list are on others. */
  allowed: readonly string[]
  /** The bundle that was chosen before the list; `gone` where it is sold no more. */
  chosen: Pick<ListedBundle, 'network' | 'volume'> | 'gone' | null
  waiting: number
  restored: number
  otherPrices: number
  otherNetworks: number
}

const mostBundles = 12

export const draft = (sums: PreviewSums) =>
  lines(
    `📋 ${b(counted(sums.lines, 'line', 'lines'))}: ${verdicts(sums)}`,
    chosenText(sums.chosen),
    '',
    ...sums.bundles.slice(0, mostBundles).map(bundleLine),
    sums.bundles.length > mostBundles
      ? `… and ${counted(sums.bundles.length - mostBundles, 'more bundle', 'more bundles')}`
      : null,
    totalText(sums.selection),
    sums.isUnpriced && sums.selection.send.length > 0 ? unpricedText : null,
    barredText(sums),
    downText(sums),
    ...moneyLines(sums),
    ...remarks(sums),
  )

const unpricedText = 'Where no price stands, ask the owner.'

const verdicts = ({ ready, fix, asked, ignored, done }: PreviewSums) =>
  joined(
    ' · ',
    done > 0 ? `${grouped(done)} done` : null,
    `${grouped(ready)} ready`,
    fix > asked
      ? `${grouped(fix)} to fix${asked > 0 ? `, ${grouped(asked)} of them by an answer` : ''}`
      : null,
    fix > 0 && fix === asked ? `${counted(fix, 'waits', 'wait')} for your answer` : null,
    ignored > 0 ? `${grouped(ignored)} ignored` : null,
  )

const chosenText = (chosen: PreviewSums['chosen']) => {
  if (chosen === null) return null
  return chosen === 'gone'
    ? '⚠️ The bundle that you chose is no longer sold.'
    : `For all: ${foreignWord(chosen.network)} ${foreignWord(chosen.volume)}`
}

const bundleLine = ({
  network,
  volume,
  offer,
  count,
  whom,
  totalPesewas,
  change,
}: PreviewSums['bundles'][number]) =>
  [
    `${bundleName(network, volume, offer)} × ${grouped(count)}${totalPesewas === null ? '' : ` = ${formatGhs(totalPesewas)}`}${change ? ` (each ${formatGhs(change.now)}, was ${formatGhs(change.before)})` : ''}`,
    ...whom.map(({ phone, name }) => `   ${phoneText(phone, name)}`),
  ].join('\n')

const barredText = ({ selection: { barred }, allowed }: PreviewSums) => {
  if (barred.length === 0) return null
  const others = [...new Set(barred.map(({ network }) => network))]
  return `🚫 Left out: ${counted(barred.length, 'number', 'numbers')} on ${some(others, foreignWord)}, which you may not order. ${allowed.length > 0 ? `Allowed: ${some(allowed, foreignWord)}.` : 'The owner allows no network now.'}`
}

const downText = ({ selection: { down } }: PreviewSums) =>
  down.length === 0
    ? null
    : downInList([...new Set(down.map(({ network }) => network))], counted(down.length, 'number', 'numbers'))

const totalText = ({ send, totalPesewas }: Selection) =>
  send.length === 0
    ? b('Nothing can be ordered yet.')
    : `${b(counted(send.length, 'number', 'numbers'))}${totalPesewas === null ? '' : ` · ${b(formatGhs(totalPesewas))}`}`

const moneyLines = ({
  selection,
  balancePesewas,
  balanceAt,
  limitPesewas,
  isLeftHidden = false,
}: PreviewSums): (string | null)[] => {
  const asOf = balanceAt ? ` (as of ${balanceAt})` : ''
  const { send, cut, neededPesewas, totalPesewas } = selection
  if (limitPesewas === null) return []
  if (balancePesewas === null) return ['Balance: could not be read']
  const leftOutText =
    cut.length > 0
      ? `Left out: the last ${counted(cut.length, 'number', 'numbers')}, from ${brief(cut[0]?.phone ?? '')} on.`
      : null
  if (neededPesewas === null || totalPesewas === null || (isLeftHidden && limitPesewas !== undefined)) {
    return [
      limitPesewas === undefined
        ? null
        : leftToday({ leftPesewas: balancePesewas, limitPesewas, isSeen: !isLeftHidden }),
      selection.isShort
        ? `⚠️ ${b('That is more than you have left today')}\nSend fewer numbers, or ask the owner for a higher limit, then Refresh.`
        : null,
    ]
  }
  const short = neededPesewas - balancePesewas
  const after = (balancePesewas - totalPesewas) as Pesewas
  const isEnough = after >= 0 && send.length > 0
  return [
    limitPesewas === undefined
      ? `Balance ${formatGhs(balancePesewas)}${asOf}${isEnough ? ` → ${formatGhs(after)}` : ''}`
      : `Left today ${formatGhs(balancePesewas)} of ${formatGhs(limitPesewas)}${isEnough ? ` → ${formatGhs(after)}` : ''}`,
    short > 0
      ? `⚠️ ${b(limitPesewas === undefined ? 'The balance is too low' : 'That is more than you have left today')}\nneeded ${formatGhs(neededPesewas)}\n${limitPesewas === undefined ? 'present' : 'left'} ${formatGhs(balancePesewas)}\nshort ${formatGhs(short as Pesewas)}${limitPesewas === undefined ? refreshHint(asOf) : '\nAsk the owner for a higher limit, then Refresh.'}`
      : null,
    leftOutText,
  ]
}

const refreshHint = (asOf: string): string => (asOf ? '\nTopped up since? Press Refresh.' : '')

const remarks = (sums: PreviewSums): (string | null)[] => [
  sums.waiting > 0
    ? `⏳ ${counted(sums.waiting, 'number has', 'numbers have')} an open order: ${sums.waiting === 1 ? 'this one waits' : 'these wait'} for it.`
    : null,
  sums.restored > 0 ? `ℹ️ Zero restored in ${counted(sums.restored, 'number', 'numbers')}.` : null,
  sums.otherPrices > 0
    ? `⚠️ ${counted(sums.otherPrices, 'amount in the list is', 'amounts in the list are')} not the price.`
    : null,
  sums.otherNetworks > 0
    ? `⚠️ ${counted(sums.otherNetworks, 'number looks', 'numbers look')} like another network than the list says.`
    : null,
]

/** What was ordered minutes ago, or is open. @param again it is ordered once more all the same. */
export const repeatsText = (repeats: Selection['repeats'], again: boolean) =>
  lines(
    `🔁 ${b(counted(repeats.length, 'number', 'numbers'))} had the same bundle ordered in the last 10 minutes, or still open: ${
      again ? `${b('ordered once more')}.` : 'skipped.'
    }`,
    ...repeats
      .slice(0, mostNamed)
      .map(({ recipient: { phone, volume }, reference }) =>
        [`${brief(phone)} ${foreignWord(volume)}`, reference && brief(reference)].filter(Boolean).join(' · '),
      ),
    repeats.length > mostNamed ? `… and ${grouped(repeats.length - mostNamed)} more` : null,
  )

// ── Lines to fix ───────────────────────────────────────────────────────────────────────────────────────────────

/** @param first and last of those shown, of so many */
export const fixHeading = (first: number, last: number, total: number) =>
  total > last - first + 1
    ? `✏️ ${b(`To fix: ${grouped(first)}–${grouped(last)} of ${grouped(total)}`)}`
    : `✏️ ${b('To fix')}`
export const fixHow = 'Reply with the corrected lines.'

/** Numbers that people write in front of their lines would be taken for ours. */
const ownNumber = /^\s*\d{1,4}[.)]\s+/

/** Problems of one line that are named. */
const mostProblems = 2

export const fixLine = ({ number, text, problems, written, together }: ReadLine) => {
  const own = problems.filter(({ code: kind }) => kind !== 'asked')
  // What is meant is plain where the line is all about it.
  const isPlain = own.length === 1 && written.length <= 1
  const words = own.slice(0, mostProblems).map((problem) => problemText(problem, isPlain))
  const more = own.length > mostProblems ? `, and ${grouped(own.length - mostProblems)} more` : ''
  const range = together.length > 1 ? `${number}–${Math.max(...together)}` : `${number}`
  return `${range}. ${brief(text.replace(ownNumber, ''), 60)}\n   ↳ ${words.join('; ')}${more}`
}

/**
 * What is wrong, and what to send instead.
 * @param isPlain the part of the line that is meant need not be named.
 */
export const problemText = (problem: Problem, isPlain = false): string => {
  const named = (written: string, words: string) => (isPlain ? words : `${brief(written)}: ${words}`)
  switch (problem.code) {
    case 'phone_short':
      return named(
        problem.written,
        `${counted(problem.missing, 'digit is', 'digits are')} missing; send all ten`,
      )
    case 'phone_long':
      return named(problem.written, `${counted(problem.extra, 'digit', 'digits')} too many; send ten`)
    case 'landline':
      return named(problem.written, 'a landline; send a mobile number')
    case 'phone_abroad':
      return named(problem.written, 'not a number of Ghana')
    case 'phone_damaged':
      return problem.suggestion
        ? named(problem.written, `no number; did you mean ${brief(problem.suggestion)}?`)
        : named(problem.written, 'no number; send ten digits')
    case 'phone_unclear':
      return named(problem.written, 'can be read in two ways; write the number without spaces')
    case 'scientific':
      return `${brief(problem.written)}: Excel damaged this number. Format the column as text, or send all ten digits`
    case 'two_sizes':
      return `two sizes (${some(problem.written, (size) => brief(size, 12))}); send one`
    case 'several_times':
      return `${brief(problem.written)}: several orders? Write a line for each`
    case 'decimal_comma':
      return `${brief(problem.written)}: ${problem.suggestion ? `${sizeText(problem.suggestion)}, or two numbers? ` : ''}Write it with a point`
    case 'not_paired':
      return `${counted(problem.phones, 'number', 'numbers')} and ${counted(problem.sizes, 'size', 'sizes')}; write one pair a line`
    case 'numbering_or_size':
      return `is ${brief(problem.written)} the size, or the number of the line? Write the size as ${brief('5GB')}`
    case 'two_networks':
      return `two networks (${some(problem.networks, foreignWord)}); name one`
    case 'network_unclear':
      return `is ${brief(problem.written)} the network? Write it on the line of the number`
    case 'network_unknown':
      return `which network${isPlain ? '' : ` is ${brief(problem.phone)}`}? Write it behind the size`
    case 'not_sold':
      return notSold(problem)
    case 'no_number':
      return `no number for the ${sizeText(problem.size)}; send number and size`
    case 'doubtful_word':
      return `${brief(problem.written)}: is it to be ordered? Send it without that word`
    case 'unclear':
      return `${brief(problem.written)} is not clear; send number and size`
    case 'too_long':
      return `longer than ${grouped(problem.longest)} characters; write one number a line`
    case 'seam':
      return 'Telegram cut the list here; send this line again'
    case 'heading_lost':
      return 'its heading may have been cut off; send number, size and network'
    case 'asked':
      return 'waits for an answer'
  }
}

const notSold = ({ network, size, nearest }: Extract<Problem, { code: 'not_sold' }>) => {
  const where = network ? ` on ${foreignWord(network)}` : ''
  const near = nearest
    .slice(0, mostNamed)
    .map((bundle) =>
      [
        network ? '' : foreignWord(bundle.network),
        foreignWord(bundle.volume),
        bundle.pricePesewas === null ? '' : formatGhs(bundle.pricePesewas),
      ]
        .filter(Boolean)
        .join(' '),
    )
  return `${sizeText(size)} is not sold${where}${near.length > 0 ? `; there is ${near.join(', ')}` : ''}`
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

/** Numbers that a question about their network names. */
const mostContradicting = 10

// ── Questions ──────────────────────────────────────────────────────────────────────────────────────────────────

/** @param of how many questions are open */
export const questionText = (question: Question, of: number): string =>
  `❓ ${of > 1 ? `${b(`1 of ${of}`)}: ` : ''}${askedText(question)}`

const askedText = (question: Question): string => {
  const { count } = question
  switch (question.kind) {
    case 'duplicates':
      return `${counted(question.phones.length, 'number stands', 'numbers stand')} in the list more than once with the same bundle (${some(question.phones, code)}). Keep one, or all?`
    case 'size':
      return `${counted(count, 'number has', 'numbers have')} no size. ${count === 1 ? 'Which?' : `One size for all ${grouped(count)}?`}`
    case 'network':
      return `${counted(count, 'number', 'numbers')} may be ${question.networks.map(foreignWord).join(' or ')}. Which?`
    case 'offer':
      return `${foreignWord(question.network)} ${sizeText(question.size)} is sold in ${question.bundles.length} offers. Which for ${counted(count, 'number', 'numbers')}?`
    case 'mismatch':
      return `You chose ${foreignWord(question.chosen.network)}, and ${counted(count, 'number looks', 'numbers look')} like ${
        question.likely.length > 0 ? question.likely.map(foreignWord).join(' or ') : 'none that is sold'
      }.`
    case 'contradiction':
      return `${question.phones
        .slice(0, mostContradicting)
        .map((phone) => code(phone))
        .join(
          ', ',
        )}${question.phones.length > mostContradicting ? ` and ${grouped(question.phones.length - mostContradicting)} more` : ''} ${question.phones.length === 1 ? 'looks' : 'look'} like ${question.likely.map(foreignWord).join(' or ')}, and your list says ${foreignWord(question.network)}. Numbers can be ported. Which?`
    case 'other_size':
      return `You chose ${foreignWord(question.chosen.volume)}, and ${counted(count, 'number has', 'numbers have')} another size (${some(question.sizes.map(sizeText), escapeHtml)}).`
  }
}

/** The label of an answer; plain text, and something to press in any case. */
export const choiceLabel = (question: Question, answer: string, fits: number): string =>
  labelOf(question, answer, fits).trim() || '?'

const labelOf = (question: Question, answer: string, fits: number): string => {
  const some = fits > 0 && fits < question.count ? ` (${grouped(fits)} of ${grouped(question.count)})` : ''
  switch (question.kind) {
    case 'duplicates':
      return answer === 'one' ? 'Keep one' : 'Keep all'
    case 'size':
      return `${oneLine(answer)}${some}`
    case 'network':
      return oneLine(answer)
    case 'offer':
      return offerLabel(question.bundles, answer)
    case 'mismatch':
      if (answer === 'keep') return `Keep ${oneLine(question.chosen.network)}`
      return answer === 'switch' ? `Switch to ${oneLine(question.likely.join(' or '))}${some}` : 'Leave out'
    case 'contradiction':
      if (answer === 'keep') return `Keep ${oneLine(question.network)}`
      return answer === 'switch' ? `Switch to ${oneLine(question.likely.join(' or '))}${some}` : 'Leave out'
    case 'other_size':
      if (answer === 'chosen') return `${oneLine(question.chosen.volume)} for them too`
      return answer === 'written' ? `As written${some}` : 'Leave out'
  }
}

const offerLabel = (bundles: readonly ListedBundle[], answer: string): string => {
  const bundle = bundles.find(({ id }) => String(id) === answer)
  if (!bundle) return oneLine(answer)
  const name = bundleNames(bundles).get(bundle.id) ?? bundle.volume
  return `${oneLine(name)}${behind(bundle.pricePesewas)}`
}

/** Sizes beyond those that have buttons. */
export const moreSizes = 'Another size? Reply with it.'

/** What was answered so far, in the order in which it was. @param answers by the keys of the questions. */
export const answersText = (
  answers: Readonly<Record<string, string>>,
  bundles: readonly ListedBundle[],
): string | null => {
  const words = Object.entries(answers).map(([question, answer]) => answerWords(question, answer, bundles))
  const known = words.filter((word) => word !== null)
  return known.length > 0 ? `☑️ Your answers: ${known.map(escapeHtml).join(', ')}` : null
}

const answerWords = (question: string, answer: string, bundles: readonly ListedBundle[]): string | null => {
  const [kind = ''] = question.split(':')
  switch (kind) {
    case 'size':
      return `${oneLine(answer)} where none is written`
    case 'network':
      return oneLine(answer)
    case 'offer':
      return offerLabel(bundles, answer)
    default:
      return plainAnswers.get(`${kind}:${answer}`) ?? null
  }
}

const plainAnswers = new Map([
  ['duplicates:one', 'the same number once'],
  ['duplicates:both', 'the same number again'],
  ['mismatch:keep', 'network kept'],
  ['mismatch:switch', 'network switched'],
  ['mismatch:drop', 'other networks left out'],
  ['contradiction:keep', 'network as written'],
  ['contradiction:switch', 'network by the number'],
  ['contradiction:drop', 'contradicting numbers left out'],
  ['other_size:chosen', 'one size for all'],
  ['other_size:written', 'sizes as written'],
  ['other_size:drop', 'other sizes left out'],
])

// ── The reading as a file ──────────────────────────────────────────────────────────────────────────────────────

export const readingName = 'lines.csv'
export const readingCaption = 'Every line, and how it was read. Nothing is ordered by this.'
export const readingColumns = [
  'Line',
  'Text',
  'Result',
  'Number',
  'Name',
  'Network',
  'Size',
  'Price GHS',
  'Remark',
]
export const verdictWord = (verdict: Verdict): string =>
  ({ ready: 'ready', fix: 'to fix', ignored: 'ignored' })[verdict]
/** Why a number that is ready is not ordered. */
export const leftOut = (isDone: boolean, isRepeat: boolean, reference: string | null): string =>
  isDone
    ? 'done: it belonged to the list before this one'
    : isRepeat
      ? `skipped: ordered in the last 10 minutes, or still open${reference ? ` (${oneLine(reference)})` : ''}`
      : 'left out: more than there is to spend'

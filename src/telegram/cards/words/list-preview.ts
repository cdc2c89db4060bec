import type { Fate, Selection } from '../../../domain/list-draft.ts'
import { draftMs } from '../../../domain/times/draft-lifetime.ts'
import { fileLimits } from '../../../lists/files/file-limits.ts'
import type { ListedBundle } from '../../../lists/meaning/listed-bundle.ts'
import type { NearTwin } from '../../../lists/meaning/near-twins.ts'
import { unmarked } from '../../../lists/meaning/truncation.ts'
import type { Verdict } from '../../../lists/reading-result.ts'
import { recentMs } from '../../../orders/buying/earlier-order.ts'
import { formatGhs, minus, type Pesewas } from '../../../provider/money.ts'
import { foreignWord, oneLine } from '../../chat/screen.ts'
import { bundleName } from '../../words/bundle.ts'
import { exampleOrder } from '../../words/hints.ts'
import { b, code, counted, grouped, joined, lengthIn, lines } from '../../words/markup.ts'
import { phoneText, slipWords, spaced } from '../../words/numbers.ts'
import { leftToday } from './agent-permissions.ts'
import { downInList } from './paused-or-down.ts'

/** Texts about a list before it is confirmed. Lines fit a small phone. */
export const brief = (text: string, most = 40) => code(text, most)

/** How many values one text names. */
export const maxNamed = 3
export const some = <T>(values: readonly T[], word: (value: T) => string) =>
  `${values
    .slice(0, maxNamed)
    .map((value) => word(value))
    .join(', ')}${values.length > maxNamed ? ', …' : ''}`

/** A price to put behind other words; empty if the viewer sees no price. */
export const behind = (price: Pesewas | null): string => (price === null ? '' : ` · ${formatGhs(price)}`)

/** What a button about repeated numbers calls them: the number if there is only one, otherwise how many there are. */
const repeatsWord = ([only, another, ...more]: Selection['repeats']): string =>
  only && !another ? spaced(oneLine(only.recipient.phone)) : `all ${grouped(more.length + 2)}`

/** Labels of buttons. Plain text. */
export const labels = {
  fix: (count: number) => `✏️ Fix ${grouped(count)}`,
  reading: '📄 All lines',
  confirm: (count: number, total: Pesewas | null) => `✅ Confirm ${grouped(count)}${behind(total)}`,
  confirmAgain: (count: number, again: number, total: Pesewas | null) =>
    `⚠️ Confirm ${grouped(count)}, ${grouped(again)} of them again${behind(total)}`,
  cutToFit: (count: number, total: Pesewas | null) => `✂️ Cut to what fits: ${grouped(count)}${behind(total)}`,
  sendAll: '↩️ Back to the whole list',
  addRepeats: (repeats: Selection['repeats'], total: Pesewas | null) =>
    `Add ${repeatsWord(repeats)} again${behind(total)}`,
  skipRepeats: (repeats: Selection['repeats']) => `↩️ Skip ${repeatsWord(repeats)}`,
  correctList: '✏️ Correct the list above',
  newList: '📋 It’s a new list',
  earlier: (count: number) => `📋 Earlier list (${grouped(count)})`,
  undo: '↩️ Undo answer',
  accept: (line: number, instead: string) => `Use ${spaced(instead)} for line ${grouped(line)}`,
  acceptAll: (count: number) => `✔️ Accept all (${grouped(count)})`,
  undoCorrection: (line: number, count: number) =>
    count === 1 ? `↩️ Undo line ${grouped(line)}` : `↩️ Undo ${grouped(count)} lines`,
} as const

// ── The guided flow of /bulk ────────────────────────────────────────────────────────────────────────────────────────

export const askNetwork = `${b('Order a list')}\nOne size for all: which network?\nIf your list has sizes, just send it: pasted, forwarded or as a file (.txt, .csv, .xlsx).`
export const askBundle = (network: string) =>
  `${b(`Order a list · ${foreignWord(network)}`)}\nWhich bundle for everyone?`
export const askNumbers = ({
  network,
  volume,
  pricePesewas,
}: Pick<ListedBundle, 'network' | 'volume' | 'pricePesewas'>) =>
  `${b(`${foreignWord(network)} ${foreignWord(volume)}`)}${pricePesewas === null ? '' : `${behind(pricePesewas)} each`}\nNow send the numbers: pasted, forwarded or as a file (.txt, .csv, .xlsx).\nYou’ll see the total before anything is charged.`
export const noNumbers = 'I don’t see a number in that. Send one number on each line, or a file.'

// ── A further message about the list ─────────────────────────────────────────────────────────────────────────────────

/** @param line the number of a line to fix. */
export const askFix = (line: number) =>
  `Send the corrected lines, like <code>${line}. ${exampleOrder}</code>.\nA phone number on its own corrects the line with the most similar number. <code>${line}. skip</code> leaves line ${line} out.`
/** Asked if the lines may belong to an open list. */
export const correctOrNew =
  'Do these lines correct the list above, or are they a new list? Nothing has been charged yet.'
/** The line on a list's card about an older list that is still open. */
export const earlierOpen = (count: number) =>
  `⚠️ ${b(counted(count, 'number', 'numbers'))} in your earlier list still ${count === 1 ? 'hasn’t' : 'haven’t'} been ordered.`
/** @param line the number of a line to fix. */
export const nothingCorrected = (line: number) =>
  `I found no correction in that, so nothing has changed.\nSend the line’s number, then the correction: <code>${line}. ${exampleOrder}</code>.`
export const correctionTooLong =
  'That’s too long for a correction, so nothing has changed. Send fewer lines at a time.'
export const listTooLong = `That would make the list too long, so I added nothing. A list can have up to ${grouped(fileLimits.lines)} lines. Confirm this list first, then send the rest.`

/** What the last correction changed. The card shows it until the next correction. */
export const correctedText = (
  changed: readonly { number: number; text: string; isNew: boolean }[],
): string => {
  const kept = changed.filter(({ text }) => text !== '')
  const [only, another] = kept
  const numbers = `${some(changed, ({ number }) => grouped(number))}`
  if (!only) return `✏️ Left out: ${changed.length === 1 ? 'line' : 'lines'} ${numbers}`
  if (another) return `✏️ Corrected: lines ${some(kept, ({ number }) => grouped(number))}`
  return `✏️ Line ${grouped(only.number)} is ${only.isNew ? 'new' : 'now'}: ${brief(unmarked(only.text), 60)}`
}
export const acceptedToast = (count: number) =>
  count === 1 ? 'Accepted. See the card.' : `${grouped(count)} accepted. See the card.`
export const undoneToast = 'Undone'

// ── The preview card ────────────────────────────────────────────────────────────────────────────────────────────────

/** Shown if there is something to confirm. */
export const nothingCharged = '<i>Nothing is charged before you confirm.</i>'
/** Shown if the prices may be a minute old when the list is sent. */
export const pricedAtText = (time: string) => `Prices as of ${time}.`
/** @param taken how many numbers were taken in the network's own file. */
export const unread = (lines: number, taken: number) =>
  `📋 ${b(`Your list of ${counted(lines, 'line', 'lines')}`)} is kept for ${lengthIn('hour', draftMs)}.\nI haven’t been able to read the prices and balance yet. Press <b>Try again</b> to order.${taken > 0 ? `\nI’ll leave out the ${taken === 1 ? 'number' : `${grouped(taken)} numbers`} in the network’s file.` : ''}`

interface Whom {
  phone: string
  /** The name that the number is saved with. */
  name: string | null
}

export interface PriceChange {
  before: Pesewas
  now: Pesewas
}

/** `in_part`: only some of the line's numbers were ordered. */
export type LineFate = Fate | 'in_part'

export interface PreviewSums {
  lines: number
  fix: number
  /** How many of the lines to fix need only an answer. */
  asked: number
  ignored: number
  /** The text of the ignored line, if there is exactly one. */
  ignoredLine?: string | null
  /** How many lines an earlier part of this list finished, by result. */
  done: Readonly<Record<LineFate, number>>
  /** The recipients by bundle, in the order of the list. */
  bundles: {
    network: string
    volume: string
    offer: string | null
    count: number
    whom: Whom[]
    /** Null if the viewer sees no price for it. */
    totalPesewas: Pesewas | null
    change: PriceChange | null
  }[]
  selection: Selection
  /** Whether numbers that were just ordered are ordered again. */
  isAgain: boolean
  balancePesewas: Pesewas | null
  /** When the balance was read, if that was not just now. */
  balanceAt?: string | null
  /** An agent's daily limit, of which `balancePesewas` is what is left. Null for an agent without a limit. */
  limitPesewas?: Pesewas | null | undefined
  /** Whether the agent may not see what is left of the limit. */
  isLeftHidden?: boolean
  /** Whether some bundles have no price for an agent, who sees the shop's prices. */
  isUnpriced?: boolean
  /** The networks that an agent may order on. */
  allowed: readonly string[]
  /** The bundle that was chosen before the list was sent; `gone` if it is no longer sold. */
  chosen: Pick<ListedBundle, 'network' | 'volume'> | 'gone' | null
  waiting: number
  restored: number
  otherPrices: number
  otherNetworks: number
}

const maxBundles = 12

export const listDraft = (sums: PreviewSums) =>
  lines(
    `📋 ${b(counted(sums.lines, 'line', 'lines'))}: ${verdicts(sums)}`,
    chosenText(sums.chosen),
    '',
    ...sums.bundles.slice(0, maxBundles).map(bundleLine),
    sums.bundles.length > maxBundles
      ? `… and ${counted(sums.bundles.length - maxBundles, 'more bundle', 'more bundles')}`
      : null,
    totalText(sums),
    sums.isUnpriced && sums.selection.send.length > 0 ? unpricedText : null,
    barredText(sums),
    downText(sums),
    ...moneyLines(sums),
    ...remarks(sums),
  )

const unpricedText = 'If no price is shown, ask the owner.'

const fateWords: Readonly<Record<LineFate, string>> = {
  ordered: 'ordered',
  in_part: 'partly ordered',
  repeated: 'skipped (already ordered)',
  barred: 'not allowed',
  taken: 'in the network’s file',
}
const lineFates = Object.keys(fateWords) as LineFate[]

const verdicts = ({ selection, isAgain, fix, asked, ignored, ignoredLine = null, done }: PreviewSums) => {
  const { send, repeats, barred, down, cut } = selection
  const skipped = isAgain ? 0 : repeats.length
  const leftOut = barred.length + down.length + cut.length
  return joined(
    ' · ',
    ...lineFates.map((fate) => (done[fate] > 0 ? `${grouped(done[fate])} ${fateWords[fate]}` : null)),
    `${grouped(send.length)} to order`,
    skipped > 0 ? `${grouped(skipped)} skipped` : null,
    leftOut > 0 ? `${grouped(leftOut)} left out` : null,
    fix > asked
      ? `${grouped(fix)} to fix${asked > 0 ? ` (${grouped(asked)} only ${asked === 1 ? 'needs' : 'need'} an answer)` : ''}`
      : null,
    fix > 0 && fix === asked ? `${grouped(fix)} waiting for your answer` : null,
    ignored > 0 ? `${grouped(ignored)} ignored${ignoredLine ? `: ${brief(ignoredLine, 20)}` : ''}` : null,
  )
}

const chosenText = (chosen: PreviewSums['chosen']) => {
  if (chosen === null) return null
  return chosen === 'gone'
    ? '⚠️ The bundle you chose is no longer sold.'
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
    `${bundleName(network, volume, offer)} × ${grouped(count)}${totalPesewas === null ? '' : ` = ${formatGhs(totalPesewas)}`}${change ? ` (now ${formatGhs(change.now)} each, was ${formatGhs(change.before)})` : ''}`,
    ...whom.map(({ phone, name }) => `   ${phoneText(phone, name)}`),
  ].join('\n')

const barredText = ({ selection: { barred }, allowed }: PreviewSums) => {
  if (barred.length === 0) return null
  const others = [...new Set(barred.map(({ network }) => network))]
  return `🚫 Left out: ${counted(barred.length, 'number', 'numbers')} on ${some(others, foreignWord)}, which you can’t order. ${allowed.length > 0 ? `Allowed: ${some(allowed, foreignWord)}.` : 'The owner hasn’t allowed any networks.'}`
}

const downText = ({ selection: { down } }: PreviewSums) =>
  down.length === 0 ? null : downInList([...new Set(down.map(({ network }) => network))], down.length)

const totalText = ({
  selection: { send, repeats, barred, down, cut, totalPesewas },
  done,
  fix,
}: PreviewSums) =>
  send.length === 0
    ? b(
        done.taken > 0 && fix + repeats.length + barred.length + down.length + cut.length === 0
          ? 'Nothing is left to order here.'
          : 'Nothing can be ordered yet.',
      )
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
  if (balancePesewas === null) return ['I couldn’t read the balance.']
  const leftOutText =
    cut.length > 0
      ? `Left out: the last ${counted(cut.length, 'number', 'numbers')}, from ${phoneText(cut[0]?.phone ?? '')} on.`
      : null
  if (neededPesewas === null || totalPesewas === null || (isLeftHidden && limitPesewas !== undefined)) {
    return [
      limitPesewas === undefined
        ? null
        : leftToday({ leftPesewas: balancePesewas, limitPesewas, isSeen: !isLeftHidden }),
      selection.isShort
        ? `⚠️ ${b('More than you have left today')}\nSend fewer numbers, or ask the owner for a higher limit, then press <b>Refresh</b>.`
        : null,
    ]
  }
  const short = minus(neededPesewas, balancePesewas)
  const after = minus(balancePesewas, totalPesewas)
  const isEnough = after >= 0 && send.length > 0
  return [
    limitPesewas === undefined
      ? `Balance: ${formatGhs(balancePesewas)}${asOf}${isEnough ? ` → ${formatGhs(after)}` : ''}`
      : `Left today: ${formatGhs(balancePesewas)} of ${formatGhs(limitPesewas)}${isEnough ? ` → ${formatGhs(after)}` : ''}`,
    short > 0
      ? `⚠️ ${b(limitPesewas === undefined ? 'The balance is too low' : 'More than you have left today')}: ${formatGhs(short)} short of ${formatGhs(neededPesewas)}.${limitPesewas === undefined ? refreshHint(asOf) : '\nAsk the owner for more.'}`
      : null,
    leftOutText,
  ]
}

const refreshHint = (asOf: string): string => (asOf ? '\nIf you’ve topped up, press <b>Refresh</b>.' : '')

const remarks = (sums: PreviewSums): (string | null)[] => [
  sums.waiting > 0
    ? `⏳ ${counted(sums.waiting, 'number has an open order, so it’ll wait.', 'numbers have open orders, so they’ll wait.')}`
    : null,
  sums.restored > 0
    ? `ℹ️ Added the missing 0 at the start of ${counted(sums.restored, 'number', 'numbers')}.`
    : null,
  sums.otherPrices > 0
    ? `⚠️ ${counted(sums.otherPrices, 'amount in the list doesn’t match', 'amounts in the list don’t match')} the price.`
    : null,
  sums.otherNetworks > 0
    ? `⚠️ ${counted(sums.otherNetworks, 'number looks like it’s', 'numbers look like they’re')} on a different network from the one you wrote.`
    : null,
]

/**
 * The line about numbers that were ordered minutes ago or have an open order, each shown as the person wrote it.
 * @param again whether they are ordered again.
 */
export const repeatsText = (
  repeats: readonly { written: string; reference: string | null }[],
  again: boolean,
) =>
  lines(
    `🔁 ${b(counted(repeats.length, 'number', 'numbers'))} already ${repeats.length === 1 ? 'has' : 'have'} this order (from the last ${lengthIn('minute', recentMs)}, or still open): ${
      again ? `${b('ordering again')}.` : 'skipped.'
    }`,
    ...repeats
      .slice(0, maxNamed)
      .map(({ written, reference }) =>
        joined(' · ', brief(unmarked(written)), reference && brief(reference)),
      ),
    repeats.length > maxNamed ? `… and ${grouped(repeats.length - maxNamed)} more` : null,
  )

// ── How each line was read, as a file ──────────────────────────────────────────────────────────────────────────────

export const readingCaption = 'Every line, and how I read it. This doesn’t order anything.'
export const verdictWord = (verdict: Verdict): string =>
  ({ ready: 'ready', fix: 'to fix', ignored: 'ignored' })[verdict]
/** Why a number that is ready is not ordered. */
export const leftOut = (why: 'barred' | 'down' | 'cut'): string =>
  ({
    barred: 'left out: you can’t order on this network',
    down: 'left out: the network is down',
    cut: 'left out: not enough money',
  })[why]
/** @param reference the earlier order's reference, if the viewer may see it. */
export const skippedRepeat = (reference: string | null): string =>
  `skipped: ordered in the last ${lengthIn('minute', recentMs)} or still open${reference ? ` (${oneLine(reference)})` : ''}`
/** What happened to a number in the part of its list that was confirmed earlier. */
export const doneBefore = (fate: Fate): string =>
  ({
    ordered: 'done: ordered in the earlier list',
    repeated: 'skipped in the earlier list: already ordered',
    barred: 'left out in the earlier list: network not allowed',
    taken: 'left out: in the network’s own file',
  })[fate]

/** How many lines a text has about numbers that may be typing errors. */
const maxNear = 3

/** @param near numbers that are one slip away from a known number, or from another number in the list. */
export const nearText = (near: readonly (NearTwin & { name: string | null })[]) => {
  const named = near.length > maxNear ? near.slice(0, maxNear - 1) : near
  const left = near.length - named.length
  return lines(
    ...named.map(
      ({ phone, other, isKnown, slip, name }) =>
        `⚠️ ${phoneText(phone)} looks like ${phoneText(other, name)}${isKnown ? '' : ' in this list,'} with ${slipWords(slip)}.`,
    ),
    left > 0 ? `… and ${grouped(left)} more like these` : null,
  )
}

import {
  bundlesSeen,
  type Fate,
  givenAnswers,
  leftOf,
  type Shown,
  sumOf,
} from '../../../domain/list-draft.ts'
import type { ListedBundle } from '../../../lists/meaning/listed-bundle.ts'
import { numberingOf, type OwnNumbering } from '../../../lists/meaning/own-numbering.ts'
import { isToFix } from '../../../lists/meaning/to-fix.ts'
import { unmarked } from '../../../lists/meaning/truncation.ts'
import type { ReadLine } from '../../../lists/reading-result.ts'
import { isTwin } from '../../../orders/buying/prices.ts'
import type { Preview } from '../../../orders/listing/list-preview.ts'
import { button, type Screen } from '../../chat/screen.ts'
import { labels } from '../../words/labels.ts'
import { leftHead, listRemark } from '../words/list.ts'
import * as words from '../words/list-preview.ts'
import * as problemWords from '../words/list-problem.ts'
import * as questionWords from '../words/list-question.ts'
import type { EarlierList } from './earlier-list.ts'
import { type Act, actsOf } from './list-view.ts'
import { networkFileButtons, putBackButtons } from './network-file.ts'
import { choicesShown, nearIn, pageOf, previewRows } from './preview-buttons.ts'

/** The card names each number if there are at most this many. Longer lists have only the file of all lines. */
export const maxWhom = 10

/** The parts of the card that depend on the viewer. */
interface Seen {
  /** Names for the list's numbers, and for those that the person may have meant. */
  names: ReadonlyMap<string, string>
  /** The selling price in words. */
  sale: string | null
  /** The line that says that orders are paused. */
  paused?: string | null
  /** When the prices were read, if the list may be sent without another read. */
  pricedAt?: string | null
  /** When the balance was read, if it may have changed since then. */
  balanceAt?: string | null
  /** An older list of this person that still has numbers to order. */
  earlier?: EarlierList | null
}

/** Which part of the card is shown: a page of the lines to fix, and the buttons that are rarely needed. */
export interface PreviewPage {
  page: number
  isMore?: boolean
}

const nothingSeen: Seen = { names: new Map(), sale: null }

/**
 * The card of a list before it is confirmed: the orders with recipients and prices, the faults in the other lines, and
 * one question at a time.
 */
export const previewCard = (
  preview: Preview,
  { page, isMore = false }: PreviewPage,
  { names, sale, paused, pricedAt = null, balanceAt = null, earlier = null }: Seen = nothingSeen,
): Screen => {
  const { purchase, list, reading } = preview
  const act = actsOf(purchase)
  if (list.shown.bundles.length === 0) return unreadCard(preview, act)
  const toFix = reading.lines.filter(isToFix)
  const [question] = reading.questions
  const numbering = numberingOf(reading)
  const given = givenAnswers(list.answers)
  const answered = Object.keys(given).length
  const parts = [
    headOf(preview) + words.listDraft({ ...sumsOf(preview, names), balanceAt }),
    pricedAt && words.pricedAtText(pricedAt),
    sale,
    repeatsOf(preview),
    nearOf(preview, names),
    correctionOf(preview, numbering),
    questionWords.answersText(given, bundlesSeen(list.shown)),
    earlier && words.earlierOpen(earlier.numbers),
    fixesOf(toFix, page, numbering),
    // The question comes last, right above its buttons.
    question &&
      questionWords.questionText(question, {
        place: answered + 1,
        of: answered + reading.questions.length,
        numbering,
      }),
    question && question.choices.length > choicesShown(preview) ? questionWords.moreSizes : null,
    paused ?? (preview.selection.send.length > 0 ? words.nothingCharged : null),
  ]
  const rows = previewRows(preview, { page, isMore, numbering, earlier })
  return { text: parts.filter(Boolean).join('\n\n'), rows }
}

/** The heading, which says why this card was made; empty for a new list. */
const headOf = ({ purchase: { remark }, reading, selection }: Preview): string => {
  if (remark === 'left_over') return leftHead(leftOf(reading, selection.done))
  return remark === null ? '' : listRemark(remark)
}

/** The card if prices and balance could not be read. */
const unreadCard = (preview: Preview, act: Act): Screen => ({
  text: words.unread(preview.reading.lines.length, preview.list.answers.taken?.length ?? 0),
  rows: [
    [
      act(labels.tryAgain, { act: 'look' }),
      button(labels.cancel, { do: 'cancel', purchaseId: preview.purchase.id }),
    ],
    [...networkFileButtons(preview, act), ...putBackButtons(preview, act)],
  ],
})

const isAsked = ({ verdict, problems }: ReadLine): boolean =>
  verdict === 'fix' && problems.length > 0 && problems.every(({ code }) => code === 'asked')

const sumsOf = (preview: Preview, names: ReadonlyMap<string, string>): words.PreviewSums => {
  const { reading, selection, list } = preview
  const { waiting, balancePesewas, limitPesewas, isLeftHidden, networks, seen } = list.shown
  const bundles = bundlesSeen(list.shown)
  const open = new Set<string>(waiting)
  const isShortList = selection.send.length <= maxWhom
  const notes = selection.send.flatMap((recipient) => recipient.notes)
  const done = doneLines(preview)
  const noted = (code: string) => notes.filter((note) => note.code === code).length
  return {
    lines: reading.lines.length,
    fix: reading.counts.fix,
    ignored: reading.counts.ignored,
    done: countsOf(done),
    asked: reading.lines.filter(isAsked).length,
    ignoredLine: ignoredLine(reading),
    bundles: [...Map.groupBy(selection.send, ({ bundleId }) => bundleId)].map(([id, recipients]) => ({
      network: recipients[0]?.network ?? '',
      volume: recipients[0]?.volume ?? '',
      offer: offerAmongTwins(id, bundles),
      count: recipients.length,
      whom: isShortList ? recipients.map(({ phone }) => ({ phone, name: names.get(phone) ?? null })) : [],
      totalPesewas: sumOf(recipients),
      change: changeOf(id, list.shown),
    })),
    selection,
    isAgain: list.answers.recent === 'order',
    balancePesewas,
    limitPesewas,
    isLeftHidden: isLeftHidden ?? false,
    isUnpriced: seen !== undefined && selection.send.some(({ pricePesewas }) => pricePesewas === null),
    allowed: networks ?? [],
    chosen:
      list.fixedBundleId === null ? null : (bundles.find(({ id }) => id === list.fixedBundleId) ?? 'gone'),
    waiting: selection.send.filter(({ phone }) => open.has(phone)).length,
    restored: noted('zero_restored'),
    otherPrices: noted('other_price'),
    otherNetworks: noted('other_prefix'),
  }
}

/** The text of the ignored line, such as a heading; null unless exactly one line was ignored. */
const ignoredLine = ({ lines, counts }: Preview['reading']): string | null =>
  counts.ignored === 1
    ? unmarked(lines.find(({ verdict }) => verdict === 'ignored')?.text ?? '').trim() || null
    : null

/** For each line that an earlier part of the list has finished, what happened to it. */
const doneLines = ({ reading, selection }: Preview): words.LineFate[] => {
  const fates = new Map(selection.done.map(({ recipient, fate }) => [recipient, fate]))
  return reading.lines.flatMap(({ verdict, together }) => {
    const recipients = together.flatMap((number) => reading.lines[number - 1]?.recipients ?? [])
    const known = recipients.flatMap((one) => fates.get(one) ?? [])
    return verdict === 'ready' && known.length === recipients.length ? fateOfLine(known) : []
  })
}

/** What happened to a line, which may name several numbers; nothing if an earlier part finished none of them. */
const fateOfLine = ([first, ...others]: Fate[]): words.LineFate | [] => {
  if (first === undefined) return []
  if (others.every((other) => other === first)) return first
  return first === 'ordered' || others.includes('ordered') ? 'in_part' : 'repeated'
}

const countsOf = (fates: readonly words.LineFate[]): words.PreviewSums['done'] => {
  const counts = { ordered: 0, in_part: 0, repeated: 0, barred: 0, taken: 0 }
  for (const fate of fates) counts[fate] += 1
  return counts
}

/** The confirmed price of a bundle and today's price; null if they are the same. */
const changeOf = (
  bundleId: number,
  { bundles, confirmedPrices, seen, confirmedSeen }: Shown,
): words.PriceChange | null => {
  if (seen) {
    const [before, now] = [confirmedSeen?.[bundleId], seen[bundleId]]
    return before === undefined || now === undefined || before === now ? null : { before, now }
  }
  const before = confirmedPrices?.find(({ id }) => id === bundleId)
  const now = bundles.find(({ id }) => id === bundleId)
  return before && now ? { before: before.pricePesewas, now: now.pricePesewas } : null
}

/** The offer's name if another offer has the same network and size; otherwise null. */
const offerAmongTwins = (bundleId: number, bundles: readonly ListedBundle[]): string | null => {
  const bundle = bundles.find(({ id }) => id === bundleId)
  return bundle && bundles.some((other) => isTwin(bundle, other)) ? bundle.offerSlug : null
}

const repeatsOf = ({ selection, list, reading }: Preview): string | null => {
  const repeats = selection.repeats.map(({ recipient, reference }) => ({
    written: reading.lines[recipient.line - 1]?.text ?? recipient.phone,
    reference,
  }))
  return repeats.length > 0 ? words.repeatsText(repeats, list.answers.recent === 'order') : null
}

/** The lines to fix on the page `page`, or on the last page if there are fewer pages. */
const fixesOf = (toFix: readonly ReadLine[], page: number, numbering: OwnNumbering): string | null => {
  if (toFix.length === 0) return null
  const { first, shown } = pageOf(toFix, page)
  return [
    problemWords.fixHeading(first + 1, first + shown.length, toFix.length),
    ...shown.map((line) => problemWords.fixLine(line, numbering)),
    problemWords.fixHow(toFix.length),
  ].join('\n')
}

/** Which lines the last correction changed, and how they read now. */
const correctionOf = ({ reading, list }: Preview, numbering: OwnNumbering): string | null => {
  const changed = list.answers.corrected ?? []
  const now = changed.flatMap(({ number, before }) => {
    const line = reading.lines[number - 1]
    return line ? [{ number: numbering.of(number), text: line.text, isNew: before === null }] : []
  })
  return now.length > 0 ? words.correctedText(now) : null
}

const nearOf = (preview: Preview, names: ReadonlyMap<string, string>): string | null => {
  const near = nearIn(preview)
  return near.length === 0
    ? null
    : words.nearText(near.map((twin) => ({ ...twin, name: names.get(twin.other) ?? null })))
}

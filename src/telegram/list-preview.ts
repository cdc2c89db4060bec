import { createHash } from 'node:crypto'
import type { ListedBundle } from '../lists/listed-bundle.ts'
import type { Question, ReadLine } from '../lists/reading.ts'
import { bundlesSeen, type Shown, sumOf } from '../orders/list.ts'
import type { Preview } from '../orders/lists.ts'
import { isTwin } from '../orders/prices.ts'
import type { ListAct } from './buttons/list.ts'
import { type Key, key, type Screen } from './screen.ts'
import { labels } from './texts/labels.ts'
import { listRemark } from './texts/list.ts'
import * as words from './texts/preview.ts'

/** A list of so many numbers says who gets what; of a longer one the file of all lines does. */
export const mostWhom = 10
/** Lines to fix that one card names. */
const fixesPerPage = 8
/** Answers that a question has buttons for: those that fit the most numbers come first. */
const mostChoices = 12

/** What a preview tells to who looks at it alone. */
interface Seen {
  /** The names with which they have saved the numbers. */
  names: ReadonlyMap<string, string>
  /** What it is sold for, in words. */
  sale: string | null
  /** That orders are paused. */
  paused?: string | null
  /** When the prices were read, where it may be sent by them without another look. */
  pricedAt?: string | null
  /** When the balance was read, where that is no longer true for sure. */
  balanceAt?: string | null
}

const nothingSeen: Seen = { names: new Map(), sale: null }

/** What would be bought, for whom, at what price, and what is wrong with the rest. One question at a time. */
export const previewCard = (
  preview: Preview,
  page: number,
  { names, sale, paused, pricedAt = null, balanceAt = null }: Seen = nothingSeen,
): Screen => {
  const { purchase, list, reading } = preview
  const act: Act = (label, what) => key(label, { do: 'list', purchaseId: purchase.id, act: what })
  if (list.shown.bundles.length === 0) return unreadCard(preview, act)
  const toFix = reading.lines.filter(isToFix)
  const [question] = reading.questions
  const parts = [
    (purchase.remark === null ? '' : listRemark(purchase.remark)) +
      words.draft({ ...sumsOf(preview, names), balanceAt }),
    pricedAt && words.pricedAtText(pricedAt),
    sale,
    repeatsOf(preview),
    words.answersText(list.answers.questions, bundlesSeen(list.shown)),
    fixesOf(toFix, page),
    // Right above its buttons.
    question && words.questionText(question, reading.questions.length),
    question && question.choices.length > mostChoices ? words.moreSizes : null,
    paused ?? words.nothingCharged,
  ]
  const rows = [
    ...(question ? choiceRows(question, act) : []),
    ...repeatRows(preview, act),
    pagingRow(toFix.length, page, act),
    ...fitsRows(preview, act),
    ...confirmRow(preview, act),
    ...undoRow(preview, act),
    [
      ...(toFix.length > 0 ? [act(words.labels.fix(toFix.length), { act: 'fix' })] : []),
      act(words.labels.reading, { act: 'csv' }),
    ],
    [act(labels.refresh, { act: 'look' }), key(labels.cancel, { do: 'cancel', purchaseId: purchase.id })],
  ]
  return { text: parts.filter(Boolean).join('\n\n'), rows }
}

/** Makes a button of this list. */
export type Act = (label: string, what: ListAct) => Key

/** Nothing is known yet of prices and balance. */
const unreadCard = ({ purchase, reading }: Preview, act: Act): Screen => ({
  text: words.unread(reading.lines.length),
  rows: [
    [act(labels.tryAgain, { act: 'look' }), key(labels.cancel, { do: 'cancel', purchaseId: purchase.id })],
  ],
})

/** A line for the person to correct, named once where several are read as one; others wait for an answer alone. */
export const isToFix = ({ number, together, verdict, problems }: ReadLine): boolean =>
  verdict === 'fix' && number === together[0] && problems.some(({ code }) => code !== 'asked')

const isAsked = ({ verdict, problems }: ReadLine): boolean =>
  verdict === 'fix' && problems.length > 0 && problems.every(({ code }) => code === 'asked')

const sumsOf = (preview: Preview, names: ReadonlyMap<string, string>): words.PreviewSums => {
  const { reading, selection, list } = preview
  const { waiting, balancePesewas, limitPesewas, isLeftHidden, networks, seen } = list.shown
  const bundles = bundlesSeen(list.shown)
  const open = new Set<string>(waiting)
  const isShortList = selection.send.length <= mostWhom
  const notes = selection.send.flatMap((recipient) => recipient.notes)
  const doneLines = doneCount(preview)
  const noted = (code: string) => notes.filter((note) => note.code === code).length
  return {
    lines: reading.lines.length,
    ...reading.counts,
    ready: reading.counts.ready - doneLines,
    done: doneLines,
    asked: reading.lines.filter(isAsked).length,
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

/** Lines of which all that is ready was done with the list before. */
const doneCount = ({ reading, selection }: Preview): number => {
  const done = new Set(selection.done)
  return reading.lines.filter(
    ({ recipients }) => recipients.length > 0 && recipients.every((recipient) => done.has(recipient)),
  ).length
}

/** The confirmed price of a bundle and today's, where they differ. */
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

/** The offer is named where network and size alone do not tell. */
const offerAmongTwins = (bundleId: number, bundles: readonly ListedBundle[]): string | null => {
  const bundle = bundles.find(({ id }) => id === bundleId)
  return bundle && bundles.some((other) => isTwin(bundle, other)) ? bundle.offerSlug : null
}

const repeatsOf = ({ selection, list }: Preview): string | null =>
  selection.repeats.length > 0 ? words.repeatsText(selection.repeats, list.answers.recent === 'order') : null

/** The lines to fix of that page; the last one where a page is gone. */
const fixesOf = (toFix: readonly ReadLine[], page: number): string | null => {
  if (toFix.length === 0) return null
  const first = Math.min(page, lastPage(toFix.length)) * fixesPerPage
  const shown = toFix.slice(first, first + fixesPerPage)
  return [
    words.fixHeading(first + 1, first + shown.length, toFix.length),
    ...shown.map(words.fixLine),
    words.fixHow,
  ].join('\n')
}

const lastPage = (count: number): number => Math.max(0, Math.ceil(count / fixesPerPage) - 1)

const pagingRow = (count: number, wanted: number, act: Act): Key[] => {
  const page = Math.min(wanted, lastPage(count))
  return [
    ...(page > 0 ? [act(labels.previous, { act: 'page', page: page - 1 })] : []),
    ...(page < lastPage(count) ? [act(labels.next, { act: 'page', page: page + 1 })] : []),
  ]
}

const choiceRows = (question: Question, act: Act): Key[][] => {
  const keys = question.choices.slice(0, mostChoices).map(({ answer, fits }, choice) =>
    act(words.choiceLabel(question, answer, fits), {
      act: 'answer',
      question: nameOf(question.key),
      choice,
    }),
  )
  const longest = Math.max(...keys.map(({ label }) => label.length))
  const perRow = longest > 16 ? 1 : longest > 8 ? 2 : 4
  return Array.from({ length: Math.ceil(keys.length / perRow) }, (_, row) =>
    keys.slice(row * perRow, (row + 1) * perRow),
  )
}

/** A question's key in as many characters as a button has room for. */
export const nameOf = (questionKey: string): string =>
  createHash('sha256').update(questionKey).digest('base64url').slice(0, 8)

const undoRow = ({ list }: Preview, act: Act): Key[][] => {
  const newest = Object.keys(list.answers.questions).at(-1)
  return newest === undefined ? [] : [[act(words.labels.undo, { act: 'unanswer', question: nameOf(newest) })]]
}

const repeatRows = ({ selection, list }: Preview, act: Act): Key[][] => {
  const { length } = selection.repeats
  if (length === 0) return []
  return list.answers.recent === 'skip'
    ? [[act(words.labels.orderRepeats(length), { act: 'repeats', order: true })]]
    : [[act(words.labels.skipRepeats(length), { act: 'repeats', order: false })]]
}

const fitsRows = (preview: Preview, act: Act): Key[][] => {
  const { selection, list } = preview
  if (selection.fitting === null) return []
  if (list.answers.fits) return [[act(words.labels.sendAll, { act: 'fits', fits: false })]]
  if (!selection.isShort) return []
  const fitting = selection.send.slice(0, selection.fitting)
  if (fitting.length === 0) return []
  return [[act(words.labels.sendWhatFits(fitting.length, sumOf(fitting)), { act: 'fits', fits: true })]]
}

const confirmRow = (preview: Preview, act: Act): Key[][] => {
  const { selection, digest, list } = preview
  const { send, repeats, totalPesewas, isShort } = selection
  if (send.length === 0 || isShort) return []
  const repeated = new Set(list.answers.recent === 'order' ? repeats.map(({ recipient }) => recipient) : [])
  const again = send.filter((recipient) => repeated.has(recipient)).length
  const label =
    again > 0
      ? words.labels.confirmAgain(send.length, again, totalPesewas)
      : words.labels.confirm(send.length, totalPesewas)
  return [[act(label, { act: 'confirm', digest })]]
}

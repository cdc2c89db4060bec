import { createHash } from 'node:crypto'
import { bundlesSeen, type Fate, leftOf, type Shown, sumOf } from '../../domain/list-draft.ts'
import type { ChangedLine } from '../../lists/meaning/changed-line.ts'
import type { ListedBundle } from '../../lists/meaning/listed-bundle.ts'
import type { NearTwin } from '../../lists/meaning/near-twins.ts'
import { type Suggestion, suggestionFor, writtenAs } from '../../lists/meaning/suggestion.ts'
import { isToFix } from '../../lists/meaning/to-fix.ts'
import { unmarked } from '../../lists/meaning/truncation.ts'
import type { Question, ReadLine } from '../../lists/reading-result.ts'
import { isTwin } from '../../orders/buying/prices.ts'
import type { Preview } from '../../orders/listing/list-preview.ts'
import { type Button, button, inRows, type Screen } from '../chat/screen.ts'
import { labels } from '../words/labels.ts'
import { type EarlierList, earlierButtons } from './earlier-list.ts'
import { type Act, actsOf, pageWithin, pagingButtons } from './list-view.ts'
import { leftHead, listRemark } from './words/list.ts'
import * as words from './words/list-preview.ts'
import * as problemWords from './words/list-problem.ts'
import * as questionWords from './words/list-question.ts'
import { agentLabels } from './words/team.ts'

/** The card names each number if there are at most this many. Longer lists have only the file of all lines. */
export const maxWhom = 10
/** How many lines to fix the card shows on one page. */
const fixesPerPage = 8
/** How many answers have a button. The answers with which the most numbers can be ordered come first. */
const maxChoices = 12

/** The parts of the card that depend on the viewer. */
interface Seen {
  /** The names that the viewer has saved for the numbers. */
  names: ReadonlyMap<string, string>
  /** The viewer's names for numbers that the person may have meant, because they are one slip away. */
  nearNames?: ReadonlyMap<string, string>
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

const nothingSeen: Seen = { names: new Map(), sale: null }

/**
 * The card of a list before it is confirmed: the orders with recipients and prices, the faults in the other lines, and
 * one question at a time.
 */
export const previewCard = (
  preview: Preview,
  page: number,
  {
    names,
    nearNames = names,
    sale,
    paused,
    pricedAt = null,
    balanceAt = null,
    earlier = null,
  }: Seen = nothingSeen,
): Screen => {
  const { purchase, list, reading } = preview
  const act = actsOf(purchase)
  if (list.shown.bundles.length === 0) return unreadCard(preview, act)
  const toFix = reading.lines.filter(isToFix)
  const [question] = reading.questions
  const parts = [
    headOf(preview) + words.listDraft({ ...sumsOf(preview, names), balanceAt }),
    pricedAt && words.pricedAtText(pricedAt),
    sale,
    repeatsOf(preview),
    nearOf(preview, nearNames),
    correctionOf(preview),
    questionWords.answersText(list.answers.questions, bundlesSeen(list.shown)),
    earlier && words.earlierOpen(earlier.numbers),
    fixesOf(toFix, page),
    // The question comes last, right above its buttons.
    question && questionWords.questionText(question, reading.questions.length),
    question && question.choices.length > maxChoices ? questionWords.moreSizes : null,
    paused ?? (preview.selection.send.length > 0 ? words.nothingCharged : null),
  ]
  const rows = [
    ...(question ? choiceRows(question, act) : []),
    ...acceptRows(preview, page, act),
    ...nearRows(preview, act),
    pagingRow(toFix.length, page, act),
    ...fitsRows(preview, act),
    ...confirmRow(preview, act),
    // “Add again” and “Skip” replace each other in this place below Confirm, so a double press changes the list back
    // and orders nothing.
    ...repeatRows(preview, act),
    [...undoAnswerButtons(preview, act), ...undoCorrectionButtons(preview, act)],
    earlierButtons(earlier),
    [
      ...(toFix.length > 0 ? [act(words.labels.fix(toFix.length), { act: 'fix' })] : []),
      act(words.labels.reading, { act: 'excel' }),
    ],
    [act(labels.refresh, { act: 'look' }), button(labels.cancel, { do: 'cancel', purchaseId: purchase.id })],
  ]
  return { text: parts.filter(Boolean).join('\n\n'), rows }
}

/** The heading, which says why this card was made; empty for a new list. */
const headOf = ({ purchase: { remark }, reading, selection }: Preview): string => {
  if (remark === 'left_over') return leftHead(leftOf(reading, selection.done))
  return remark === null ? '' : listRemark(remark)
}

/** The card if prices and balance could not be read. */
const unreadCard = ({ purchase, reading }: Preview, act: Act): Screen => ({
  text: words.unread(reading.lines.length),
  rows: [
    [act(labels.tryAgain, { act: 'look' }), button(labels.cancel, { do: 'cancel', purchaseId: purchase.id })],
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
    ...reading.counts,
    ready: reading.counts.ready - done.length,
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
  const counts = { ordered: 0, in_part: 0, repeated: 0, barred: 0 }
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

const repeatsOf = ({ selection, list }: Preview): string | null =>
  selection.repeats.length > 0 ? words.repeatsText(selection.repeats, list.answers.recent === 'order') : null

/** The lines to fix on the page `page`, or on the last page if there are fewer pages. */
const fixesOf = (toFix: readonly ReadLine[], page: number): string | null => {
  if (toFix.length === 0) return null
  const { first, shown } = pageOf(toFix, page)
  return [
    problemWords.fixHeading(first + 1, first + shown.length, toFix.length),
    ...shown.map(problemWords.fixLine),
    problemWords.fixHow,
  ].join('\n')
}

const pageOf = (toFix: readonly ReadLine[], page: number): { first: number; shown: readonly ReadLine[] } => {
  const first = pageWithin(toFix.length, fixesPerPage, page) * fixesPerPage
  return { first, shown: toFix.slice(first, first + fixesPerPage) }
}

/** The suggestions for the lines to fix on the page `page`. */
export const suggestionsOn = ({ reading: { lines } }: Preview, page: number): Suggestion[] =>
  pageOf(lines.filter(isToFix), page).shown.flatMap((line) => suggestionFor(line, lines) ?? [])

/** The digest of a page's suggestions, so that “Accept all” accepts only what the person saw. */
export const suggestionsDigest = (suggestions: readonly Suggestion[]): string =>
  nameOf(JSON.stringify(suggestions))

const acceptRows = (preview: Preview, page: number, act: Act): Button[][] => {
  const suggestions = suggestionsOn(preview, page)
  const buttons = suggestions.map(({ line, instead }) =>
    act(words.labels.accept(line, instead), { act: 'accept', line, instead }),
  )
  const digest = suggestionsDigest(suggestions)
  return [
    ...inRows(buttons, 2),
    buttons.length > 1
      ? [act(words.labels.acceptAll(buttons.length), { act: 'accept_all', page, digest })]
      : [],
  ]
}

/** Which lines the last correction changed, and how they read now. */
const correctionOf = ({ reading, list }: Preview): string | null => {
  const changed = list.answers.corrected ?? []
  const now = changed.flatMap(({ number, before }) => {
    const line = reading.lines[number - 1]
    return line ? [{ number, text: line.text, isNew: before === null }] : []
  })
  return now.length > 0 ? words.correctedText(now) : null
}

/**
 * The likely typing errors (one slip away from another number) among the numbers that Confirm would order, in lines to
 * fix, and in lines with an open question.
 */
const nearIn = ({ list, reading, selection }: Preview): readonly NearTwin[] => {
  const open = reading.lines.filter(({ verdict }) => verdict === 'fix').flatMap(({ written }) => written)
  const phones = new Set<string>([...selection.send, ...open].map(({ phone }) => phone))
  return (list.shown.near ?? []).filter(({ phone }) => phones.has(phone))
}

const nearOf = (preview: Preview, names: ReadonlyMap<string, string>): string | null => {
  const near = nearIn(preview)
  return near.length === 0
    ? null
    : words.nearText(near.map((twin) => ({ ...twin, name: names.get(twin.other) ?? null })))
}

/** Suggestions to replace written numbers that are one slip away from a known number. Each has a button. */
export const nearSuggestions = (preview: Preview): Suggestion[] =>
  nearIn(preview)
    .filter(({ isKnown }) => isKnown)
    .slice(0, maxNearButtons)
    .flatMap(({ phone, other }) => {
      const { lines } = preview.reading
      const line = lines.find(
        ({ verdict, written }) => verdict !== 'ignored' && written.some((each) => each.phone === phone),
      )
      const places = line?.together.map((place) => ({
        place,
        written: writtenAs(lines[place - 1]?.text ?? '', phone),
      }))
      const found = places?.find(({ written }) => written !== null)
      return line && found?.written
        ? [{ line: line.number, place: found.place, written: found.written, instead: other }]
        : []
    })

const maxNearButtons = 5

const nearRows = (preview: Preview, act: Act): Button[][] =>
  nearSuggestions(preview).map(({ line, instead }) => [
    act(words.labels.useNumber(line, instead), { act: 'accept', line, instead }),
  ])

const pagingRow = (count: number, wanted: number, act: Act): Button[] => {
  const page = pageWithin(count, fixesPerPage, wanted)
  return pagingButtons(act, { count, perPage: fixesPerPage, page }, (to) => ({ act: 'page', page: to }))
}

const choiceRows = (question: Question, act: Act): Button[][] => {
  const buttons = question.choices.slice(0, maxChoices).map(({ answer, fits }, choice) =>
    act(questionWords.choiceLabel(question, answer, fits), {
      act: 'answer',
      question: nameOf(question.key),
      choice,
    }),
  )
  const longest = Math.max(...buttons.map(({ label }) => label.length))
  return inRows(buttons, longest > 16 ? 1 : longest > 8 ? 2 : 4)
}

/** A short name for a question, because its key is too long for the data of a button. */
export const nameOf = (questionKey: string): string =>
  createHash('sha256').update(questionKey).digest('base64url').slice(0, 8)

const undoAnswerButtons = ({ list }: Preview, act: Act): Button[] => {
  const newest = Object.keys(list.answers.questions).at(-1)
  return newest === undefined ? [] : [act(words.labels.undo, { act: 'unanswer', question: nameOf(newest) })]
}

const undoCorrectionButtons = ({ list }: Preview, act: Act): Button[] => {
  const { corrected = [] } = list.answers
  const [first] = corrected
  if (!first) return []
  const label = words.labels.undoCorrection(first.number, corrected.length)
  return [act(label, { act: 'uncorrect', digest: correctionDigest(corrected) })]
}

/** The digest of a correction, which an undo button carries so that it never undoes a later correction. */
export const correctionDigest = (corrected: readonly ChangedLine[]): string =>
  nameOf(JSON.stringify(corrected))

const repeatRows = ({ selection, list }: Preview, act: Act): Button[][] => {
  const { repeats } = selection
  if (repeats.length === 0) return []
  const total = sumOf(repeats.map(({ recipient }) => recipient))
  return list.answers.recent === 'skip'
    ? [[act(words.labels.addRepeats(repeats, total), { act: 'repeats', order: true })]]
    : [[act(words.labels.skipRepeats(repeats), { act: 'repeats', order: false })]]
}

const fitsRows = (preview: Preview, act: Act): Button[][] => {
  const { selection, list } = preview
  if (selection.fitting === null) return []
  if (list.answers.fits) return [[act(words.labels.sendAll, { act: 'fits', fits: false })]]
  if (!selection.isShort) return []
  const fitting = selection.send.slice(0, selection.fitting)
  if (fitting.length === 0) return []
  return [[act(words.labels.sendWhatFits(fitting.length, sumOf(fitting)), { act: 'fits', fits: true })]]
}

const confirmRow = (preview: Preview, act: Act): Button[][] => {
  const { selection, digest, list } = preview
  const { send, repeats, totalPesewas, isShort } = selection
  if (isShort && list.shown.limitPesewas !== undefined)
    return [[button(agentLabels.ask, { do: 'agents', act: { act: 'ask', purchaseId: preview.purchase.id } })]]
  if (send.length === 0 || isShort) return []
  const repeated = new Set(list.answers.recent === 'order' ? repeats.map(({ recipient }) => recipient) : [])
  const again = send.filter((recipient) => repeated.has(recipient)).length
  const label =
    again > 0
      ? words.labels.confirmAgain(send.length, again, totalPesewas)
      : words.labels.confirm(send.length, totalPesewas)
  return [[act(label, { act: 'confirm', digest })]]
}

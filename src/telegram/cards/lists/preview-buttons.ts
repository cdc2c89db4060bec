import { createHash } from 'node:crypto'
import { givenAnswers, sumOf } from '../../../domain/list-draft.ts'
import type { ChangedLine } from '../../../lists/meaning/changed-line.ts'
import type { NearTwin } from '../../../lists/meaning/near-twins.ts'
import type { OwnNumbering } from '../../../lists/meaning/own-numbering.ts'
import { type Suggestion, suggestionFor, writtenAs } from '../../../lists/meaning/suggestion.ts'
import { isToFix } from '../../../lists/meaning/to-fix.ts'
import type { Question, ReadLine } from '../../../lists/reading-result.ts'
import type { Preview } from '../../../orders/listing/list-preview.ts'
import { type Button, button, inRows, pagingButtons } from '../../chat/screen.ts'
import { labels } from '../../words/labels.ts'
import * as words from '../words/list-preview.ts'
import * as questionWords from '../words/list-question.ts'
import { agentLabels } from '../words/team.ts'
import { type EarlierList, earlierButtons } from './earlier-list.ts'
import { type Act, actsOf, pageWithin } from './list-view.ts'
import { networkFileButtons, putBackButtons } from './network-file.ts'

/** The buttons of a list before it is confirmed. */

/** The most buttons on the card. With an open question there may be up to `maxWithChoices`. */
const maxButtons = 6
const maxWithChoices = 8
const fixesPerPage = 8

interface Shown {
  /** The page of lines to fix. */
  page: number
  /** Whether the card shows the buttons that are rarely needed. */
  isMore: boolean
  numbering: OwnNumbering
  earlier: EarlierList | null
}

/** The rows of the card. What does not fit is behind `⋯`. */
export const previewRows = (preview: Preview, shown: Shown): Button[][] => {
  const act = actsOf(preview.purchase)
  const [question] = preview.reading.questions
  const cancel = button(labels.cancel, { do: 'cancel', purchaseId: preview.purchase.id })
  const choices = question ? choiceRows(preview, question, act) : []
  const confirm = confirmRow(preview, act)
  const kept = choices.flat().length + confirm.flat().length + 2
  const room = (question ? maxWithChoices : maxButtons) - kept
  const groups = groupsOf(preview, shown, act, room)
  const fitting = fittingIn(room, groups)
  if (shown.isMore) {
    const files = [act(words.labels.reading, { act: 'excel' }), act(labels.refresh, { act: 'look' })]
    const others = groups.filter((group) => !fitting.includes(group))
    const file = isWayOut(preview) ? [] : networkFileButtons(preview, act)
    const rows = fittingIn(maxWithChoices - 3 - file.length, others).flatMap((group) => group.rows)
    return [...rows, files, file, [act(labels.back, { act: 'page', page: shown.page })]]
  }
  const rowsAt = (place: ButtonGroup['place']) =>
    fitting.filter((group) => group.place === place).flatMap(({ rows }) => rows)
  const more = act(labels.more, { act: 'more' })
  return [...choices, ...rowsAt('above'), ...confirm, ...rowsAt('below'), [more, cancel]]
}

/** Whether the provider cannot take the list now, so that the network's own file is the way out. */
const isWayOut = ({ selection, purchase }: Preview): boolean =>
  selection.down.length > 0 || purchase.remark === 'prices_unreadable'

/** Buttons that stand together on the card, above or below Confirm. */
interface ButtonGroup {
  rows: Button[][]
  place: 'above' | 'below'
}

/** The groups that fit, tried in order. A group whose buttons do not all fit in the remaining room is left out. */
const fittingIn = (room: number, groups: readonly ButtonGroup[]): ButtonGroup[] => {
  let left = room
  return groups.filter(({ rows }) => {
    const size = rows.flat().length
    if (size > left) return false
    left -= size
    return true
  })
}

/**
 * All groups, the most needed first.
 * @param room how many of their buttons fit on the card.
 */
const groupsOf = (
  preview: Preview,
  { page, numbering, earlier }: Shown,
  act: Act,
  room: number,
): ButtonGroup[] => {
  const toFix = preview.reading.lines.filter(isToFix)
  const fix = toFix.length > 0 ? [act(words.labels.fix(toFix.length), { act: 'fix' })] : []
  const refresh =
    preview.selection.isShort || preview.selection.down.length > 0
      ? [[act(labels.refresh, { act: 'look' })]]
      : []
  return [
    { rows: fitsRows(preview, act), place: 'above' },
    // “Add again” and “Skip” replace each other in this place below Confirm, so a double press changes the list back
    // and orders nothing.
    { rows: repeatRows(preview, act), place: 'below' },
    { rows: isWayOut(preview) ? [networkFileButtons(preview, act)] : [], place: 'below' },
    { rows: [putBackButtons(preview, act)], place: 'below' },
    { rows: acceptRows(preview, page, act, { numbering, room }), place: 'above' },
    { rows: nearRows(preview, act, numbering), place: 'above' },
    { rows: [[...fix, ...pagingRow(toFix.length, page, act)]], place: 'above' },
    { rows: refresh, place: 'below' },
    {
      rows: [[...undoAnswerButtons(preview, act), ...undoCorrectionButtons(preview, act, numbering)]],
      place: 'below',
    },
    { rows: [earlierButtons(earlier)], place: 'below' },
  ]
}

/** The lines to fix on the page `page`, or on the last page if there are fewer pages. */
export const pageOf = (
  toFix: readonly ReadLine[],
  page: number,
): { first: number; shown: readonly ReadLine[] } => {
  const first = pageWithin(toFix.length, fixesPerPage, page) * fixesPerPage
  return { first, shown: toFix.slice(first, first + fixesPerPage) }
}

export const suggestionsOn = ({ reading: { lines } }: Preview, page: number): Suggestion[] =>
  pageOf(lines.filter(isToFix), page).shown.flatMap((line) => suggestionFor(line, lines) ?? [])

/** The digest of a page's suggestions, so that “Accept all” accepts only what the person saw. */
export const suggestionsDigest = (suggestions: readonly Suggestion[]): string =>
  nameOf(JSON.stringify(suggestions))

/** A button for each suggestion of the page; if there is no room for that, one button accepts them all. */
const acceptRows = (
  preview: Preview,
  page: number,
  act: Act,
  { numbering, room }: { numbering: OwnNumbering; room: number },
): Button[][] => {
  const suggestions = suggestionsOn(preview, page)
  const digest = suggestionsDigest(suggestions)
  const buttons = suggestions.map(({ line, instead }) => [
    act(words.labels.accept(numbering.of(line), instead), { act: 'accept', line, instead }),
  ])
  if (buttons.length <= 1) return buttons
  const all = [act(words.labels.acceptAll(buttons.length), { act: 'accept_all', page, digest })]
  return buttons.length < room ? [...buttons, all] : [all]
}

/**
 * The likely typing errors (one slip away from another number) among the numbers that Confirm would order, in lines to
 * fix, and in lines with an open question.
 */
export const nearIn = ({ list, reading, selection }: Preview): readonly NearTwin[] => {
  const open = reading.lines.filter(({ verdict }) => verdict === 'fix').flatMap(({ written }) => written)
  const phones = new Set<string>([...selection.send, ...open].map(({ phone }) => phone))
  return (list.shown.near ?? []).filter(({ phone }) => phones.has(phone))
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

/** One button is enough: after each correction the card is shown again, with the next suggestion. */
const maxNearButtons = 1

const nearRows = (preview: Preview, act: Act, numbering: OwnNumbering): Button[][] =>
  nearSuggestions(preview).map(({ line, instead }) => [
    act(words.labels.accept(numbering.of(line), instead), { act: 'accept', line, instead }),
  ])

const pagingRow = (count: number, wanted: number, act: Act): Button[] => {
  const page = pageWithin(count, fixesPerPage, wanted)
  return pagingButtons(page, (page + 1) * fixesPerPage < count, (label, to) =>
    act(label, { act: 'page', page: to }),
  )
}

/** How many answers have a button. The answers with which the most numbers can be ordered come first. */
export const choicesShown = (preview: Preview): number =>
  maxWithChoices -
  2 -
  confirmRow(preview, actsOf(preview.purchase)).flat().length -
  nearSuggestions(preview).length

const choiceRows = (preview: Preview, question: Question, act: Act): Button[][] => {
  const buttons = question.choices.slice(0, choicesShown(preview)).map(({ answer, fits }, choice) =>
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
  const newest = Object.keys(givenAnswers(list.answers)).at(-1)
  return newest === undefined ? [] : [act(words.labels.undo, { act: 'unanswer', question: nameOf(newest) })]
}

const undoCorrectionButtons = ({ list }: Preview, act: Act, numbering: OwnNumbering): Button[] => {
  const { corrected = [] } = list.answers
  const [first] = corrected
  if (!first) return []
  const label = words.labels.undoCorrection(numbering.of(first.number), corrected.length)
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
  return [[act(words.labels.cutToFit(fitting.length, sumOf(fitting)), { act: 'fits', fits: true })]]
}

const isConfirmable = ({ send, isShort }: Preview['selection']): boolean => send.length > 0 && !isShort

const confirmRow = (preview: Preview, act: Act): Button[][] => {
  const { selection, digest, list } = preview
  const { send, repeats, totalPesewas } = selection
  if (selection.isShort && list.shown.limitPesewas !== undefined)
    return [[button(agentLabels.ask, { do: 'agents', act: { act: 'ask', purchaseId: preview.purchase.id } })]]
  if (!isConfirmable(selection)) return []
  const repeated = new Set(list.answers.recent === 'order' ? repeats.map(({ recipient }) => recipient) : [])
  const again = send.filter((recipient) => repeated.has(recipient)).length
  const label =
    again > 0
      ? words.labels.confirmAgain(send.length, again, totalPesewas)
      : words.labels.confirm(send.length, totalPesewas)
  return [[act(label, { act: 'confirm', digest })]]
}

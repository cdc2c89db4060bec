import { createHash } from 'node:crypto'
import type { Question, ReadLine } from '../lists/reading.ts'
import type { Preview } from '../orders/lists.ts'
import type { Pesewas } from '../provider/money.ts'
import type { ListAct } from './list-button.ts'
import * as listTexts from './list-texts.ts'
import { type Key, key, type Screen } from './screen.ts'
import * as texts from './texts.ts'

const { listLabels } = listTexts
const { labels } = texts

/** Lines to fix, and questions, that one card names. */
const fixesPerPage = 8
const mostQuestions = 3

/** What would be bought, for whom, at what price, and what is wrong with the rest. */
export const previewCard = (preview: Preview, page: number): Screen => {
  const { purchase, list, reading, selection, digest } = preview
  if (list.shown.bundles.length === 0) return { text: listTexts.listReading }
  const toFix = reading.lines.filter(({ verdict, problems }) => verdict === 'fix' && !isOnlyAsked(problems))
  const shown = toFix.slice(page * fixesPerPage, (page + 1) * fixesPerPage)
  const questions = reading.questions.slice(0, mostQuestions)
  const text = [
    listTexts.listDraft(purchase.remark && listTexts.listRemark(purchase.remark), sumsOf(preview)),
    ...questions.map(listTexts.questionText),
    ...(shown.length > 0
      ? [
          listTexts.fixHeading(page * fixesPerPage + 1, page * fixesPerPage + shown.length, toFix.length),
          ...shown.map(listTexts.fixLine),
        ]
      : []),
    `\n${listTexts.nothingChargedYet}`,
  ].join('\n')
  const act = (label: string, what: ListAct) => key(label, { do: 'list', purchaseId: purchase.id, act: what })
  const paging: Key[] = [
    ...(page > 0 ? [act(labels.previous, { act: 'page', page: page - 1 })] : []),
    ...((page + 1) * fixesPerPage < toFix.length ? [act(labels.next, { act: 'page', page: page + 1 })] : []),
  ]
  const short = list.shown.balancePesewas !== null && selection.totalPesewas > list.shown.balancePesewas
  const rows: Key[][] = [
    ...questions.flatMap((question) => answerRows(question, act)),
    ...repeatRows(preview, act),
    paging,
    ...fitsRows(preview, act),
    ...(selection.send.length > 0 && !short
      ? [
          [
            act(listLabels.confirmList(selection.send.length, selection.totalPesewas), {
              act: 'confirm',
              digest,
            }),
          ],
        ]
      : []),
    [
      ...(toFix.length > 0 ? [act(listLabels.fix(toFix.length), { act: 'fix' })] : []),
      act(listLabels.csv, { act: 'csv' }),
    ],
    [act(labels.refresh, { act: 'look' }), key(labels.cancel, { do: 'cancel', purchaseId: purchase.id })],
  ]
  return { text, rows }
}

/** Makes a button of this list. */
export type Act = (label: string, what: ListAct) => Key

const isOnlyAsked = (problems: ReadLine['problems']): boolean =>
  problems.length > 0 && problems.every(({ code }) => code === 'asked')

const sumsOf = ({ reading, selection, list }: Preview): Parameters<typeof listTexts.listDraft>[1] => {
  const bundles = Map.groupBy(selection.send, ({ bundleId }) => bundleId)
    .values()
    .map((recipients) => ({
      network: recipients[0]?.network ?? '',
      volume: recipients[0]?.volume ?? '',
      count: recipients.length,
      totalPesewas: recipients.reduce((sum, { pricePesewas }) => sum + pricePesewas, 0) as Pesewas,
    }))
  const waiting = new Set<string>(list.shown.waiting)
  const notes = reading.lines.flatMap((line) => line.notes)
  return {
    lines: reading.lines.length,
    ...reading.counts,
    bundles: [...bundles],
    selection,
    balancePesewas: list.shown.balancePesewas,
    waiting: selection.send.filter(({ phone }) => waiting.has(phone)).length,
    restored: notes.filter(({ code }) => code === 'zero_restored').length,
    otherPrices: notes.filter(({ code }) => code === 'other_price').length,
  }
}

const answerRows = (question: Question, act: Act): Key[][] => {
  const keys = question.choices.map(({ answer, fits }, choice) =>
    act(listTexts.choiceLabel(question, answer, fits), {
      act: 'answer',
      question: nameOf(question.key),
      choice,
    }),
  )
  const perRow = keys.some(({ label }) => label.length > 14) ? 2 : 4
  return Array.from({ length: Math.ceil(keys.length / perRow) }, (_, row) =>
    keys.slice(row * perRow, (row + 1) * perRow),
  )
}

/** A question's key in as many characters as a button has room for. */
export const nameOf = (questionKey: string): string =>
  createHash('sha256').update(questionKey).digest('base64url').slice(0, 8)

const repeatRows = ({ selection, list }: Preview, act: Act): Key[][] => {
  const { length } = selection.repeats
  if (length === 0) return []
  return list.answers.recent === 'skip'
    ? [[act(listLabels.orderRepeats(length), { act: 'repeats', order: true })]]
    : [[act(listLabels.skipRepeats(length), { act: 'repeats', order: false })]]
}

const fitsRows = ({ selection, list }: Preview, act: Act): Key[][] => {
  if (list.answers.fits) return [[act(listLabels.sendAll, { act: 'fits', fits: false })]]
  const { balancePesewas } = list.shown
  if (balancePesewas === null || selection.neededPesewas <= balancePesewas) return []
  const within = fitting(selection.send, balancePesewas)
  if (within.count === 0) return []
  return [[act(listLabels.sendWhatFits(within.count, within.totalPesewas), { act: 'fits', fits: true })]]
}

const fitting = (recipients: Preview['selection']['send'], balancePesewas: number) => {
  let total = 0
  let count = 0
  for (const { pricePesewas } of recipients) {
    if (total + pricePesewas > balancePesewas) break
    total += pricePesewas
    count += 1
  }
  return { count, totalPesewas: total as Pesewas }
}

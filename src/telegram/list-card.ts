import { createHash } from 'node:crypto'
import type { Question, ReadLine } from '../lists/reading.ts'
import type { Lists, Preview } from '../orders/lists.ts'
import type { Order, Purchase } from '../orders/order.ts'
import { type Failure, type Progress, progressOf } from '../orders/progress.ts'
import type { Pesewas } from '../provider/money.ts'
import type { Queries } from '../store/store.ts'
import type { ListAct } from './list-button.ts'
import * as listTexts from './list-texts.ts'
import { type Key, key, type Screen } from './screen.ts'
import * as texts from './texts.ts'
import { clock } from './time.ts'

const { listLabels } = listTexts
const { labels } = texts

/** Lines to fix, and questions, that one card names. */
const fixesPerPage = 8
const mostQuestions = 3
/** Orders and failed numbers that one card names. */
const mostOrders = 10
const mostFailed = 20

/** The card of a list: its preview, or how it stands. */
export const listCard = async (
  queries: Queries,
  lists: Lists,
  purchase: Purchase,
  page = 0,
): Promise<Screen> => {
  if (purchase.state === 'confirmed') return progressCard(queries, purchase)
  const preview = await lists.preview(purchase.id)
  if (!preview) throw new Error(`The purchase ${purchase.id} has no list.`)
  if (purchase.state !== 'draft') {
    return { text: listTexts.listEnded(purchase.state, preview.reading.lines.length) }
  }
  return draftCard(preview, page)
}

const draftCard = (preview: Preview, page: number): Screen => {
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

type Act = (label: string, what: ListAct) => Key

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

const progressCard = async (queries: Queries, purchase: Purchase): Promise<Screen> => {
  const orders = await queries.orders.ofPurchase(purchase.id)
  const progress = progressOf(orders)
  const held = heldBy(purchase, orders)
  const noteworthy = orders.filter(isNoteworthy)
  const text = listTexts.listCard(progress, {
    times: listTexts.listConfirmedAt(clock(purchase.confirmedAt ?? purchase.createdAt)),
    orders: [
      ...noteworthy.slice(0, mostOrders).map(orderLine),
      ...(noteworthy.length > mostOrders ? [listTexts.moreLines(noteworthy.length - mostOrders)] : []),
    ],
    held: held && listTexts.heldText(listTexts.heldWhy(held), progress.waiting),
  })
  return { text, rows: await progressKeys(queries, purchase, progress, held !== null) }
}

/** Orders of which the counts alone would not tell enough. */
const isNoteworthy = (order: Order): boolean =>
  order.placement !== 'queued' &&
  order.placement !== 'sending' &&
  order.placement !== 'superseded' &&
  !(order.placement === 'placed' && (order.acceptedQuantity ?? order.quantity) >= order.quantity)

const orderLine = (order: Order): string =>
  listTexts.listOrderLine(
    texts.bundleName(order.network, order.volume),
    order.quantity,
    texts.statusWord(order),
    order.reference,
  )

/** The order that holds up the rest, where there is a rest. */
const heldBy = (purchase: Purchase, orders: Order[]): Order | null =>
  orders.some(({ placement }) => placement === 'queued')
    ? (orders.find(({ id }) => id === purchase.heldById) ?? null)
    : null

const progressKeys = async (
  queries: Queries,
  purchase: Purchase,
  progress: Progress,
  isHeld: boolean,
): Promise<Key[][]> => {
  const act: Act = (label, what) => key(label, { do: 'list', purchaseId: purchase.id, act: what })
  const csv = act(listLabels.resultCsv, { act: 'csv' })
  if (isHeld) return [[act(listLabels.goOn, { act: 'go_on' }), act(listLabels.stop, { act: 'stop' })], [csv]]
  const refresh = act(labels.refresh, { act: 'look' })
  if (!progress.isDone) {
    const stop = progress.waiting > 0 ? [act(listLabels.stop, { act: 'stop' })] : []
    return [[refresh, csv], stop]
  }
  return doneKeys(queries, purchase, progress)
}

const doneKeys = async (queries: Queries, purchase: Purchase, progress: Progress): Promise<Key[][]> => {
  const act: Act = (label, what) => key(label, { do: 'list', purchaseId: purchase.id, act: what })
  const free = progress.failed.filter((failure) => failure.isCertain && failure.retryId === null)
  const nonce = await queries.purchases.countCauses(repeatCause(purchase.id))
  return [
    free.length > 0 ? [act(listLabels.retryFailed(free.length), { act: 'retry' })] : [],
    ...doubtful(progress).map((failure) => [
      act(listTexts.retryOneLabel(failure.phone), { act: 'retry_one', position: failure.position }),
    ]),
    [act(listLabels.resultCsv, { act: 'csv' }), act(listLabels.repeatList, { act: 'repeat', nonce })],
  ]
}

/** Numbers whose own failure nobody confirmed: offered one by one, a few at a time. */
const doubtful = (progress: Progress): Failure[] =>
  progress.failed.filter((failure) => !failure.isCertain && failure.retryId === null).slice(0, 5)

/** Causes of purchases that repeat a list begin so; the nonce follows. */
export const repeatCause = (purchaseId: string): string => `repeat:${purchaseId}:`

/** The one closing message of a list. */
export const listDone = async (queries: Queries, purchase: Purchase): Promise<Screen> => {
  const orders = await queries.orders.ofPurchase(purchase.id)
  const progress = progressOf(orders)
  const failed = progress.failed
    .slice(0, mostFailed)
    .map(({ phone, status, isCertain }) =>
      listTexts.failedLine(phone, listTexts.failedWhy(status, isCertain)),
    )
  const left = progress.failed.length - failed.length
  const details = [
    ...orders.filter(isNoteworthy).slice(0, mostOrders).map(orderLine),
    ...failed,
    ...(left > 0 ? [listTexts.moreLines(left)] : []),
  ]
  return {
    text: listTexts.listDone(progress, details),
    rows: await doneKeys(queries, purchase, progress),
  }
}

/** What is said in a new message when the rest of a list is held up. */
export const listHeld = async (queries: Queries, purchase: Purchase): Promise<Screen | null> => {
  const orders = await queries.orders.ofPurchase(purchase.id)
  const held = heldBy(purchase, orders)
  if (!held) return null
  const progress = progressOf(orders)
  return {
    text: [orderLine(held), listTexts.heldText(listTexts.heldWhy(held), progress.waiting)].join('\n'),
    rows: await progressKeys(queries, purchase, progress, true),
  }
}

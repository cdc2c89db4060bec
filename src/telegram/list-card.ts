import type { Lists } from '../orders/lists.ts'
import type { Order, Purchase } from '../orders/order.ts'
import { type Failure, type Progress, progressOf } from '../orders/progress.ts'
import type { Queries } from '../store/store.ts'
import { type Act, previewCard } from './list-preview.ts'
import * as listTexts from './list-texts.ts'
import { type Key, key, type Screen } from './screen.ts'
import * as texts from './texts.ts'
import { clock } from './time.ts'

const { listLabels } = listTexts
const { labels } = texts

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
    const count = preview.reading.lines.length
    const isOutdated = purchase.remark === 'restored'
    return { text: isOutdated ? listTexts.listOutdated(count) : listTexts.listEnded(purchase.state, count) }
  }
  return previewCard(preview, page)
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

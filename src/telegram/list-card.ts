import { freshMs } from '../accounts/balance-reading.ts'
import { isHalfUsed } from '../accounts/budget.ts'
import type { Lists, Preview } from '../orders/lists.ts'
import { isReduced, type Order, type PricelessOrder, type Purchase } from '../orders/order.ts'
import { type Failure, isAcceptedInPart } from '../orders/progress.ts'
import { isOwed } from '../orders/refunds.ts'
import { pendingPhones, refusedOf } from '../orders/refused.ts'
import { totalTakings } from '../shop/profit.ts'
import { sellingPrice } from '../shop/selling.ts'
import { isUnfinished } from '../store/orders.ts'
import type { AllQueries } from '../store/store.ts'
import { draftEnd } from './draft-end.ts'
import { type Act, mostWhom, previewCard } from './list-preview.ts'
import { pausedLine } from './paused-line.ts'
import { savedFor } from './saved-names.ts'
import { type Key, key, type Screen } from './screen.ts'
import { orderedByLine } from './texts/agent.ts'
import { labels } from './texts/labels.ts'
import * as listTexts from './texts/list.ts'
import { removedNote } from './texts/removed.ts'
import { listSale, previewedSale } from './texts/selling.ts'
import { statusWord } from './texts/status.ts'
import { when } from './time.ts'
import {
  isMember,
  memberRole,
  orderSeenBy,
  progressSeenBy,
  roleOf,
  type SeenOrder,
  type SeenProgress,
  type View,
  viewOf,
} from './viewer.ts'

const { listLabels } = listTexts
/** Orders and failed numbers that one card names. */
const mostOrders = 6
const mostFailed = 20
/** Numbers that are offered one by one. */
const mostDoubtful = 5

/**
 * The card of a list: its preview, or how it stands.
 * @param viewerId whose chat it is shown in: owners see what it earns.
 */
export const listCard = async (
  queries: AllQueries,
  lists: Lists,
  purchase: Purchase,
  page: number,
  now: Date,
  viewerId: number,
): Promise<Screen> => {
  const { state, confirmedAt } = purchase
  if (state === 'confirmed' || (state === 'cancelled' && confirmedAt)) {
    return progressCard(queries, purchase, now, viewerId)
  }
  const preview = await lists.preview(purchase.id)
  if (!preview) throw new Error(`The purchase ${purchase.id} has no list.`)
  if (state !== 'draft') {
    const count = preview.reading.lines.length
    return { text: listTexts.listEnded(draftEnd(state, purchase, now), count) }
  }
  const isShort = preview.selection.send.length <= mostWhom
  const names = isShort ? await namesOf(queries, preview, viewerId) : new Map<string, string>()
  return previewCard(preview, page, {
    names,
    sale: await previewSale(queries, preview, viewerId),
    paused: await pausedLine(queries, null, now),
    pricedAt: await pricedAt(queries, preview, now),
    balanceAt: balanceAt(preview, now),
  })
}

/** Half of the account's requests are used: its prices are read once a minute then. */
const pricedAt = async (
  queries: AllQueries,
  { purchase, list }: Preview,
  now: Date,
): Promise<string | null> => {
  const { pricedAtMs } = list.shown
  const isTight = pricedAtMs && (await isHalfUsed(queries, purchase.accountId, now))
  return isTight ? when(new Date(pricedAtMs), now) : null
}

/** Null while the wallet's balance is as good as read now, and where it is an agent's limit that is shown. */
const balanceAt = ({ list: { shown } }: Preview, now: Date): string | null => {
  const at = new Date(shown.balanceAtMs ?? now)
  return now.getTime() - at.getTime() < freshMs ? null : when(at, now)
}

/** The names with which whoever looks has saved the numbers of a list. */
export const namesOf = async (
  queries: Pick<AllQueries, 'accounts' | 'customers'>,
  { purchase, selection }: Preview,
  viewerId: number,
): Promise<Map<string, string>> => {
  const phones = [...new Set(selection.send.map(({ phone }) => phone))]
  const saved = await savedFor(queries, { accountId: purchase.accountId, phones, viewerId })
  return new Map(saved.map(({ phone, name }) => [phone, name]))
}

const progressCard = async (
  queries: AllQueries,
  purchase: Purchase,
  now: Date,
  viewerId: number,
): Promise<Screen> => {
  const { all, orders, view } = await ordersFor(queries, purchase, viewerId)
  const progress = progressSeenBy(all, view)
  const held = heldBy(purchase, orders)
  const isOthers = viewerId !== purchase.userId
  const by = isOthers && view.role === 'owner' ? orderedByLine(orders[0]?.agentName ?? null) : null
  const text = listTexts.listCard(progress, {
    times: timesOf(purchase, progress, now),
    orders: [
      ...(orders.some(isReduced) ? [removedNote(progress.total)] : []),
      ...(by === null ? [] : [by]),
      ...saleLines(all, view),
      ...orderLines(orders),
      ...referenceLines(orders),
    ],
    failed: failedLines(progress),
    held: held && listTexts.heldText(listTexts.heldWhy(held), progress.waiting),
  })
  const rows = await progressKeys(queries, purchase, all, { progress, isHeld: held !== null })
  return { text, rows: isOthers ? rows.map((row) => row.filter(isForAnyone)) : rows }
}

/** Whether the rest goes on decides who confirmed it. */
const isForAnyone = (each: Key): boolean =>
  !('button' in each) ||
  each.button.do !== 'list' ||
  (each.button.act.act !== 'go_on' && each.button.act.act !== 'stop')

/** The orders of a list, and as whoever looks may see them. */
const ordersFor = async (
  queries: AllQueries,
  { id }: Purchase,
  viewerId: number,
): Promise<{ all: Order[]; orders: SeenOrder[]; view: View }> => {
  const all = await queries.orders.ofPurchase(id)
  const [first] = all
  const role = first ? await roleOf(queries, first, viewerId) : null
  const view: View = first ? await viewOf(queries, first, role) : { role, prices: 'none' }
  return { all, orders: all.map((order) => orderSeenBy(order, view)), view }
}

const saleLines = (orders: Order[], { role, prices }: View): string[] => {
  const current = orders.filter(({ placement }) => placement !== 'superseded')
  // An agent's own price says it already.
  const isNews =
    prices === 'cost' ||
    (prices === 'selling' && current.some((order) => order.sellUnitPesewas !== order.agentUnitPesewas))
  const sale = isNews ? listSale(totalTakings(current), isMember(role) ? role : null) : null
  return sale === null ? [] : [sale]
}

const previewSale = async (
  queries: AllQueries,
  { purchase, selection, list }: Preview,
  viewerId: number,
): Promise<string | null> => {
  const shop = await queries.shops.of(purchase.accountId)
  // Who sees no costs sees the selling prices as theirs.
  if (list.shown.seen) return null
  const prices = selection.send.flatMap(({ bundleId, pricePesewas: cost }) =>
    cost === null ? [] : [{ costPesewas: cost, sellPesewas: sellingPrice(shop, bundleId, cost) }],
  )
  return previewedSale(prices, await memberRole(queries, purchase, viewerId))
}

const timesOf = (purchase: Purchase, progress: SeenProgress, now: Date): string => {
  const confirmed = purchase.confirmedAt ?? purchase.createdAt
  const until = progress.isDone ? (purchase.closedAt ?? now) : now
  return listTexts.listTimes(when(confirmed, now), until.getTime() - confirmed.getTime(), progress.isDone)
}

const orderLines = (orders: SeenOrder[]): string[] => {
  const noteworthy = orders.filter(isNoteworthy)
  const left = noteworthy.length - mostOrders
  return [...noteworthy.slice(0, mostOrders).map(orderLine), ...(left > 0 ? [listTexts.moreLines(left)] : [])]
}

/** The numbers that failed, each with its refund where that is known. */
const failedLines = ({ failed }: SeenProgress): string[] => {
  const left = failed.length - mostFailed
  return [
    ...failed.slice(0, mostFailed).map(listTexts.failedLine),
    ...(left > 0 ? [listTexts.moreLines(left)] : []),
  ]
}

/** The references by which the provider knows the list; of noteworthy orders they stand on their own lines. */
const referenceLines = (orders: SeenOrder[]): string[] => {
  const placed = orders.filter((order) => order.reference !== null && !isNoteworthy(order))
  const left = placed.length - mostOrders
  return [
    ...placed.slice(0, mostOrders).map(listTexts.listReferenceLine),
    ...(left > 0 ? [listTexts.moreReferences(left)] : []),
  ]
}

/** Orders of which the counts alone would not tell enough. */
const isNoteworthy = (order: PricelessOrder): boolean => {
  switch (order.placement) {
    case 'queued':
      return order.reason === 'network_down'
    case 'sending':
    case 'cancelled':
    case 'superseded':
      return false
    case 'placed':
      return isAcceptedInPart(order) || order.reason === 'stale' || order.reason === 'likely'
    default:
      return true
  }
}

const orderLine = (order: SeenOrder): string =>
  listTexts.listOrderLine(order, statusWord(order), listTexts.listOrderWhy(order, pendingPhones(order)))

/** The order that holds up the rest, where there is a rest. */
const heldBy = (purchase: Purchase, orders: SeenOrder[]): SeenOrder | null =>
  orders.some(({ placement }) => placement === 'queued')
    ? (orders.find(({ id }) => id === purchase.heldById) ?? null)
    : null

const actsOf =
  ({ id }: Purchase): Act =>
  (label, what) =>
    key(label, { do: 'list', purchaseId: id, act: what })

const progressKeys = async (
  queries: AllQueries,
  purchase: Purchase,
  orders: Order[],
  { progress, isHeld }: { progress: SeenProgress; isHeld: boolean },
): Promise<Key[][]> => {
  if (progress.isDone) return doneKeys(queries, purchase, orders, progress)
  const act = actsOf(purchase)
  const stop = act(listLabels.stop, { act: 'stop' })
  const held = isHeld ? [act(listLabels.goOn, { act: 'go_on' }), stop] : progress.waiting > 0 ? [stop] : []
  const others = [act(labels.refresh, { act: 'look' }), act(listLabels.resultCsv, { act: 'csv' })]
  return [held, refusedKeys(act, orders), others]
}

/** What was refused can be ordered again at once, the rest may go on meanwhile. */
const refusedKeys = (act: Act, orders: Order[]): Key[] => {
  const free = refusedOf(orders).filter(({ isPending, retryId }) => !isPending && retryId === null)
  return free.length > 0 ? [act(listLabels.orderRefused(free.length), { act: 'again' })] : []
}

const doneKeys = async (
  queries: AllQueries,
  purchase: Purchase,
  orders: Order[],
  progress: SeenProgress,
): Promise<Key[][]> => {
  const act = actsOf(purchase)
  const csv = act(listLabels.resultCsv, { act: 'csv' })
  if (orders.some(isReduced)) return [[csv]]
  const free = progress.failed.filter((failure) => failure.isCertain && failure.retryId === null)
  const nonce = await queries.purchases.nextNonce(repeatCause(purchase.id))
  return [
    free.length > 0 ? [act(listLabels.retryFailed(free.length), { act: 'retry' })] : [],
    refusedKeys(act, orders),
    ...doubtful(progress).map((failure) => [
      act(listTexts.retryOneLabel(failure.phone), { act: 'retry_one', position: failure.position }),
    ]),
    [
      ...(isStillLookedAt(orders) ? [act(labels.refresh, { act: 'look' })] : []),
      ...[csv, act(listLabels.repeatList, { act: 'repeat', nonce })],
    ],
  ]
}

/** Done as far as callbacks told, or money is owed for some of it. */
const isStillLookedAt = (orders: Order[]): boolean =>
  orders.some((order) => isUnfinished(order) || isOwed(order))

/** Numbers whose own failure nobody confirmed: offered one by one, a few at a time. */
const doubtful = (progress: SeenProgress): Failure[] =>
  progress.failed.filter((failure) => !failure.isCertain && failure.retryId === null).slice(0, mostDoubtful)

/** Causes of purchases that repeat a list begin so; the nonce follows. */
export const repeatCause = (purchaseId: string): string => `repeat:${purchaseId}:`

/** The one closing message of a list; or that what it said is not true any more. */
export const listDone = async (
  queries: AllQueries,
  purchase: Purchase,
  what: 'done' | 'changed',
  now: Date,
  viewerId: number,
): Promise<Screen> => {
  const { all, orders, view } = await ordersFor(queries, purchase, viewerId)
  const progress = progressSeenBy(all, view)
  const details = [...saleLines(all, view), ...orderLines(orders), ...failedLines(progress)]
  const text =
    what === 'done'
      ? listTexts.listDone(progress, timesOf(purchase, progress, now), details)
      : listTexts.listHasChanged(progress, details)
  return { text, rows: await doneKeys(queries, purchase, all, progress) }
}

/** What is said in a new message when the rest of a list is held up. */
export const listHeld = async (
  queries: AllQueries,
  purchase: Purchase,
  viewerId: number,
): Promise<Screen | null> => {
  const { all, orders, view } = await ordersFor(queries, purchase, viewerId)
  const held = heldBy(purchase, orders)
  if (!held) return null
  const progress = progressSeenBy(all, view)
  return {
    text: [orderLine(held), listTexts.heldText(listTexts.heldWhy(held), progress.waiting)].join('\n'),
    rows: await progressKeys(queries, purchase, all, { progress, isHeld: true }),
  }
}

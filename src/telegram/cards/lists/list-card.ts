import type { ListNews } from '../../../domain/notice.ts'
import {
  isRedacted,
  isUnfinished,
  type Order,
  type PricelessOrder,
  type Purchase,
} from '../../../domain/order/order.ts'
import { isAcceptedInPart } from '../../../domain/order/progress.ts'
import { pendingPhones } from '../../../domain/order/refused.ts'
import { sellingPrice } from '../../../domain/selling/price-rule.ts'
import { draftMs, restOfListMs } from '../../../domain/times/draft-lifetime.ts'
import { type LeftOver, leftOver } from '../../../orders/listing/list-left.ts'
import type { Lists } from '../../../orders/listing/list-orders.ts'
import type { Preview } from '../../../orders/listing/list-preview.ts'
import { isOwed } from '../../../orders/reconciling/refunds.ts'
import { totalTakings } from '../../../shop/profit.ts'
import type { Queries } from '../../../store/store.ts'
import { asOf } from '../../../wallets/balance-reading.ts'
import { isHalfUsed } from '../../../wallets/budget.ts'
import { type Button, button, type Screen } from '../../chat/screen.ts'
import { when } from '../../chat/time.ts'
import { orderedByLine } from '../../words/agent.ts'
import { labels } from '../../words/labels.ts'
import { removedNote } from '../../words/numbers.ts'
import { statusWord } from '../../words/order-state.ts'
import { draftEnd } from '../draft-end.ts'
import { pausedLine } from '../paused-or-down.ts'
import {
  isMember,
  memberRole,
  progressSeenBy,
  type SeenOrder,
  type SeenProgress,
  type View,
} from '../viewer.ts'
import * as listTexts from '../words/list.ts'
import { earlierOpen } from '../words/list-preview.ts'
import { numbersWaitForNetwork } from '../words/paused-or-down.ts'
import { listSale, previewedSale } from '../words/shop.ts'
import { earlierButtons, earlierList } from './earlier-list.ts'
import { maxNumbers, namesFor, numberLines, numbersButton, unsavedNames } from './list-numbers.ts'
import { maxWhom, type PreviewPage, previewCard } from './list-preview.ts'
import { retryButtons } from './list-retry.ts'
import { actsOf, ordersFor } from './list-view.ts'

const { listLabels } = listTexts
/** How many orders, and how many failed numbers, a card names. */
const maxOrders = 6
const maxFailed = 20

/**
 * The card of a list: its preview before it is confirmed, its progress after.
 * @param viewerId the chat that the card is shown in. Only owners see the profit.
 */
export const listCard = async (
  queries: Queries,
  lists: Lists,
  purchase: Purchase,
  page: PreviewPage,
  now: Date,
  viewerId: number,
): Promise<Screen> => {
  const { state, confirmedAt } = purchase
  if (state === 'confirmed' || (state === 'cancelled' && confirmedAt)) {
    return progressCard(queries, lists, purchase, now, viewerId)
  }
  const preview = await lists.preview(purchase.id)
  if (!preview) throw new Error(`The purchase ${purchase.id} has no list.`)
  if (state !== 'draft') {
    const count = preview.reading.lines.length
    const lastedMs = purchase.remark === 'left_over' ? restOfListMs : draftMs
    return { text: listTexts.listEnded(draftEnd(state, purchase, now), count, lastedMs) }
  }
  const { send } = preview.selection
  const near = (preview.list.shown.near ?? []).filter(({ isKnown }) => isKnown).map(({ other }) => other)
  const phones = [...(send.length <= maxWhom ? send.map(({ phone }) => phone) : []), ...near]
  return previewCard(preview, page, {
    names: phones.length > 0 ? await namesFor(queries, purchase, phones, viewerId) : new Map(),
    sale: await previewSale(queries, preview, viewerId),
    paused: await pausedLine(queries, now),
    pricedAt: await pricedAt(queries, preview, now),
    balanceAt: await balanceAt(queries, preview, now),
    earlier: await earlierList(queries, lists, purchase, now, viewerId),
  })
}

/**
 * When the prices were read; null if they are read again before the list is sent. Once half of the account's requests
 * to the provider are used up, prices are read only once a minute.
 */
const pricedAt = async (queries: Queries, { purchase, list }: Preview, now: Date): Promise<string | null> => {
  const { pricedAtMs } = list.shown
  const isTight = pricedAtMs && (await isHalfUsed(queries, purchase.accountId, now))
  return isTight ? when(new Date(pricedAtMs), now) : null
}

/** When the balance was read; null if it was read just now, or if an agent's limit is shown instead. */
const balanceAt = async (
  queries: Queries,
  { purchase: { accountId }, list: { shown } }: Preview,
  now: Date,
): Promise<string | null> => {
  if (shown.balanceAtMs == null) return null
  const at = await asOf(queries, accountId, new Date(shown.balanceAtMs), now)
  return at && when(at, now)
}

const progressCard = async (
  queries: Queries,
  lists: Lists,
  purchase: Purchase,
  now: Date,
  viewerId: number,
): Promise<Screen> => {
  const state = await listStateOf(queries, purchase, now, viewerId)
  const { all, orders, view, progress, left } = state
  const isOld = orders.some(isRedacted)
  const held = heldBy(purchase, orders)
  const isOthers = viewerId !== purchase.userId
  const by = isOthers && view.role === 'owner' ? orderedByLine(orders[0]?.agentName ?? null) : null
  const text = listTexts.listCard(progress, {
    times: timesOf(purchase, progress, all, now),
    orders: [
      ...(isOld ? [removedNote(progress.total)] : []),
      ...(by === null ? [] : [by]),
      ...saleLines(all, view),
      ...networkLines(orders),
      ...orderLines(orders),
    ],
    numbers:
      isOld || progress.total > maxNumbers
        ? failedLines(progress)
        : await numberLines(queries, purchase, { ...state, viewerId }),
    left: left && listTexts.leftLine(left.left),
    held: held && listTexts.heldText(listTexts.heldWhy(held), progress.waiting),
  })
  const earlier = await earlierList(queries, lists, purchase, now, viewerId)
  const buttons = await progressButtons(queries, purchase, state, held !== null)
  const rows = progress.isDone ? [...buttons, earlierButtons(earlier)] : buttons
  return {
    text: earlier ? `${text}\n${earlierOpen(earlier.numbers)}` : text,
    rows: isOthers ? rows.map((row) => row.filter((each) => isForAnyone(each, purchase))) : rows,
  }
}

/**
 * Whether people who did not confirm the list may use the button. Only the person who confirmed it decides whether to
 * continue it and what to do with its rest.
 */
const isForAnyone = (each: Button, { id }: Purchase): boolean =>
  !('press' in each) ||
  each.press.do !== 'list' ||
  (each.press.purchaseId === id && each.press.act.act !== 'go_on' && each.press.act.act !== 'stop')

/** A confirmed list: all its orders, and what the viewer may see of them. */
interface ListState {
  all: Order[]
  orders: SeenOrder[]
  view: View
  progress: SeenProgress
  left: LeftOver | null
}

const listStateOf = async (
  queries: Queries,
  purchase: Purchase,
  now: Date,
  viewerId: number,
): Promise<ListState> => {
  const seen = await ordersFor(queries, purchase, viewerId)
  const left = await leftOver(queries, purchase, now)
  return { ...seen, progress: progressSeenBy(seen.all, seen.view), left }
}

const saleLines = (orders: Order[], { role, prices }: View): string[] => {
  const current = orders.filter(({ placement }) => placement !== 'superseded')
  // For agents who see selling prices, this line appears only if an order's selling price differs from the price that
  // the agent sees.
  const isNews =
    prices === 'cost' ||
    (prices === 'selling' && current.some((order) => order.sellUnitPesewas !== order.agentUnitPesewas))
  const sale = isNews ? listSale(totalTakings(current), isMember(role) ? role : null) : null
  return sale === null ? [] : [sale]
}

const previewSale = async (
  queries: Queries,
  { purchase, selection, list }: Preview,
  viewerId: number,
): Promise<string | null> => {
  const shop = await queries.shops.of(purchase.accountId)
  // A viewer who sees no costs already sees the selling prices as the prices, so they are not shown again.
  if (list.shown.seen) return null
  const prices = selection.send.flatMap(({ pricePesewas: cost, ...sold }) =>
    cost === null ? [] : [{ costPesewas: cost, sellPesewas: sellingPrice(shop, sold, cost) }],
  )
  return previewedSale(prices, await memberRole(queries, purchase, viewerId))
}

/** When the list was confirmed, and how long it took. After a later change, nobody knows how long it took. */
const timesOf = (purchase: Purchase, progress: SeenProgress, orders: readonly Order[], now: Date): string => {
  const confirmed = purchase.confirmedAt ?? purchase.createdAt
  const closed = purchase.closedAt ?? now
  const ends = orders.flatMap((order) => [order, ...order.recipients].map(({ statusAt }) => statusAt))
  const done = progress.isDone && ends.every((at) => at === null || at <= closed) ? closed : null
  return listTexts.listTimes(when(confirmed, now), done && done.getTime() - confirmed.getTime())
}

/** One line for each network that orders of the list wait for. */
const networkLines = (orders: SeenOrder[]): string[] => {
  const waiting = orders.filter(
    ({ placement, reason }) => placement === 'queued' && reason === 'network_down',
  )
  return [...Map.groupBy(waiting, ({ network }) => network)].map(([network, own]) =>
    numbersWaitForNetwork(
      network,
      own.reduce((count, { quantity }) => count + quantity, 0),
    ),
  )
}

const orderLines = (orders: SeenOrder[]): string[] => {
  const noteworthy = orders.filter(isNoteworthy)
  const left = noteworthy.length - maxOrders
  return [...noteworthy.slice(0, maxOrders).map(orderLine), ...(left > 0 ? [listTexts.moreLines(left)] : [])]
}

/** The numbers that failed, each with its refund if that is known. */
const failedLines = ({ failed }: SeenProgress): string[] => {
  const left = failed.length - maxFailed
  return [
    ...failed.slice(0, maxFailed).map(listTexts.failedLine),
    ...(left > 0 ? [listTexts.moreLines(left)] : []),
  ]
}

/** Whether the order needs a line of its own, because the counts say too little about it. */
const isNoteworthy = (order: PricelessOrder): boolean => {
  switch (order.placement) {
    case 'queued':
    case 'sending':
    case 'cancelled':
    case 'superseded':
      return false
    case 'placed':
      return isAcceptedInPart(order) || order.reason === 'stale' || order.inferred
    default:
      return true
  }
}

const orderLine = (order: SeenOrder): string =>
  listTexts.listOrderLine(order, statusWord(order), listTexts.listOrderWhy(order, pendingPhones(order)))

/** The order that the rest of the list waits for; null if nothing waits. */
const heldBy = (purchase: Purchase, orders: SeenOrder[]): SeenOrder | null =>
  orders.some(({ placement }) => placement === 'queued')
    ? (orders.find(({ id }) => id === purchase.heldById) ?? null)
    : null

const progressButtons = async (
  queries: Queries,
  purchase: Purchase,
  state: ListState,
  isHeld: boolean,
): Promise<Button[][]> => {
  const { all, progress, left } = state
  if (progress.isDone) return doneButtons(queries, purchase, state)
  const act = actsOf(purchase)
  const stop = act(listLabels.stop, { act: 'stop' })
  const held = isHeld ? [act(listLabels.goOn, { act: 'go_on' }), stop] : progress.waiting > 0 ? [stop] : []
  const others = [act(labels.refresh, { act: 'look' }), numbersButton(act, progress)]
  return [held, retryButtons(act, all), leftButtons(left), others]
}

/** A button that shows the rest of the list in a new message. */
const leftButtons = (left: LeftOver | null): Button[] =>
  left
    ? [
        button(listTexts.leftLabel(left.left), {
          do: 'list',
          purchaseId: left.purchaseId,
          act: { act: 'open' },
        }),
      ]
    : []

const doneButtons = async (
  queries: Queries,
  purchase: Purchase,
  { all, progress, left }: ListState,
): Promise<Button[][]> => {
  const act = actsOf(purchase)
  const numbers = numbersButton(act, progress)
  if (all.some(isRedacted)) return [[numbers]]
  const nonce = await queries.purchases.nextNonce(repeatCause(purchase.id))
  return [
    retryButtons(act, all),
    leftButtons(left),
    [
      ...(isStillLookedAt(all) ? [act(labels.refresh, { act: 'look' })] : []),
      act(listLabels.repeatList, { act: 'repeat', nonce }),
      numbers,
    ],
  ]
}

/** Whether any order may still change, or a refund is due. */
const isStillLookedAt = (orders: Order[]): boolean =>
  orders.some((order) => isUnfinished(order) || isOwed(order))

/** The start of the key under which a purchase that repeats a list is stored. The button's nonce follows. */
export const repeatCause = (purchaseId: string): string => `repeat:${purchaseId}:`

/** A list's closing message, or a later one about what has changed since. */
export const listDone = async (
  queries: Queries,
  lists: Lists,
  purchase: Purchase,
  what: Exclude<ListNews, 'held'>,
  now: Date,
  viewerId: number,
): Promise<Screen> => {
  const state = await listStateOf(queries, purchase, now, viewerId)
  const { all, orders, view, progress, left } = state
  const earlier = await earlierList(queries, lists, purchase, now, viewerId)
  const details = [
    ...saleLines(all, view),
    ...orderLines(orders),
    ...failedLines(progress),
    ...(left ? [listTexts.leftNews(left.left)] : []),
    ...(earlier ? [earlierOpen(earlier.numbers)] : []),
  ]
  const text =
    what === 'changed'
      ? listTexts.listHasChanged(progress, details)
      : listTexts.listDone(progress, timesOf(purchase, progress, all, now), details)
  const act = actsOf(purchase)
  const names = await unsavedNames(queries, purchase, viewerId)
  const save = names.length > 0 ? [act(listLabels.saveNames(names), { act: 'save_names' })] : []
  // The rest of this list comes first, so that the card has at most six buttons.
  const others = left ? [] : earlierButtons(earlier)
  const retry = all.some(isRedacted) ? [] : retryButtons(act, all)
  // Repeat and ⋯ are on the card.
  return { text, rows: [retry, leftButtons(left), save, others] }
}

/** The message that the rest of a list waits for an order; null if it does not. */
export const listHeld = async (
  queries: Queries,
  purchase: Purchase,
  now: Date,
  viewerId: number,
): Promise<Screen | null> => {
  const state = await listStateOf(queries, purchase, now, viewerId)
  const { orders, progress } = state
  const held = heldBy(purchase, orders)
  if (!held) return null
  return {
    text: [orderLine(held), listTexts.heldText(listTexts.heldWhy(held), progress.waiting)].join('\n'),
    rows: await progressButtons(queries, purchase, state, true),
  }
}

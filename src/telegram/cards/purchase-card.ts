import { isNetworkAllowed, neededFor } from '../../domain/may-order.ts'
import {
  hasBareCard,
  isRedacted,
  type Order,
  type Purchase,
  type PurchaseLine,
} from '../../domain/order/order.ts'
import { seenPrice } from '../../domain/selling/agent-prices.ts'
import { type AgentPrices, sellingPrice } from '../../domain/selling/price-rule.ts'
import { isAhead } from '../../domain/times/ahead.ts'
import { briefId, earlierAmong, recentSince } from '../../orders/buying/earlier-order.ts'
import type { Lists } from '../../orders/listing/list-orders.ts'
import { allowanceOf, isSameDay } from '../../orders/permission/agent-limit.ts'
import { switchesIn } from '../../orders/permission/switches.ts'
import type { Pesewas } from '../../provider/money.ts'
import { paceFor } from '../../shop/delivery-pace.ts'
import { type Account, isErased, type MemberOfAccount } from '../../store/accounts/accounts.ts'
import type { ShownOrder, ShownPurchase } from '../../store/orders/cards.ts'
import type { PurchaseToConfirm } from '../../store/orders/order-surroundings.ts'
import { bookOf } from '../../store/shop/contacts.ts'
import type { Queries } from '../../store/store.ts'
import { asOf, balanceFreshMs } from '../../wallets/balance-reading.ts'
import { isHalfUsed } from '../../wallets/budget.ts'
import { isRefused } from '../../wallets/refused-credentials.ts'
import { type Button, button, type Screen } from '../chat/screen.ts'
import { when } from '../chat/time.ts'
import { bundleName } from '../words/bundle.ts'
import { labels } from '../words/labels.ts'
import { draftEnd } from './draft-end.ts'
import { listCard } from './lists/list-card.ts'
import { moreButton, orderButtons } from './order-buttons.ts'
import { pausedOrDownLine } from './paused-or-down.ts'
import { earlierSeenBy, isMember, mayKnow, orderSeenBy, roleIn, viewOf } from './viewer.ts'
import * as draftTexts from './words/draft.ts'
import { draftLabels } from './words/draft.ts'
import * as orderTexts from './words/order.ts'
import { orderSale } from './words/shop.ts'
import { agentLabels } from './words/team.ts'

/**
 * The card of a purchase as it is now: a draft to confirm, or the state of its order.
 * @param viewerId the chat that the card is shown in. A private chat has its user's id.
 */
export const purchaseCard = async (
  queries: Queries,
  lists: Lists,
  shown: ShownPurchase,
  now: Date,
  viewerId = shown.purchase.chatId,
): Promise<Screen> => {
  const { purchase, order } = shown
  if (purchase.kind === 'list') return listCard(queries, lists, purchase, { page: 0 }, now, viewerId)
  // A redacted order (its numbers were erased) has no draft left to show, even if the purchase was superseded.
  if (order && (purchase.state !== 'superseded' || isRedacted(order)))
    return withoutNews(purchase, order, await orderCard(queries, { ...shown, order }, now, viewerId))
  return draftCard(queries, shown, viewerId, now)
}

/** Leaves only `⋯` if the news of the order's end has the other buttons. */
const withoutNews = (purchase: Purchase, order: Order, card: Screen): Screen =>
  hasBareCard(purchase, order) && card.rows?.length ? { ...card, rows: [[moreButton(order)]] } : card

const draftCard = async (
  queries: Queries,
  { purchase, account, viewer, saved: [contact] }: ShownPurchase,
  viewerId: number,
  now: Date,
): Promise<Screen> => {
  const { id, state, accountId } = purchase
  if (state === 'cancelled' || state === 'expired' || state === 'superseded') {
    const line = lineOf(purchase)
    const bundle = bundleName(line.network, line.volume, line.offerSlug)
    const end = draftEnd(state, purchase, now)
    return { text: draftTexts.draftEnded(end, bundle, line.phone, contact?.name) }
  }
  const found = await toDraw(queries, { id, accountId }, viewerId, now)
  const member = viewer && { ...viewer, account }
  return openDraftCard(queries, { ...found, purchase, member, name: contact?.name ?? null }, viewerId, now)
}

/** Reads what the card of an open draft shows. */
export const toDraw = (
  { orders }: Pick<Queries, 'orders'>,
  { id, accountId }: Pick<Purchase, 'id' | 'accountId'>,
  viewerId: number,
  now: Date,
): Promise<PurchaseToConfirm> => orders.toConfirm(id, { userId: viewerId, accountId }, recentSince(now))

const lineOf = ({ id, lines: [line] }: Purchase): PurchaseLine => {
  if (!line) throw new Error(`The purchase ${id} has no lines.`)
  return line
}

/** The card of a draft that can be confirmed. @param draft `name`: what the number is saved as; null if it is not. */
export const openDraftCard = async (
  queries: Queries,
  draft: PurchaseToConfirm & { purchase: Purchase; name: string | null },
  viewerId: number,
  now: Date,
): Promise<Screen> => {
  const { purchase, member, name, switches, shop, recent } = draft
  const line = lineOf(purchase)
  const [purse, { prices }, isTight] = await Promise.all([
    spendableIn(queries, member, line, now),
    viewOf(queries, purchase, member?.role ?? null),
    line.pricedAt && isHalfUsed(queries, purchase.accountId, now),
  ])
  const near = line.near ?? null
  const nearName = near && member && (await queries.contacts.byPhone(bookOf(member), near.phone))?.name
  const earlier = earlierAmong(recent, line, now)
  const { maintenance, down } = pausedOrDownLine(switchesIn(switches), line.network, now)
  const confirm = button(earlier ? draftTexts.confirmAgain : labels.confirm, {
    do: 'confirm',
    purchaseId: purchase.id,
    after: earlier && briefId(earlier.order),
  })
  const ask = purse.limit?.isShort
    ? button(agentLabels.ask, { do: 'agents', act: { act: 'ask', purchaseId: purchase.id } })
    : null
  // While the network is down, a refresh button replaces Confirm. The card is also redrawn when the network is back.
  const look = button(labels.refresh, { do: 'draft', purchaseId: purchase.id, act: { act: 'card' } })
  return {
    text: draftTexts.draft({
      network: line.network,
      volume: line.volume,
      offer: line.offerSlug,
      isAsLastTime: line.asLastTime === true,
      phone: line.phone,
      name,
      price: seenPrice(line, prices),
      confirmedPrice: confirmedPrice(line, prices),
      writtenPrice: line.writtenPesewas ?? null,
      near: near && { ...near, name: nearName ?? null },
      isPriceTheirs: prices !== 'cost',
      pricedAt: line.pricedAt && isTight ? when(line.pricedAt, now) : null,
      sell: prices === 'cost' ? sellingPrice(shop, line, line.pricePesewas) : null,
      ...purse,
      remark: purchase.remark,
      earlier:
        earlier && draftTexts.earlierText(await earlierSeenBy(queries, earlier, viewerId, member), now),
      maintenance,
      down,
    }),
    rows: [
      [
        down === null ? (ask ?? confirm) : look,
        button(labels.cancel, { do: 'cancel', purchaseId: purchase.id }),
      ],
      ...nearButtons(purchase.id, line),
      ...correctionButtons(purchase.id, line),
    ],
  }
}

/** A button that replaces the written number by the known number that differs by one slip. */
const nearButtons = (purchaseId: string, { near, bundleId }: PurchaseLine): Button[][] =>
  near
    ? [
        [
          button(draftLabels.useNumber(near.phone), {
            do: 'draft',
            purchaseId,
            act: { act: 'set', bundleId, phone: near.phone },
          }),
        ],
      ]
    : []

/** The buttons that correct a draft. The line has an offer name only if its size has several offers. */
const correctionButtons = (purchaseId: string, { offerSlug }: PurchaseLine): Button[][] => [
  [
    button(draftLabels.number, { do: 'draft', purchaseId, act: { act: 'number' } }),
    button(draftLabels.size, { do: 'draft', purchaseId, act: { act: 'size', page: 0 } }),
  ],
  offerSlug === null
    ? []
    : [button(draftLabels.otherOffer, { do: 'draft', purchaseId, act: { act: 'offers' } })],
]

/** The price at which the line was confirmed, as the viewer sees it; null if it was not confirmed. */
const confirmedPrice = (line: PurchaseLine, prices: AgentPrices): Pesewas | null => {
  const { confirmedPesewas, confirmedAgentPesewas = null } = line
  if (confirmedPesewas === null || confirmedPesewas === undefined) return null
  return seenPrice({ pricePesewas: confirmedPesewas, agentPesewas: confirmedAgentPesewas }, prices)
}

/**
 * The money that pays for the order, as far as the viewer may see it. Only owners see the wallet's balance.
 * @param viewer null: the viewer does not belong to the account.
 */
const spendableIn = async (
  queries: Queries,
  viewer: MemberOfAccount | null,
  line: PurchaseLine,
  now: Date,
): Promise<Pick<draftTexts.DraftOptions, 'balance' | 'balanceAt' | 'limit' | 'barred'>> => {
  if (!viewer) return { balance: null, limit: null, barred: null }
  if (viewer.role === 'owner') {
    const { account } = viewer
    const readAt = account.balanceAt && (await asOf(queries, account.id, account.balanceAt, now))
    return {
      balance: account.balancePesewas,
      balanceAt: readAt && when(readAt, now),
      limit: null,
      barred: null,
    }
  }
  const barred = isNetworkAllowed(viewer, line.network) ? null : (viewer.networks ?? [])
  const allowance = await allowanceOf(queries, viewer, now)
  const { agentPrices } = await queries.shops.asSeenBy(viewer)
  const limit = allowance && {
    ...allowance,
    isShort: neededFor([line], agentPrices) > allowance.leftPesewas,
    isAsked: viewer.askedAt !== null && isSameDay(viewer.askedAt, now),
  }
  return { balance: null, limit, barred }
}

/** How long a placed order's card shows the wallet's balance, ms. */
const leftShownMs = 10 * 60_000

/** The balance after an order that was placed lately, and its time if it may be out of date; null: unknown. */
const leftAfter = async (
  queries: Queries,
  { placement, createdAt }: Order,
  { id, balancePesewas, balanceAt }: Account,
  now: Date,
): Promise<orderTexts.BalanceLeft | null> => {
  if (placement !== 'placed' || now.getTime() - createdAt.getTime() > leftShownMs) return null
  if (balancePesewas === null || balanceAt === null) return null
  const readAt = await asOf(queries, id, balanceAt, now)
  return { balance: balancePesewas, readAt: readAt && when(readAt, now) }
}

/** Whether the stored balance is recent enough to show it on the card of an order. */
const isFresh = ({ balanceAt }: Pick<Account, 'balanceAt'>, now: Date): boolean => {
  const ageMs = now.getTime() - (balanceAt?.getTime() ?? 0)
  return ageMs >= 0 && ageMs < balanceFreshMs
}

/**
 * The card of an order as a member sees it.
 * @param viewerId the chat that the card is shown in.
 */
export const orderCard = async (
  queries: Queries,
  { order, purchase, account, saved, nextRepeat, ...beside }: ShownOrder,
  now: Date,
  viewerId = order.chatId,
): Promise<Screen> => {
  const connected = !isErased(account)
  const viewer = roleIn(order, viewerId, beside.viewer)
  const [other, view, isInDoubt, pace] = await Promise.all([
    order.waitsForId ? queries.orders.byId(order.waitsForId) : null,
    viewOf(queries, order, viewer),
    isDoubted(queries, order),
    paceFor(queries.tallies, order, now),
  ])
  // A viewer who sees selling prices already sees them as the price, so they are shown here only if they differ.
  const isSaleNews =
    view.prices === 'cost' || (view.prices === 'selling' && order.sellUnitPesewas !== order.agentUnitPesewas)
  return {
    text: orderTexts.orderCard(orderSeenBy(order, view), {
      now,
      other: other && mayKnow(other, viewer, viewerId) ? orderSeenBy(other, view) : null,
      pace,
      sale: isSaleNews && isMember(viewer) ? orderSale(order, viewer) : null,
      balance: viewer === 'owner' && isFresh(account, now) ? account.balancePesewas : null,
      left: viewer === 'owner' ? await leftAfter(queries, order, account, now) : null,
      frozenUntil:
        account.frozenUntil && isAhead(account.frozenUntil, 'frozenUntil', now) ? account.frozenUntil : null,
      connected,
      refused: isRefused(account),
      viewer,
      names: new Map(saved.map(({ phone, name }) => [phone, name])),
      isDoubted: isInDoubt,
      isUnasked: !order.listed && purchase.remark === 'by_setting',
    }),
    // No buttons if the account was removed, or for a person who has left it, because they cannot act on the order.
    rows:
      connected && isMember(viewer)
        ? orderButtons({ order, saved, nextRepeat, other, viewer, viewerId })
        : [],
  }
}

/**
 * Whether the order was refused because of another open order, and a debit that may be for this order has appeared
 * since.
 */
const isDoubted = async ({ statusReports }: Queries, { id, placement, reason }: Order): Promise<boolean> =>
  placement === 'rejected' && reason === 'pending' && (await statusReports.ofOrder(id, 'doubted')).length > 0

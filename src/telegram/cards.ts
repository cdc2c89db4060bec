import type { Lists } from '../orders/lists.ts'
import { chargeOf, type Order, type Purchase } from '../orders/order.ts'
import { isFailure, owedRefund } from '../orders/recipients.ts'
import { isTerminal } from '../orders/status.ts'
import { maskPhone } from '../provider/phone.ts'
import type { Queries } from '../store/store.ts'
import { listCard } from './list-card.ts'
import { listLabels } from './list-texts.ts'
import { type Key, key, type Screen } from './screen.ts'
import * as texts from './texts.ts'

const { labels } = texts

/** The card of a purchase as it stands now: a draft to confirm, or what became of its order. */
export const purchaseCard = async (
  queries: Queries,
  lists: Lists,
  purchase: Purchase,
  now: Date,
): Promise<Screen> => {
  if (purchase.kind === 'list') return listCard(queries, lists, purchase, 0, now)
  const [order] = await queries.orders.ofPurchase(purchase.id)
  if (order && purchase.state !== 'superseded') return orderCard(queries, order, now)
  return draftCard(queries, purchase)
}

const draftCard = async (queries: Queries, purchase: Purchase): Promise<Screen> => {
  const [line] = purchase.lines
  if (!line) throw new Error(`The purchase ${purchase.id} has no lines.`)
  const { state } = purchase
  if (state === 'cancelled' || state === 'expired' || state === 'superseded') {
    const bundle = texts.bundleName(line.network, line.volume)
    return {
      text:
        purchase.remark === 'restored'
          ? texts.draftOutdated(bundle, line.phone)
          : texts.draftEnded(state, bundle, line.phone),
    }
  }
  const account = await queries.accounts.byId(purchase.accountId)
  return {
    text: texts.draft({
      network: line.network,
      volume: line.volume,
      offer: line.offerSlug,
      phone: line.phone,
      price: line.pricePesewas,
      balance: account?.balancePesewas ?? null,
      remark: purchase.remark,
    }),
    rows: [
      [
        key(labels.confirm, { do: 'confirm', purchaseId: purchase.id }),
        key(labels.cancel, { do: 'cancel', purchaseId: purchase.id }),
      ],
    ],
  }
}

/** What its owner sees of an order. */
export const orderCard = async (queries: Queries, order: Order, now: Date): Promise<Screen> => {
  const other = order.waitsForId ? await queries.orders.byId(order.waitsForId) : null
  const account = await queries.accounts.byId(order.accountId)
  const nonce = await queries.purchases.countCauses(againCause(order.id))
  const connected = account !== null && account.sealedSecret !== ''
  return {
    text: texts.orderCard(order, {
      now,
      other,
      balance: account?.balancePesewas ?? null,
      frozenUntil: account?.frozenUntil ?? null,
      connected,
      refused: account?.unauthorizedSince != null,
    }),
    // Without its account nothing can be done about an order any more.
    rows: connected ? orderKeys(order, other, nonce) : [],
  }
}

/** Causes of purchases that repeat an order begin so; the nonce follows. */
export const againCause = (orderId: string): string => `again:${orderId}:`

/** Of an order that is part of a list, all else is done on the list's card. */
const listedKeys = (order: Order): Key[][] => {
  const { id, placement, purchaseId } = order
  const list = key(listLabels.openList, { do: 'list', purchaseId, act: { act: 'open' } })
  const judge = (label: string, charged: boolean) => key(label, { do: 'judge', orderId: id, charged })
  const isAsked = placement === 'review' && order.reason !== 'charged_by_person'
  return [
    isAsked ? [judge(labels.wasCharged, true), judge(labels.wasNotCharged, false)] : [],
    wantsReport(order) ? [key(labels.report, { do: 'report', orderId: id })] : [],
    [key(labels.refresh, { do: 'refresh', orderId: id }), list],
  ]
}

const orderKeys = (order: Order, other: Order | null, nonce: number): Key[][] => {
  if (order.listed) return listedKeys(order)
  const { id } = order
  const again = (label: string) => key(label, { do: 'again', orderId: id, nonce })
  const refresh = key(labels.refresh, { do: 'refresh', orderId: id })
  const checkNow = key(labels.checkNow, { do: 'refresh', orderId: id })
  switch (order.placement) {
    case 'queued': {
      const cancel = key(labels.cancel, { do: 'cancel', purchaseId: order.purchaseId })
      const mayHurry = other !== null && other.placement !== 'unconfirmed' && !order.sendAnyway
      return [mayHurry ? [key(labels.sendAnyway, { do: 'send_anyway', orderId: id }), cancel] : [cancel]]
    }
    case 'sending':
      return []
    case 'unconfirmed':
      return [[checkNow]]
    case 'review': {
      if (order.reason === 'charged_by_person') return [[checkNow]]
      const judge = (label: string, charged: boolean) => key(label, { do: 'judge', orderId: id, charged })
      return [[judge(labels.wasCharged, true), judge(labels.wasNotCharged, false)], [checkNow]]
    }
    case 'rejected':
    case 'not_placed':
      return [[again(labels.orderAgain)]]
    case 'cancelled':
    case 'expired':
    case 'superseded':
      return [[again(labels.repeat)]]
    case 'placed': {
      const failed = isTerminal(order.status) && order.status !== 'delivered' && !order.statusReported
      const share = key(labels.share, { do: 'share', orderId: id })
      const report = wantsReport(order) ? [key(labels.report, { do: 'report', orderId: id })] : []
      return [[refresh, again(failed ? labels.orderAgain : labels.repeat), share], report]
    }
  }
}

/** Only the provider's support can tell more: no end in a week, or no whole refund in a day. */
const wantsReport = (order: Order): boolean => {
  if (order.reason === 'stale') return true
  const owed = isFailure(order.status) && !order.statusReported && order.refundAt === null
  return owed && (order.refundedPesewas ?? 0) < (owedRefund(order) || chargeOf(order))
}

/** For whom an order is, as a stranger may know it. */
export const maskedWhom = ({ recipients }: Order): string =>
  recipients.length === 1 ? maskPhone(recipients[0]?.phone ?? '') : texts.howMany(recipients.length)

/** What somebody sees of an order who does not own it: no price, and the number masked. */
export const sharedCard = (order: Order, follows: boolean, now: Date): Screen => ({
  text: [texts.sharedCard(order, maskedWhom(order), now), ...(follows ? [texts.followingNote] : [])].join(
    '\n',
  ),
  rows: [
    [
      follows
        ? key(labels.unfollow, { do: 'unfollow', orderId: order.id })
        : key(labels.follow, { do: 'follow', orderId: order.id }),
      key(labels.refresh, { do: 'look', orderId: order.id }),
    ],
  ],
})

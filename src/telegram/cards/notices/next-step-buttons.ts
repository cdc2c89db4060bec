import { isRedacted, type Order, type PricelessOrder } from '../../../domain/order.ts'
import { isTerminal } from '../../../domain/status.ts'
import type { ShownOrder } from '../../../store/orders/cards.ts'
import { type Key, key } from '../../chat/screen.ts'
import { sellingLabels } from '../../words/selling.ts'
import { isMember, type ViewerRole } from '../viewer.ts'
import { listLabels } from '../words/list.ts'
import { orderLabels } from '../words/order.ts'

/** The buttons below news of an order: the next steps that fit its state and its reader. */

/** A list's card has the buttons for each of its orders. */
export const listKeys = ({ listed, purchaseId }: PricelessOrder): Key[][] =>
  listed ? [[key(listLabels.openList, { do: 'list', purchaseId, act: { act: 'open' } })]] : []

/** Of a placed order: a failure that was checked can be ordered again, a delivery has a receipt. */
export const statusKeys = (
  { order, nextRepeat }: Pick<ShownOrder, 'order' | 'nextRepeat'>,
  viewer: ViewerRole,
): Key[][] => {
  if (order.listed) return listKeys(order)
  if (!mayAct(order, viewer) || order.placement !== 'placed' || order.status === null) return []
  if (order.status === 'delivered') return [[receiptKey(order), shareKey(order)]]
  if (!isTerminal(order.status)) return [[shareKey(order)]]
  return order.statusReported ? [] : [[againKey(order, nextRepeat)]]
}

/** For an order that the provider's support should be asked about. */
export const reportKeys = (order: Order, viewer: ViewerRole): Key[][] =>
  mayAct(order, viewer)
    ? [[key(orderLabels.report, { do: 'report', orderId: order.id })], ...listKeys(order)]
    : []

const mayAct = (order: Order, viewer: ViewerRole): boolean => isMember(viewer) && !isRedacted(order)

/** The nonce is the card's, so that presses on both make one purchase. */
const againKey = ({ id }: Order, nonce: number): Key =>
  key(orderLabels.orderAgain, { do: 'again_news', orderId: id, nonce })

const receiptKey = ({ id }: Order): Key =>
  key(sellingLabels.receipt, { do: 'selling', act: { act: 'receipt', orderId: id } })

const shareKey = ({ id }: Order): Key => key(orderLabels.share, { do: 'share', orderId: id })

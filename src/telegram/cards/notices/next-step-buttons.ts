import { isRedacted, type Order, type PricelessOrder } from '../../../domain/order/order.ts'
import { isTerminal } from '../../../domain/order/status.ts'
import type { ShownOrder } from '../../../store/orders/cards.ts'
import { type Button, button } from '../../chat/screen.ts'
import { whatsAppButtons } from '../../chat/whatsapp.ts'
import { isMember, type ViewerRole } from '../viewer.ts'
import { arrived } from '../words/follower.ts'
import { listLabels } from '../words/list.ts'
import { orderLabels } from '../words/order.ts'
import { sellingLabels } from '../words/shop.ts'

/** The buttons below news of an order: the next steps that suit its state and its reader. */

/** For an order of a list, a button to the list's card; for other orders, no button. */
export const listButtons = ({ listed, purchaseId }: PricelessOrder): Button[][] =>
  listed ? [[button(listLabels.openList, { do: 'list', purchaseId, act: { act: 'open' } })]] : []

/**
 * For a placed order: the receipt if it was delivered, “Order again” if it certainly failed, and sharing while it is
 * open.
 */
export const statusButtons = (
  { order, nextRepeat }: Pick<ShownOrder, 'order' | 'nextRepeat'>,
  viewer: ViewerRole,
): Button[][] => {
  if (order.listed) return listButtons(order)
  if (!mayAct(order, viewer) || order.placement !== 'placed' || order.status === null) return []
  if (order.status === 'delivered')
    return [
      [receiptButton(order), shareButton(order)],
      whatsAppButtons(order.recipients[0]?.phone ?? '', arrived(order)),
    ]
  if (!isTerminal(order.status)) return [[shareButton(order)]]
  return order.statusReported ? [] : [[againButton(order, nextRepeat)]]
}

/** The buttons for an order that the provider's support should be asked about. */
export const reportButtons = (order: Order, viewer: ViewerRole): Button[][] =>
  mayAct(order, viewer)
    ? [[button(orderLabels.report, { do: 'report', orderId: order.id })], ...listButtons(order)]
    : []

const mayAct = (order: Order, viewer: ViewerRole): boolean => isMember(viewer) && !isRedacted(order)

/** Carries the same nonce as the button on the order's card, so that presses on both make only one purchase. */
const againButton = ({ id }: Order, nonce: number): Button =>
  button(orderLabels.orderAgain, { do: 'again_news', orderId: id, nonce })

const receiptButton = ({ id }: Order): Button =>
  button(sellingLabels.receipt, { do: 'selling', act: { act: 'receipt', orderId: id } })

const shareButton = ({ id }: Order): Button => button(orderLabels.share, { do: 'share', orderId: id })

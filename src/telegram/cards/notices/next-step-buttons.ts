import { isRedacted, type Order, type PricelessOrder, type Purchase } from '../../../domain/order/order.ts'
import { isTerminal } from '../../../domain/order/status.ts'
import type { ShownOrder } from '../../../store/orders/cards.ts'
import { type Button, button } from '../../chat/screen.ts'
import { listButton, moreButton, placedButtons, reportButton } from '../order-buttons.ts'
import { isMember, type ViewerRole } from '../viewer.ts'
import { showOrder } from '../words/agent-permissions.ts'

/** The buttons below news of an order: the next steps that suit its state and its reader. */

/** For an order of a list, a button to the list's card; for other orders, no button. */
export const listButtons = (order: PricelessOrder): Button[][] => (order.listed ? [[listButton(order)]] : [])

/** For a placed order that has ended, the first buttons of its card. */
export const statusButtons = (shown: ShownOrder, viewer: ViewerRole): Button[][] => {
  const { order } = shown
  if (order.listed) return listButtons(order)
  if (!mayAct(order, viewer) || order.placement !== 'placed' || !isTerminal(order.status)) return []
  return [[...placedButtons(shown).slice(0, 2), moreButton(order)]]
}

/** The buttons for an order that the provider's support should be asked about. */
export const reportButtons = (order: Order, viewer: ViewerRole): Button[][] =>
  mayAct(order, viewer) ? [[reportButton(order)], ...listButtons(order)] : []

const mayAct = (order: Order, viewer: ViewerRole): boolean => isMember(viewer) && !isRedacted(order)

/** For an open draft, a button that shows its card; no button if it is no longer open. */
export const draftButtons = (purchase: Purchase | null): Button[][] => {
  if (purchase?.state !== 'draft') return []
  const { id: purchaseId, kind } = purchase
  return kind === 'list'
    ? [[button(showOrder, { do: 'list', purchaseId, act: { act: 'open' } })]]
    : [[button(showOrder, { do: 'draft', purchaseId, act: { act: 'card' } })]]
}

import { cardOf } from '../../domain/notice.ts'
import type { Order, Purchase } from '../../domain/order.ts'
import type { Queries } from '../../store/store.ts'
import { closeIfDone } from '../following/telling.ts'

/** Gives back the numbers of a retry that came to nothing. The card of their list offers them again. */
export const returnRetry = async (tx: Queries, purchase: Purchase, at: Date): Promise<void> => {
  if (purchase.retryOfId !== null) await tx.orders.dropRetry(purchase.id)
  await redrawOrigin(tx, purchase, at)
}

/** Redraws the card of the list that the purchase is a retry or the rest of. */
export const redrawOrigin = async (tx: Queries, { retryOfId }: Purchase, at: Date): Promise<void> => {
  const list = retryOfId === null ? null : await tx.purchases.byId(retryOfId)
  if (list) await tx.notices.owe(list.chatId, cardOf(list.id, true), at)
}

/** Cancels the unsent orders among these. @returns whether there was one. */
export const cancelQueued = async (tx: Queries, orders: Order[], at: Date): Promise<boolean> => {
  const touched = new Map<string, Order>()
  for (const order of orders) {
    if (!(await tx.orders.go({ id: order.id }, 'cancelled', { reason: 'by_person' }, at))) continue
    touched.set(order.purchaseId, order)
    await tx.orders.wakeWaiting(order.id)
    if (!order.listed) continue
    // Numbers that it retried for an earlier list can be retried from there.
    const phones = order.recipients.map(({ phone }) => phone)
    await tx.orders.passRetry(order.purchaseId, null, { bundleId: order.bundleId, phones })
  }
  for (const [purchaseId, order] of touched) {
    const all = await tx.orders.placementsOf(purchaseId)
    if (all.every(({ placement }) => placement === 'cancelled'))
      await tx.purchases.cancelConfirmed(purchaseId)
    else if (order.listed) await closeIfDone(tx, order, at)
  }
  return touched.size > 0
}

import { cardOf } from '../../domain/notice.ts'
import type { Order, Purchase } from '../../domain/order/order.ts'
import type { Queries } from '../../store/store.ts'
import { closeIfDone } from '../following/order-news.ts'

/**
 * Frees the phones of a retry that was not confirmed, so that the card of the original list offers to retry them again.
 */
export const returnRetry = async (tx: Queries, purchase: Purchase, at: Date): Promise<void> => {
  if (purchase.retryOfId !== null) await tx.orders.dropRetry(purchase.id)
  await redrawOrigin(tx, purchase, at)
}

/** If the purchase is a retry or the rest of a list, redraws that list's card. */
export const redrawOrigin = async (tx: Queries, { retryOfId }: Purchase, at: Date): Promise<void> => {
  const list = retryOfId === null ? null : await tx.purchases.byId(retryOfId)
  if (list) await tx.notices.enqueue(list.chatId, cardOf(list.id, true), at)
}

/**
 * Cancels those of the orders that are queued. Numbers that they retry for an earlier list are offered by their own list
 * from then on, so that only one card offers each number.
 * @returns false if no order was queued.
 */
export const cancelQueued = async (tx: Queries, orders: Order[], at: Date): Promise<boolean> => {
  const touched = new Map<string, Order>()
  for (const order of orders) {
    if (!(await tx.orders.go({ id: order.id }, 'cancelled', { reason: 'by_person' }, at))) continue
    touched.set(order.purchaseId, order)
    await tx.orders.wakeWaiting(order.id)
  }
  for (const [purchaseId, order] of touched) {
    const all = await tx.orders.placementsOf(purchaseId)
    if (all.every(({ placement }) => placement === 'cancelled'))
      await tx.purchases.cancelConfirmed(purchaseId)
    else if (order.listed) await closeIfDone(tx, order, at)
  }
  return touched.size > 0
}

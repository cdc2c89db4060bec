import { heldNotice } from '../../domain/notice.ts'
import type { Order, Purchase } from '../../domain/order/order.ts'
import type { PlacementStep } from '../../domain/order/placement.ts'
import type { Queries } from '../../store/store.ts'
import { enqueueHeldForOwner } from '../following/owner-news.ts'

/**
 * The orders of a list are sent one after another. Each names the order before it as `afterId`, and may be sent once
 * that order was answered or has to wait for a phone (`passTurn` in the store). If an order's outcome is unknown, or a
 * problem would also affect the others (no connection, a refused key, a low balance), that order holds up the rest of
 * the list (`heldById` of the purchase) until it is proven to exist or the person decides.
 */

export const holdsUp = (step: Pick<PlacementStep, 'to'> & { reason?: string }): boolean =>
  step.to === 'unconfirmed' ||
  step.to === 'not_placed' ||
  (step.to === 'rejected' && (step.reason === 'balance' || step.reason === 'unauthorized'))

/**
 * Holds up the rest of the order's list, and tells the person.
 * @returns false if nothing else is queued, or the order is in no list. The caller then sends news of the order itself.
 */
export const holdUpRest = async (
  tx: Queries,
  order: Order,
  at: Date,
  notBefore: Date | null = null,
): Promise<boolean> => {
  if (!order.listed) return false
  const placements = await tx.orders.placementsOf(order.purchaseId)
  if (!placements.some(({ placement }) => placement === 'queued')) return false
  await tx.purchases.hold(order.purchaseId, order.id)
  const notice = heldNotice(order.purchaseId, order.id)
  await tx.notices.enqueue(order.chatId, notice, at, notBefore)
  await enqueueHeldForOwner(tx, order, notice, at, notBefore)
  return true
}

/**
 * Whether an order of a list may be sent now. An order that waited for a phone has lost its place in the sequence, so
 * this is checked in the transaction that sends it.
 */
export const isItsTurn = async (
  { orders }: Pick<Queries, 'orders'>,
  { id, purchaseId }: Pick<Order, 'id' | 'purchaseId'>,
  { heldById }: Pick<Purchase, 'heldById'>,
): Promise<boolean> => {
  if (heldById) return false
  const placements = await orders.placementsOf(purchaseId)
  return !placements.some((other) => other.id !== id && other.placement === 'sending')
}

/** Resumes the list if this order held it up, because the order is now proven to exist. */
export const releaseRest = async (tx: Queries, order: Order): Promise<void> => {
  if (order.listed) await tx.purchases.release(order.purchaseId, order.id)
}

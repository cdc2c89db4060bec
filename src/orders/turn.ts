import { listNotice } from '../relay/notice.ts'
import type { Queries } from '../store/store.ts'
import type { Order } from './order.ts'
import type { Step } from './placement.ts'
import { reportList } from './reporting.ts'

/**
 * The orders of a list are sent one after another: each has the one before it as `afterId`, and has its turn when
 * that one was answered, or has to wait for a phone (`passTurn` in the store). Where an outcome puts the rest in
 * doubt, the purchase is held up by that order (`heldById`) until it is proven or the person decides.
 */
export const holdsUp = (step: Pick<Step, 'to'> & { reason?: string }): boolean =>
  step.to === 'unconfirmed' ||
  step.to === 'not_placed' ||
  (step.to === 'rejected' && (step.reason === 'balance' || step.reason === 'unauthorized'))

/**
 * Holds up what is left of the order's list, and says so.
 * @returns false where nothing is left, or it is no list: then its own message has to tell.
 */
export const holdUpRest = async (tx: Queries, order: Order, at: Date): Promise<boolean> => {
  if (!order.listed) return false
  const placements = await tx.orders.placementsOf(order.purchaseId)
  if (!placements.some(({ placement }) => placement === 'queued')) return false
  await tx.purchases.hold(order.purchaseId, order.id)
  await tx.notices.owe(order.chatId, listNotice(order.purchaseId, 'held'), at)
  await reportList(tx, order, 'held', 'problems', at)
  return true
}

/**
 * Whether the order may be sent now: asked in the transaction that sends it, for what has waited for a phone comes
 * beside the others' turns.
 */
export const isItsTurn = async (tx: Queries, { id, purchaseId, listed }: Order): Promise<boolean> => {
  if (!listed) return true
  if ((await tx.purchases.byId(purchaseId))?.heldById) return false
  const placements = await tx.orders.placementsOf(purchaseId)
  return !placements.some((other) => other.id !== id && other.placement === 'sending')
}

/** The order exists after all: what it held up may go on. */
export const releaseRest = async (tx: Queries, order: Order): Promise<void> => {
  if (order.listed) await tx.purchases.release(order.purchaseId, order.id)
}

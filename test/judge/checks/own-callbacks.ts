import type { Debit, Facts } from '../facts.ts'
import { type Check, lookAt } from '../finding.ts'

/**
 * If a callback to an order's own address named a reference, and the provider's books confirm that the reference is
 * the order's, then the order has that reference. An order whose address also received another order's reference may
 * have been misled.
 */
export const ownCallbacks: Check = (facts) => {
  const named = new Set(facts.database.named.map(({ orderId, reference }) => `${orderId} ${reference}`))
  const own = facts.debits.filter(
    ({ isOfBot, orderId, reference }) => isOfBot && named.has(`${orderId} ${reference}`),
  )
  return lookAt(own, breachIn(facts))
}

/** Placements of orders whose outcome is known. */
const settled = ['placed', 'not_placed', 'rejected']

const breachIn =
  ({ orders, database }: Facts) =>
  ({ orderId, reference }: Debit): string | null => {
    const order = orders.get(orderId ?? '')
    if (!order || order.isUnderWay || !settled.includes(order.placement)) return null
    if (order.reference === reference || order.otherReference === reference) return null
    const isMisled = database.named.some(
      (each) =>
        (each.orderId === order.id && each.reference !== reference) ||
        (each.reference === reference && each.orderId !== order.id),
    )
    return isMisled
      ? null
      : `order ${order.id} (${order.placement} ${order.reference ?? ''}) does not hold ${reference}, which its callback named`
  }

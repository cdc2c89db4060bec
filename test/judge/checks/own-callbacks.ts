import type { Debit, Facts } from '../facts.ts'
import { type Check, lookAt } from '../finding.ts'

/**
 * An order holds the reference that a callback on its own address named, if the provider's books say that it is its own:
 * nothing proves more. One whose address was also told another order's reference may be misled by that.
 */
export const ownCallbacks: Check = (facts) => {
  const named = new Set(facts.database.named.map(({ orderId, reference }) => `${orderId} ${reference}`))
  const own = facts.debits.filter(
    ({ isOfBot, orderId, reference }) => isOfBot && named.has(`${orderId} ${reference}`),
  )
  return lookAt(own, breachIn(facts))
}

/** States in which the bot has told its last word, or holds another reference. */
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

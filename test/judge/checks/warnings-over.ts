import type { Facts } from '../facts.ts'
import { type Check, lookAt } from '../finding.ts'

/** No message still warns that an order's outcome is unknown after the order was placed and the person was told. */
export const warningsOver: Check = (facts) => lookAt(facts.database.warnings, breachIn(facts))

const breachIn =
  ({ orders }: Facts) =>
  ({ chatId, orderId, says, isOwed }: Facts['database']['warnings'][number]): string | null => {
    const order = orders.get(orderId)
    if (!order || isOwed || order.isUnderWay || says === 'asked' || order.placement !== 'placed') return null
    return `chat ${chatId} is still warned of order ${orderId}, which is ${order.placement}`
  }

import type { Facts } from '../facts.ts'
import { type Check, lookAt } from '../finding.ts'

/** No message still warns of an order whose outcome is known and told. */
export const warningsOver: Check = (facts) => lookAt(facts.database.warnings, breachIn(facts))

const breachIn =
  ({ orders }: Facts) =>
  ({ chatId, orderId, says, isOwed }: Facts['database']['warnings'][number]): string | null => {
    const order = orders.get(orderId)
    if (!order || isOwed || order.isUnderWay || says === 'asked' || order.placement !== 'placed') return null
    return `chat ${chatId} is still warned of order ${orderId}, which is ${order.placement}`
  }

import type { Facts, Order } from '../facts.ts'
import { type Check, lookAt } from '../finding.ts'
import { finalStatuses } from '../words.ts'

/** The bot learned how each order for one number ended. For bulk orders, the provider's record may not tell that. */
export const statusesLearned: Check = (facts) => {
  const ended = facts.ledgerOrders.filter(({ status }) => finalStatuses.has(status ?? ''))
  return lookAt(
    ended.flatMap((each) => heldBy(facts, each.reference).map((order) => ({ ...each, order }))),
    ({ order, reference, status }) =>
      order.status !== null && finalStatuses.has(order.status)
        ? null
        : `order ${order.id} (${reference}) is ${order.status}, and the provider says ${status}`,
  )
}

const heldBy = ({ orders }: Facts, reference: string): Order[] =>
  [...orders.values()].filter(
    (order) => order.reference === reference && order.phones.length === 1 && !order.isUnderWay,
  )

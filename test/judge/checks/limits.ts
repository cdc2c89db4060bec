import type { Facts, Order } from '../facts.ts'
import { type Check, lookAt } from '../finding.ts'

/** No agent spent more in a day than their owner now allows. */
export const limits: Check = ({ database, orders }: Facts) => {
  const days = database.members
    .filter(({ dailyLimitPesewas }) => dailyLimitPesewas !== null)
    .flatMap(({ userId, accountId, dailyLimitPesewas }) => {
      const own = [...orders.values()].filter(
        (order) => order.userId === userId && order.accountId === accountId && mayCost.has(order.placement),
      )
      const byDay = Map.groupBy(own, ({ createdAtMs }) => new Date(createdAtMs).toISOString().slice(0, 10))
      return [...byDay].map(([day, some]) => ({ userId, day, some, limit: dailyLimitPesewas ?? 0 }))
    })
  return lookAt(days, ({ userId, day, some, limit }) => {
    const spent = some.map(spentOn).reduce((sum, each) => sum + each, 0)
    return spent > limit ? `agent ${userId} spent ${spent} of ${limit} on ${day}` : null
  })
}

const mayCost: ReadonlySet<string> = new Set(['queued', 'sending', 'unconfirmed', 'review', 'placed'])

/** What the order counts towards the limit, at the lower of its two prices. A refund does not count. */
const spentOn = ({
  unitPricePesewas,
  agentUnitPesewas,
  quantity,
  refundedPesewas,
  status,
}: Order): number => {
  const price = Math.min(unitPricePesewas, agentUnitPesewas ?? unitPricePesewas) * quantity
  const isBack = status !== null && ['failed', 'cancelled', 'refunded'].includes(status)
  return isBack ? 0 : Math.max(0, price - (refundedPesewas ?? 0))
}

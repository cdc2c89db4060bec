import type { Facts, Post } from '../facts.ts'
import { type Check, lookAt } from '../finding.ts'

/**
 * No order was sent again unless the provider had certainly refused to look at it (429), and none that nobody confirmed.
 * What never reached the provider is not in its books.
 */
export const repeatedPosts: Check = (facts) => {
  const byOrder = [...Map.groupBy(facts.posts, ({ orderId }) => orderId).entries()]
  return lookAt(byOrder, breachIn(facts))
}

const breachIn =
  ({ orders }: Facts) =>
  ([orderId, posts]: [string, Post[]]): string | null => {
    const order = orders.get(orderId)
    if (order && !order.purchase.isConfirmed) return `order ${orderId} was sent, and nobody confirmed it`
    const early = posts.slice(0, -1).find(({ status }) => status !== 429)
    if (!early) return null
    const answer = early.status === null ? 'no answer' : `the answer ${early.status}`
    return `order ${orderId} was sent ${posts.length} times, again after ${answer}`
  }

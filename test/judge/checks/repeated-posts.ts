import type { Facts, Order, Post } from '../facts.ts'
import { type Check, lookAt } from '../finding.ts'

/**
 * No order was sent that nobody confirmed, or after its outcome was told. None was sent again unless the provider had
 * refused the first request with 429. Requests that never reached the provider are not in its books.
 */
export const repeatedPosts: Check = (facts) => {
  const byOrder = [...Map.groupBy(facts.posts, ({ orderId }) => orderId).entries()]
  return lookAt(byOrder, breachIn(facts))
}

/** If a text and a request are closer than this, nobody can tell which was sent first. */
const underWayMs = 2_000

/** The bot's words for an outcome that it decides itself, on an order's card or in a reply to the card. */
const saysOutcome = /· (?:unconfirmed|not placed|rejected|to review)\b/

const toldBefore = ({ saidIn }: Facts, order: Order, atMs: number): boolean => {
  const { kind, cardMessageId, orders } = order.purchase
  if (kind !== 'single' || cardMessageId === null || orders.length > 1) return false
  return saidIn(order.chatId).some(
    ({ at, messageId, replyTo, text }) =>
      at < atMs - underWayMs &&
      [messageId, replyTo].includes(cardMessageId) &&
      saysOutcome.test(text.split('\n').find((line) => line.includes(' · ')) ?? ''),
  )
}

const breachIn =
  (facts: Facts) =>
  ([orderId, posts]: [string, Post[]]): string | null => {
    const order = facts.orders.get(orderId)
    if (order && !order.purchase.isConfirmed) return `order ${orderId} was sent, and nobody confirmed it`
    const late = posts.find(({ atMs }) => order && toldBefore(facts, order, atMs))
    if (late) return `order ${orderId} was sent after its outcome was told`
    const early = posts.slice(0, -1).find(({ status }) => status !== 429)
    if (!early) return null
    const answer = early.status === null ? 'no answer' : `the answer ${early.status}`
    return `order ${orderId} was sent ${posts.length} times, again after ${answer}`
  }

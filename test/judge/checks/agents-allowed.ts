import type { Facts, Order, Said } from '../facts.ts'
import { type Check, lookAt, together } from '../finding.ts'
import { isDismissal, isPause } from '../words.ts'

/** No order was sent for an agent who had been told of their removal, or confirmed by an agent told of a pause. */
export const agentsAllowed: Check = (facts) => {
  if (!facts.isClockRight) return { looked: 0, breaches: [] }
  return together(
    lookAt(lastOfEach(facts, isDismissal), sentFor(facts)),
    lookAt(lastOfEach(facts, isPause), confirmedBy(facts)),
  )
}

/** An order that was already being sent when the agent was told may arrive at the provider this much later. */
const underWayMs = 60_000

/** How far the times of two processes may be apart: each has its own clock. */
const apartMs = 60_000

/** For each chat, the last new message whose text fits. */
const lastOfEach = ({ telegram, saidIn }: Facts, fits: (text: string) => boolean): Said[] =>
  [...new Set(telegram.entries.map(({ chat }) => chat))]
    .map((chat) => saidIn(chat).findLast(({ kind, text }) => kind === 'sent' && fits(text)))
    .filter((said) => said !== undefined)

const sentFor =
  (facts: Facts) =>
  ({ chat, at }: Said): string | null => {
    const post = facts.posts.find(({ orderId, atMs }) => {
      const order = facts.orders.get(orderId)
      return (
        order?.chatId === chat &&
        atMs > at + underWayMs &&
        isOfOthers(facts, order) &&
        !hasJoined(facts, order, atMs)
      )
    })
    return post ? `order ${post.orderId} was sent for the agent in chat ${chat}, who was removed` : null
  }

const confirmedBy =
  (facts: Facts) =>
  ({ chat, at }: Said): string | null => {
    const member = facts.database.members.find(({ chatId, role }) => chatId === chat && role === 'agent')
    if (!member || member.createdAtMs > at) return null
    const resumedAtMs = member.resumedAtMs ?? Number.POSITIVE_INFINITY
    const order = [...facts.orders.values()].find(
      ({ userId, accountId, createdAtMs }) =>
        userId === member.userId &&
        accountId === member.accountId &&
        createdAtMs > at + underWayMs &&
        !(resumedAtMs > at - underWayMs && resumedAtMs <= createdAtMs + apartMs),
    )
    return order ? `order ${order.id} was confirmed by the agent in chat ${chat}, who was paused` : null
  }

/** Whether the order's account is owned by somebody other than the person who ordered. */
const isOfOthers = ({ database }: Facts, { userId, accountId }: Order): boolean =>
  database.members.some(
    (each) => each.accountId === accountId && each.role === 'owner' && each.userId !== userId,
  )

/** Whether the person who ordered was a member of the account again when the order was sent. */
const hasJoined = ({ database }: Facts, { userId, accountId }: Order, sentAtMs: number): boolean =>
  database.members.some(
    (each) => each.userId === userId && each.accountId === accountId && each.createdAtMs <= sentAtMs,
  )

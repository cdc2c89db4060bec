import type { Facts, Post, Purchase } from '../facts.ts'
import { type Check, lookAt } from '../finding.ts'
import { isDoubt } from '../words.ts'

/**
 * The orders of a list were sent one after another: none before the provider had executed the earlier ones, unless the
 * person was told that an outcome is unknown and could decide to go on.
 */
export const listTurns: Check = (facts) =>
  lookAt(
    [...facts.purchases.values()].filter(({ kind }) => kind === 'list'),
    breachIn(facts),
  )

const breachIn =
  (facts: Facts) =>
  (list: Purchase): string | null => {
    const posts = facts.posts.filter(({ orderId }) => list.orders.some(({ id }) => id === orderId))
    for (const [index, post] of posts.entries()) {
      const early = posts
        .slice(0, index)
        .filter(({ orderId, status }) => orderId !== post.orderId && status !== 429)
        .find((before) => isUnderWay(facts, before, post.atMs) && !isDoubtTold(facts, list, before, post))
      if (early) return `order ${post.orderId} was sent beside order ${early.orderId} of its list`
    }
    return null
  }

/** Whether the provider charged the request's order only after that time. */
const isUnderWay = ({ orders }: Facts, { orderId }: Post, atMs: number): boolean =>
  orders.get(orderId)?.debits.some((debit) => debit.isOfBot && debit.atMs > atMs) ?? false

const isDoubtTold = (facts: Facts, { chatId }: Purchase, before: Post, after: Post): boolean =>
  facts.saidIn(chatId).some(({ at, text }) => at > before.atMs && at < after.atMs && isDoubt(text))

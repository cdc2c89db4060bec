import { setImmediate as nextTurn } from 'node:timers/promises'
import { ends, type Position } from '../store/reduction.ts'
import type { AllQueries, WholeStore } from '../store/store.ts'
import type { Order } from './order.ts'
import { unsettled } from './placement.ts'
import { isTerminal } from './status.ts'

/**
 * What is kept of an order that has been finished for `RETENTION_DAYS`:
 *
 * | of | is kept | goes |
 * |---|---|---|
 * | an order | account, who ordered, for which agent, network, size, quantity, prices, charge, refund, reference, placement, status, times | the provider's words, which may hold a number |
 * | its recipients | how many, the status of each | their numbers: what stands there instead is `removed-phone.ts` |
 * | its events | source, status, reference, times | number, body, and the digest that a number could be guessed by |
 * | its purchase | who confirmed it, when, in which chat | lines; of a list the text, the answers, and the prices it was shown by |
 * | a number that was kept on a network | | all of it, where nobody has kept it since |
 * | customers | | who followed it, what they asked (who is blocked stays blocked) |
 *
 * What came to nothing before it was confirmed goes altogether, a day later: Telegram brings no message again after
 * that. Saved numbers are the owner's own and stay.
 *
 * Orders of one purchase are reduced together, for they are one card: when each of them is finished, so long ago,
 * and nobody is owed a message about them or has asked about them since. What has no known end (`unconfirmed`, to be
 * reviewed, stale) keeps its numbers, since without them nobody could ever find out.
 */
type Ending = Pick<
  Order,
  'placement' | 'status' | 'reason' | 'nextPollAt' | 'settleAt' | 'refundAt' | 'createdAt'
> & {
  /** When anything of it was written last: it had ended by then. */
  updatedAt: Date
}

/** An order whose end is known, and of which nothing is asked or watched any more. */
export const isFinished = (order: Omit<Ending, 'createdAt' | 'updatedAt'>): boolean => {
  if (order.nextPollAt !== null || order.settleAt !== null || order.refundAt !== null) return false
  if (order.placement === 'placed') return isTerminal(order.status)
  return !unsettled.includes(order.placement) || order.reason === 'charged_by_person'
}

/** Whether the order is to be reduced at a time before which so much has passed. */
export const isDue = (order: Ending, before: Date): boolean =>
  isFinished(order) && order.createdAt < before && order.updatedAt < before

const dayMs = 24 * 60 * 60_000

/** The time before which an order must have been finished. */
export const retainedSince = (now: Date, retentionDays: number): Date =>
  new Date(now.getTime() - retentionDays * dayMs)

/** Recipients that are reduced in one commit, for which others wait; an order with more is one by itself. */
const mostTogether = 200
/** Orders, or purchases that came to nothing, that one query reads. */
const mostRead = 50

interface RetentionOptions {
  store: WholeStore
  retentionDays: number
  now: () => Date
  /** Resolves when there is nothing more pressing to do. */
  giveWay: () => Promise<void>
  /** Ends the round after the commit under way. */
  signal: AbortSignal
}

/** Reduces all that is due, in small commits: a round that is cut off is gone on with by the next. */
export const reduceOld = async (options: RetentionOptions): Promise<void> => {
  const { store, retentionDays, now } = options
  const at = now()
  const before = retainedSince(at, retentionDays)
  await store.ported.forgetBefore(before)
  await walk(options, async (tx, after) => {
    const together = startOf(await tx.reduction.unreduced(before, after, mostRead))
    await reduceAll(tx, together, before, at)
    return together.at(-1) ?? null
  })
  const endedBefore = retainedSince(at, Math.min(retentionDays, 1))
  for (const end of ends) {
    await walk(options, async (tx, after) => {
      const { ids, last } = await tx.reduction.cameToNothing(end, endedBefore, after, mostRead)
      await tx.personalData.erasePurchases(ids)
      return last
    })
  }
  await store.transaction((tx) => tx.reduction.forgetLeftovers(before))
}

/** Goes on from where each step, a commit, has come to; null: to the end. */
const walk = async (
  { store, giveWay, signal }: RetentionOptions,
  step: (tx: AllQueries, after: Position | null) => Promise<Position | null>,
): Promise<void> => {
  let after: Position | null = null
  while (!signal.aborted) {
    const from: Position | null = after
    after = await store.transaction((tx) => step(tx, from))
    if (after === null) return
    await nextTurn()
    await giveWay()
  }
}

/** As many of the orders as make up one commit. */
const startOf = <T extends { quantity: number }>(orders: readonly T[]): T[] => {
  let recipients = 0
  return orders.filter(({ quantity }, index) => {
    recipients += quantity
    return index === 0 || recipients <= mostTogether
  })
}

const reduceAll = async (
  tx: AllQueries,
  orders: readonly { id: string; purchaseId: string }[],
  before: Date,
  at: Date,
): Promise<void> => {
  if (orders.length === 0) return
  const purchases = await tx.reduction.ofPurchases(
    [...new Set(orders.map(({ purchaseId }) => purchaseId))],
    before,
  )
  const due = purchases.filter(
    ({ isNeeded, orders }) => !isNeeded && orders.every((each) => isDue(each, before)),
  )
  const dueIds = new Set(due.map(({ id }) => id))
  const ids = orders.filter(({ purchaseId }) => dueIds.has(purchaseId)).map(({ id }) => id)
  const reduced = new Set(await tx.reduction.reduce(ids, before, at))
  const isDone = ({ id, reducedAt }: { id: string; reducedAt: Date | null }) =>
    reducedAt !== null || reduced.has(id)
  await tx.reduction.reducePurchases(due.filter(({ orders }) => orders.every(isDone)).map(({ id }) => id))
}

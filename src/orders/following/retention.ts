import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Order } from '../../domain/order.ts'
import { openPlacements } from '../../domain/placement.ts'
import { isTerminal } from '../../domain/status.ts'
import { ends, type Position } from '../../store/accounts/redaction.ts'
import type { Queries, Store } from '../../store/store.ts'

/**
 * What is kept of an order that has been finished for `RETENTION_DAYS`:
 *
 * | of | is kept | goes |
 * |---|---|---|
 * | an order | account, who ordered, for which agent, network, size, quantity, prices, charge, refund, reference, placement, status, times | the provider's words, which may hold a number |
 * | its recipients | how many, the status of each | their numbers: what stands there instead is `removed-phone.ts` |
 * | its events | source, status, reference, times | number, body, and the digest that a number could be guessed by |
 * | its purchase | who confirmed it, when, in which chat | lines; where warnings of it stood; of a list the text, the answers, and the prices it was shown by |
 * | a number that was kept on a network | | all of it, where nobody has kept it since |
 * | customers | | who followed it, what they asked (who is blocked stays blocked) |
 *
 * An unconfirmed purchase that came to nothing is deleted a day later, because Telegram brings no message again
 * after that. Saved numbers are the owner's own and stay.
 *
 * Orders of one purchase share a card, so they are reduced together: when all of them have been finished for that
 * long, no message about them is owed, and nobody has asked about them since. An order without a known end
 * (`unconfirmed`, to review, stale) keeps its numbers, because they are needed to find its end.
 */
type Ending = Pick<
  Order,
  'placement' | 'status' | 'reason' | 'nextPollAt' | 'reconcileAt' | 'refundAt' | 'createdAt'
> & {
  /** When it was last written, which is after its end. */
  updatedAt: Date
}

/** An order whose end is known and for which nothing is asked or watched any more. */
export const isFinished = (order: Omit<Ending, 'createdAt' | 'updatedAt'>): boolean => {
  if (order.nextPollAt !== null || order.reconcileAt !== null || order.refundAt !== null) return false
  if (order.placement === 'placed') return isTerminal(order.status)
  return !openPlacements.includes(order.placement) || order.reason === 'charged_by_person'
}

/** Whether the order ended before that time and is to be reduced. */
export const isDue = (order: Ending, before: Date): boolean =>
  isFinished(order) && order.createdAt < before && order.updatedAt < before

const dayMs = 24 * 60 * 60_000

/** The time before which an order must have been finished. */
export const retainedSince = (now: Date, retentionDays: number): Date =>
  new Date(now.getTime() - retentionDays * dayMs)

/** How many recipients one commit reduces, because others wait for it. A larger order is a commit by itself. */
const maxTogether = 200
/** How many orders, or purchases that came to nothing, one query reads. */
const maxRead = 50

interface RetentionOptions {
  store: Store
  retentionDays: number
  now: () => Date
  /** Resolves when there is nothing more pressing to do. */
  giveWay: () => Promise<void>
  /** Ends the round after the commit under way. */
  signal: AbortSignal
}

/** Reduces all due orders in small commits. If a round is cut off, the next one goes on. */
export const redactOld = async (options: RetentionOptions): Promise<void> => {
  const { store, retentionDays, now } = options
  const at = now()
  const before = retainedSince(at, retentionDays)
  await store.ported.forgetBefore(before)
  await walk(options, async (after) => {
    const together = startOf(await store.redaction.unredacted(before, after, maxRead))
    const accounts = together.map(({ accountId }) => accountId)
    await store.transaction((tx) => redactAll(tx, together, before, at), { accounts })
    return together.at(-1) ?? null
  })
  const endedBefore = retainedSince(at, Math.min(retentionDays, 1))
  for (const end of ends) {
    await walk(options, async (after) => {
      const { ids, last } = await store.redaction.cameToNothing(end, endedBefore, after, maxRead)
      // Nothing leads back from these ends.
      await store.transaction((tx) => tx.personalData.erasePurchases(ids))
      return last
    })
  }
  await store.transaction((tx) => tx.redaction.forgetLeftovers(before))
}

/** Repeats a step, a commit each, from where the last one ended; null: it is done. */
const walk = async (
  { giveWay, signal }: RetentionOptions,
  step: (after: Position | null) => Promise<Position | null>,
): Promise<void> => {
  let after: Position | null = null
  while (!signal.aborted) {
    after = await step(after)
    if (after === null) return
    await nextTurn()
    await giveWay()
  }
}

/** The first of the orders, as many as fit one commit. */
const startOf = <T extends { quantity: number }>(orders: readonly T[]): T[] => {
  let recipients = 0
  return orders.filter(({ quantity }, index) => {
    recipients += quantity
    return index === 0 || recipients <= maxTogether
  })
}

const redactAll = async (
  tx: Queries,
  orders: readonly { id: string; purchaseId: string }[],
  before: Date,
  at: Date,
): Promise<void> => {
  if (orders.length === 0) return
  const purchases = await tx.redaction.ofPurchases(
    [...new Set(orders.map(({ purchaseId }) => purchaseId))],
    before,
  )
  const due = purchases.filter(
    ({ isNeeded, orders }) => !isNeeded && orders.every((each) => isDue(each, before)),
  )
  const dueIds = new Set(due.map(({ id }) => id))
  const ids = orders.filter(({ purchaseId }) => dueIds.has(purchaseId)).map(({ id }) => id)
  const redacted = new Set(await tx.redaction.reduce(ids, before, at))
  const isDone = ({ id, redactedAt }: { id: string; redactedAt: Date | null }) =>
    redactedAt !== null || redacted.has(id)
  await tx.redaction.redactPurchases(due.filter(({ orders }) => orders.every(isDone)).map(({ id }) => id))
}

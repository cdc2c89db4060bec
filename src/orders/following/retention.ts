import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Order } from '../../domain/order/order.ts'
import { openPlacements } from '../../domain/order/placement.ts'
import { isTerminal } from '../../domain/order/status.ts'
import { abandonedStates, type Position } from '../../store/accounts/redaction.ts'
import type { Queries, Store } from '../../store/store.ts'

/**
 * What is kept of an order that has been finished for `RETENTION_DAYS`:
 *
 * | data of | kept | erased |
 * |---|---|---|
 * | an order | account, who ordered, for which agent, network, size, quantity, prices, charge, refund, reference, placement, status, times | the provider's words, which may contain a number |
 * | its recipients | how many, the status of each | their numbers, replaced by placeholders (`domain/order/removed-phone`) |
 * | its status reports | source, status, reference, times | number, body, and the digest, from which a number could be guessed |
 * | its purchase | who confirmed it, when, in which chat | its lines, and which messages warned of it; of a list: text, answers, shown prices |
 * | the saved network of a ported number | | all of it, unless somebody has saved it again since |
 * | customers | | who followed the order, what they asked; a block stays |
 *
 * A purchase that was never confirmed is deleted a day after it ended, because Telegram no longer repeats a message by
 * then. Saved numbers are the owner's own and stay.
 *
 * Orders of one purchase share a card, so they are redacted together, once all of them have been finished for that
 * long, no message about them is waiting to be sent, and nobody has asked about them since. An order without a known
 * end (`unconfirmed`, `review`, stale) keeps its numbers, because they are needed to find its end.
 */
type Ending = Pick<
  Order,
  'placement' | 'status' | 'reason' | 'nextPollAt' | 'reconcileAt' | 'refundAt' | 'createdAt'
> & {
  /** The last write, which is after the order's end. */
  updatedAt: Date
}

/** Whether the order's end is known and no poll or wallet read is planned for it. */
export const isFinished = (order: Omit<Ending, 'createdAt' | 'updatedAt'>): boolean => {
  if (order.nextPollAt !== null || order.reconcileAt !== null || order.refundAt !== null) return false
  if (order.placement === 'placed') return isTerminal(order.status)
  return !openPlacements.includes(order.placement) || order.reason === 'charged_by_person'
}

/** Whether the order has been finished since before that time, so that it may be redacted. */
export const isDue = (order: Ending, before: Date): boolean =>
  isFinished(order) && order.createdAt < before && order.updatedAt < before

const dayMs = 24 * 60 * 60_000

export const retainedSince = (now: Date, retentionDays: number): Date =>
  new Date(now.getTime() - retentionDays * dayMs)

/**
 * The most recipients that one commit redacts, because other work waits for the commit. An order with more recipients
 * gets a commit of its own.
 */
const maxTogether = 200
/** The most orders, or purchases that were never confirmed, that one query reads. */
const maxRead = 50

interface RetentionOptions {
  store: Store
  retentionDays: number
  now: () => Date
  /** Resolves once no work with a higher priority is waiting. */
  giveWay: () => Promise<void>
  /** When it aborts, the round ends after the current commit. */
  signal: AbortSignal
}

/**
 * Redacts all due orders, and deletes purchases that were never confirmed, in small commits. If a round is interrupted,
 * the next one continues.
 */
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
  for (const state of abandonedStates) {
    await walk(options, async (after) => {
      const { ids, last } = await store.redaction.cameToNothing(state, endedBefore, after, maxRead)
      // A purchase never leaves these states, so a later transaction can erase it safely.
      await store.transaction((tx) => tx.personalData.erasePurchases(ids))
      return last
    })
  }
  await store.transaction((tx) => tx.redaction.forgetLeftovers(before))
}

/** Repeats a step until it returns null. Each step is one commit and starts where the last one ended. */
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

/** As many of the first orders as one commit may redact, but at least one. */
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

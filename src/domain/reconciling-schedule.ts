import type { Order } from './order.ts'

/**
 * When the wallet's entries are read for an order whose outcome is unknown: 5 s and 20 s after the send, then
 * every 45 s until a read succeeds ten minutes after it. While reads fail, they become rarer from 15 min on, in
 * the end one an hour: a hundred requests of the account a day, not two thousand. Once the order is
 * `not_placed`, the watch for a late debit follows: 15, 30 and 60 min, then hourly to 24 h.
 */
const second = 1_000
const minute = 60 * second
const hour = 60 * minute

const first = [5 * second, 20 * second]
const every = 45 * second
const watch = [15 * minute, 30 * minute, hour]

/** `not_placed` needs a complete read begun this long after the send: a debit may show late. */
export const debitsShowWithinMs = 10 * minute
/** An order with doubtful debits goes to `review` this long after the send. */
export const reconcilingEndsMs = 10.5 * minute
/** How long after the send the watch for a late debit lasts; also the longest look for a refund. */
export const watchEndsMs = 24 * hour

/** How far a debit's time may lie before the send if the provider's clock is measured. */
export const measuredToleranceMs = 2 * minute
/** The same if the provider's clock is not measured. */
export const unmeasuredToleranceMs = 15 * minute

/**
 * The latest moment at which a byte of an order may have left, if the order is not being sent any more: all
 * waits for its debit count from there.
 *
 * For an order found in a restored copy only the earliest time is known (`sentAt`). The bot of the newer
 * database may have sent it until the restored bot started, so its `leaseUntil`, which is that start, counts.
 */
export const latestSend = ({
  leaseUntil,
  sentAt,
  createdAt,
}: Pick<Order, 'leaseUntil' | 'sentAt' | 'createdAt'>): Date => leaseUntil ?? sentAt ?? createdAt

/** Whether the wallet is read for the order: a new debit may be its own. */
export const isWatched = ({ placement, reconcileAt }: Pick<Order, 'placement' | 'reconcileAt'>): boolean =>
  placement === 'sending' || reconcileAt !== null

/** The next read where the send is still to come: the clock was set back since, and tells no age. */
const ofUnknownAge = (now: Date): Date => new Date(now.getTime() + debitsShowWithinMs)

const refundWatch = [minute, 10 * minute, hour]

/** The next look for a refund: 1, 10 and 60 min after the failure, then hourly to 24 h; null after that. */
export const nextRefundCheck = (failedAt: Date, now: Date): Date | null => {
  const age = now.getTime() - failedAt.getTime()
  if (age < 0) return ofUnknownAge(now)
  const due = refundWatch.find((step) => step > age) ?? (Math.floor(age / hour) + 1) * hour
  return due > watchEndsMs ? null : new Date(failedAt.getTime() + due)
}

/** The next read for an order that is still unsettled. The reads go on until one succeeds. */
export const nextReconciling = (sentAt: Date, now: Date): Date => {
  const age = now.getTime() - sentAt.getTime()
  if (age < 0) return ofUnknownAge(now)
  const soon = first.find((step) => step > age)
  const later = Math.min(hour, Math.max(every, age / 20))
  return new Date(soon === undefined ? now.getTime() + later : sentAt.getTime() + soon)
}

/** A read of so many pages costs no more than the schedule allows for. */
const cheapPages = 10
const restPerPageMs = 10 * second

/**
 * When to read a wallet again after a read with so many requests. Each page adds a delay, so that a wallet
 * whose pages tell no order does not use up the account's requests of an hour. The first read that may deny the
 * order is not delayed.
 */
export const restAfter = (requests: number, sentAt: Date, at: Date, next: Date): Date => {
  if (requests <= cheapPages) return next
  const decidedMs = sentAt.getTime() + debitsShowWithinMs
  const rested = at.getTime() + requests * restPerPageMs
  const latest = decidedMs > at.getTime() ? Math.min(rested, decidedMs) : rested
  return new Date(Math.max(next.getTime(), latest))
}

/** The next read of the watch, or null when a day has passed. */
export const nextWatch = (sentAt: Date, now: Date): Date | null => {
  const age = now.getTime() - sentAt.getTime()
  if (age < 0) return ofUnknownAge(now)
  const due = watch.find((step) => step > age) ?? (Math.floor(age / hour) + 1) * hour
  return due > watchEndsMs ? null : new Date(sentAt.getTime() + due)
}

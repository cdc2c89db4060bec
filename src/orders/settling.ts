import type { Order } from './order.ts'

/**
 * When the wallet's entries are read for an order whose outcome is unknown: 5 s and 20 s after the send, then
 * every 45 s until they could be read ten minutes after it. While they cannot be read, from 15 min on less and less
 * often, in the end every hour: a hundred requests of the account a day, not two thousand. Once it is `not_placed`,
 * the watch for a late debit: 15, 30 and 60 min, then hourly to 24 h.
 */
const second = 1_000
const minute = 60 * second
const hour = 60 * minute

const first = [5 * second, 20 * second]
const every = 45 * second
const watch = [15 * minute, 30 * minute, hour]

/** `not_placed` needs a complete read begun this long after the send: a debit may show late. */
export const debitsShowWithinMs = 10 * minute
export const settlingEndsMs = 10.5 * minute
export const watchEndsMs = 24 * hour

/** How far a debit's time may lie before the send: with the provider's clock measured, and without. */
export const measuredToleranceMs = 2 * minute
export const unmeasuredToleranceMs = 15 * minute

/**
 * The latest moment at which a byte of an order that is not being sent any more may have left: all waits for its
 * debit count from there. Of one that was found in a restored copy only the earliest is known (`sentAt`), so its
 * send counts as long as the bot of the newer database may have been at it: until the restored one started, which
 * is its `leaseUntil`.
 */
export const latestSend = ({
  leaseUntil,
  sentAt,
  createdAt,
}: Pick<Order, 'leaseUntil' | 'sentAt' | 'createdAt'>): Date => leaseUntil ?? sentAt ?? createdAt

const refundWatch = [minute, 10 * minute, hour]

/** The next look for a refund: 1, 10 and 60 min after the failure, then hourly to 24 h; null after that. */
export const nextRefundCheck = (failedAt: Date, now: Date): Date | null => {
  const age = now.getTime() - failedAt.getTime()
  const due = refundWatch.find((step) => step > age) ?? (Math.floor(age / hour) + 1) * hour
  return due > watchEndsMs ? null : new Date(failedAt.getTime() + due)
}

/** The next read for an order that is still unsettled. It goes on until the history could be read. */
export const nextSettling = (sentAt: Date, now: Date): Date => {
  const age = now.getTime() - sentAt.getTime()
  const soon = first.find((step) => step > age)
  const later = Math.min(hour, Math.max(every, age / 20))
  return new Date(soon === undefined ? now.getTime() + later : sentAt.getTime() + soon)
}

/** A read of so many pages is no more than the schedule allows for. */
const cheapPages = 10
const restPerPageMs = 10 * second

/**
 * When a wallet that took so many requests is read again: each page puts that off, so that a wallet whose pages tell no
 * order does not use up what the account may ask in an hour. The first read that may deny the order is not put off.
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
  const due = watch.find((step) => step > age) ?? (Math.floor(age / hour) + 1) * hour
  return due > watchEndsMs ? null : new Date(sentAt.getTime() + due)
}

import type { Order } from '../order/order.ts'
import { type EndlessSchedule, nextTryAt, type RetrySchedule } from './retry-schedule.ts'

/**
 * When the wallet is read for an order whose outcome is unknown: 5 s and 20 s after the send, then every 45 s until a
 * read that begins at least ten minutes after the send succeeds. If reads keep failing, they become rarer from 15 min
 * on, down to one an hour. That costs the account a hundred requests a day instead of two thousand. Once the order is
 * `not_placed`, the bot still watches for a late debit: after 15, 30 and 60 min, then hourly until 24 h.
 */
const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/**
 * An order is declared `not_placed` only after a complete read of the wallet that began at least this long after the
 * order was sent, because a debit may appear late.
 */
export const debitsShowWithinMs = 10 * minute
/** An order with doubtful debits goes to `review` this long after the send. */
export const reconcilingEndsMs = 10.5 * minute
/** How long after the send the bot watches for a late debit, and how long after a failure it looks for a refund. */
export const watchEndsMs = 24 * hour

/** How far before the send a debit's time may be, if the difference to the provider's clock has been measured. */
export const measuredToleranceMs = 2 * minute
/** How far before the send a debit's time may be, if the difference to the provider's clock has not been measured. */
export const unmeasuredToleranceMs = 15 * minute

/**
 * The latest moment at which the order may have been sent. All waits for its debit are counted from this moment. Call
 * it only for an order that is not being sent.
 *
 * For an order found in a restored copy, `sentAt` is only the earliest possible time. The bot with the newer database
 * may have sent it until the restored bot started. That start is stored as `leaseUntil`, so it counts.
 */
export const latestSend = ({
  leaseUntil,
  sentAt,
  createdAt,
}: Pick<Order, 'leaseUntil' | 'sentAt' | 'createdAt'>): Date => leaseUntil ?? sentAt ?? createdAt

/** Whether the wallet is read for the order, because a new debit may be the order's own. */
export const isWatched = ({ placement, reconcileAt }: Pick<Order, 'placement' | 'reconcileAt'>): boolean =>
  placement === 'sending' || reconcileAt !== null

const unknownAge = debitsShowWithinMs
const hourly = [{ every: hour, until: watchEndsMs }]

const refunds: RetrySchedule = { ages: [minute, 10 * minute, hour], multiples: hourly, unknownAge }

/** The next look for a refund: 1, 10 and 60 min after the failure, then hourly until 24 h; null after that. */
export const nextRefundCheck = (failedAt: Date, now: Date): Date | null => nextTryAt(refunds, failedAt, now)

const reads: EndlessSchedule = {
  ages: [5 * second, 20 * second],
  growing: { share: 1 / 20, least: 45 * second, most: hour },
  unknownAge,
}

/** The next read of the wallet for an order of unknown outcome. Reads are repeated until one succeeds. */
export const nextReconciling = (sentAt: Date, now: Date): Date => nextTryAt(reads, sentAt, now)

/** Reads of up to this many pages are not followed by a rest. */
const cheapPages = 10
const restPerPageMs = 10 * second

/**
 * When to read a wallet again. After a long read (many `requests`), the bot rests 10 s per page, so that a wallet in
 * which nothing is found does not use up the account's hourly request limit. The first read that can prove the order
 * `not_placed` is not delayed.
 */
export const restAfterRead = (requests: number, sentAt: Date, at: Date, next: Date): Date => {
  if (requests <= cheapPages) return next
  const decidedMs = sentAt.getTime() + debitsShowWithinMs
  const rested = at.getTime() + requests * restPerPageMs
  const latest = decidedMs > at.getTime() ? Math.min(rested, decidedMs) : rested
  return new Date(Math.max(next.getTime(), latest))
}

const watch: RetrySchedule = { ages: [15 * minute, 30 * minute, hour], multiples: hourly, unknownAge }

/** The next read of the watch for a late debit; null after a day. */
export const nextWatch = (sentAt: Date, now: Date): Date | null => nextTryAt(watch, sentAt, now)

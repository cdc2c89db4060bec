import type { Order } from './order.ts'

/**
 * How long the delivery of an order took, in seconds: from `placedAt` to `deliveredAt`, both by the provider's clock.
 * If the provider gave no delivery time, the result is the time from the send to `now`. Both are by our clock, because
 * its difference from the provider's is not known well enough.
 *
 * @returns null if `placedAt` is unknown, or the result would not fit into a database column
 */
export const deliverySecondsOf = (
  { placedAt, sentAt }: Pick<Order, 'placedAt' | 'sentAt'>,
  deliveredAt: Date | null,
  now: Date,
): number | null => {
  if (placedAt === null) return null
  const tookMs = deliveredAt
    ? deliveredAt.getTime() - placedAt.getTime()
    : now.getTime() - (sentAt ?? placedAt).getTime()
  const seconds = Math.max(0, Math.round(tookMs / 1000))
  return seconds <= maxSeconds ? seconds : null
}

/** The largest integer of a database column: 68 years in seconds. */
const maxSeconds = 2_147_483_647

import type { Order } from './order.ts'

/**
 * How long the delivery of an order took, in seconds: from being placed to being delivered, both by the provider's
 * clock. A delivery whose time the provider did not tell is timed by ours alone, from the send to `now`: how far both
 * clocks are apart is not known well enough.
 *
 * @returns null where it is not known when the order was placed, or the times are an age apart.
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
  return seconds <= mostSeconds ? seconds : null
}

/** 68 years: what has room in a database's whole number. */
const mostSeconds = 2_147_483_647

import type { Order } from './order.ts'

/**
 * How long the delivery of an order took, in seconds by the provider's clock: from being placed to being delivered.
 * A delivery whose time the provider did not tell is timed by ours, `now`, corrected by what is known between both.
 *
 * @returns null where it is not known when the order was placed, or the times are an age apart.
 */
export const deliverySecondsOf = (
  { placedAt, clockOffsetMs }: Pick<Order, 'placedAt' | 'clockOffsetMs'>,
  deliveredAt: Date | null,
  now: Date,
): number | null => {
  if (placedAt === null) return null
  const endMs = deliveredAt?.getTime() ?? now.getTime() + (clockOffsetMs ?? 0)
  const seconds = Math.max(0, Math.round((endMs - placedAt.getTime()) / 1000))
  return seconds <= mostSeconds ? seconds : null
}

/** 68 years: what has room in a database's whole number. */
const mostSeconds = 2_147_483_647

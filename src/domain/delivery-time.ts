import type { Order } from './order.ts'

/**
 * How long the delivery of an order took, in seconds: from `placedAt` to `deliveredAt`, both by the provider's
 * clock. If the provider did not tell the time of delivery, our clock alone counts, from the send to `now`,
 * because the distance between both clocks is not known well enough.
 *
 * @returns null if the time of placing is unknown, or the times are an age apart
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

/** 68 years: the largest whole number of a database's column. */
const maxSeconds = 2_147_483_647

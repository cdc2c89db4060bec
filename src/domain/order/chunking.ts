import type { Phone } from '../../provider/phone.ts'

/** The most phones in one bulk order (API §8). */
export const maxPerOrder = 100

/** A line of a confirmed list: one bundle for one phone. */
export interface ConfirmedLine {
  phone: Phone
  bundleId: number
}

/**
 * Groups the lines of a list into as few orders as the API allows. Each order has one bundle, at most a hundred
 * recipients, and no phone twice. Bundles are in the order of their first line, recipients in the order of the
 * list.
 */
export const chunksOf = <T extends ConfirmedLine>(lines: readonly T[]): T[][] =>
  [...Map.groupBy(lines, ({ bundleId }) => bundleId).values()].flatMap(ordersOfBundle)

const ordersOfBundle = <T extends ConfirmedLine>(lines: readonly T[]): T[][] => {
  const orders: T[][] = []
  /** How many of the bundle's orders already contain the phone. These are always the first orders. */
  const seen = new Map<Phone, number>()
  /** The index of the first order that has room. */
  let firstOpen = 0
  for (const line of lines) {
    let at = Math.max(firstOpen, seen.get(line.phone) ?? 0)
    while ((orders[at]?.length ?? 0) >= maxPerOrder) at += 1
    orders[at] ??= []
    orders[at]?.push(line)
    seen.set(line.phone, at + 1)
    while ((orders[firstOpen]?.length ?? 0) >= maxPerOrder) firstOpen += 1
  }
  return orders
}

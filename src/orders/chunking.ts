import type { Phone } from '../provider/phone.ts'

/** Phone numbers per bulk order (API §8). */
export const mostPerOrder = 100

export interface Line {
  phone: Phone
  bundleId: number
}

/**
 * Groups the lines of a list into as few orders as the API allows: one bundle each, at most a hundred recipients,
 * no phone twice. Bundles follow one another as they first appear in the list, recipients as they stand in it.
 */
export const chunksOf = <T extends Line>(lines: readonly T[]): T[][] =>
  [...Map.groupBy(lines, ({ bundleId }) => bundleId).values()].flatMap(ordersOfBundle)

const ordersOfBundle = <T extends Line>(lines: readonly T[]): T[][] => {
  const orders: T[][] = []
  /** How many orders of the bundle have the phone already: it stands in the first so many. */
  const seen = new Map<Phone, number>()
  /** Orders before this one are full. */
  let firstOpen = 0
  for (const line of lines) {
    let at = Math.max(firstOpen, seen.get(line.phone) ?? 0)
    while ((orders[at]?.length ?? 0) >= mostPerOrder) at += 1
    orders[at] ??= []
    orders[at]?.push(line)
    seen.set(line.phone, at + 1)
    while ((orders[firstOpen]?.length ?? 0) >= mostPerOrder) firstOpen += 1
  }
  return orders
}

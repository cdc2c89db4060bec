import type { Order } from '../../domain/order/order.ts'

/**
 * Whether the provider's look-up of orders by reference works, judged by the requests of this process. A single order
 * that is not found may be lost, but if no order is found, the look-up is broken.
 */
export interface LookUps {
  note(order: Pick<Order, 'reference' | 'answeredAt' | 'sentAt' | 'createdAt'>, isFound: boolean): void
  /** Null until enough orders were looked up. */
  state(): 'found' | 'none_found' | null
}

/** The look-up counts as broken after this many orders in a row were not found. */
export const suspectedAfter = 5
/** For this long after an order was sent, ms, the provider's look-up may fail to find it. */
const newMs = 5 * 60_000

export const createLookUps = (now: () => Date): LookUps => {
  /** References that were not found since the last successful look-up. */
  const missing = new Set<string>()
  /**
   * References that were not found while others were. Those orders are lost, so they do not suggest that the look-up is
   * broken.
   */
  const lost = new Set<string>()
  let hasFound = false

  return {
    note: ({ reference, answeredAt, sentAt, createdAt }, isFound) => {
      if (reference === null) return
      if (isFound) {
        for (const each of missing) lost.add(each)
        missing.clear()
        lost.delete(reference)
        hasFound = true
        return
      }
      const knownSince = answeredAt ?? sentAt ?? createdAt
      if (now().getTime() - knownSince.getTime() >= newMs && !lost.has(reference)) missing.add(reference)
    },
    state: () => (missing.size >= suspectedAfter ? 'none_found' : hasFound ? 'found' : null),
  }
}

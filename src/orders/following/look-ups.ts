import type { Order } from '../../domain/order/order.ts'

/**
 * Whether the provider's look-up finds orders, as this process has seen. One order that is not found may be lost; if
 * none is found, the look-up is broken.
 */
export interface LookUps {
  /** Notes whether an order's reference was found. */
  note(order: Pick<Order, 'reference' | 'answeredAt' | 'sentAt' | 'createdAt'>, isFound: boolean): void
  /** Null until enough was looked up. */
  state(): 'found' | 'none_found' | null
}

/** The look-up counts as broken after this many orders in a row were not found. */
export const suspectedAfter = 5
/** The provider may need this long, ms, until it finds a new order. */
const newMs = 5 * 60_000

export const createLookUps = (now: () => Date): LookUps => {
  /** References that were not found since the last one that was. */
  const missing = new Set<string>()
  /** References that were not found although others were. They do not speak against the look-up. */
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

/** Limits how many callbacks are kept for each order. */
export interface CallbackLimit {
  /**
   * Whether one more callback of the order may be kept. Returns a promise only if the callbacks must be counted in the
   * database. The promise rejects if that fails.
   */
  hasRoom(orderId: string): boolean | Promise<boolean>
}

/**
 * The most callbacks kept for one order, however many arrive. Each new body is a new event, so anybody with the address
 * of one order could otherwise fill the disk. A list of 100 numbers reaches the limit if each number has five statuses
 * and each status is reported four times in different words. Callbacks beyond the limit can be dropped, because polling
 * reads the status as well.
 */
export const maxCallbacks = 2_000

/**
 * How many callbacks of an order are kept before the database is asked to count them. Hardly any order has more than
 * this, so counting is rare.
 */
const grant = 50

/** If more orders than this are remembered, those without a callback for the longest time are forgotten. */
const maxRemembered = 10_000

/**
 * Counts in memory, and asks the database only about orders with many callbacks. Each process counts separately, so
 * several together may keep a few more than the limit.
 *
 * @param kept counts an order's callbacks in the database.
 */
export const createCallbackLimit = (
  kept: (orderId: string) => Promise<number>,
  most = maxCallbacks,
): CallbackLimit => {
  /** How many more callbacks each order may have until it is counted again; `none` once it has reached the limit. */
  const room = new Map<string, number | 'none'>()

  const remember = (orderId: string, left: number | 'none'): void => {
    room.delete(orderId)
    room.set(orderId, left)
    if (room.size > maxRemembered) room.delete(room.keys().next().value ?? '')
  }

  const take = (orderId: string, granted: number): boolean => {
    remember(orderId, granted > 0 ? granted - 1 : 'none')
    return granted > 0
  }

  return {
    hasRoom: (orderId) => {
      const left = room.get(orderId) ?? grant
      if (left === 'none') return false
      if (left > 0) return take(orderId, left)
      return kept(orderId).then((count) => take(orderId, Math.min(grant, most - count)))
    },
  }
}

/** Bounds how many callbacks of one order are kept. */
export interface CallbackLimit {
  /**
   * Whether one more callback of the order may be kept. A promise only if the callbacks must be counted in the
   * database; it rejects if they cannot be.
   */
  hasRoom(orderId: string): boolean | Promise<boolean>
}

/**
 * The most callbacks kept for one order, however many arrive. Each new body is a new event, so anybody with the address
 * of one order could otherwise fill the disk. A list of 100 numbers reaches the limit if each number has five statuses
 * and each status is reported four times in different words. Nothing is lost above it, because polling reads the
 * status, too.
 */
export const maxCallbacks = 2_000

/** How many callbacks are granted between two counts. Hardly any order has more, so hardly any is ever counted. */
const grant = 50

/** Above this number, the orders whose last callback is oldest are forgotten. */
const maxRemembered = 10_000

/**
 * Counts in memory, and asks the database only about orders with many callbacks. Every instance counts for itself, so
 * several together may keep a few more than the limit.
 *
 * @param kept counts the events of an order in the database.
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

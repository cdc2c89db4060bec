/** Bounds how many callbacks of one order are kept. */
export interface CallbackLimit {
  /** Whether one more of the order may be kept. Rejects where that cannot be read. */
  hasRoom(orderId: string): Promise<boolean>
}

/**
 * So many of one order are kept, whatever their number: who knows the address of one order could fill the disk
 * otherwise, since each other body is another event. A list of 100 numbers that each go through five statuses, every
 * one told four times in other words, has as many. What comes above that is not lost: polling tells the status.
 */
export const mostCallbacks = 2_000

/** So many are taken between two looks at how many there are: hardly an order has more, and is ever looked at. */
const grant = 50

/** Orders of which none came for longest are forgotten above this number. */
const mostRemembered = 10_000

/**
 * Counts in memory, and asks how many there are only where an order has had many. Of several instances each
 * grants some of its own, so all together may keep a few more.
 *
 * @param kept how many events of an order there are.
 */
export const createCallbackLimit = (
  kept: (orderId: string) => Promise<number>,
  most = mostCallbacks,
): CallbackLimit => {
  /** How many more each order may have until it is looked at again; none once it was full. */
  const room = new Map<string, number | 'none'>()

  const remember = (orderId: string, left: number | 'none'): void => {
    room.delete(orderId)
    room.set(orderId, left)
    if (room.size > mostRemembered) room.delete(room.keys().next().value ?? '')
  }

  return {
    hasRoom: async (orderId) => {
      const left = room.get(orderId) ?? grant
      if (left === 'none') return false
      const granted = left > 0 ? left : Math.min(grant, most - (await kept(orderId)))
      remember(orderId, granted > 0 ? granted - 1 : 'none')
      return granted > 0
    },
  }
}

import type { ReportedOrder } from '../../store/orders/order-surroundings.ts'
import type { Queries } from '../../store/store.ts'

/**
 * The queries of a transaction, which answer from what it has read in one statement. That stays true in it: nothing
 * there changes who follows an order, what people want to be told, or which orders wait.
 */
export const readAhead = (tx: Queries, read: readonly ReportedOrder[]): Queries => {
  const reported = new Map(read.map((each) => [each.order.id, each]))
  const wishes = new Map(read.map(({ order, preferences }) => [order.chatId, preferences]))
  return {
    ...tx,
    chats: {
      ...tx.chats,
      followers: async (id) => reported.get(id)?.followers ?? tx.chats.followers(id),
    },
    preferences: { ...tx.preferences, of: async (userId) => wishes.get(userId) ?? tx.preferences.of(userId) },
    orders: {
      ...tx.orders,
      wakeWaiting: async (id) => {
        if (reported.get(id)?.isWaitedFor !== false) await tx.orders.wakeWaiting(id)
      },
    },
  }
}

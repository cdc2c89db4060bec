import type { ReportedOrder } from '../../store/orders/order-surroundings.ts'
import type { Queries } from '../../store/store.ts'

/**
 * The queries of a transaction. Some of them are answered from `read`, which was read for many orders together. These
 * answers stay true during the transaction, because it does not change who follows an order, people's settings, or
 * which orders wait.
 */
export const withPrefetched = (tx: Queries, read: readonly ReportedOrder[]): Queries => {
  const reported = new Map(read.map((each) => [each.order.id, each]))
  const wishes = new Map(
    read.flatMap(({ order, preferences }) => (preferences ? [[order.chatId, preferences]] : [])),
  )
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

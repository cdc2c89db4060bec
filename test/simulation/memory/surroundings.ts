import { isAhead } from '../../../src/domain/ahead.ts'
import type { Order } from '../../../src/domain/order.ts'
import { maintenanceFact, networksFact } from '../../../src/store/chats/chats.ts'
import type { ReportedOrder } from '../../../src/store/orders/order-surroundings.ts'
import type { OrderStore } from '../../../src/store/orders/orders.ts'
import type { MemoryQueries } from './store.ts'
import { byTime } from './table.ts'

const oldestFirst = byTime<Order>(
  ({ createdAt }) => createdAt,
  ({ id }) => id,
)

type Parts = Omit<MemoryQueries, 'orders'> & { orders: Omit<OrderStore, 'toConfirm' | 'toReport'> }

/** The queries with those that are made of others, of changed ones too. */
export const withSurroundings = <Q extends Parts>(queries: Q): Q & Pick<MemoryQueries, 'orders'> => {
  const { accounts, chats, orders, preferences, purchases, requests, shops } = queries

  const reported = async (order: Order, now: Date): Promise<ReportedOrder> => {
    const account = await accounts.byId(order.accountId)
    const queued = await orders.queuedOfAccount(order.accountId)
    return {
      order,
      followers: await chats.followers(order.id),
      preferences: await preferences.of(order.chatId),
      isWaitedFor: queued.some(({ waitsForId }) => waitsForId === order.id),
      mayBeAsked:
        account !== null &&
        account.unauthorizedSince === null &&
        (account.frozenUntil === null || !isAhead(account.frozenUntil, 'frozenUntil', now)),
    }
  }

  return {
    ...queries,
    orders: {
      ...orders,
      toReport: async (ids, now) => {
        const found = await orders.byIds(ids)
        return Promise.all(found.toSorted(oldestFirst).map((order) => reported(order, now)))
      },

      toConfirm: async (id, { userId, accountId }, since, countedSince = []) => {
        const purchase = await purchases.byId(id)
        const [line] = purchase?.lines ?? []
        return {
          purchase,
          member: await accounts.orderer(userId, accountId),
          recent: line ? await orders.recentFor(accountId, [line.phone], since) : [],
          shop: await shops.of(accountId),
          // The simulation knows no books.
          saved: null,
          made: await requests.countsSince(accountId, countedSince),
          switches: await chats.facts([maintenanceFact, networksFact]),
        }
      },
    },
  }
}

import type { Order } from '../../../src/domain/order/order.ts'
import { isAhead } from '../../../src/domain/times/ahead.ts'
import { switchFacts } from '../../../src/store/operators/facts.ts'
import type { ReportedOrder } from '../../../src/store/orders/order-surroundings.ts'
import type { Queries } from '../../../src/store/store.ts'

/**
 * Rebuilds the queries that read several tables at once from the changed single queries, so that a safeguard that is
 * removed from a single query is removed from them too.
 */
export const withSurroundings = (queries: Queries): Queries => {
  const { accounts, chats, facts, orders, preferences, purchases, shops } = queries

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
      callbackSeenAt: account?.callbackSeenAt ?? null,
    }
  }

  return {
    ...queries,
    orders: {
      ...orders,
      toReport: async (ids, now) => {
        const found = (await orders.byIds(ids)).toSorted(oldestFirst)
        const result: ReportedOrder[] = []
        for (const order of found) result.push(await reported(order, now))
        return result
      },

      toConfirm: async (id, { userId, accountId }, since) => {
        const purchase = await purchases.byId(id)
        const [line] = purchase?.lines ?? []
        return {
          purchase,
          member: await accounts.orderer(userId, accountId),
          recent: line ? await orders.recentFor(accountId, [line.phone], since) : [],
          shop: await shops.of(accountId),
          switches: await facts.readAll(switchFacts),
        }
      },
    },
  }
}

const oldestFirst = (a: Order, b: Order): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1)

import type { Queries, WholeStore } from '../store/store.ts'
import { watchAccounts } from './accounts.ts'
import type { ChronicleEvent } from './event.ts'
import { knownOrders, watchOrders } from './orders.ts'

/**
 * The store, which tells of what it writes about orders and accounts: after the commit, once, and nothing of what was
 * rolled back. So whoever writes need not think of who wants to know, be that a log or a count.
 */
export const chronicled = (store: WholeStore, tell: (event: ChronicleEvent) => void): WholeStore => {
  const known = knownOrders()
  const watched = ({ orders, accounts }: Queries, note: (event: ChronicleEvent) => void) => ({
    orders: watchOrders(orders, known, note),
    accounts: watchAccounts(accounts, note),
  })
  return {
    ...store,
    ...watched(store, tell),
    events: {
      ...store.events,
      insert: async (events) => {
        const stored = await store.events.insert(events)
        for (const { orderId, status, receivedAt: at } of events) {
          const accountId = known.of(orderId)?.accountId ?? null
          tell({ kind: 'callback', orderId, accountId, at, status })
        }
        return stored
      },
    },
    transaction: async (work, limitMs) => {
      let events: ChronicleEvent[] = []
      const result = await store.transaction((tx) => {
        // Work that met another's may be done again from its beginning.
        events = []
        return work({ ...tx, ...watched(tx, (event) => events.push(event)) })
      }, limitMs)
      for (const event of events) tell(event)
      return result
    },
  }
}

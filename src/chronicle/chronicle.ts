import type { Queries, Store } from '../store/store.ts'
import { watchAccounts } from './accounts.ts'
import type { ChronicleEvent } from './event.ts'
import { knownOrders, watchOrders } from './orders.ts'

/**
 * The store, which also reports its writes about orders and accounts. Each event is told once, after the commit, and
 * nothing of a transaction that was rolled back is told. So the code that writes need not know who listens, be that a
 * log or a count.
 *
 * @param keep writes events in the transaction itself, if a crash after the commit must not lose them.
 * @param tell called after the commit with the event, and whether `keep` had it.
 */
export const chronicled = (
  store: Store,
  tell: (event: ChronicleEvent, isKept: boolean) => void,
  keep: (tx: Queries, events: readonly ChronicleEvent[]) => Promise<void> = async () => {},
): Store => {
  const known = knownOrders()
  const watched = ({ orders, accounts }: Queries, note: (event: ChronicleEvent) => void) => ({
    orders: watchOrders(orders, known, note),
    accounts: watchAccounts(accounts, note),
  })
  /** Runs a transaction, and tells its events once it is committed. */
  const told = async <T>(
    run: (work: (tx: Queries) => Promise<T>) => Promise<T>,
    work: (tx: Queries) => Promise<T>,
  ): Promise<T> => {
    let events: ChronicleEvent[] = []
    const result = await run(async (tx) => {
      // A transaction that met another's may be done again from its beginning.
      events = []
      const done = await work({ ...tx, ...watched(tx, (event) => events.push(event)) })
      await keep(tx, events)
      return done
    })
    for (const event of events) tell(event, true)
    return result
  }
  return {
    ...store,
    ...watched(store, (event) => tell(event, false)),
    events: {
      ...store.events,
      insert: async (events) => {
        const stored = await store.events.insert(events)
        for (const { orderId, status, receivedAt: at } of events) {
          const accountId = known.of(orderId)?.accountId ?? null
          tell({ kind: 'callback', orderId, accountId, at, status }, false)
        }
        return stored
      },
    },
    transaction: (work, options) => told((each) => store.transaction(each, options), work),
  }
}

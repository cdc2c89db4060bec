import { type AccountStore, accountStore } from './accounts.ts'
import { type ChatStore, chatStore } from './chats.ts'
import { type CopyStore, copyStore } from './copies.ts'
import type { Client, Database } from './database.ts'
import { type Arrivals, arrivals, type EventStore, eventStore } from './events.ts'
import { type LeaseStore, leaseStore } from './leases.ts'
import { type ListStore, listStore } from './lists.ts'
import { type NoticeStore, noticeStore } from './notices.ts'
import { type OrderStore, orderStore } from './orders.ts'
import { type PurchaseStore, purchaseStore } from './purchases.ts'
import { type RequestStore, requestStore } from './requests.ts'

/** All queries of Bundlegram, by what they are about. */
export interface Queries {
  accounts: AccountStore
  purchases: PurchaseStore
  orders: OrderStore
  events: EventStore
  notices: NoticeStore
  chats: ChatStore
  copies: CopyStore
  leases: LeaseStore
  lists: ListStore
  requests: RequestStore
}

export interface Store extends Queries {
  events: EventStore & Arrivals
  /**
   * Runs the work in one transaction: all of it is committed, or none.
   * @param limitMs work that takes longer is rolled back (default: 10 s).
   */
  transaction<T>(work: (queries: Queries) => Promise<T>, limitMs?: number): Promise<T>
}

const queriesOn = (client: Client): Queries => ({
  accounts: accountStore(client),
  purchases: purchaseStore(client),
  orders: orderStore(client),
  events: eventStore(client),
  notices: noticeStore(client),
  chats: chatStore(client),
  copies: copyStore(client),
  leases: leaseStore(client),
  lists: listStore(client),
  requests: requestStore(client),
})

/** How long a transaction may wait for its turn, and then take. */
const transactionMs = 10_000

export const createStore = ({ client, insert }: Pick<Database, 'client' | 'insert'>): Store => ({
  ...queriesOn(client),
  events: { ...eventStore(client), ...arrivals(insert) },
  transaction: (work, limitMs = transactionMs) =>
    client.$transaction((transaction) => work(queriesOn(transaction)), {
      maxWait: transactionMs,
      timeout: limitMs,
    }),
})

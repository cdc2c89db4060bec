import type { DatabaseKind } from '../../../src/database/schema.ts'
import type { Queries, Store } from '../../../src/store/store.ts'
import { memoryAccounts } from './accounts.ts'
import { memoryAlerts } from './alerts.ts'
import { memoryChats } from './chats.ts'
import { memoryCopies } from './copies.ts'
import { memoryLeases } from './leases.ts'
import { memoryLists } from './lists.ts'
import { memoryNotices } from './notices.ts'
import { memoryOrders } from './orders.ts'
import { memoryPorted } from './ported.ts'
import { memoryPreferences } from './preferences.ts'
import { memoryPurchases } from './purchases.ts'
import { memoryRequests } from './requests.ts'
import { createTables, type Tables } from './rows.ts'
import { memoryShops } from './shops.ts'
import { memoryStatusReports } from './status-reports.ts'
import { withSurroundings } from './surroundings.ts'
import { memoryWarnings } from './warnings.ts'

/** The store in memory: answers as the real one does, some hundred times as fast, and forgets all. */
export interface MemoryStore extends Store {
  tables: Tables
}

/** The queries that the engine needs: those of the chat alone are missing. */
export type MemoryQueries = Pick<
  Queries,
  | 'accounts'
  | 'alerts'
  | 'chats'
  | 'copies'
  | 'statusReports'
  | 'leases'
  | 'lists'
  | 'notices'
  | 'orders'
  | 'ported'
  | 'preferences'
  | 'purchases'
  | 'requests'
  | 'shops'
  | 'warnings'
>

export const createMemoryStore = (
  now: () => Date = () => new Date(),
  kind: DatabaseKind = 'sqlite',
): MemoryStore => {
  const tables = createTables(kind)
  const parts = {
    accounts: memoryAccounts(tables),
    purchases: memoryPurchases(tables),
    orders: memoryOrders(tables),
    statusReports: memoryStatusReports(tables),
    notices: memoryNotices(tables),
    chats: memoryChats(tables),
    copies: memoryCopies(tables),
    leases: memoryLeases(tables),
    lists: memoryLists(tables),
    requests: memoryRequests(tables),
    preferences: memoryPreferences(tables),
    ported: memoryPorted(tables),
    shops: memoryShops(tables),
    alerts: memoryAlerts(tables),
    warnings: memoryWarnings(tables),
  }
  const queries = withSurroundings(parts) as MemoryQueries as Queries
  return {
    ...queries,
    tables,
    clock: async () => now(),
    transaction: (work) => tables.journal.transaction(() => work(queries)),
  }
}

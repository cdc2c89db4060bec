import type { DatabaseKind } from '../../../src/database/schema.ts'
import type { Scope } from '../../../src/database/scope.ts'
import { boundedJournal, widening } from '../../../src/store/scoped.ts'
import type { Store } from '../../../src/store/store.ts'
import { memoryAccounts } from './accounts.ts'
import { memoryAlarms } from './alarms.ts'
import { memoryChats } from './chats.ts'
import { memoryCopies } from './copies.ts'
import { memoryEvents } from './events.ts'
import { memoryLeases } from './leases.ts'
import { memoryLists } from './lists.ts'
import { memoryNotices } from './notices.ts'
import { memoryOrders } from './orders.ts'
import { memoryPorted } from './ported.ts'
import { memoryPreferences } from './preferences.ts'
import { memoryPurchases } from './purchases.ts'
import { memoryRequests } from './requests.ts'
import { createTables, type Tables } from './rows.ts'
import { scopeChecked } from './scope-check.ts'
import { memorySetBack } from './set-back.ts'
import { memoryShops } from './shops.ts'
import { withSurroundings } from './surroundings.ts'
import { memoryWarnings } from './warnings.ts'

/** The store in memory: answers as the real one does, some hundred times as fast, and forgets all. */
export interface MemoryStore extends Store {
  tables: Tables
}

export const createMemoryStore = (
  now: () => Date = () => new Date(),
  kind: DatabaseKind = 'sqlite',
  onScopeViolation: (what: string) => void = () => {},
): MemoryStore => {
  const tables = createTables(kind)
  const parts = {
    accounts: memoryAccounts(tables),
    purchases: memoryPurchases(tables),
    orders: memoryOrders(tables),
    events: memoryEvents(tables),
    notices: memoryNotices(tables),
    chats: memoryChats(tables),
    copies: memoryCopies(tables),
    leases: memoryLeases(tables),
    lists: memoryLists(tables),
    requests: memoryRequests(tables),
    preferences: memoryPreferences(tables),
    ported: memoryPorted(tables),
    shops: memoryShops(tables),
    alarms: memoryAlarms(tables),
    warnings: memoryWarnings(tables),
  }
  const queries = withSurroundings(parts)
  const checks = new Map<string, () => typeof queries>()
  const begin = (scope: Scope): typeof queries => {
    const name = String(scope)
    const known = checks.get(name)
    if (known) return known()
    const bounded = { ...queries, ...boundedJournal(queries, scope) }
    const check = scopeChecked(tables, bounded, scope, onScopeViolation)
    checks.set(name, check)
    return check()
  }
  const within: Store['within'] = (scope, work) =>
    widening(scope, (current) => tables.journal.transaction(() => work(begin(current))))
  return {
    ...queries,
    tables,
    clock: async () => now(),
    clockSetBack: memorySetBack(tables),
    transaction: (work) => tables.journal.transaction(() => work(queries)),
    within,
  }
}

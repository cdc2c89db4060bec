import { isWithin, OutOfScope, type Part, type Scope } from '../database/scope.ts'
import type { OrderStore } from './orders.ts'
import type { PurchaseStore } from './purchases.ts'

interface Journal {
  orders: OrderStore
  purchases: PurchaseStore
}

/**
 * The queries of a transaction, bounded where they lead out of its scope unforeseen: a reference may be held by another
 * account's order, and a message that comes again, a press or /cancel may be about a card of an account that its person
 * has left.
 * @throws {OutOfScope} in the queries, for `widening`.
 */
export const bounded = <Q extends Journal>(queries: Q, scope: Scope): Q => ({
  ...queries,
  ...boundedJournal(queries, scope),
})

/** The same for the order journal alone. */
export const boundedJournal = ({ orders, purchases }: Journal, scope: Scope): Journal => {
  const own = <Values extends unknown[], Row extends { accountId: string }>(
    query: (...values: Values) => Promise<Row | null>,
  ) => {
    return async (...values: Values): Promise<Row | null> => {
      const row = await query(...values)
      if (row) demand(scope, `account ${row.accountId}`)
      return row
    }
  }
  return {
    orders: {
      ...orders,
      byId: own(orders.byId),
      byReference: own(orders.byReference),
      toAnswer: async (...asked) => {
        const answered = await orders.toAnswer(...asked)
        for (const order of [answered.order, answered.holder])
          if (order) demand(scope, `account ${order.accountId}`)
        return answered
      },
      toConfirm: async (...asked) => {
        const found = await orders.toConfirm(...asked)
        if (found.purchase) demand(scope, `account ${found.purchase.accountId}`)
        return found
      },
      toReport: async (...asked) => {
        const found = await orders.toReport(...asked)
        for (const { order } of found) demand(scope, `account ${order.accountId}`)
        return found
      },
      toSend: async (...asked) => {
        const found = await orders.toSend(...asked)
        if (found.order) demand(scope, `account ${found.order.accountId}`)
        return found
      },
    },
    purchases: {
      ...purchases,
      byId: own(purchases.byId),
      byCause: own(purchases.byCause),
      insertDraft: async (draft) => {
        const purchase = await purchases.insertDraft(draft)
        demand(scope, `account ${purchase.accountId}`)
        return purchase
      },
      newestDraft: own(purchases.newestDraft),
    },
  }
}

const demand = (scope: Scope, part: Part): void => {
  if (!isWithin(scope, part)) throw new OutOfScope(part)
}

/** Runs the work, and runs it again in a wider scope each time that it comes upon a part outside. */
export const widening = async <T>(scope: Scope, run: (scope: Scope) => Promise<T>): Promise<T> => {
  let current = scope
  for (;;) {
    try {
      return await run(current)
    } catch (error) {
      if (!(error instanceof OutOfScope) || isWithin(current, error.part) || current === 'everything')
        throw error
      current = [...current, error.part]
    }
  }
}

import { isWithin, type Part, type Scope } from '../../../src/database/scope.ts'
import type { Queries } from '../../../src/store/store.ts'
import type { Tables } from './rows.ts'

/** A transaction wrote outside its scope, or wrote after it had read outside. */
export class ScopeViolation extends Error {
  override name = 'ScopeViolation'
}

/** Topics whose rows belong to no account: what is read of them decides nothing that another transaction could change. */
const common: readonly (keyof Queries)[] = ['leases', 'copies']

/**
 * The queries of a transaction in a scope, which refuse a write outside of it, and every write after a read outside.
 * Owing a message is neither: it is one row more in any chat.
 * @param onViolation called with what happened, before the error is thrown.
 */
export const scopeChecked = <Q extends Queries>(
  tables: Tables,
  queries: Q,
  scope: Scope,
  onViolation: (what: string) => void,
): Q => {
  /** The first thing that was read outside. */
  let foreign: string | null = null

  const refuse = (what: string): never => {
    onViolation(what)
    throw new ScopeViolation(what)
  }
  const checkWrite = (name: string, row: object): void => {
    if (isOwed(row)) return
    const part = partOf(tables, row)
    if (part && !isWithin(scope, part)) refuse(`${name} writes to ${part}, outside ${String(scope)}`)
    if (foreign) refuse(`${name} writes after ${foreign}, outside ${String(scope)}`)
  }
  const noteRead = (name: string, value: unknown): void => {
    for (const part of partsIn(tables, value))
      if (!isWithin(scope, part)) foreign ??= `${name} has read of ${part}`
  }
  const checked = <T extends object>(topic: keyof Queries, target: T): T =>
    new Proxy(target, {
      get: (_, key) => {
        const query: unknown = Reflect.get(target, key)
        if (typeof query !== 'function' || common.includes(topic)) return query
        const name = `${topic}.${String(key)}`
        const watcher = (row: object): void => checkWrite(name, row)
        return async (...values: unknown[]) => {
          const value = await tables.journal.watched(watcher, () => query(...values))
          noteRead(name, value)
          return value
        }
      },
    })
  const topics = new Map<string | symbol, object>()
  return new Proxy(queries, {
    get: (_, topic) => {
      const known = topics.get(topic)
      if (known) return known
      const made = checked(topic as keyof Queries, queries[topic as keyof Queries])
      topics.set(topic, made)
      return made
    },
  })
}

const isOwed = (row: object): boolean => 'subject' in row && 'attempts' in row

/** The part of the database that a row belongs to; null: to none. */
const partOf = (tables: Tables, row: object): Part | null => {
  const { accountId, orderId, purchaseId, id } = row as Record<string, unknown>
  if (typeof accountId === 'string') return `account ${accountId}`
  const order = typeof orderId === 'string' ? tables.orders.get(orderId) : undefined
  const purchase = typeof purchaseId === 'string' ? tables.purchases.get(purchaseId) : undefined
  const owner = order ?? purchase
  if (owner) return `account ${owner.accountId}`
  return typeof id === 'string' && tables.accounts.get(id) ? `account ${id}` : null
}

/** The parts of all rows in a result. All that is owed to a chat is the chat's. */
const partsIn = function* (tables: Tables, value: unknown): Generator<Part> {
  if (value instanceof Map) yield* partsIn(tables, [...value.values()])
  else if (Array.isArray(value)) for (const each of value) yield* partsIn(tables, each)
  else if (value !== null && typeof value === 'object') {
    if (isNotice(value)) yield `chat ${value.chatId}`
    else {
      const part = partOf(tables, value)
      if (part) yield part
    }
  }
}

const isNotice = (value: object): value is { chatId: number } => 'chatId' in value && 'content' in value

import { isWithin, type Part, type Scope } from '../../../src/database/scope.ts'
import type { Queries } from '../../../src/store/store.ts'
import type { Tables } from './rows.ts'

/** A transaction wrote outside its scope, or wrote after it had read outside. */
export class ScopeViolation extends Error {
  override name = 'ScopeViolation'
}

/** Topics whose rows belong to no account: what is read of them decides nothing that another transaction could change. */
const common: readonly string[] = ['leases', 'copies']

/**
 * The queries of transactions in a scope, which refuse a write outside of it, and every write after a read outside.
 * Owing a message is neither: it is one row more in any chat.
 * @param onViolation called with what happened, before the error is thrown.
 * @returns the queries for the next transaction. Transactions come one after another.
 */
export const scopeChecked = <Q extends Queries>(
  tables: Tables,
  queries: Q,
  scope: Scope,
  onViolation: (what: string) => void,
): (() => Q) => {
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
    if (foreign !== null) return
    const part = partIn(tables, value, (each) => !isWithin(scope, each))
    if (part !== null) foreign = `${name} has read of ${part}`
  }
  const checked = <T extends object>(topic: string, target: T): T => {
    const result = { ...target }
    for (const [key, query] of Object.entries(target)) {
      const name = `${topic}.${key}`
      const watcher = (row: object): void => checkWrite(name, row)
      const ask = async (...values: unknown[]) => {
        const value = await tables.journal.watched(watcher, () => query(...values))
        noteRead(name, value)
        return value
      }
      Object.assign(result, { [key]: ask })
    }
    return result
  }
  const result = { ...queries }
  for (const [topic, each] of Object.entries(queries))
    if (!common.includes(topic)) Object.assign(result, { [topic]: checked(topic, each) })
  return () => {
    foreign = null
    return result
  }
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

/** The first part of the rows in a result that fits. All that is owed to a chat is the chat's. */
const partIn = (tables: Tables, value: unknown, fits: (part: Part) => boolean): Part | null => {
  if (value === null || typeof value !== 'object') return null
  if (value instanceof Map || Array.isArray(value)) {
    for (const each of value.values()) {
      const part = partIn(tables, each, fits)
      if (part !== null) return part
    }
    return null
  }
  const part: Part | null = isNotice(value) ? `chat ${value.chatId}` : partOf(tables, value)
  return part !== null && fits(part) ? part : null
}

const isNotice = (value: object): value is { chatId: number } => 'chatId' in value && 'content' in value

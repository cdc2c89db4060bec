import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Order, Purchase } from '../../../src/domain/order/order.ts'
import type { Account, Member } from '../../../src/store/accounts/accounts.ts'
import { type Preferences, preferencesOf } from '../../../src/store/chats/preferences.ts'
import { orderOf } from '../../../src/store/orders/order-rows.ts'
import { purchaseOf } from '../../../src/store/orders/purchases.ts'
import { tableNames } from './database.ts'

export type OrderRow = Order & { updatedAt: Date }
export type PurchaseRow = Purchase & { cause: string }

export interface NoticeRow {
  id: number
  chatId: number
  subject: string
  kind: string
  data: string
  createdAt: Date
  notBefore: Date | null
  quietUntil: Date | null
  setAsideAt: Date | null
}

/**
 * The tables after the last commit, for observers. They are read from the database itself, and only changed rows are
 * read again, so an unchanged row stays the same object.
 */
export class Tables {
  readonly accounts = new Table<string, Account>('Account', ({ id }) => String(id))
  readonly chats = new Table<number, { id: number; mutedAt: Date | null }>('Chat', ({ id }) => Number(id))
  readonly facts = new Table<string, { name: string; value: string }>('Fact', ({ name }) => String(name))
  readonly leases = new Table<string, { name: string; token: string; until: Date }>('Lease', ({ name }) =>
    String(name),
  )
  readonly members = new Table<number, Member>('Member', ({ userId }) => Number(userId))
  readonly notices = new Table<number, NoticeRow>('Notice', ({ id }) => Number(id))
  readonly orders: Table<string, OrderRow>
  readonly preferences = new Table<number, Preferences>(
    'Preference',
    ({ userId }) => Number(userId),
    (row) => preferencesOf(row as never),
  )
  readonly purchases = new Table<string, PurchaseRow>('Purchase', ({ id }) => String(id), purchaseRowOf)
  /** Grows with each commit that changes anything but a lease. */
  version = 0
  readonly #versions = new Map<string, number>()
  /** Grows with each change of a lease. It is separate, so that observers need not check everything at each renewal. */
  leaseVersion = 0
  /**
   * Called during a transaction, which may still be rolled back.
   * @param orders the list's orders as the transaction sees them.
   */
  onListClosed: (purchaseId: string, orders: readonly OrderRow[]) => void = () => {}
  #faults = 0
  readonly #driver: DatabaseSync
  readonly #changed: StatementSync
  readonly #forget: StatementSync
  readonly #count: StatementSync
  readonly #rows: RowReader

  constructor(driver: DatabaseSync) {
    this.#driver = driver
    noteChanges(driver)
    this.#changed = driver.prepare('SELECT DISTINCT "table", "row" FROM "Changed"')
    this.#forget = driver.prepare('DELETE FROM "Changed"')
    this.#count = driver.prepare('SELECT total_changes() AS "count"')
    this.#rows = new RowReader(driver)
    this.orders = new Table('Order', ({ id }) => String(id), this.#orderRowOf)
    driver.function('list_closed', (id) => {
      this.onListClosed(String(id), this.#ordersOf(String(id)))
      return null
    })
  }

  /** A number that grows with each commit that changes one of these tables, and after each fault. */
  versionOf(names: readonly string[]): number {
    return names.reduce((sum, name) => sum + (this.#versions.get(name) ?? 0), this.#faults)
  }

  /** Called when a query failed, so that observers who skip unchanged tables check again. */
  failed(): void {
    this.#faults += 1
    this.version += 1
  }

  /** How many rows were changed so far, including those of open transactions. */
  get changes(): number {
    return Number(this.#count.get()?.count)
  }

  /** Reads the changed rows. Call it after each query, but not during a transaction. */
  refresh(): void {
    const changed = this.#changed.all()
    if (changed.length === 0) return
    this.#forget.run()
    const { accounts, chats, facts, leases, members, notices, orders, preferences, purchases } = this
    const tables: { name: string; refresh: (reader: RowReader, row: number) => void }[] = [
      accounts,
      chats,
      facts,
      leases,
      members,
      notices,
      orders,
      preferences,
      purchases,
    ]
    for (const { table, row } of changed) {
      this.#versions.set(String(table), (this.#versions.get(String(table)) ?? 0) + 1)
      tables.find(({ name }) => name === table)?.refresh(this.#rows, Number(row))
    }
    const ofLeases = changed.filter(({ table }) => table === 'Lease').length
    if (ofLeases > 0) this.leaseVersion += 1
    if (changed.length > ofLeases) this.version += 1
  }

  /** All rows of a query, unchanged. */
  ask = async (sql: string): Promise<Record<string, unknown>[]> => this.#driver.prepare(sql).all()

  #orderRowOf = (row: Row): OrderRow => {
    const recipients = this.#rows.where('Recipient', '"orderId" = ? ORDER BY "position", "phone"', row.id)
    return { ...orderOf({ ...row, recipients } as never), updatedAt: row.updatedAt as Date }
  }

  #ordersOf(purchaseId: string): OrderRow[] {
    return this.#rows.where('Order', '"purchaseId" = ?', purchaseId).map(this.#orderRowOf)
  }
}

const purchaseRowOf = (row: Row): PurchaseRow => ({ ...purchaseOf(row as never), cause: String(row.cause) })

/** A row in which times are dates and flags are booleans. */
type Row = Record<string, unknown>

/** Reads rows without the bot's client. */
class RowReader {
  readonly #driver: DatabaseSync
  readonly #statements = new Map<string, { statement: StatementSync; types: Map<string, string | null> }>()

  constructor(driver: DatabaseSync) {
    this.#driver = driver
  }

  where(table: string, condition: string, value: unknown): Row[] {
    const sql = `SELECT * FROM "${table}" WHERE ${condition}`
    const known = this.#statements.get(sql) ?? this.#prepare(sql)
    return known.statement.all(value as SQLInputValue).map((row) => typed(row, known.types))
  }

  #prepare(sql: string) {
    const statement = this.#driver.prepare(sql)
    const types = new Map(statement.columns().map(({ name, type }) => [name, type]))
    const known = { statement, types }
    this.#statements.set(sql, known)
    return known
  }
}

const typed = (row: Row, types: ReadonlyMap<string, string | null>): Row => {
  const result = { ...row }
  for (const [name, value] of Object.entries(row)) {
    const type = types.get(name)
    if (type === 'DATETIME' && value !== null) result[name] = new Date(String(value))
    if (type === 'BOOLEAN') result[name] = value === 1
  }
  return result
}

/** The rows of one table, by key. */
export class Table<Key, R extends object> {
  readonly name: string
  readonly #keyOf: (row: Row) => Key
  readonly #read: (row: Row) => R
  readonly #rows = new Map<Key, R>()
  /** The key of each row, by SQLite's own row id. */
  readonly #keys = new Map<number, Key>()
  readonly #watchers: Set<Key>[] = []

  constructor(name: string, keyOf: (row: Row) => Key, read: (row: Row) => R = (row) => row as R) {
    this.name = name
    this.#keyOf = keyOf
    this.#read = read
  }

  refresh(reader: RowReader, rowid: number): void {
    const [row] = reader.where(this.name, 'rowid = ?', rowid)
    const [before, key] = [this.#keys.get(rowid), row && this.#keyOf(row)]
    if (before !== undefined && before !== key) {
      this.#rows.delete(before)
      this.#keys.delete(rowid)
    }
    if (!row || key === undefined) return
    this.#keys.set(rowid, key)
    this.#rows.set(key, Object.freeze(this.#read(row)))
    for (const changed of this.#watchers) changed.add(key)
  }

  get(key: Key): R | undefined {
    return this.#rows.get(key)
  }

  all(): R[] {
    return [...this.#rows.values()]
  }

  rows(): Iterable<R> {
    return this.#rows.values()
  }

  where(fits: (row: R) => boolean): R[] {
    return this.all().filter(fits)
  }

  first(fits: (row: R) => boolean): R | undefined {
    for (const row of this.#rows.values()) if (fits(row)) return row
    return undefined
  }

  /** @returns the rows that were changed since the last call and still exist. */
  changes(): () => R[] {
    const changed = new Set<Key>()
    this.#watchers.push(changed)
    return () => {
      const rows = [...changed].flatMap((key) => this.#rows.get(key) ?? [])
      changed.clear()
      return rows
    }
  }
}

/**
 * Makes the database record which rows change, in the same transaction, so that rolled-back changes are not recorded.
 */
const noteChanges = (driver: DatabaseSync): void => {
  driver.exec(
    'CREATE TEMP TABLE IF NOT EXISTS "Changed" ("table" TEXT, "row" INTEGER); DELETE FROM "Changed"',
  )
  for (const table of tableNames(driver)) {
    for (const [act, row] of [
      ['INSERT', 'NEW'],
      ['UPDATE', 'NEW'],
      ['DELETE', 'OLD'],
    ]) {
      driver.exec(`
        CREATE TEMP TRIGGER IF NOT EXISTS "${table} ${act}" AFTER ${act} ON main."${table}"
        BEGIN INSERT INTO "Changed" VALUES (${subject(table, String(row))}); END`)
    }
  }
  driver.exec(`
    CREATE TEMP TRIGGER IF NOT EXISTS "list closed" AFTER UPDATE OF "closedAt" ON main."Purchase"
    WHEN OLD."closedAt" IS NULL AND NEW."closedAt" IS NOT NULL
    BEGIN SELECT list_closed(NEW."id"); END`)
}

/** A change of a recipient counts as a change of its order. */
const subject = (table: string, row: string): string =>
  table === 'Recipient'
    ? `'Order', (SELECT "rowid" FROM "Order" WHERE "id" = ${row}."orderId")`
    : `'${table}', ${row}."rowid"`

/** Undoes one write. */
type Undo = () => void

/**
 * Shared by the tables of one database: the journal of the open transaction, and a number that grows with each write,
 * so that others notice changes.
 */
export class Journal {
  version = 0
  #undo: Undo[] | null = null
  #watcher: ((row: object) => void) | null = null

  /** Whether a number that was rolled back is given again. */
  readonly takesNumbersBack: boolean

  constructor(takesNumbersBack: boolean) {
    this.takesNumbersBack = takesNumbersBack
  }

  /** @param row what stands there now, or stood there before it was deleted. */
  wrote(undo: Undo, row: object | null): void {
    this.version += 1
    this.#undo?.push(undo)
    if (row) this.#watcher?.(row)
  }

  /** Runs a query, and calls the watcher with each row that it writes. */
  watched<T>(watcher: (row: object) => void, query: () => T): T {
    this.#watcher = watcher
    try {
      return query()
    } finally {
      this.#watcher = null
    }
  }

  /** All of the work's writes stay, or none. Transactions come one after another: a second one is a fault. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.#undo) throw new Error('A transaction is open already.')
    const undo: Undo[] = []
    this.#undo = undo
    try {
      return await work()
    } catch (error) {
      for (const each of undo.reverse()) each()
      throw error
    } finally {
      this.#undo = null
    }
  }
}

/** Keys of the rows for which something holds, kept at hand because they are few of many. */
interface Part<Key, Row> {
  fits: (row: Row) => boolean
  keys: Set<Key>
}

/** Rows by their key. A row is replaced, never changed, so what was read stays as it was: it is read without a copy. */
export class Table<Key, Row extends object> {
  readonly #rows = new Map<Key, Row>()
  /** Numbers that grow from each row to the next one of `#rows`. */
  readonly #places = new Map<Key, number>()
  readonly #parts: Part<Key, Row>[] = []
  readonly #journal: Journal
  #lastPlace = 0
  #lastId = 0
  /** Called after each row that is set, also in a transaction that may still be undone. */
  onSet: (row: Row, before: Row | undefined) => void = () => {}

  constructor(journal: Journal) {
    this.#journal = journal
  }

  /** The next number of a key that counts up. */
  nextId(): number {
    const before = this.#lastId
    this.#lastId += 1
    if (!this.#journal.takesNumbersBack) return this.#lastId
    this.#journal.wrote(() => {
      this.#lastId = before
    }, null)
    return this.#lastId
  }

  get(key: Key): Row | undefined {
    return this.#rows.get(key)
  }

  set(key: Key, row: Row): void {
    const before = this.#rows.get(key)
    this.#put(key, frozen(row))
    this.#journal.wrote(() => {
      if (before) this.#put(key, before)
      else this.#remove(key)
    }, row)
    this.onSet(row, before)
  }

  delete(key: Key): void {
    const before = this.#rows.get(key)
    if (!before) return
    this.#remove(key)
    this.#journal.wrote(() => this.#put(key, before), before)
  }

  #put(key: Key, row: Row): void {
    if (!this.#rows.has(key)) this.#places.set(key, ++this.#lastPlace)
    this.#rows.set(key, row)
    for (const { fits, keys } of this.#parts) {
      if (fits(row)) keys.add(key)
      else keys.delete(key)
    }
  }

  #remove(key: Key): void {
    this.#rows.delete(key)
    this.#places.delete(key)
    for (const { keys } of this.#parts) keys.delete(key)
  }

  /** @returns the rows that fit now, in the table's order, whenever they are asked for. */
  part(fits: (row: Row) => boolean): () => Row[] {
    const keys = new Set<Key>()
    for (const [key, row] of this.#rows) if (fits(row)) keys.add(key)
    this.#parts.push({ fits, keys })
    return () => this.#inOrder(keys)
  }

  /** @returns the rows that were set, and stand there still, since they were last asked for; all at first. */
  changes(): () => Row[] {
    const keys = new Set<Key>(this.#rows.keys())
    const fits = () => true
    this.#parts.push({ fits, keys })
    return () => {
      const rows = this.#inOrder(keys)
      keys.clear()
      return rows
    }
  }

  #inOrder(keys: ReadonlySet<Key>): Row[] {
    if (keys.size === 0) return []
    const sorted = [...keys]
    if (keys.size > 1) sorted.sort((a, b) => (this.#places.get(a) ?? 0) - (this.#places.get(b) ?? 0))
    const rows: Row[] = []
    for (const key of sorted) {
      const row = this.#rows.get(key)
      if (row) rows.push(row)
    }
    return rows
  }

  entries(): [Key, Row][] {
    return [...this.#rows]
  }

  all(): Row[] {
    return [...this.#rows.values()]
  }

  /** All rows, one by one; nothing may be written meanwhile. */
  rows(): Iterable<Row> {
    return this.#rows.values()
  }

  where(fits: (row: Row) => boolean): Row[] {
    const rows: Row[] = []
    for (const row of this.#rows.values()) if (fits(row)) rows.push(row)
    return rows
  }

  first(fits: (row: Row) => boolean): Row | undefined {
    for (const row of this.#rows.values()) if (fits(row)) return row
    return undefined
  }

  /** @returns how many were changed. */
  update(fits: (row: Row) => boolean, key: (row: Row) => Key, change: (row: Row) => Row): number {
    const rows = this.where(fits)
    for (const row of rows) this.set(key(row), change(row))
    return rows.length
  }
}

/** The row with its recipients, so that who changes it is told. */
const frozen = <Row extends object>(row: Row): Row => {
  if ('recipients' in row && Array.isArray(row.recipients) && !Object.isFrozen(row.recipients)) {
    for (const each of row.recipients) Object.freeze(each)
    Object.freeze(row.recipients)
  }
  return Object.freeze(row)
}

/** The error of a unique column about a second value, with the real client's code. */
export class NotUnique extends Error {
  override name = 'NotUnique'
  readonly code = 'P2002'
}

/** Given fields replace the old values; `undefined` leaves a value as it is. */
export const changed = <Row extends object>(row: Row, patch: object): Row => {
  const given = { ...patch }
  for (const [name, value] of Object.entries(patch))
    if (value === undefined) Reflect.deleteProperty(given, name)
  return { ...row, ...given }
}

export const byTime =
  <Row>(time: (row: Row) => Date | null, id: (row: Row) => string | number) =>
  (a: Row, b: Row): number => {
    const difference = (time(a)?.getTime() ?? 0) - (time(b)?.getTime() ?? 0)
    if (difference !== 0) return difference
    const [left, right] = [id(a), id(b)]
    return left < right ? -1 : left > right ? 1 : 0
  }

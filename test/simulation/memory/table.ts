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

  /** Runs the work, and calls the watcher with each row that it writes. */
  async watched<T>(watcher: (row: object) => void, work: () => Promise<T>): Promise<T> {
    this.#watcher = watcher
    try {
      return await work()
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

/** Rows by their key. A row is replaced, never changed, so what was read stays as it was. */
export class Table<Key, Row extends object> {
  readonly #rows = new Map<Key, Row>()
  readonly #journal: Journal
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
    this.#rows.set(key, row)
    this.#journal.wrote(() => {
      if (before) this.#rows.set(key, before)
      else this.#rows.delete(key)
    }, row)
    this.onSet(row, before)
  }

  delete(key: Key): void {
    const before = this.#rows.get(key)
    if (!before) return
    this.#rows.delete(key)
    this.#journal.wrote(() => this.#rows.set(key, before), before)
  }

  entries(): [Key, Row][] {
    return [...this.#rows]
  }

  all(): Row[] {
    return [...this.#rows.values()]
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

/** The error of a unique column about a second value, with the real client's code. */
export class NotUnique extends Error {
  override name = 'NotUnique'
  readonly code = 'P2002'
}

/** Given fields replace the old values; `undefined` leaves a value as it is. */
export const changed = <Row extends object>(row: Row, patch: object): Row => {
  const result = { ...row }
  for (const [name, value] of Object.entries(patch)) {
    if (value !== undefined) Object.assign(result, { [name]: value })
  }
  return result
}

export const byTime =
  <Row>(time: (row: Row) => Date | null, id: (row: Row) => string | number) =>
  (a: Row, b: Row): number => {
    const difference = (time(a)?.getTime() ?? 0) - (time(b)?.getTime() ?? 0)
    if (difference !== 0) return difference
    const [left, right] = [id(a), id(b)]
    return left < right ? -1 : left > right ? 1 : 0
  }

/** The part of the driver that Prisma's adapter of the embedded database uses. */
interface Driver {
  prepare(sql: string): Statement
  exec(sql: string): unknown
  close(): unknown
  readonly inTransaction: boolean
}

interface Statement {
  reader: boolean
  columns(): unknown[]
  raw(): Statement
  safeIntegers(toggle: boolean): Statement
  run(args: unknown[]): Changes
  all(args: unknown[]): unknown[]
}

interface Changes {
  /** How many rows changed. */
  changes: number
}

/** A statement with its arguments, as far as the adapter uses it. */
interface Bound {
  reader: boolean
  columns(): unknown[]
  raw(): { all(): unknown[] }
  run(): Changes
}

interface Prepared {
  bind(args: unknown[]): Bound
}

/** The driver, with its statements kept. */
export interface Statements extends Pick<Driver, 'exec' | 'close' | 'inTransaction'> {
  prepare(sql: string): Prepared
  /** Returns rows as arrays, and whole numbers as numbers. */
  select(sql: string, args: unknown[]): unknown[][]
}

/** Some 200 queries exist; those with lists of values have a text for each length. */
const maxKept = 500

/**
 * Prepares each statement once. The adapter prepares on each run, which takes longer than most queries themselves: an
 * order has 45 columns.
 * @param limit how many statements are kept, the last prepared ones.
 */
export const keepStatements = (driver: Driver, limit = maxKept): Statements => {
  const kept = new Map<string, Prepared>()
  const selects = new Map<string, Statement>()
  const prepare = (sql: string) => driver.prepare(plannedOnce(sql))
  return {
    prepare: (sql) => keptIn(kept, limit, sql, () => reusable(prepare(sql))),
    select: (sql, args) =>
      keptIn(selects, limit, sql, () => prepare(sql).raw().safeIntegers(false)).all(args) as unknown[][],
    // A script may change tables, and with them the columns of prepared statements.
    exec: (sql) => {
      kept.clear()
      selects.clear()
      return driver.exec(sql)
    },
    close: () => driver.close(),
    get inTransaction() {
      return driver.inTransaction
    },
  }
}

/**
 * SQLite plans a query anew on each run if a limit is a parameter, as all of Prisma's are: reading an order took ten
 * times as long. A sign before the parameter keeps it out of the plan, and changes nothing else.
 */
const plannedOnce = (sql: string): string => sql.replaceAll(/\b(LIMIT|OFFSET) \?/g, '$1 +?')

const keptIn = <T>(kept: Map<string, T>, limit: number, sql: string, prepare: () => T): T => {
  const known = kept.get(sql)
  if (known) return known
  const prepared = prepare()
  kept.set(sql, prepared)
  const [oldest] = kept.keys()
  if (kept.size > limit && oldest !== undefined) kept.delete(oldest)
  return prepared
}

const reusable = (statement: Statement): Prepared => {
  const { reader } = statement
  // A statement without rows has no columns to ask for, and never switches to raw rows.
  const columns = reader ? statement.columns() : []
  if (reader) statement.raw()
  return {
    bind: (args) => ({
      reader,
      columns: () => columns,
      raw: () => ({ all: () => statement.all(args) }),
      run: () => statement.run(args),
    }),
  }
}

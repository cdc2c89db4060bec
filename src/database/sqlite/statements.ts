import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { withNamedFaults } from './fault.ts'

interface Prepared {
  /** The columns of its rows; empty if it returns no rows. */
  readonly columns: ReturnType<StatementSync['columns']>
  /** Runs the statement. Rows are arrays, and whole numbers are bigints. */
  all(args: readonly SQLInputValue[]): unknown[][]
  /** Runs the statement without reading rows. @returns how many rows changed. */
  run(args: readonly SQLInputValue[]): number
}

/** The driver with a cache of prepared statements. Errors of SQLite are thrown as `SqliteFault`. */
export interface Statements {
  prepare(sql: string): Prepared
  exec(sql: string): void
  close(): void
}

/**
 * How many statements are kept. There are about 200 queries, but those with lists of values have a different text
 * for each length of the list.
 */
const maxKept = 500

/**
 * Prepares each statement once and keeps it. Preparing takes longer than running most queries: an order has 45
 * columns.
 * @param limit how many statements are kept; the oldest are dropped
 */
export const keepStatements = (
  driver: Pick<DatabaseSync, 'prepare' | 'exec' | 'close'>,
  limit = maxKept,
): Statements => {
  const kept = new Map<string, Prepared>()
  const prepare = (sql: string): StatementSync => {
    const statement = driver.prepare(sql)
    statement.setReturnArrays(true)
    return statement
  }
  return {
    prepare: (sql) => keptIn(kept, limit, sql, () => prepared(prepare(sql))),
    // The cache is emptied because a script may change the columns of prepared statements.
    exec: (sql) => {
      kept.clear()
      withNamedFaults(() => driver.exec(sql))
    },
    close: () => driver.close(),
  }
}

const keptIn = <T>(kept: Map<string, T>, limit: number, sql: string, prepare: () => T): T => {
  const known = kept.get(sql)
  if (known) return known
  const made = withNamedFaults(prepare)
  kept.set(sql, made)
  const [oldest] = kept.keys()
  if (kept.size > limit && oldest !== undefined) kept.delete(oldest)
  return made
}

const prepared = (statement: StatementSync): Prepared => {
  statement.setReadBigInts(true)
  return {
    columns: statement.columns(),
    all: (args) => rowsOf(statement, args),
    run: (args) => withNamedFaults(() => Number(statement.run(...args).changes)),
  }
}

/** Rows are arrays, because `setReturnArrays` is on. */
const rowsOf = (statement: StatementSync, args: readonly SQLInputValue[]): unknown[][] => {
  const rows: unknown = withNamedFaults(() => statement.all(...args))
  return rows as unknown[][]
}

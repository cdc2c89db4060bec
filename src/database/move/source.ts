import type { DatabaseSync } from 'node:sqlite'
import { copyMarkNames } from '../copies/copy-mark.ts'
import { openFile, takeAlone } from '../database-file.ts'
import { createAdder, type Sum } from './checksum.ts'
import { type ColumnValue, movedRows, rowTextOf, type Table } from './row-text.ts'

export interface Source {
  path: string
  fact(name: string): string | null
  /** The mark is on the disk when this returns. */
  setMoved(mark: string): void
  count(table: Table): number
  /** All rows as lines for COPY, in blocks, so that memory does not grow with the table. */
  lines(table: Table): Iterable<{ text: string; rows: number }>
  /**
   * The checksum of a table's rows, and in how many texts a NUL was replaced.
   * @param onRow called for each row
   */
  sum(table: Table, onRow: () => void): Sum & { replaced: number }
  /** The highest number that the table has ever given a row; null if it does not number its rows. */
  lastNumber(table: string): bigint | null
  close(): void
}

/**
 * A block ends after this many characters, not after a number of rows: one row may have a megabyte, such as a pasted
 * list.
 */
const maxCharacters = 500_000

/**
 * Opens the source and locks out others.
 * @throws {FileFault} if another program uses it
 */
export const lockSource = (path: string): Source => {
  const database = openFile(path, { readOnly: false })
  try {
    takeAlone(database, path)
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; BEGIN EXCLUSIVE; COMMIT')
    return sourceIn(database, path)
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Opens the source for reading, while a bot may be writing to it. All reads show the state of one moment.
 * @throws {FileFault}
 */
export const readSource = (path: string): Source => {
  const database = openFile(path, { readOnly: true })
  database.exec('BEGIN')
  return sourceIn(database, path)
}

const sourceIn = (database: DatabaseSync, path: string): Source => {
  const one = (sql: string, ...values: string[]): unknown =>
    Object.values(database.prepare(sql).get(...values) ?? {})[0] ?? null

  const rows = ({ name, columns }: Table): Iterable<ColumnValue[]> => {
    const names = columns.map((column) => `"${column.name}"`).join(', ')
    const statement = database.prepare(`SELECT ${names} FROM "${name}" WHERE ${movedRows(name)}`)
    statement.setReadBigInts(true)
    statement.setReturnArrays(true)
    return statement.iterate() as Iterable<unknown> as Iterable<ColumnValue[]>
  }

  return {
    path,
    fact: (name) => one('SELECT value FROM Fact WHERE name = ?', name) as string | null,
    setMoved: (mark) => {
      database
        .prepare(
          'INSERT INTO Fact (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
        )
        .run(copyMarkNames.movedTo, mark)
    },
    count: ({ name }) => Number(one(`SELECT count(*) FROM "${name}" WHERE ${movedRows(name)}`)),
    lines: (table) => linesOf(table, rows(table)),
    sum: (table, onRow) => {
      const adder = createAdder()
      const text = rowTextOf(table)
      for (const row of rows(table)) {
        adder.add(text.of(row))
        onRow()
      }
      return { ...adder.sum(), replaced: text.replaced() }
    },
    lastNumber: (table) => {
      const last = one('SELECT CAST(seq AS TEXT) FROM sqlite_sequence WHERE name = ?', table)
      return last === null ? null : BigInt(String(last))
    },
    close: () => database.close(),
  }
}

function* linesOf(table: Table, rows: Iterable<ColumnValue[]>): Generator<{ text: string; rows: number }> {
  const { of } = rowTextOf(table)
  let lines = { text: '', rows: 0 }
  for (const row of rows) {
    lines = { text: `${lines.text}${of(row)}\n`, rows: lines.rows + 1 }
    if (lines.text.length < maxCharacters) continue
    yield lines
    lines = { text: '', rows: 0 }
  }
  if (lines.rows > 0) yield lines
}

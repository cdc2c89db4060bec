import type { DatabaseSync } from 'node:sqlite'
import { openFile, takeAlone } from '../database-file.ts'
import { createAdder, type Sum } from './checksum.ts'
import { movedRows } from './mark.ts'
import { type Held, rowTextOf, type Table } from './row-text.ts'

/** The embedded database to move. */
export interface Source {
  path: string
  fact(name: string): string | null
  /** Writes a fact, which is on the disk when this returns. */
  setFact(name: string, value: string): void
  count(table: Table): number
  /** Rows behind that one, as lines for COPY, in batches so that memory does not grow with the table. */
  batches(table: Table, after: bigint): Iterable<Batch>
  /** Sums a table's rows. @param onRow called for each row. */
  sum(table: Table, onRow: () => void): Sum & { replaced: number }
  /** The greatest number that the table ever gave a row; null if it does not number rows. */
  lastNumber(table: string): bigint | null
  close(): void
}

/** Rows of one table that are copied in one commit. */
export interface Batch {
  text: string
  rows: number
  /** The `rowid` of its last row. */
  last: bigint
}

/** A batch ends at this many rows or at the byte limit, because a pasted list has up to a megabyte. */
const maxRows = 2_000
const maxCharacters = 500_000

/** Opens the source and keeps others out. @throws {FileFault} if another program uses it. */
export const holdSource = (path: string): Source => {
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

/** Opens the source as it stands, while a bot may be writing to it. @throws {FileFault} */
export const readSource = (path: string): Source => {
  const database = openFile(path, { readOnly: true })
  database.exec('BEGIN')
  return sourceIn(database, path)
}

const sourceIn = (database: DatabaseSync, path: string): Source => {
  const one = (sql: string, ...values: string[]): unknown =>
    Object.values(database.prepare(sql).get(...values) ?? {})[0] ?? null

  /** Reads rows, each with its `rowid` before its columns. */
  const rows = ({ name, columns }: Table, after: bigint): Iterable<Held[]> => {
    const names = columns.map((column) => `"${column.name}"`).join(', ')
    const query = `SELECT rowid, ${names} FROM "${name}" WHERE rowid > ? AND ${movedRows(name)} ORDER BY rowid`
    const statement = database.prepare(query)
    statement.setReadBigInts(true)
    statement.setReturnArrays(true)
    return statement.iterate(after) as Iterable<unknown> as Iterable<Held[]>
  }

  return {
    path,
    fact: (name) => one('SELECT value FROM Fact WHERE name = ?', name) as string | null,
    setFact: (name, value) => {
      database
        .prepare(
          'INSERT INTO Fact (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
        )
        .run(name, value)
    },
    count: ({ name }) => Number(one(`SELECT count(*) FROM "${name}" WHERE ${movedRows(name)}`)),
    batches: (table, after) => batchesOf(table, rows(table, after)),
    sum: (table, onRow) => {
      const adder = createAdder()
      const text = rowTextOf(table)
      for (const [, ...row] of rows(table, -(2n ** 63n))) {
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

function* batchesOf(table: Table, rows: Iterable<Held[]>): Generator<Batch> {
  const text = rowTextOf(table)
  let batch: Batch = { text: '', rows: 0, last: 0n }
  for (const [rowid, ...row] of rows) {
    batch = { text: `${batch.text}${text.of(row)}\n`, rows: batch.rows + 1, last: rowid as bigint }
    if (batch.rows < maxRows && batch.text.length < maxCharacters) continue
    yield batch
    batch = { text: '', rows: 0, last: 0n }
  }
  if (batch.rows > 0) yield batch
}

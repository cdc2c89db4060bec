import type { DatabaseSync } from 'node:sqlite'
import { openFile, takeAlone } from '../database-file.ts'
import { createAdder, type Sum } from './checksum.ts'
import { movedRows } from './mark.ts'
import { type Held, rowTextOf, type Table } from './row-text.ts'

/** The embedded database that is moved. */
export interface Source {
  path: string
  fact(name: string): string | null
  /** On the disk when it returns. */
  setFact(name: string, value: string): void
  count(table: Table): number
  /** Some rows after another, as lines for COPY: a batch at a time, so that memory does not grow with the table. */
  batches(table: Table, after: bigint): Iterable<Batch>
  /** @param onRow told of each row. */
  sum(table: Table, onRow: () => void): Sum & { replaced: number }
  /** The greatest number that the table ever gave a row; null where it gives none. */
  lastNumber(table: string): bigint | null
  close(): void
}

export interface Batch {
  text: string
  rows: number
  /** The `rowid` of its last row. */
  last: bigint
}

/** Whichever is reached first: a pasted list has up to a megabyte. */
const mostRows = 2_000
const mostCharacters = 500_000

/** @throws {FileFault} where another program uses it; none can while it is open. */
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

/** As it stands at this moment, while a bot may be writing to it. @throws {FileFault} */
export const readSource = (path: string): Source => {
  const database = openFile(path, { readOnly: true })
  database.exec('BEGIN')
  return sourceIn(database, path)
}

const sourceIn = (database: DatabaseSync, path: string): Source => {
  const one = (sql: string, ...values: string[]): unknown =>
    Object.values(database.prepare(sql).get(...values) ?? {})[0] ?? null

  /** Each with its `rowid` before its columns. */
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
    if (batch.rows < mostRows && batch.text.length < mostCharacters) continue
    yield batch
    batch = { text: '', rows: 0, last: 0n }
  }
  if (batch.rows > 0) yield batch
}

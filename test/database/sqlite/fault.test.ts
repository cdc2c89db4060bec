import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { refusalIn } from '../../../src/database/outage.ts'
import { asAdapterError, withNamedFaults } from '../../../src/database/sqlite/fault.ts'

const schema = `
  PRAGMA foreign_keys = ON;
  CREATE TABLE shop (id TEXT PRIMARY KEY, name TEXT NOT NULL, town TEXT, UNIQUE (name, town));
  CREATE TABLE item (id INTEGER PRIMARY KEY, shop TEXT REFERENCES shop);
  CREATE TRIGGER no_pins BEFORE INSERT ON item WHEN NEW.id = 99 BEGIN SELECT RAISE(ABORT, 'no pins'); END;
  INSERT INTO shop VALUES ('one', 'Shop', 'Town')`

const open = (): DatabaseSync => {
  const folder = mkdtempSync(join(tmpdir(), 'faults-'))
  const database = new DatabaseSync(join(folder, 'file.db'))
  onTestFinished(() => {
    database.close()
    rmSync(folder, { recursive: true })
  })
  database.exec(schema)
  return database
}

/** The error of a script that fails. */
const failureOf = (database: DatabaseSync, script: string): unknown => {
  try {
    withNamedFaults(() => database.exec(script))
  } catch (error) {
    return error
  }
  throw new Error('It did not fail.')
}

const unique = (...fields: string[]) => ({
  kind: 'UniqueConstraintViolation',
  constraint: { fields },
  table: 'shop',
})

test.each([
  ["INSERT INTO shop VALUES ('one', 'Other', '')", 'SQLITE_CONSTRAINT_PRIMARYKEY', unique('id')],
  ["INSERT INTO shop VALUES ('two', 'Shop', 'Town')", 'SQLITE_CONSTRAINT_UNIQUE', unique('name', 'town')],
  [
    "INSERT INTO shop VALUES ('two', NULL, '')",
    'SQLITE_CONSTRAINT_NOTNULL',
    { kind: 'NullConstraintViolation', constraint: { fields: ['name'] } },
  ],
  [
    "INSERT INTO item VALUES (1, 'none')",
    'SQLITE_CONSTRAINT_FOREIGNKEY',
    { kind: 'ForeignKeyConstraintViolation' },
  ],
  ['INSERT INTO item VALUES (99, NULL)', 'SQLITE_CONSTRAINT_TRIGGER', { kind: 'sqlite', message: 'no pins' }],
  ['SELECT nothing', 'SQLITE_ERROR', { kind: 'sqlite', extendedCode: 1 }],
])('the error of “%s” has the code %s and a kind that Prisma understands', (script, code, cause) => {
  const error = failureOf(open(), script)
  expect(error).toMatchObject({ code })
  expect(asAdapterError(error)).toMatchObject({ cause: { originalCode: code, ...cause } })
})

const locked = (): unknown => {
  const database = open()
  const other = new DatabaseSync(database.location() ?? '')
  onTestFinished(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  return failureOf(database, 'BEGIN IMMEDIATE')
}
const full = (): unknown => failureOf(open(), 'PRAGMA max_page_count = 1; CREATE TABLE more (id)')
const readOnly = (): unknown => failureOf(open(), 'PRAGMA query_only = ON; DELETE FROM shop')

test.each([
  ['a lock that another program holds', locked, 'locked'],
  ['a file that may not grow', full, 'full'],
  ['a connection that may only read', readOnly, 'read_only'],
])('%s counts as an outage of SQLite, whether or not Prisma wraps the error', (_, fail, cause) => {
  const error = fail()
  for (const each of [error, asAdapterError(error)])
    expect(refusalIn(each)).toEqual({ cause, isCertain: true })
})

test('an error that does not come from SQLite is passed on unchanged, even if a statement throws it', () => {
  const error = new TypeError('a mistake')
  expect(() =>
    withNamedFaults(() => {
      throw error
    }),
  ).toThrow(error)
  expect(asAdapterError(error)).toBe(error)
})

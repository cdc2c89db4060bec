import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { keepStatements, type Statements } from '../../../src/database/sqlite/statements.ts'

/** The real driver on a database in memory. @returns the statements, and how many were prepared */
const open = () => {
  const driver = new DatabaseSync(':memory:')
  onTestFinished(() => driver.close())
  const prepared: string[] = []
  const counting: Parameters<typeof keepStatements>[0] = {
    prepare: (sql) => {
      prepared.push(sql)
      return driver.prepare(sql)
    },
    exec: (sql) => driver.exec(sql),
    close: () => driver.close(),
  }
  return { statements: keepStatements(counting), prepared }
}

let statements: Statements
let prepared: string[]

beforeEach(() => {
  ;({ statements, prepared } = open())
  statements.exec('CREATE TABLE entry (id INTEGER PRIMARY KEY, word TEXT)')
})

const all = (sql: string, args: SQLInputValue[] = []) => statements.prepare(sql).all(args)
const run = (sql: string, args: SQLInputValue[] = []) => statements.prepare(sql).run(args)
const insert = 'INSERT INTO entry (word) VALUES (?)'

test('an SQL statement is prepared once, and each run has its own arguments', () => {
  for (const word of ['one', 'two']) expect(run(insert, [word])).toBe(1)
  const select = 'SELECT word FROM entry WHERE id = ?'
  expect([1, 2].map((id) => all(select, [id]))).toEqual([[['one']], [['two']]])
  expect(prepared).toEqual([insert, select])
})

test('an SQL statement shows the current columns after a script has changed the table', () => {
  const select = 'SELECT * FROM entry'
  const names = () => statements.prepare(select).columns.map(({ name }) => name)
  expect(names()).toEqual(['id', 'word'])
  statements.exec('ALTER TABLE entry ADD COLUMN more TEXT')
  expect(names()).toEqual(['id', 'word', 'more'])
})

test('the oldest prepared SQL statements are dropped if there are too many, and prepared again when needed', () => {
  for (let number = 0; number <= 500; number += 1) all(`SELECT ${number}`)
  expect(prepared).toHaveLength(501)
  expect(all('SELECT 500')).toEqual([[500n]])
  expect(prepared).toHaveLength(501)
  expect(all('SELECT 0')).toEqual([[0n]])
  expect(prepared).toHaveLength(502)
})

test('an SQL statement that failed fails again, and succeeds after the cause is gone', () => {
  expect(() => run('SELECT nonsense FROM entry')).toThrow('nonsense')
  run('INSERT INTO entry VALUES (1, ?)', ['one'])
  expect(() => run('INSERT INTO entry VALUES (1, ?)', ['again'])).toThrow('UNIQUE')
  run('DELETE FROM entry')
  run('INSERT INTO entry VALUES (1, ?)', ['again'])
  expect(all('SELECT word FROM entry')).toEqual([['again']])
})

import { ColumnTypeEnum } from '@prisma/driver-adapter-utils'
import { expect, test } from 'vitest'
import { asRead, asStored, declaredType, typeOf } from '../../../src/database/sqlite/values.ts'

const typed = (scalarType: 'int' | 'bigint' | 'float' | 'datetime' | 'string') => ({
  scalarType,
  arity: 'scalar' as const,
})

test.each([
  ['a date', new Date(0), undefined, '1970-01-01T00:00:00.000+00:00'],
  ['a date as text', '1970-01-01T00:00:00.000Z', typed('datetime'), '1970-01-01T00:00:00.000+00:00'],
  ['the value true', true, undefined, 1],
  ['the value false', false, undefined, 0],
  ['a large whole number as text', '9007199254740993', typed('bigint'), 9_007_199_254_740_993n],
  ['a whole number as text', '7', typed('int'), 7n],
  ['a fraction as text', '1.5', typed('float'), 1.5],
  ['a text of digits', '7', typed('string'), '7'],
  ['a text of an unknown type', '7', undefined, '7'],
  ['a number', 7, typed('int'), 7],
  ['a bigint', 7n, undefined, 7n],
  ['a missing number', null, typed('int'), null],
])('%s is stored in SQLite as the column’s type requires', (_, value, type, stored) => {
  expect(asStored(value, type)).toBe(stored)
})

test('a column of a SQLite result has the type that its table declares, in upper or lower case', () => {
  expect(['TEXT', 'integer', 'BIGINT', 'BOOLEAN', 'DATETIME', 'REAL'].map(declaredType)).toEqual([
    ColumnTypeEnum.Text,
    ColumnTypeEnum.Int32,
    ColumnTypeEnum.Int64,
    ColumnTypeEnum.Boolean,
    ColumnTypeEnum.DateTime,
    ColumnTypeEnum.Double,
  ])
  expect([null, '', 'POINT'].map(declaredType)).toEqual([null, null, null])
})

test('an expression in a SQLite query has the type of its first value that is not null', () => {
  const rows = [
    [null, null, null, null, null],
    ['text', 1n, 1.5, new Uint8Array(1), null],
  ]
  expect([0, 1, 2, 3, 4].map((column) => typeOf(rows, column))).toEqual([
    ColumnTypeEnum.Text,
    ColumnTypeEnum.Int64,
    ColumnTypeEnum.Double,
    ColumnTypeEnum.Bytes,
    ColumnTypeEnum.Int32,
  ])
  expect(typeOf([], 0)).toBe(ColumnTypeEnum.Int32)
})

test('a whole number in SQLite is read as a number, or as a text if it is too large for a number', () => {
  const largest = BigInt(Number.MAX_SAFE_INTEGER)
  expect(asRead([1n, -largest, largest + 2n, 'text', null, 1.5])).toEqual([
    1,
    -Number.MAX_SAFE_INTEGER,
    '9007199254740993',
    'text',
    null,
    1.5,
  ])
})

import type { SQLInputValue } from 'node:sqlite'
import { type ArgType, type ColumnType, ColumnTypeEnum } from '@prisma/driver-adapter-utils'

/**
 * Converts a value from Prisma's client into what SQLite stores: a time becomes a text with a numeric offset, a
 * boolean 0 or 1.
 */
export const asStored = (value: unknown, type?: ArgType): SQLInputValue => {
  if (value instanceof Date) return value.toISOString().replace('Z', '+00:00')
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'string') return value as SQLInputValue
  switch (type?.scalarType) {
    case 'int':
    case 'bigint':
      return BigInt(value)
    case 'float':
      return Number(value)
    case 'datetime':
      return asStored(new Date(value))
    default:
      return value
  }
}

/** Prisma's types for the column types that the migrations declare. */
const declared: Record<string, ColumnType> = {
  TEXT: ColumnTypeEnum.Text,
  INTEGER: ColumnTypeEnum.Int32,
  BIGINT: ColumnTypeEnum.Int64,
  BOOLEAN: ColumnTypeEnum.Boolean,
  DATETIME: ColumnTypeEnum.DateTime,
  REAL: ColumnTypeEnum.Double,
}

/** The type of a column as its table declares it; null for an expression. */
export const declaredType = (name: string | null): ColumnType | null =>
  declared[name?.toUpperCase() ?? ''] ?? null

/** The type of an expression, taken from its first value that is not null. */
export const typeOf = (rows: readonly (readonly unknown[])[], column: number): ColumnType => {
  const value = rows.find((row) => row[column] !== null)?.[column]
  switch (typeof value) {
    case 'string':
      return ColumnTypeEnum.Text
    case 'bigint':
      return ColumnTypeEnum.Int64
    case 'number':
      return ColumnTypeEnum.Double
    case 'object':
      return ColumnTypeEnum.Bytes
    default:
      return ColumnTypeEnum.Int32
  }
}

/**
 * Converts a row into what Prisma's client reads: a whole number becomes a number, or a text if it is too large for
 * that.
 */
export const asRead = (row: unknown[]): unknown[] => {
  row.forEach((value, index) => {
    if (typeof value === 'bigint')
      row[index] = Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  })
  return row
}

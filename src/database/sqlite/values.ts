import type { SQLInputValue } from 'node:sqlite'
import { type ArgType, type ColumnType, ColumnTypeEnum } from '@prisma/driver-adapter-utils'

/** What Prisma's client hands over, as SQLite stores it: a time is a text with its offset in digits, a boolean 0 or 1. */
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

/** The types that the migrations declare. */
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

/** The type of an expression, by the first value that it has. */
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

/** A row as Prisma's client reads it: a whole number is a number, or a text where a number would not hold it. */
export const asRead = (row: unknown[]): unknown[] => {
  row.forEach((value, index) => {
    if (typeof value === 'bigint')
      row[index] = Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  })
  return row
}

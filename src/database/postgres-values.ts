import type pg from 'pg'
import type { Stored } from './selection.ts'

/** PostgreSQL accepts every character in a text except this one. */
export const withoutNul = <T>(value: T): T =>
  (typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value) as T

/** A time in UTC, whatever this machine's time zone. */
export const asStored = (value: unknown): unknown =>
  value instanceof Date ? value.toISOString().replace('Z', '') : withoutNul(value)

/** Readers by PostgreSQL's type number. They return values as the embedded database does. */
const readers: Record<number, (text: string) => Stored> = {
  16: (text) => (text === 't' ? 1 : 0),
  20: Number,
  21: Number,
  23: Number,
  701: Number,
  1700: Number,
  1114: (text) => `${text.replace(' ', 'T')}Z`,
}

/** Reads cells past the client. */
export const cellTypes = { getTypeParser: (oid: number) => readers[oid] ?? String } as pg.CustomTypesConfig

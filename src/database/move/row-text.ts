import { copyMarkNames } from '../copies/copy-mark.ts'
import { FileFault } from '../database-file.ts'

export interface Table {
  name: string
  columns: readonly Column[]
}

export interface Column {
  name: string
  kind: Kind
}

/** How a column's values are written, whatever its types in the two databases. */
export type Kind = 'text' | 'number' | 'boolean' | 'time'

/** A value from the embedded database; whole numbers are bigints. */
export type ColumnValue = string | number | bigint | Uint8Array | null

/**
 * Writes rows of the embedded database in the format of PostgreSQL's COPY: tabs between columns, `\N` for null. The
 * two databases are compared by this text.
 */
export interface RowText {
  of(row: readonly ColumnValue[]): string
  /** In how many texts a NUL was replaced, because PostgreSQL refuses that character. */
  replaced(): number
}

/** The writer for one table. Its `of` throws {FileFault} if a column has a value that the bot never writes. */
export const rowTextOf = ({ name, columns }: Table): RowText => {
  let replaced = 0
  const written = columns.map((column) => {
    const write = writers[column.kind]
    return (value: ColumnValue): string => {
      if (value === null) return '\\N'
      const text = write(value)
      if (text === null)
        throw new FileFault(`${name}.${column.name}: has a value that is not a ${column.kind}.`)
      return text
    }
  })
  const of = (row: readonly ColumnValue[]): string => {
    let text = ''
    for (let index = 0; index < written.length; index += 1) {
      const value = row[index] ?? null
      if (typeof value === 'string' && value.includes('\0')) replaced += 1
      text += (index === 0 ? '' : '\t') + written[index]?.(value)
    }
    return text
  }
  return { of, replaced: () => replaced }
}

const special = /[\\\b\f\n\r\t\v\0]/
const everySpecial = /[\\\b\f\n\r\t\v\0]/g

const escapes: Record<string, string> = {
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\0': '\uFFFD',
}

const escaped = (text: string): string =>
  special.test(text) ? text.replace(everySpecial, (sign) => escapes[sign] ?? sign) : text

/** The format in which the bot writes times to SQLite. */
const usualTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(\+00:00|Z)$/

/** Drops trailing zeros of the fraction of a second, as PostgreSQL does. */
const written = (iso: string): string => {
  const thousandths = iso.slice(20, 23).replace(/0+$/, '')
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}${thousandths && `.${thousandths}`}`
}

const timeText = (value: ColumnValue): string | null => {
  if (typeof value === 'string' && usualTime.test(value)) return written(value)
  if (value === null || value instanceof Uint8Array) return null
  const time = new Date(typeof value === 'bigint' ? Number(value) : value)
  const iso = Number.isNaN(time.getTime()) ? '' : time.toISOString()
  return usualTime.test(iso) ? written(iso) : null
}

const writers: Record<Kind, (value: ColumnValue) => string | null> = {
  text: (value) => (typeof value === 'string' ? escaped(value) : null),
  number: (value) => (typeof value === 'bigint' ? String(value) : null),
  boolean: (value) => (value === 1n ? 't' : value === 0n ? 'f' : null),
  time: timeText,
}

const { restored, ...ownNames } = copyMarkNames

/** The condition, as SQL, for the rows that a move copies. It leaves out facts about the database's own past. */
export const movedRows = (table: string): string => {
  const own = Object.values(ownNames).map((name) => `'${name}'`)
  return table === 'Fact' ? `"name" NOT IN (${own.join(', ')})` : 'true'
}

import { z } from 'zod'
import { type Pesewas, pesewasFromGhs } from './money.ts'
import { type Phone, phoneFromAnswer } from './phone.ts'

/**
 * Readers for single fields of an answer. The provider documents the type of each field but not every value that it
 * sends. A number may be a numeric string, and any field may be absent, null or of another type.
 */

/** A JSON object whose fields are not checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether the value is a JSON object. Arrays and null are not. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Longer texts are cut. The documented ones are one line, but an answer may contain a megabyte. */
const maxTextLength = 1000
/**
 * Words and references are cut shorter, because they are indexed: PostgreSQL refuses index entries above 2704
 * bytes.
 */
const maxWordLength = 100
const maxReferenceLength = 200

/**
 * The text without the characters that databases refuse (NUL, half a surrogate pair); null if it is blank or not a
 * string.
 */
export const readText = (value: unknown, longest = maxTextLength): string | null => {
  if (typeof value !== 'string') return null
  const text = value.toWellFormed().replaceAll('\0', '').trim().slice(0, longest).toWellFormed()
  return text === '' ? null : text
}

/** Cut to 200 characters; null if it is blank or not a string. */
export const readReference = (value: unknown): string | null => readText(value, maxReferenceLength)

/**
 * A word of a documented set in its documented spelling (`Delivered` → `delivered`). Any other word is returned as
 * it is.
 */
export const readWord = (value: unknown, known: readonly string[]): string | null => {
  const text = readText(value, maxWordLength)
  return known.find((word) => word.toLowerCase() === text?.toLowerCase()) ?? text
}

const readInteger = (value: unknown): number | null => {
  const number = typeof value === 'string' && /^\s*-?\d{1,16}\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null
}

const timestamp = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?$/i

/** Whether every database can hold the date's year. */
const fitsDatabases = (date: Date): boolean => date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999

/** Reads an ISO 8601 timestamp. Without an offset it counts as UTC, which is Accra's time (API §1). */
export const readDate = (value: unknown): Date | null => {
  const match = typeof value === 'string' ? timestamp.exec(value.trim()) : null
  if (!match) return null
  const [, day, time, fraction = '', offset = 'Z'] = match
  const date = new Date(`${day}T${time}${fraction}${withColon(offset.toUpperCase())}`)
  return fitsDatabases(date) ? date : null
}

const withColon = (offset: string): string => offset.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')

const reading = <T>(what: string, read: (value: unknown) => T | null) =>
  z
    .unknown()
    .optional()
    .transform((value, context): T => {
      const result = read(value)
      if (result !== null) return result
      context.addIssue({ code: 'custom', message: `is not ${what}` })
      return z.NEVER
    })

/** Readers for the fields that a record must have. A record without one of them is unreadable. */
export const required = {
  text: reading('a text', (value) => readText(value)),
  reference: reading('a reference', readReference),
  word: (known: readonly string[]) => reading('a word', (value) => readWord(value, known)),
  integer: reading('a whole number', readInteger),
  identifier: reading<number | string>('an id', (value) => readInteger(value) ?? readText(value)),
  money: reading<Pesewas>('an amount', pesewasFromGhs),
  price: reading<Pesewas>('a price', (value) => {
    const price = pesewasFromGhs(value)
    return price === null || price < 0 ? null : price
  }),
  phone: reading<Phone>('a phone', phoneFromAnswer),
}

/** The largest integer of a database column. As an amount it is GHS 21 million, more than any order costs. */
const most = 2_147_483_647

const readSum = (value: unknown): Pesewas | null => {
  const amount = pesewasFromGhs(value)
  return amount !== null && Math.abs(amount) <= most ? amount : null
}

const readCount = (value: unknown): number | null => {
  const count = readInteger(value)
  return count !== null && Math.abs(count) <= most ? count : null
}

const orNull = <T>(read: (value: unknown) => T | null) => z.unknown().optional().transform(read)

/** Readers for the fields that a record may lack. They return null if the field is absent or unreadable. */
export const optional = {
  text: orNull((value) => readText(value)),
  reference: orNull(readReference),
  word: (known: readonly string[]) => orNull((value) => readWord(value, known)),
  integer: orNull(readInteger),
  count: orNull(readCount),
  money: orNull(readSum),
  phone: orNull(phoneFromAnswer),
  date: orNull(readDate),
}

/** The readable entries, and how many could not be read. One bad entry must not cost us the others. */
export const readEntries = <T>(
  list: readonly unknown[],
  schema: z.ZodType<T>,
): { entries: T[]; unreadable: number } => {
  const results = list.map((entry) => schema.safeParse(entry))
  const entries = results.flatMap((result) => (result.success ? [result.data] : []))
  return { entries, unreadable: list.length - entries.length }
}

/** The list under its documented name, either at the top level or below `data`, where some APIs wrap everything. */
export const listIn = (body: JsonObject, name: string): readonly unknown[] | null => {
  const data = isJsonObject(body.data) ? body.data[name] : body.data
  return [body[name], data].find((candidate) => Array.isArray(candidate)) ?? null
}

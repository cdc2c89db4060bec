import { Prisma } from './client/sqlite/client.ts'

/** A piece of SQL whose values are bound, never written into it. */
export type Sql = Prisma.Sql

/** A text with a `?` for each of the values. */
export const bound = (text: string, values: readonly unknown[]): Sql =>
  new Prisma.Sql(text.split('?'), [...values])

/**
 * Builders for SQL: a tagged template, a joined row of pieces or values, an empty piece, and a raw text. `raw` is for
 * names of tables and columns from our own lists, never for a person's text.
 */
export const { sql, join, empty, raw } = Prisma

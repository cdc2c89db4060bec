import { Prisma } from './client/sqlite/client.ts'

/** A piece of SQL whose values are bound, never written into the text. */
export type Sql = Prisma.Sql

/** SQL from a text with a `?` for each of the values. */
export const bound = (text: string, values: readonly unknown[]): Sql =>
  new Prisma.Sql(text.split('?'), [...values])

/**
 * Builders of SQL: a tagged template, a joined list of pieces or values, an empty piece, and raw text. Use `raw`
 * only for names of tables and columns from our own lists. Text from outside could change the query.
 */
export const { sql, join, empty, raw } = Prisma

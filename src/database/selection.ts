import type { Sql } from './sql.ts'

/**
 * Rows as arrays of what the database holds, in the order of the selected columns: the way around Prisma's client for
 * what each update reads, and for a hundred thousand rows. The client takes several times as long, and makes five times
 * as much garbage of each row; with that the heap grows to four times its size before V8 clears it.
 *
 * @param sql with a `?` for each parameter, from a fixed set of texts: each is prepared once and kept.
 */
export type Select = (sql: string, parameters: readonly Parameter[]) => Promise<Stored[][]>

/**
 * The same for a statement that takes claims or turns beside what it reads: its commit does not wait for the disk. Only
 * PostgreSQL has it.
 */
export type SelectLightly = (query: Sql) => Promise<Stored[][]>

/** A value that a query binds. */
export type Parameter = string | number | bigint | Date | null

/** A time is a text, a boolean 0 or 1. */
export type Stored = string | number | null

/** The time that a column holds; null if it holds none. */
export const timeOf = (stored: Stored | undefined): Date | null =>
  stored === null || stored === undefined ? null : new Date(stored)

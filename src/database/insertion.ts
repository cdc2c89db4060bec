/** Rows for one table, committed by themselves. */
export interface Insertion {
  table: string
  columns: readonly string[]
  /** The columns that are unique together: rows whose values exist are left out. */
  unique: readonly string[]
  rows: readonly (readonly Value[])[]
}

type Value = string | number | Date | null

/**
 * The one way around Prisma's client, which takes longer to build such a statement than the database to run it.
 * Each kind of database has its own (`sqlite.ts`).
 *
 * @returns how many rows were new.
 */
export type Insert = (insertion: Insertion) => Promise<number>

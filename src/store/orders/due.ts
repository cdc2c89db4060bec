import type { Client } from '../../database/database.ts'
import { join, type Sql, sql } from '../../database/sql.ts'
import { type AheadRule, latest } from '../../domain/ahead.ts'

/**
 * One kind of work that waits, by account or by chat: "key" in the last three pieces. Each piece is answered from an
 * index of what waits.
 */
export interface DueSearch {
  /** The table with the condition that its rows wait, due or not. */
  waiting: Sql
  /** The column of the table that is the key. */
  column: Sql
  /** Rows that are due, as "key" and "at": at most so many, the longest due first. */
  rows: (most: number) => Sql
  /** Whether anything of the key is done now. */
  isServed: Sql
  /** Since when something of the key is due; null: nothing is. */
  since: Sql
  /** What of it is due, as a text; null: nothing. */
  work: Sql
}

/** Work that is due. */
export interface DueWork {
  key: string
  since: Date
  /** The value of `work`. */
  work: string
}

interface Looked {
  key: string | bigint
  since: Date | string
  work: string | null
}

/** So many rows are looked at by their time. */
const maxRows = 200

/**
 * The longest due work, one for each key.
 *
 * Due rows are found by their time. If they are very many, they may all be one account's, or an account's that is not
 * served for now: then the search goes from key to key and looks at the first of each.
 * @param except keys that are left out.
 */
export const findDue = async (
  client: Client,
  { waiting, column, rows, isServed, since, work }: DueSearch,
  limit: number,
  except: readonly string[] = [],
): Promise<DueWork[]> => {
  // Plain SQL: Prisma's queries know neither the first rows of each key nor a walk from key to key.
  const early = await client.$queryRaw<(Looked & { rows: number | bigint })[]>`
    SELECT "key", "since", "rows", CASE WHEN ${isServed} THEN (${work}) END AS "work"
    FROM (
      SELECT "key", MIN("at") AS "since", COUNT(*) AS "rows" FROM (${rows(maxRows)}) AS "row" GROUP BY "key"
    ) AS "early"
    ORDER BY "since", "key"`
  const found = dueOf(early, except)
  const looked = early.reduce((count, { rows }) => count + Number(rows), 0)
  if (looked < maxRows || found.length >= limit) return found.slice(0, limit)
  const longest = await client.$queryRaw<Looked[]>`
    WITH RECURSIVE "each" AS (
      SELECT MIN(${column}) AS "key" FROM ${waiting}
      UNION ALL
      SELECT (SELECT MIN(${column}) FROM ${waiting} AND ${column} > "each"."key") FROM "each" WHERE "key" IS NOT NULL
    )
    SELECT "key", "since", (${work}) AS "work"
    FROM (
      SELECT * FROM (SELECT "key", (${since}) AS "since" FROM "each" WHERE ${isServed}) AS "served"
      WHERE "since" IS NOT NULL ORDER BY "since", "key" LIMIT ${limit + except.length}
    ) AS "longest"`
  return dueOf(longest, except).slice(0, limit)
}

const dueOf = (looked: readonly Looked[], except: readonly string[]): DueWork[] =>
  looked.flatMap(({ key, since, work }) =>
    work === null || except.includes(String(key)) ? [] : { key: String(key), since: new Date(since), work },
  )

/** The conditions that a column is over, of which each is a range of an index; see `maxAheadMs`. */
export const rangesOver = (column: Sql, rule: AheadRule, now: Date): Sql[] => [
  sql`${column} <= ${now}`,
  sql`${column} > ${latest(rule, now)}`,
]

/** All rows of the queries, each of which may have an order and a limit. */
export const unionOf = (queries: readonly Sql[]): Sql =>
  join(
    queries.map((query) => sql`SELECT * FROM (${query}) AS "part"`),
    ' UNION ALL ',
  )

import type { Client } from '../../database/database.ts'
import { join, type Sql, sql } from '../../database/sql.ts'
import { type AheadRule, latest } from '../../domain/times/ahead.ts'

/**
 * A search for one kind of waiting work, in pieces of SQL. The “key” is the account or chat to which a row belongs. The
 * last three pieces refer to it by that name. Each piece is answered from an index that holds only waiting rows.
 */
export interface DueSearch {
  /** The table, with a condition that selects the rows that wait, due or not. */
  waiting: Sql
  /** The column of the table that holds the key. */
  column: Sql
  /** Selects the due rows, as "key" and "at" (since when each is due): at most `most`, the longest due first. */
  rows: (most: number) => Sql
  /** The condition that the work of the key may be done now. */
  isServed: Sql
  /** The time since when any work of the key is due; null if none is. */
  since: Sql
  /** The due work of the key, as a text; null if there is none. */
  work: Sql
}

export interface DueWork {
  key: string
  since: Date
  work: string
}

interface Looked {
  key: string | bigint
  since: Date | string
  work: string | null
}

/** How many due rows are read in the order of their times before the search goes from key to key instead. */
const maxRows = 200

/**
 * Finds the work that has been due longest, one piece for each key.
 *
 * Due rows are read by their time. If there are very many, they may all belong to one key, or to keys that are not
 * served now. In that case the search goes from key to key and reads the first row of each.
 * @param limit the most keys to find.
 * @param except keys that are left out.
 */
export const findDue = async (
  client: Client,
  { waiting, column, rows, isServed, since, work }: DueSearch,
  limit: number,
  except: readonly string[] = [],
): Promise<DueWork[]> => {
  // Plain SQL, because Prisma can neither read the first rows of each key nor walk from key to key.
  // The work is looked up only for as many keys as are needed, because that takes the most time.
  const most = limit + except.length
  const early = await client.$queryRaw<(Looked & { rows: number | bigint; place: number | bigint | null })[]>`
    SELECT "key", "since", "rows", "place", CASE WHEN "place" <= ${most} THEN (${work}) END AS "work"
    FROM (
      SELECT *, CASE WHEN "isServed" THEN ROW_NUMBER() OVER (PARTITION BY "isServed" ORDER BY "since", "key") END AS "place"
      FROM (
        SELECT *, ${isServed} AS "isServed" FROM (
          SELECT "key", MIN("at") AS "since", COUNT(*) AS "rows" FROM (${rows(maxRows)}) AS "row" GROUP BY "key"
        ) AS "early"
      ) AS "asked"
    ) AS "placed"
    ORDER BY "since", "key"`
  const found = dueOf(early, except)
  const looked = early.reduce((count, { rows }) => count + Number(rows), 0)
  const isAll = looked < maxRows && early.every(({ place }) => Number(place) <= most)
  if (isAll || found.length >= limit) return found.slice(0, limit)
  const longest = await client.$queryRaw<Looked[]>`
    WITH RECURSIVE "each" AS (
      SELECT MIN(${column}) AS "key" FROM ${waiting}
      UNION ALL
      SELECT (SELECT MIN(${column}) FROM ${waiting} AND ${column} > "each"."key") FROM "each" WHERE "key" IS NOT NULL
    )
    SELECT "key", "since", (${work}) AS "work"
    FROM (
      SELECT * FROM (SELECT "key", (${since}) AS "since" FROM "each" WHERE ${isServed}) AS "served"
      WHERE "since" IS NOT NULL ORDER BY "since", "key" LIMIT ${most}
    ) AS "longest"`
  return dueOf(longest, except).slice(0, limit)
}

const dueOf = (looked: readonly Looked[], except: readonly string[]): DueWork[] =>
  looked.flatMap(({ key, since, work }) =>
    work === null || except.includes(String(key)) ? [] : { key: String(key), since: new Date(since), work },
  )

/** Two conditions, to be joined by OR, that a time is over (see `maxAheadMs`). Each uses a range of an index. */
export const rangesOver = (column: Sql, rule: AheadRule, now: Date): Sql[] => [
  sql`${column} <= ${now}`,
  sql`${column} > ${latest(rule, now)}`,
]

/** Joins queries with UNION ALL. Each may have its own order and limit. */
export const unionOf = (queries: readonly Sql[]): Sql =>
  join(
    queries.map((query) => sql`SELECT * FROM (${query}) AS "part"`),
    ' UNION ALL ',
  )

import type pg from 'pg'
import type { Locks, Taker } from './locks.ts'
import { raw, type Sql, sql } from './sql.ts'

/** The server's clock in UTC, as in the tables: the clocks of the processes may differ. */
const now = "(clock_timestamp() AT TIME ZONE 'UTC')"

/** @param ms the placeholder of the length, ms. */
const until = (ms: string): string => `${now} + ${ms} * interval '1 millisecond'`

/**
 * Whether the lock has run out. If it lasts for longer than any is taken, the server's clock was set back since.
 * @param ms the placeholder of the length, ms.
 */
const isFree = (ms: string): string =>
  `(held."until" <= ${now} OR held."until" > ${now} + 2 * ${ms} * interval '1 millisecond')`

const takeOver = `ON CONFLICT ("name") DO UPDATE SET "token" = EXCLUDED."token", "until" = EXCLUDED."until"`

/**
 * The beginning of a statement that takes several locks, those that the taker holds already too. They are taken in the
 * order of their names, so that no two processes wait for each other. `taken` has the name and token of each that was
 * taken, and `taker` has the taker's token.
 * @param names a query of the names, in its column `name`.
 */
export const taking = ({ token, ms, ended }: Taker, names: Sql): Sql => sql`
  taker AS (
    SELECT CAST(${token} AS TEXT) AS "token", CAST(${ms} AS INTEGER) AS "ms",
      string_to_array(${ended.join(' ')}, ' ') AS "ended"),
  taken AS (
    INSERT INTO "Lease" AS held ("name", "token", "until")
    SELECT "name", ${takers.token}, ${raw(until(takers.ms))} FROM (${names}) AS wanted ORDER BY "name" COLLATE "C"
    ${raw(takeOver)}
    WHERE ${raw(isFree(takers.ms))} OR held."token" = ${takers.token} OR held."token" = ANY(${takers.ended})
    RETURNING held."name", held."token")`

const takers = {
  token: raw('(SELECT "token" FROM taker)'),
  ms: '(SELECT "ms" FROM taker)',
  ended: raw('CAST((SELECT "ended" FROM taker) AS TEXT[])'),
}

const takingAll = (names: string[], taker: Taker): Sql => sql`
  WITH ${taking(taker, sql`SELECT unnest(${names}::text[]) AS "name"`)}
  SELECT "name", "token" FROM taken
  -- As they were before this statement.
  UNION ALL SELECT "name", "token" FROM "Lease" AS other
  WHERE "name" = ANY(${names}::text[]) AND NOT EXISTS (SELECT 1 FROM taken WHERE taken."name" = other."name")`

/**
 * Locks for all processes on a PostgreSQL, as rows of `Lease`: a lock that a process leaves behind runs out. Several are
 * given back in the order of their names too.
 */
export const sharedLocks = (pool: pg.Pool): Locks => ({
  take: async (name, token, ms) => {
    const { rowCount } = await pool.query({
      name: 'take a lock',
      text: `
        INSERT INTO "Lease" AS held ("name", "token", "until") VALUES ($1, $2, ${until('$3')})
        ${takeOver} WHERE ${isFree('$3')}`,
      values: [name, token, ms],
    })
    return rowCount === 1
  },
  give: async (name, token) => {
    await pool.query({
      name: 'give a lock',
      text: 'DELETE FROM "Lease" WHERE "name" = $1 AND "token" = $2',
      values: [name, token],
    })
  },
  takeAll: async (names, taker) => {
    const { text, values } = takingAll([...names], taker)
    const { rows } = await pool.query<{ name: string; token: string }>({ name: 'take locks', text, values })
    return new Map(rows.map((row) => [row.name, row.token]))
  },
  giveAll: async (names, token) => {
    await pool.query({
      name: 'give locks',
      text: `
        DELETE FROM "Lease" WHERE "name" IN (
          SELECT "name" FROM "Lease" WHERE "name" = ANY($1::text[]) AND "token" = $2 ORDER BY "name" FOR UPDATE)`,
      values: [names.toSorted(), token],
    })
  },
})

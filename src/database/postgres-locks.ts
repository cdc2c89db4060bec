import type pg from 'pg'
import type { Locks } from './locks.ts'

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

/** Takes locks in the order of their names, so that no two processes wait for each other. */
const takeAllSql = `
  WITH taken AS (
    INSERT INTO "Lease" AS held ("name", "token", "until")
    SELECT wanted, $2, ${until('$3')} FROM unnest($1::text[]) AS wanted ORDER BY wanted COLLATE "C"
    ${takeOver}
    WHERE ${isFree('$3')} OR held."token" = $2 OR held."token" = ANY($4::text[])
    RETURNING held."name", held."token")
  SELECT "name", "token" FROM taken
  -- As they were before this statement.
  UNION ALL SELECT "name", "token" FROM "Lease" AS other
  WHERE "name" = ANY($1::text[]) AND NOT EXISTS (SELECT 1 FROM taken WHERE taken."name" = other."name")`

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
  takeAll: async (names, { token, ms, ended }) => {
    const { rows } = await pool.query<{ name: string; token: string }>({
      name: 'take locks',
      text: takeAllSql,
      values: [[...names], token, ms, [...ended]],
    })
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

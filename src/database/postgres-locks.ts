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

/**
 * Takes several locks, those that the taker holds already too. They are taken in the order of their names, so that no
 * two processes wait for each other. It returns the name and token of each that was taken.
 * @param names a query of the names in its column `name`.
 * @param taker the placeholders of the taker's token, of the length in ms, and an expression for the ended tokens.
 */
export const takingAll = (names: string, taker: { token: string; ms: string; ended: string }): string => `
  INSERT INTO "Lease" AS held ("name", "token", "until")
  SELECT "name", ${taker.token}, ${until(taker.ms)} FROM (${names}) AS wanted ORDER BY "name" COLLATE "C"
  ${takeOver}
  WHERE ${isFree(taker.ms)} OR held."token" = ${taker.token} OR held."token" = ANY(${taker.ended})
  RETURNING held."name", held."token"`

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
      text: `
        WITH taken AS (${takingAll('SELECT "name" FROM unnest($1::text[]) AS "name"', { token: '$2', ms: '$3', ended: '$4::text[]' })})
        SELECT "name", "token" FROM taken
        -- As they were before this statement.
        UNION ALL SELECT "name", "token" FROM "Lease" AS other
        WHERE "name" = ANY($1::text[]) AND NOT EXISTS (SELECT 1 FROM taken WHERE taken."name" = other."name")`,
      values: [names, token, ms, ended],
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

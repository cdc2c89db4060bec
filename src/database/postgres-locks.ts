import type pg from 'pg'
import type { Locks } from './locks.ts'

/** The server's clock in UTC, as in the tables: the clocks of the processes may differ. */
const now = "(clock_timestamp() AT TIME ZONE 'UTC')"

/** Locks for all processes on a PostgreSQL, as rows of `Lease`: a lock that a process leaves behind runs out. */
export const sharedLocks = (pool: pg.Pool): Locks => ({
  take: async (name, token, ms) => {
    const { rowCount } = await pool.query({
      name: 'take a lock',
      text: `
        INSERT INTO "Lease" AS held ("name", "token", "until") VALUES ($1, $2, ${now} + $3 * interval '1 millisecond')
        ON CONFLICT ("name") DO UPDATE SET "token" = EXCLUDED."token", "until" = EXCLUDED."until"
        WHERE held."until" <= ${now}
        -- Further ahead than any is taken: the server's clock was set back since.
        OR held."until" > ${now} + 2 * $3 * interval '1 millisecond'`,
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
})

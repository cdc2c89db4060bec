import type pg from 'pg'
import type { Bucket, NamedBucket, Rates } from './rates.ts'
import { raw, type Sql, sql } from './sql.ts'

/** Rates that all instances on one PostgreSQL share. */
export interface SharedRates extends Rates {
  /** Deletes full buckets, because a missing bucket counts as full. */
  forget(): Promise<void>
}

/** The server's clock: the clocks of the processes may differ. */
const nowMs = '(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint'

const takeSql = (condition: string): string => `
  INSERT INTO "Bucket" AS kept ("name", "fullAtMs") VALUES ($1, ${nowMs} + $2::bigint)
  ON CONFLICT ("name") DO UPDATE SET "fullAtMs" = GREATEST(kept."fullAtMs", ${nowMs}) + $2::bigint ${condition}
  RETURNING "fullAtMs" - ${nowMs} AS ms`

const limitOf = ({ costMs, burst }: Bucket): number => costMs * burst

const nowSql = raw(nowMs)

const takingBoth = (first: NamedBucket, second: NamedBucket): Sql => sql`
  WITH first AS (
    INSERT INTO "Bucket" AS kept ("name", "fullAtMs") VALUES (${first.name}, ${nowSql} + ${first.costMs}::bigint)
    ON CONFLICT ("name") DO UPDATE SET "fullAtMs" = GREATEST(kept."fullAtMs", ${nowSql}) + ${first.costMs}::bigint
    RETURNING "fullAtMs" - ${nowSql} AS ms
  ),
  second AS (
    INSERT INTO "Bucket" AS kept ("name", "fullAtMs")
    SELECT CAST(${second.name} AS TEXT), ${nowSql} + ${second.costMs}::bigint FROM first
    WHERE ms <= ${limitOf(first)}::bigint
    ON CONFLICT ("name") DO UPDATE SET "fullAtMs" = GREATEST(kept."fullAtMs", ${nowSql}) + ${second.costMs}::bigint
    WHERE GREATEST(kept."fullAtMs", ${nowSql}) + ${second.costMs}::bigint - ${nowSql} <= ${limitOf(second)}::bigint
    RETURNING "name"
  )
  SELECT ms, EXISTS (SELECT 1 FROM second) AS "isBoth" FROM first`

/** Rates that all processes on a PostgreSQL share. */
export const sharedRates = (pool: pg.Pool): SharedRates => {
  const ask = async (name: string, text: string, values: unknown[]): Promise<number | null> => {
    const { rows } = await pool.query<{ ms: string }>({ name, text, values })
    return rows[0] ? Number(rows[0].ms) : null
  }
  return {
    take: async (name, { costMs }) => (await ask('take', takeSql(''), [name, costMs])) ?? 0,
    tryTake: async (name, bucket) => {
      const within = `WHERE GREATEST(kept."fullAtMs", ${nowMs}) + $2::bigint - ${nowMs} <= $3::bigint`
      const { costMs } = bucket
      const limitMs = limitOf(bucket)
      const taken = await ask('try to take', takeSql(within), [name, costMs, limitMs])
      if (taken !== null) return 0
      const text = `SELECT "fullAtMs" + $2::bigint - ${nowMs} AS ms FROM "Bucket" WHERE "name" = $1`
      return Math.max(1, ((await ask('look', text, [name, costMs])) ?? 0) - limitMs)
    },
    takeBoth: async (first, second) => {
      const { text, values } = takingBoth(first, second)
      const { rows } = await pool.query<{ ms: string; isBoth: boolean }>({ name: 'take both', text, values })
      return { fullInMs: Number(rows[0]?.ms ?? 0), isBoth: rows[0]?.isBoth ?? false }
    },
    forget: async () => {
      await pool.query(`DELETE FROM "Bucket" WHERE "fullAtMs" < ${nowMs}`)
    },
    drain: async (name, { costMs, burst }, ms) => {
      await pool.query(
        `INSERT INTO "Bucket" AS kept ("name", "fullAtMs") VALUES ($1, ${nowMs} + $2::bigint)
         ON CONFLICT ("name") DO UPDATE SET "fullAtMs" = GREATEST(kept."fullAtMs", ${nowMs} + $2::bigint)`,
        [name, Math.ceil(ms) + costMs * (burst - 1)],
      )
    },
  }
}

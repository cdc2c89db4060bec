import type { Client } from '../../database/database.ts'
import { join, raw, sql } from '../../database/sql.ts'
import { latest } from '../../domain/times/ahead.ts'

/** How much of its limits an account has used. */
export interface Usage {
  /** How many requests it has made since each of the given times. */
  counts: readonly number[]
  /** The provider has asked for a pause until this time; null if it has not. */
  frozenUntil: Date | null
}

/** The most requests that may have been made since a time. */
export interface Room {
  since: Date
  most: number
}

type Counts = Record<number, number | bigint | null>

const countsOf = (times: readonly Date[]) =>
  join(
    times.map((time, index) => sql`SUM(CASE WHEN "at" > ${time} THEN 1 ELSE 0 END) AS ${raw(`"${index}"`)}`),
  )

const earliestOf = (times: readonly Date[]): Date =>
  new Date(Math.min(...times.map((time) => time.getTime())))

/** Counts of requests to the provider, by account and time, for the request budget. */
export const requestStore = (client: Client) => ({
  /**
   * Counts a request if fewer than `most` were made since each of the times, and the account is not frozen. Call it in
   * a transaction that has the account to itself: otherwise two concurrent calls could both use the last free request.
   * @returns whether it was counted.
   */
  countIfRoom: async (accountId: string, at: Date, rooms: readonly Room[]): Promise<boolean> => {
    const haveRoom = rooms.map(
      ({ since, most }) =>
        sql`(SELECT COUNT(*) FROM "Request" WHERE "accountId" = ${accountId} AND "at" > ${since}) < ${most}`,
    )
    const isSilent = sql`EXISTS (
      SELECT 1 FROM "Account"
      WHERE "id" = ${accountId} AND "frozenUntil" > ${at} AND "frozenUntil" <= ${latest('frozenUntil', at)})`
    const count = await client.$executeRaw`
      INSERT INTO "Request" ("accountId", "at") SELECT ${accountId}, ${at}
      WHERE ${join([sql`NOT ${isSilent}`, ...haveRoom], ' AND ')}`
    return count === 1
  },

  /** How many requests the account has made since each of the times, read in one statement. */
  countsSince: async (accountId: string, times: readonly Date[]): Promise<number[]> => {
    if (times.length === 0) return []
    const [row] = await client.$queryRaw<Counts[]>`
      SELECT ${countsOf(times)} FROM "Request" WHERE "accountId" = ${accountId} AND "at" > ${earliestOf(times)}`
    return times.map((_, index) => Number(row?.[index] ?? 0))
  },

  /** Like `countsSince`, and also returns the pause that the provider asked for, in one statement. */
  usageSince: async (accountId: string, times: readonly Date[]): Promise<Usage> => {
    const [row] = await client.$queryRaw<(Counts & Pick<Usage, 'frozenUntil'>)[]>`
      SELECT "frozenUntil", ${countsOf(times)} FROM (SELECT CAST(${accountId} AS TEXT) AS "asked") AS "asking"
      LEFT JOIN "Account" ON "Account"."id" = "asked"
      LEFT JOIN "Request" ON "Request"."accountId" = "asked" AND "at" > ${earliestOf(times)}
      GROUP BY "frozenUntil"`
    return {
      counts: times.map((_, index) => Number(row?.[index] ?? 0)),
      frozenUntil: row?.frozenUntil ?? null,
    }
  },

  /**
   * The time of the oldest request since `since`, not counting the `skip` oldest ones; null if there are not that many.
   */
  nthSince: async (accountId: string, since: Date, skip: number): Promise<Date | null> => {
    const row = await client.request.findFirst({
      where: { accountId, at: { gt: since } },
      orderBy: { at: 'asc' },
      skip,
    })
    return row?.at ?? null
  },

  /** Deletes all requests except those between the two times. */
  keepBetween: async (since: Date, until: Date): Promise<void> => {
    await client.request.deleteMany({ where: { OR: [{ at: { lt: since } }, { at: { gt: until } }] } })
  },
})

export type RequestStore = ReturnType<typeof requestStore>

import type { Client } from '../database/database.ts'
import { join, raw, sql } from '../database/sql.ts'

/** How much of its limits an account has used. */
export interface Usage {
  /** Its requests since each of the times that were asked for. */
  counts: number[]
  /** Until when the provider asked for silence. */
  frozenUntil: Date | null
}

type Counts = Record<number, number | bigint | null>

const countsOf = (times: readonly Date[]) =>
  join(
    times.map((time, index) => sql`SUM(CASE WHEN "at" > ${time} THEN 1 ELSE 0 END) AS ${raw(`"${index}"`)}`),
  )

const earliestOf = (times: readonly Date[]): Date =>
  new Date(Math.min(...times.map((time) => time.getTime())))

/** Requests to the provider by account and time, for the budget. */
export const requestStore = (client: Client) => ({
  insert: async (accountId: string, at: Date): Promise<void> => {
    await client.request.create({ data: { accountId, at } })
  },

  /** How many there were since each of the times, in one statement. */
  countsSince: async (accountId: string, times: readonly Date[]): Promise<number[]> => {
    const [row] = await client.$queryRaw<Counts[]>`
      SELECT ${countsOf(times)} FROM "Request" WHERE "accountId" = ${accountId} AND "at" > ${earliestOf(times)}`
    return times.map((_, index) => Number(row?.[index] ?? 0))
  },

  /** The same, with the provider's wish for silence, in one statement. */
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

  /** The time of the request after `skip` older ones. */
  nthSince: async (accountId: string, since: Date, skip: number): Promise<Date | null> => {
    const row = await client.request.findFirst({
      where: { accountId, at: { gt: since } },
      orderBy: { at: 'asc' },
      skip,
    })
    return row?.at ?? null
  },

  forgetBefore: async (at: Date): Promise<void> => {
    await client.request.deleteMany({ where: { at: { lt: at } } })
  },
})

/** The queries of `requestStore`. */
export type RequestStore = ReturnType<typeof requestStore>

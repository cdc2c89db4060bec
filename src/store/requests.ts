import type { Client } from '../database/database.ts'
import { join, raw, sql } from '../database/sql.ts'

/** Requests to the provider by account and time, for the budget. */
export const requestStore = (client: Client) => ({
  insert: async (accountId: string, at: Date): Promise<void> => {
    await client.request.create({ data: { accountId, at } })
  },

  /** How many there were since each of the times, in one statement. */
  countsSince: async (accountId: string, times: readonly Date[]): Promise<number[]> => {
    const earliest = new Date(Math.min(...times.map((time) => time.getTime())))
    const counts = times.map(
      (time, index) => sql`SUM(CASE WHEN "at" > ${time} THEN 1 ELSE 0 END) AS ${raw(`"${index}"`)}`,
    )
    const [row] = await client.$queryRaw<Record<string, number | bigint | null>[]>`
      SELECT ${join(counts)} FROM "Request" WHERE "accountId" = ${accountId} AND "at" > ${earliest}`
    return times.map((_, index) => Number(row?.[index] ?? 0))
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

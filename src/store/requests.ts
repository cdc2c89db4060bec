import type { Client } from '../database/database.ts'

/** Requests to the provider by account and time, for the budget. */
export const requestStore = (client: Client) => ({
  insert: async (accountId: string, at: Date): Promise<void> => {
    await client.request.create({ data: { accountId, at } })
  },

  countSince: (accountId: string, since: Date): Promise<number> =>
    client.request.count({ where: { accountId, at: { gt: since } } }),

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

import type { Client } from './database.ts'

/** Requests made to the provider, by account and time: what the budget counts. */
export const requestStore = (client: Client) => ({
  insert: async (accountId: string, at: Date): Promise<void> => {
    await client.request.create({ data: { accountId, at } })
  },

  countSince: (accountId: string, since: Date): Promise<number> =>
    client.request.count({ where: { accountId, at: { gt: since } } }),

  /** When the request after `skip` older ones was made. */
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

export type RequestStore = ReturnType<typeof requestStore>

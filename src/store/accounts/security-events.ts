import type { Client } from '../../database/database.ts'

export interface SecurityRow {
  id: number
  at: Date
  kind: string
  account: string
  actor: string
  detail: string
  /** The id of a key, and the authentication code that was made with it. */
  code: string
}

/** Rows never change; only the oldest are deleted. */
export const securityEventStore = (client: Client) => ({
  append: async (row: Omit<SecurityRow, 'id'>): Promise<void> => {
    await client.securityEvent.create({ data: row })
  },

  /** A page of events, newest first. @param accounts the tags of one account; null for events of all accounts. */
  page: (accounts: readonly string[] | null, skip: number, take: number): Promise<SecurityRow[]> =>
    client.securityEvent.findMany({
      where: accounts === null ? {} : { account: { in: [...accounts] } },
      orderBy: { id: 'desc' },
      skip,
      take,
    }),

  forgetBefore: async (before: Date): Promise<void> => {
    await client.securityEvent.deleteMany({ where: { at: { lt: before } } })
  },
})

export type SecurityEventStore = ReturnType<typeof securityEventStore>

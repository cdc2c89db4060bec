import type { Client } from './database.ts'

/** A row of the chain, as it is stored. */
export interface SecurityRow {
  id: number
  at: Date
  kind: string
  account: string
  actor: string
  detail: string
  previous: string
  hash: string
}

/** The chain of security events, newest first. Nothing changes a row; only the oldest go. */
export const securityEventStore = (client: Client) => ({
  last: (): Promise<SecurityRow | null> => client.securityEvent.findFirst({ orderBy: { id: 'desc' } }),

  append: async (row: Omit<SecurityRow, 'id'>): Promise<void> => {
    await client.securityEvent.create({ data: row })
  },

  /** @param accounts tags of one account; null: of all. */
  page: (accounts: readonly string[] | null, skip: number, take: number): Promise<SecurityRow[]> =>
    client.securityEvent.findMany({
      where: accounts === null ? {} : { account: { in: [...accounts] } },
      orderBy: { id: 'desc' },
      skip,
      take,
    }),

  /** Those before that time, but never the newest: the chain goes on from it. */
  forgetBefore: async (before: Date): Promise<void> => {
    const newest = await client.securityEvent.findFirst({ orderBy: { id: 'desc' }, select: { id: true } })
    if (newest)
      await client.securityEvent.deleteMany({ where: { at: { lt: before }, id: { lt: newest.id } } })
  },
})

export type SecurityEventStore = ReturnType<typeof securityEventStore>

import type { Client } from '../database/database.ts'

/** A stored row of the chain. */
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

/** The chain of security events, newest first. Rows never change; only the oldest are deleted. */
export const securityEventStore = (client: Client) => ({
  last: (): Promise<SecurityRow | null> => client.securityEvent.findFirst({ orderBy: { id: 'desc' } }),

  append: async (row: Omit<SecurityRow, 'id'>): Promise<void> => {
    await client.securityEvent.create({ data: row })
  },

  /** A page of the chain. @param accounts tags of one account; null: of all. */
  page: (accounts: readonly string[] | null, skip: number, take: number): Promise<SecurityRow[]> =>
    client.securityEvent.findMany({
      where: accounts === null ? {} : { account: { in: [...accounts] } },
      orderBy: { id: 'desc' },
      skip,
      take,
    }),

  /** Deletes rows before that time, except the newest: the chain goes on from it. */
  forgetBefore: async (before: Date): Promise<void> => {
    const newest = await client.securityEvent.findFirst({ orderBy: { id: 'desc' }, select: { id: true } })
    if (newest)
      await client.securityEvent.deleteMany({ where: { at: { lt: before }, id: { lt: newest.id } } })
  },
})

/** The queries of `securityEventStore`. */
export type SecurityEventStore = ReturnType<typeof securityEventStore>

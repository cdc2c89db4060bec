import type { Placement } from '../orders/placement.ts'
import type { Client } from './database.ts'

/** Orders that stand in one placement without their end being known. */
export interface OpenOrders {
  placement: 'queued' | 'sending' | 'unconfirmed' | 'review'
  count: number
  /** Since when the oldest waits: that its person confirmed it, or that its first byte may have left. */
  oldest: Date | null
}

const open = ['queued', 'sending', 'unconfirmed', 'review'] as const satisfies Placement[]

/** What waits to be done, for who watches the bot: each query is answered out of an index. */
export const backlogStore = (client: Client) => ({
  /** Each of the four placements; those to review that their person has judged are done. */
  openOrders: async (): Promise<OpenOrders[]> => {
    const groups = await client.order.groupBy({
      by: ['placement'],
      where: {
        placement: { in: [...open] },
        OR: [{ placement: { not: 'review' } }, { reason: null }, { reason: { not: 'charged_by_person' } }],
      },
      _count: true,
      _min: { createdAt: true, sentAt: true },
    })
    return open.map((placement) => {
      const group = groups.find((each) => each.placement === placement)
      const { createdAt = null, sentAt = null } = group?._min ?? {}
      const oldest = placement === 'queued' ? createdAt : (sentAt ?? createdAt)
      return { placement, count: group?._count ?? 0, oldest }
    })
  },

  /** Callbacks that nobody has looked at yet. */
  callbacks: async (): Promise<{ count: number; oldest: Date | null }> => {
    const { _count, _min } = await client.event.aggregate({
      where: { appliedAt: null },
      _count: true,
      _min: { receivedAt: true },
    })
    return { count: _count, oldest: _min.receivedAt }
  },

  noticesSetAside: (): Promise<number> => client.notice.count({ where: { setAsideAt: { not: null } } }),

  /**
   * Since when the message waits that waits longest of those that could go: its chat takes messages, and its quiet hours
   * are over. One that failed, and is tried again later, waits since it was owed.
   */
  oldestNotice: async (now: Date): Promise<Date | null> => {
    const [row] = await client.$queryRaw<{ createdAt: Date; quietUntil: Date | null }[]>`
      SELECT "createdAt", "quietUntil" FROM "Notice"
      WHERE "setAsideAt" IS NULL AND ("quietUntil" IS NULL OR "quietUntil" <= ${now})
        AND NOT EXISTS (SELECT 1 FROM "Chat" WHERE "Chat"."id" = "chatId" AND "mutedAt" IS NOT NULL)
      ORDER BY COALESCE("quietUntil", "createdAt") LIMIT 1`
    return row ? (row.quietUntil ?? row.createdAt) : null
  },

  /** How many requests were made since then for the account that made most. */
  mostRequests: async (since: Date): Promise<number> => {
    const [busiest] = await client.request.groupBy({
      by: ['accountId'],
      where: { at: { gt: since } },
      _count: { accountId: true },
      orderBy: { _count: { accountId: 'desc' } },
      take: 1,
    })
    return busiest?._count.accountId ?? 0
  },

  /** Accounts with credentials; of these those whose credentials are refused, and those that the provider slows down. */
  accounts: async (now: Date): Promise<{ connected: number; unauthorized: number; frozen: number }> => {
    const where = { sealedSecret: { not: '' } }
    const [connected, unauthorized, frozen] = await Promise.all([
      client.account.count({ where }),
      client.account.count({ where: { ...where, refusalToldAt: { not: null } } }),
      client.account.count({ where: { ...where, frozenUntil: { gt: now } } }),
    ])
    return { connected, unauthorized, frozen }
  },
})

export type BacklogStore = ReturnType<typeof backlogStore>

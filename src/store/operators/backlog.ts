import type { Client } from '../../database/database.ts'
import type { Placement } from '../../domain/order/placement.ts'
import { aheadOf } from '../../domain/times/ahead.ts'

/** Orders in one placement whose outcome is still open. */
export interface OpenOrders {
  placement: 'queued' | 'sending' | 'unconfirmed' | 'review'
  count: number
  /**
   * When the order that waits longest began to wait: when its person confirmed it or, if it was sent, when the sending
   * began.
   */
  oldest: Date | null
}

const open = ['queued', 'sending', 'unconfirmed', 'review'] as const satisfies Placement[]

/** Counts of waiting work, for monitoring. Each query is answered from an index. */
export const backlogStore = (client: Client) => ({
  /** One entry for each of the four open placements. Orders in review that their person has judged do not count. */
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

  callbacks: async (): Promise<{ count: number; oldest: Date | null }> => {
    const { _count, _min } = await client.statusReport.aggregate({
      where: { appliedAt: null },
      _count: true,
      _min: { receivedAt: true },
    })
    return { count: _count, oldest: _min.receivedAt }
  },

  noticesSetAside: (): Promise<number> => client.notice.count({ where: { setAsideAt: { not: null } } }),

  /**
   * Since when the longest waiting message could have been sent: since it was enqueued, or since its quiet hours ended.
   * A message that failed and will be retried counts too. Messages to muted chats do not count.
   */
  oldestNotice: async (now: Date): Promise<Date | null> => {
    const [row] = await client.$queryRaw<{ createdAt: Date; quietUntil: Date | null }[]>`
      SELECT "createdAt", "quietUntil" FROM "Notice"
      WHERE "setAsideAt" IS NULL AND ("quietUntil" IS NULL OR "quietUntil" <= ${now})
        AND NOT EXISTS (SELECT 1 FROM "Chat" WHERE "Chat"."id" = "chatId" AND "mutedAt" IS NOT NULL)
      ORDER BY COALESCE("quietUntil", "createdAt") LIMIT 1`
    return row ? (row.quietUntil ?? row.createdAt) : null
  },

  /** The number of requests after `since` by the account that made the most. */
  maxRequests: async (since: Date): Promise<number> => {
    const [busiest] = await client.request.groupBy({
      by: ['accountId'],
      where: { at: { gt: since } },
      _count: { accountId: true },
      orderBy: { _count: { accountId: 'desc' } },
      take: 1,
    })
    return busiest?._count.accountId ?? 0
  },

  /**
   * How many accounts have credentials, how many of them have refused ones, and for how many the provider asked to
   * pause.
   */
  accounts: async (now: Date): Promise<{ connected: number; unauthorized: number; frozen: number }> => {
    const where = { sealedSecret: { not: '' } }
    const [connected, unauthorized, frozen] = await Promise.all([
      client.account.count({ where }),
      client.account.count({ where: { ...where, refusalToldAt: { not: null } } }),
      client.account.count({ where: { ...where, frozenUntil: aheadOf('frozenUntil', now) } }),
    ])
    return { connected, unauthorized, frozen }
  },
})

export type BacklogStore = ReturnType<typeof backlogStore>

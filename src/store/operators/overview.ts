import type { Client } from '../../database/database.ts'
import { type NoticeContent, ordersAgain, untilLetGo } from '../../domain/notice.ts'
import type { Placement } from '../../domain/order/placement.ts'
import { aheadOf } from '../../domain/times/ahead.ts'
import { blockingQueries } from './blocking.ts'
import { factStore } from './facts.ts'
import { stuckQueries } from './stuck.ts'

/**
 * What operators are shown in addition to the backlog: counts, and work that is stuck. No query returns credentials,
 * phones or names.
 */
export const overviewStore = (client: Client) => ({
  ...stuckQueries(client),
  ...blockingQueries(client),

  people: async (): Promise<PeopleCounts> => ({
    owners: await client.member.count({ where: { role: 'owner' } }),
    agents: await client.member.count({ where: { role: 'agent' } }),
    following: await followingChats(client),
    muted: await client.chat.count({ where: { mutedAt: { not: null } } }),
    blocked: await client.chat.count({ where: { blockedAt: { not: null } } }),
  }),

  /** Orders confirmed after `since`, counted by the provider's status or, if there is none, by placement. */
  ordersSince: async (since: Date): Promise<{ state: string; count: number }[]> => {
    const rows = await client.order.groupBy({
      by: ['placement', 'status'],
      // Only old orders are redacted; the condition makes the database use the index.
      where: { redactedAt: null, createdAt: { gte: since } },
      _count: { _all: true },
    })
    const counts = new Map<string, number>()
    for (const { placement, status, _count } of rows) {
      const state = placement === ('placed' satisfies Placement) && status !== null ? status : placement
      counts.set(state, (counts.get(state) ?? 0) + _count._all)
    }
    return [...counts]
      .map(([state, count]) => ({ state, count }))
      .sort((a, b) => b.count - a.count || a.state.localeCompare(b.state))
  },

  /** Placed orders that are still followed. */
  followed: (): Promise<number> => countFollowed(client),

  databaseVersion: async (): Promise<string> => {
    try {
      const [row] = await client.$queryRaw<{ version: string }[]>`SELECT sqlite_version() AS "version"`
      return `SQLite ${row?.version ?? ''}`
    } catch {
      const [row] = await client.$queryRaw<{ server_version: string }[]>`SHOW server_version`
      // PostgreSQL may append the packager's name after a space.
      return `PostgreSQL ${(row?.server_version ?? '').split(' ')[0]}`
    }
  },

  /** The open invitations, newest first. */
  openInvitations: async (now: Date, limit: number): Promise<OpenInvitation[]> =>
    client.invitation.findMany({
      where: { ...unusedInvitation, expiresAt: aheadOf('invitation', now) },
      select: { tokenHash: true, createdAt: true, expiresAt: true },
      orderBy: [{ createdAt: 'desc' }, { tokenHash: 'asc' }],
      take: limit,
    }),

  /** Revokes an invitation. @returns false if it was not open. */
  revokeInvitation: async (tokenHash: string, now: Date): Promise<boolean> => {
    const { count } = await client.invitation.updateMany({
      where: { ...unusedInvitation, tokenHash },
      data: { revokedAt: now },
    })
    return count === 1
  },

  /**
   * Tests whether purchases can be written: writes a fact, and updates no rows in the tables that a purchase writes. If
   * another program has locked one of these tables, this waits as a purchase would.
   */
  tryWriting: async (at: Date): Promise<void> => {
    const where = { id: '' }
    await client.purchase.updateMany({ where, data: { remark: null } })
    await client.order.updateMany({ where, data: { reason: null } })
    await factStore(client).write('written', at.toISOString())
  },

  /** Whether a notice of this kind about that subject is enqueued for the chat. */
  isOwed: async (chatId: number, { kind, subject }: NoticeContent): Promise<boolean> =>
    (await client.notice.count({ where: { chatId: BigInt(chatId), kind, subject, setAsideAt: null } })) > 0,

  /** Notices that are held back until maintenance ends. */
  waitingForOrders: async (limit: number): Promise<{ id: number; chatId: number }[]> => {
    const rows = await client.notice.findMany({
      where: { subject: ordersAgain.subject, kind: ordersAgain.kind, quietUntil: untilLetGo },
      select: { id: true, chatId: true },
      orderBy: { id: 'asc' },
      take: limit,
    })
    return rows.map(({ id, chatId }) => ({ id, chatId: Number(chatId) }))
  },

  /**
   * Releases a notice that waits for the end of maintenance.
   * @param quietUntil the end of the chat's quiet hours; null if the notice is sent immediately.
   * @returns false if the notice was not waiting.
   */
  endWaitForMaintenance: async (id: number, quietUntil: Date | null): Promise<boolean> => {
    const { count } = await client.notice.updateMany({
      where: { id, quietUntil: untilLetGo },
      data: { quietUntil },
    })
    return count === 1
  },
})

export type OverviewStore = ReturnType<typeof overviewStore>

export interface PeopleCounts {
  owners: number
  agents: number
  /** Chats that follow other people's orders. */
  following: number
  muted: number
  blocked: number
}

export interface OpenInvitation {
  tokenHash: string
  createdAt: Date
  expiresAt: Date
}

const unusedInvitation = { accountId: null, usedAt: null, revokedAt: null }

const followingChats = async (client: Client): Promise<number> => {
  const [row] = await client.$queryRaw<{ count: number | bigint }[]>`
    SELECT COUNT(DISTINCT "chatId") AS "count" FROM "Follow"`
  return Number(row?.count ?? 0)
}

/**
 * Counts all orders with a planned poll and subtracts those that are not placed. A single condition that includes the
 * placement would use the index of all orders, which is slow.
 */
const countFollowed = async (client: Client): Promise<number> => {
  // A range instead of "not null", which would not use the index.
  const nextPollAt = { gt: new Date(0) }
  const others: Placement[] = ['queued', 'sending', 'unconfirmed', 'review', 'not_placed', 'rejected']
  const all = await client.order.count({ where: { nextPollAt } })
  return all - (await client.order.count({ where: { nextPollAt, placement: { in: others } } }))
}

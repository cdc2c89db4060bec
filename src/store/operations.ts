import type { Placement } from '../orders/placement.ts'
import { type NoticeContent, ordersAgain, untilLetGo } from '../relay/notice.ts'
import { Prisma } from './client/client.ts'
import type { Client } from './database.ts'
import type { StatusEvent, Verdict } from './events.ts'

/**
 * What operators ask beside the backlog: how much there is, and what is stuck. No credentials, no phones, no names.
 */
export const operationStore = (client: Client) => ({
  people: async (): Promise<PeopleCounts> => ({
    owners: await client.member.count({ where: { role: 'owner' } }),
    agents: await client.member.count({ where: { role: 'agent' } }),
    following: await followingChats(client),
    muted: await client.chat.count({ where: { mutedAt: { not: null } } }),
    blocked: await client.chat.count({ where: { blockedAt: { not: null } } }),
  }),

  /** Orders that were confirmed since then: the provider's status where it has one, else the placement. */
  ordersSince: async (since: Date): Promise<{ standing: string; count: number }[]> => {
    const rows = await client.order.groupBy({
      by: ['placement', 'status'],
      // Only old ones are reduced: this is what the index is found by.
      where: { reducedAt: null, createdAt: { gte: since } },
      _count: { _all: true },
    })
    const counts = new Map<string, number>()
    for (const { placement, status, _count } of rows) {
      const standing = placement === ('placed' satisfies Placement) && status !== null ? status : placement
      counts.set(standing, (counts.get(standing) ?? 0) + _count._all)
    }
    return [...counts]
      .map(([standing, count]) => ({ standing, count }))
      .sort((a, b) => b.count - a.count || a.standing.localeCompare(b.standing))
  },

  /** Placed orders that are still followed. */
  followed: (): Promise<number> => countFollowed(client),

  /** As the database names itself. */
  databaseVersion: async (): Promise<string> => {
    try {
      const [row] = await client.$queryRaw<{ version: string }[]>`SELECT sqlite_version() AS "version"`
      return `SQLite ${row?.version ?? ''}`
    } catch {
      const [row] = await client.$queryRaw<{ server_version: string }[]>`SHOW server_version`
      // Behind a space stands who made the package.
      return `PostgreSQL ${(row?.server_version ?? '').split(' ')[0]}`
    }
  },

  // ── What is stuck ──────────────────────────────────────────────────────────────────────────────────────────────

  stuckCounts: async (now: Date): Promise<StuckCounts> => ({
    notices: await client.notice.count({ where: { setAsideAt: { not: null } } }),
    orders: await client.order.count({ where: stuckOrder(now) }),
    callbacks: await strangeCount(client, now),
  }),

  /** Messages that were given up, newest first. */
  setAside: async (skip: number, limit: number): Promise<StuckNotice[]> => {
    const where = { setAsideAt: { not: null } }
    const rows = await client.notice.findMany({ where, orderBy: { id: 'desc' }, skip, take: limit })
    return rows.map(noticeOf)
  },

  setAsideById: async (id: number): Promise<StuckNotice | null> => {
    const row = await client.notice.findUnique({ where: { id, setAsideAt: { not: null } } })
    return row && noticeOf(row)
  },

  /** @returns whether it was set aside until now. */
  tryAgain: async (id: number): Promise<boolean> => {
    const { count } = await client.notice.updateMany({
      where: { id, setAsideAt: { not: null } },
      data: { setAsideAt: null, attempts: 0, notBefore: null },
    })
    return count === 1
  },

  /** @returns whether it was set aside until now. */
  drop: async (id: number): Promise<boolean> =>
    (await client.notice.deleteMany({ where: { id, setAsideAt: { not: null } } })).count === 1,

  /** Orders of which nobody knows for long whether they were charged, oldest first. */
  stuckOrders: async (now: Date, skip: number, limit: number): Promise<StuckOrder[]> => {
    const rows = await client.order.findMany({
      where: stuckOrder(now),
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      skip,
      take: limit,
    })
    return rows.map(stuckOrderOf)
  },

  /** An order whose end is not known; null where it is, or there is none. */
  openOrder: async (id: string): Promise<StuckOrder | null> => {
    const row = await client.order.findUnique({
      where: { id, placement: { in: doubtful } },
    })
    return row && stuckOrderOf(row)
  },

  /** Callbacks that name another order than their address, or could not be applied, newest first. */
  strangeCallbacks: async (now: Date, skip: number, limit: number): Promise<StrangeCallback[]> => {
    const rows = await client.$queryRaw<{ id: number | bigint }[]>`
      ${await strange(client, now)} ORDER BY "id" DESC LIMIT ${limit} OFFSET ${skip}`
    const ids = rows.map(({ id }) => Number(id))
    const found = await client.event.findMany({ where: { id: { in: ids } }, orderBy: { id: 'desc' } })
    return found.map(callbackOf)
  },

  strangeCallback: async (id: number): Promise<StrangeCallback | null> => {
    const where = { id, OR: [{ verdict: 'foreign' satisfies Verdict }, { appliedAt: null }] }
    const row = await client.event.findFirst({ where })
    return row && callbackOf(row)
  },

  /** It is kept, and shown no more; one that was not applied is not tried again. @returns whether it stood there. */
  dismiss: async (id: number, now: Date): Promise<boolean> => {
    const { count } = await client.event.updateMany({
      where: { id, OR: [{ verdict: 'foreign' satisfies Verdict }, { appliedAt: null }] },
      data: { verdict: 'dismissed' satisfies Verdict, appliedAt: now },
    })
    return count === 1
  },

  /** All that name another order, up to that one. @returns how many. */
  dismissForeign: async (through: number): Promise<number> => {
    const { count } = await client.event.updateMany({
      where: { id: { gt: through - newestEvents, lte: through }, verdict: 'foreign' satisfies Verdict },
      data: { verdict: 'dismissed' satisfies Verdict },
    })
    return count
  },

  /** Accounts whose credentials the provider refuses, or that are to be left in peace for a while. */
  troubledAccounts: async (now: Date, skip: number, limit: number): Promise<TroubledAccount[]> => {
    const rows = await client.account.findMany({
      where: {
        sealedSecret: { not: '' },
        OR: [{ refusalToldAt: { not: null } }, { frozenUntil: { gt: now } }],
      },
      orderBy: { createdAt: 'asc' },
      skip,
      take: limit,
    })
    return rows.map(({ id, unauthorizedSince, refusalToldAt, frozenUntil }) => ({
      accountId: id,
      refusedSince: refusalToldAt && unauthorizedSince,
      frozenUntil: frozenUntil && frozenUntil > now ? frozenUntil : null,
    }))
  },

  // ── Invitations to connect an account ──────────────────────────────────────────────────────────────────────────

  /** Those that can still be used, newest first. */
  openInvitations: async (now: Date, limit: number): Promise<OpenInvitation[]> =>
    client.invitation.findMany({
      where: { ...unusedInvitation, expiresAt: { gt: now } },
      select: { tokenHash: true, createdAt: true, expiresAt: true },
      orderBy: [{ createdAt: 'desc' }, { tokenHash: 'asc' }],
      take: limit,
    }),

  /** @returns whether it could still be used. */
  revokeInvitation: async (tokenHash: string, now: Date): Promise<boolean> => {
    const { count } = await client.invitation.updateMany({
      where: { ...unusedInvitation, tokenHash },
      data: { revokedAt: now },
    })
    return count === 1
  },

  // ── Blocked chats ──────────────────────────────────────────────────────────────────────────────────────────────

  /** What decides whether what somebody sends is read. @param userId who writes in that chat. */
  standing: async (chatId: number, userId = chatId): Promise<{ isMuted: boolean; isBlocked: boolean }> => {
    const rows = await client.chat.findMany({
      where: { id: { in: [BigInt(chatId), BigInt(userId)] } },
      select: { id: true, mutedAt: true, blockedAt: true },
    })
    return {
      isMuted: rows.some(({ id, mutedAt }) => Number(id) === chatId && mutedAt !== null),
      isBlocked: rows.some(({ blockedAt }) => blockedAt !== null),
    }
  },

  blockedSince: async (chatId: number): Promise<Date | null> =>
    (await client.chat.findUnique({ where: { id: BigInt(chatId) }, select: { blockedAt: true } }))
      ?.blockedAt ?? null,

  /** @returns whether it was not blocked before. */
  block: async (chatId: number, now: Date): Promise<boolean> => {
    const id = BigInt(chatId)
    await client.chat.upsert({ where: { id }, create: { id, createdAt: now }, update: { id } })
    const { count } = await client.chat.updateMany({
      where: { id, blockedAt: null },
      data: { blockedAt: now },
    })
    return count === 1
  },

  /** @returns whether it was blocked before. */
  unblock: async (chatId: number): Promise<boolean> => {
    const id = BigInt(chatId)
    const { count } = await client.chat.updateMany({
      where: { id, blockedAt: { not: null } },
      data: { blockedAt: null },
    })
    // Of who is nobody to the bot nothing is kept.
    await client.chat.deleteMany({
      where: { id, menu: null, mutedAt: null, invitedAt: null, blockedAt: null },
    })
    return count === 1
  },

  blockedChats: async (skip: number, limit: number): Promise<{ chatId: number; since: Date }[]> => {
    const rows = await client.chat.findMany({
      where: { blockedAt: { not: null } },
      orderBy: [{ blockedAt: 'desc' }, { id: 'asc' }],
      select: { id: true, blockedAt: true },
      skip,
      take: limit,
    })
    return rows.flatMap(({ id, blockedAt }) => (blockedAt ? [{ chatId: Number(id), since: blockedAt }] : []))
  },

  // ── Who waits for the end of maintenance ───────────────────────────────────────────────────────────────────────

  isOwed: async (chatId: number, { kind, subject }: NoticeContent): Promise<boolean> =>
    (await client.notice.count({ where: { chatId: BigInt(chatId), kind, subject, setAsideAt: null } })) > 0,

  /** What is held back for the end of maintenance. */
  waitingForOrders: async (limit: number): Promise<{ id: number; chatId: number }[]> => {
    const rows = await client.notice.findMany({
      where: { subject: ordersAgain.subject, kind: ordersAgain.kind, quietUntil: untilLetGo },
      select: { id: true, chatId: true },
      orderBy: { id: 'asc' },
      take: limit,
    })
    return rows.map(({ id, chatId }) => ({ id, chatId: Number(chatId) }))
  },

  /** @param quietUntil null: it goes at once. @returns whether it was held back until now. */
  letGo: async (id: number, quietUntil: Date | null): Promise<boolean> => {
    const { count } = await client.notice.updateMany({
      where: { id, quietUntil: untilLetGo },
      data: { quietUntil },
    })
    return count === 1
  },
})

export type OperationStore = ReturnType<typeof operationStore>

export interface PeopleCounts {
  owners: number
  agents: number
  /** Chats that follow orders of others. */
  following: number
  /** Chats that take no messages. */
  muted: number
  blocked: number
}

export interface StuckCounts {
  notices: number
  orders: number
  callbacks: number
}

/** A message that was given up. */
export interface StuckNotice {
  id: number
  chatId: number
  kind: string
  subject: string
  attempts: number
  createdAt: Date
  setAsideAt: Date
}

/** An order whose end is not known, as far as it is an operator's to see. */
export interface StuckOrder {
  id: string
  accountId: string
  chatId: number
  placement: string
  reason: string | null
  quantity: number
  since: Date
  /** When the wallet is read next for it. */
  nextLookAt: Date | null
}

export interface StrangeCallback {
  id: number
  orderId: string
  reference: string
  status: string
  receivedAt: Date
  /** No callback, but the answer to the order itself: another reference is proven for it, or it is another order's. */
  isAnswer: boolean
  /** It waits to be applied, and should not any more; else it names another order. */
  isUnapplied: boolean
}

export interface TroubledAccount {
  accountId: string
  refusedSince: Date | null
  frozenUntil: Date | null
}

export interface OpenInvitation {
  tokenHash: string
  createdAt: Date
  expiresAt: Date
}

/** An order that nobody knows about for longer than settling takes is worth a look. */
const stuckAfterMs = 15 * 60_000
/** A callback is applied within a second or so. */
const unappliedAfterMs = 60_000
/** Callbacks of others' orders are looked for among so many of the newest: all of them may be millions. */
const newestEvents = 20_000

const doubtful: Placement[] = ['unconfirmed', 'review']

const unusedInvitation = { accountId: null, usedAt: null, revokedAt: null }

const stuckOrder = (now: Date) => ({
  OR: [
    {
      placement: 'review' satisfies Placement,
      // Its person has decided.
      OR: [{ reason: null }, { reason: { not: 'charged_by_person' } }],
    },
    {
      placement: 'unconfirmed' satisfies Placement,
      sentAt: { lt: new Date(now.getTime() - stuckAfterMs) },
    },
  ],
})

const followingChats = async (client: Client): Promise<number> => {
  const [row] = await client.$queryRaw<{ count: number | bigint }[]>`
    SELECT COUNT(DISTINCT "chatId") AS "count" FROM "Follow"`
  return Number(row?.count ?? 0)
}

/** Found by the time of the next question alone: that they are placed would lead to the index of all that ever were. */
const countFollowed = async (client: Client): Promise<number> => {
  // A range, as it is found in the index; that it is not null would not be.
  const nextPollAt = { gt: new Date(0) }
  const others: Placement[] = ['queued', 'sending', 'unconfirmed', 'review', 'not_placed', 'rejected']
  const all = await client.order.count({ where: { nextPollAt } })
  return all - (await client.order.count({ where: { nextPollAt, placement: { in: others } } }))
}

/**
 * The ids of callbacks that are an operator's to see: two ranges of two indices, for together they would be looked for
 * in all that ever came. One whose order is not here any more (it was erased, or a restored copy does not know it)
 * needs nobody.
 */
const strange = async (client: Client, now: Date): Promise<Prisma.Sql> => {
  const newest = await client.event.findFirst({ orderBy: { id: 'desc' }, select: { id: true } })
  const from = (newest?.id ?? 0) - newestEvents
  const late = new Date(now.getTime() - unappliedAfterMs)
  return Prisma.sql`
    SELECT "id" FROM "Event" WHERE "id" > ${from} AND "verdict" = 'foreign'
      AND EXISTS (SELECT 1 FROM "Order" WHERE "Order"."id" = "orderId")
    UNION SELECT "id" FROM "Event" WHERE "appliedAt" IS NULL AND "receivedAt" < ${late}`
}

const strangeCount = async (client: Client, now: Date): Promise<number> => {
  const [row] = await client.$queryRaw<{ count: number | bigint }[]>`
    SELECT COUNT(*) AS "count" FROM (${await strange(client, now)}) AS "Strange"`
  return Number(row?.count ?? 0)
}

const noticeOf = (
  row: Omit<StuckNotice, 'chatId' | 'setAsideAt'> & { chatId: bigint; setAsideAt: Date | null },
): StuckNotice => ({
  id: row.id,
  chatId: Number(row.chatId),
  kind: row.kind,
  subject: row.subject,
  attempts: row.attempts,
  createdAt: row.createdAt,
  setAsideAt: row.setAsideAt ?? row.createdAt,
})

const stuckOrderOf = (row: {
  id: string
  accountId: string
  chatId: bigint
  placement: string
  reason: string | null
  quantity: number
  createdAt: Date
  sentAt: Date | null
  settleAt: Date | null
}): StuckOrder => ({
  id: row.id,
  accountId: row.accountId,
  chatId: Number(row.chatId),
  placement: row.placement,
  reason: row.reason,
  quantity: row.quantity,
  since: row.sentAt ?? row.createdAt,
  nextLookAt: row.settleAt,
})

const callbackOf = (row: {
  id: number
  orderId: string
  reference: string
  status: string
  receivedAt: Date
  source: string
  appliedAt: Date | null
}): StrangeCallback => ({
  id: row.id,
  orderId: row.orderId,
  reference: row.reference,
  status: row.status,
  receivedAt: row.receivedAt,
  isAnswer: row.source === ('answer' satisfies StatusEvent['source']),
  isUnapplied: row.appliedAt === null,
})

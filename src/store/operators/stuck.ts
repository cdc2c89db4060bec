import type { Client } from '../../database/database.ts'
import { type Sql, sql } from '../../database/sql.ts'
import type { Placement } from '../../domain/order/placement.ts'
import type { StatusReport } from '../../domain/order/status.ts'
import { aheadOf, isAhead } from '../../domain/times/ahead.ts'
import type { Disposition } from '../orders/status-reports.ts'

/** Stuck work that an operator can act on: messages given up, doubtful orders, odd callbacks, accounts in trouble. */
export const stuckQueries = (client: Client) => ({
  /** How many of each kind are stuck. */
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

  /** A message that was given up; null if it does not exist, or was enqueued again. */
  setAsideById: async (id: number): Promise<StuckNotice | null> => {
    const row = await client.notice.findUnique({ where: { id, setAsideAt: { not: null } } })
    return row && noticeOf(row)
  },

  /** Enqueues a message again that was given up. @returns whether it was set aside until now. */
  tryAgain: async (id: number): Promise<boolean> => {
    const { count } = await client.notice.updateMany({
      where: { id, setAsideAt: { not: null } },
      data: { setAsideAt: null, attempts: 0, notBefore: null },
    })
    return count === 1
  },

  /** Deletes a message that was given up. @returns whether it was set aside until now. */
  drop: async (id: number): Promise<boolean> =>
    (await client.notice.deleteMany({ where: { id, setAsideAt: { not: null } } })).count === 1,

  /** Orders whose charge has been unknown for long, oldest first. */
  stuckOrders: async (now: Date, skip: number, limit: number): Promise<StuckOrder[]> => {
    const rows = await client.order.findMany({
      where: stuckOrder(now),
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      skip,
      take: limit,
    })
    return rows.map(stuckOrderOf)
  },

  /** An order with an unknown outcome; null if there is none, or if its outcome is known. */
  openOrder: async (id: string): Promise<StuckOrder | null> => {
    const row = await client.order.findUnique({
      where: { id, placement: { in: doubtful } },
    })
    return row && stuckOrderOf(row)
  },

  /** Callbacks that could not be applied or name another order than their address, newest first. */
  strangeCallbacks: async (now: Date, skip: number, limit: number): Promise<StrangeCallback[]> => {
    const rows = await client.$queryRaw<{ id: number | bigint }[]>`
      ${await strange(client, now)} ORDER BY "id" DESC LIMIT ${limit} OFFSET ${skip}`
    const ids = rows.map(({ id }) => Number(id))
    const found = await client.statusReport.findMany({ where: { id: { in: ids } }, orderBy: { id: 'desc' } })
    return found.map(callbackOf)
  },

  /** The callback; null if it does not exist, was applied or was dismissed. */
  strangeCallback: async (id: number): Promise<StrangeCallback | null> => {
    const where = { id, OR: [{ disposition: 'foreign' satisfies Disposition }, { appliedAt: null }] }
    const row = await client.statusReport.findFirst({ where })
    return row && callbackOf(row)
  },

  /** Hides the callback and does not try it again, but keeps it. @returns whether it was shown until now. */
  dismiss: async (id: number, now: Date): Promise<boolean> => {
    const { count } = await client.statusReport.updateMany({
      where: { id, OR: [{ disposition: 'foreign' satisfies Disposition }, { appliedAt: null }] },
      data: { disposition: 'dismissed' satisfies Disposition, appliedAt: now },
    })
    return count === 1
  },

  /** Dismisses all callbacks up to that id that name another order. @returns how many. */
  dismissForeign: async (through: number): Promise<number> => {
    const { count } = await client.statusReport.updateMany({
      where: {
        id: { gt: through - newestEvents, lte: through },
        disposition: 'foreign' satisfies Disposition,
      },
      data: { disposition: 'dismissed' satisfies Disposition },
    })
    return count
  },

  /** Accounts with credentials that the provider refuses, or with a pause that it asked for. */
  troubledAccounts: async (now: Date, skip: number, limit: number): Promise<TroubledAccount[]> => {
    const rows = await client.account.findMany({
      where: {
        sealedSecret: { not: '' },
        OR: [{ refusalToldAt: { not: null } }, { frozenUntil: aheadOf('frozenUntil', now) }],
      },
      orderBy: { createdAt: 'asc' },
      skip,
      take: limit,
    })
    return rows.map(({ id, unauthorizedSince, refusalToldAt, frozenUntil }) => ({
      accountId: id,
      refusedSince: refusalToldAt && unauthorizedSince,
      frozenUntil: frozenUntil && isAhead(frozenUntil, 'frozenUntil', now) ? frozenUntil : null,
    }))
  },
})

/** How many messages, orders and callbacks are stuck. */
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

/** What an operator may see of an order with an unknown outcome. */
export interface StuckOrder {
  id: string
  accountId: string
  chatId: number
  placement: string
  reason: string | null
  quantity: number
  since: Date
  /** When the wallet is read for it next. */
  nextLookAt: Date | null
}

/** A callback that names another order than its address, or was not applied. */
export interface StrangeCallback {
  id: number
  orderId: string
  reference: string
  status: string
  receivedAt: Date
  /**
   * Whether it was the answer to the order itself: the order has another proven reference, or another order has it.
   */
  isAnswer: boolean
  /** Whether it is not applied yet; otherwise it names another order. */
  isUnapplied: boolean
}

/** An account whose requests do not get through, with the time since when or until when. */
export interface TroubledAccount {
  accountId: string
  refusedSince: Date | null
  frozenUntil: Date | null
}

/** An order counts as stuck if its outcome is unknown for longer than this, ms. Reconciling rarely takes that long. */
const stuckAfterMs = 15 * 60_000

/** A callback counts as stuck if it is not applied within this time, ms. It usually takes about a second. */
const unappliedAfterMs = 60_000

/** How many of the newest status reports are searched for callbacks that name another order: there may be millions. */
const newestEvents = 20_000

const doubtful: Placement[] = ['unconfirmed', 'review']

const stuckOrder = (now: Date) => ({
  OR: [
    {
      placement: 'review' satisfies Placement,
      // Leaves out orders that their person has judged.
      OR: [{ reason: null }, { reason: { not: 'charged_by_person' } }],
    },
    {
      placement: 'unconfirmed' satisfies Placement,
      sentAt: { lt: new Date(now.getTime() - stuckAfterMs) },
    },
  ],
})

/**
 * Selects the ids of callbacks that an operator is shown. It reads two ranges of two indices, because one condition
 * would read everything. A foreign callback whose order is erased, or unknown to a restored copy, is left out.
 */
const strange = async (client: Client, now: Date): Promise<Sql> => {
  const newest = await client.statusReport.findFirst({ orderBy: { id: 'desc' }, select: { id: true } })
  const from = (newest?.id ?? 0) - newestEvents
  const late = new Date(now.getTime() - unappliedAfterMs)
  return sql`
    SELECT "id" FROM "StatusReport" WHERE "id" > ${from} AND "disposition" = 'foreign'
      AND EXISTS (SELECT 1 FROM "Order" WHERE "Order"."id" = "orderId")
    UNION SELECT "id" FROM "StatusReport" WHERE "appliedAt" IS NULL AND "receivedAt" < ${late}`
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
  reconcileAt: Date | null
}): StuckOrder => ({
  id: row.id,
  accountId: row.accountId,
  chatId: Number(row.chatId),
  placement: row.placement,
  reason: row.reason,
  quantity: row.quantity,
  since: row.sentAt ?? row.createdAt,
  nextLookAt: row.reconcileAt,
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
  isAnswer: row.source === ('answer' satisfies StatusReport['source']),
  isUnapplied: row.appliedAt === null,
})

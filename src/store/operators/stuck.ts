import type { Client } from '../../database/database.ts'
import { type Sql, sql } from '../../database/sql.ts'
import type { Placement } from '../../domain/order/placement.ts'
import type { StatusReport } from '../../domain/order/status.ts'
import { aheadOf, isAhead } from '../../domain/times/ahead.ts'
import type { Disposition } from '../orders/status-reports.ts'

/**
 * Stuck work that an operator can act on: messages that were given up, orders with an unknown outcome, callbacks that
 * fit no order, accounts in trouble.
 */
export const stuckQueries = (client: Client) => ({
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

  /** Enqueues a message again that was set aside. @returns false if it was not set aside. */
  tryAgain: async (id: number): Promise<boolean> => {
    const { count } = await client.notice.updateMany({
      where: { id, setAsideAt: { not: null } },
      data: { setAsideAt: null, attempts: 0, notBefore: null },
    })
    return count === 1
  },

  /** Deletes a message that was set aside. @returns false if it was not set aside. */
  drop: async (id: number): Promise<boolean> =>
    (await client.notice.deleteMany({ where: { id, setAsideAt: { not: null } } })).count === 1,

  /** Orders whose charge has been unknown for a long time, oldest first. */
  stuckOrders: async (now: Date, skip: number, limit: number): Promise<StuckOrder[]> => {
    const rows = await client.order.findMany({
      where: stuckOrder(now),
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      skip,
      take: limit,
    })
    return rows.map(stuckOrderOf)
  },

  /** An order with an unknown outcome; null if it does not exist or its outcome is known. */
  openOrder: async (id: string): Promise<StuckOrder | null> => {
    const row = await client.order.findUnique({
      where: { id, placement: { in: doubtful } },
    })
    return row && stuckOrderOf(row)
  },

  /**
   * Callbacks that could not be applied, or that name another order than the address they were sent to; newest first.
   */
  strangeCallbacks: async (now: Date, skip: number, limit: number): Promise<StrangeCallback[]> => {
    const rows = await client.$queryRaw<{ id: number | bigint }[]>`
      ${await strange(client, now)} ORDER BY "id" DESC LIMIT ${limit} OFFSET ${skip}`
    const ids = rows.map(({ id }) => Number(id))
    const found = await client.statusReport.findMany({ where: { id: { in: ids } }, orderBy: { id: 'desc' } })
    return found.map(callbackOf)
  },

  /**
   * A callback that could not be applied, or that names another order. Null if it does not exist, was applied or was
   * dismissed.
   */
  strangeCallback: async (id: number): Promise<StrangeCallback | null> => {
    const where = { id, OR: [{ disposition: 'foreign' satisfies Disposition }, { appliedAt: null }] }
    const row = await client.statusReport.findFirst({ where })
    return row && callbackOf(row)
  },

  /** Hides the callback and does not try it again, but keeps it. @returns false if it was not shown before. */
  dismiss: async (id: number, now: Date): Promise<boolean> => {
    const { count } = await client.statusReport.updateMany({
      where: { id, OR: [{ disposition: 'foreign' satisfies Disposition }, { appliedAt: null }] },
      data: { disposition: 'dismissed' satisfies Disposition, appliedAt: now },
    })
    return count === 1
  },

  /** Dismisses all callbacks up to the given id that name another order than their address. @returns how many. */
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

  /** Accounts whose credentials the provider refuses, or for which it asked for a pause. */
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

/** The part of an order with an unknown outcome that an operator may see. */
export interface StuckOrder {
  id: string
  accountId: string
  chatId: number
  placement: string
  reason: string | null
  quantity: number
  since: Date
  /** When the wallet is next read for this order. */
  nextLookAt: Date | null
}

/** A callback that was not applied, or that names a different order from the one whose address it was sent to. */
export interface StrangeCallback {
  id: number
  orderId: string
  reference: string
  status: string
  receivedAt: Date
  /**
   * This is not a callback but the answer to the order's POST. It named a reference that the order cannot have: either
   * the order has another proven reference, or another order has this one.
   */
  isAnswer: boolean
  /** Whether the callback waits to be applied. If not, it names another order. */
  isUnapplied: boolean
}

/** An account whose requests are refused, or are paused until `frozenUntil`. */
export interface TroubledAccount {
  accountId: string
  refusedSince: Date | null
  frozenUntil: Date | null
}

/**
 * An order counts as stuck if its outcome has been unknown for longer than this, ms. Reconciling rarely takes that
 * long.
 */
export const stuckAfterMs = 15 * 60_000

/** A callback counts as stuck if it is not applied within this time, ms. It usually takes about a second. */
export const unappliedAfterMs = 60_000

/**
 * The search for callbacks that name another order covers only this many of the newest status reports, because there
 * may be millions.
 */
const newestEvents = 20_000

const doubtful: Placement[] = ['unconfirmed', 'review']

const stuckOrder = (now: Date) => ({
  OR: [
    {
      placement: 'review' satisfies Placement,
      // Leaves out orders that the person has already judged to be charged.
      OR: [{ reason: null }, { reason: { not: 'charged_by_person' } }],
    },
    {
      placement: 'unconfirmed' satisfies Placement,
      sentAt: { lt: new Date(now.getTime() - stuckAfterMs) },
    },
  ],
})

/**
 * Selects the ids of the callbacks that an operator is shown. It joins two index ranges, because a single condition
 * would read the whole table. A callback that names another order is left out if the order in its address does not
 * exist here.
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

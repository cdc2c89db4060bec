import type { Client } from '../../database/database.ts'
import { join } from '../../database/sql.ts'
import type { Order, PurchaseState } from '../../domain/order/order.ts'
import type { Placement } from '../../domain/order/placement.ts'
import { readReason } from '../../domain/order/reason.ts'
import { removedPrefix } from '../../domain/order/removed-phone.ts'
import { forgetQuestions, owedAbout } from './personal-data.ts'

/** Where a page ends in rows that are sorted by a time and an id: the time and the id of its last row. */
export interface Position {
  id: string
  at: Date
}

/** How a purchase that was not confirmed can end. */
export const abandonedStates = ['cancelled', 'expired', 'superseded'] as const satisfies PurchaseState[]
type Ended = (typeof abandonedStates)[number]

interface Unreduced extends Position, Pick<Order, 'accountId' | 'purchaseId' | 'quantity'> {}

interface KeptOrder
  extends Pick<
    Order,
    'id' | 'placement' | 'status' | 'reason' | 'nextPollAt' | 'reconcileAt' | 'refundAt' | 'createdAt'
  > {
  updatedAt: Date
  redactedAt: Date | null
}

interface KeptPurchase {
  id: string
  /** A message about the purchase is still enqueued, somebody asked about it recently, or a complaint is open. */
  isNeeded: boolean
  orders: KeptOrder[]
}

/** Finds old, finished purchases and redacts them to what accounting needs (`orders/following/retention.ts`). */
export const redactionStore = (client: Client) => ({
  /** Orders confirmed before `before` that are not redacted yet, oldest first. */
  unredacted: async (before: Date, after: Position | null, limit: number): Promise<Unreduced[]> => {
    const rows = await client.order.findMany({
      where: {
        redactedAt: null,
        createdAt: { lt: before, ...(after && { gte: after.at }) },
        ...(after && { NOT: { createdAt: after.at, id: { lte: after.id } } }),
      },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      take: limit,
      select: { id: true, accountId: true, purchaseId: true, quantity: true, createdAt: true },
    })
    return rows.map(({ createdAt, ...row }) => ({ ...row, at: createdAt }))
  },

  /**
   * These purchases, with what decides whether they may be redacted.
   * @param since an order counts as needed if somebody asked about it after this time.
   */
  ofPurchases: async (ids: string[], since: Date): Promise<KeptPurchase[]> => {
    const where = { id: { in: ids } }
    const rows = await client.purchase.findMany({ where, select: { id: true, orders: { select: ending } } })
    const isOwed = await owedAbout(client, rows)
    const orderIds = rows.flatMap(({ orders }) => orders.map(({ id }) => id))
    const asked = await client.enquiry.findMany({
      where: {
        createdAt: { gte: since },
        orderId: { in: orderIds },
      },
      select: { orderId: true },
    })
    const complained = await client.complaint.findMany({
      where: { orderId: { in: orderIds }, openFor: { not: null } },
      select: { orderId: true },
    })
    const askedAbout = new Set([...asked, ...complained].map(({ orderId }) => orderId))
    return rows.map((row) => ({
      id: row.id,
      isNeeded: isOwed(row) || row.orders.some(({ id }) => askedAbout.has(id)),
      orders: row.orders.map((order) => ({
        ...order,
        placement: order.placement as Placement,
        reason: readReason(order.reason),
      })),
    }))
  },

  /**
   * Removes the recipients' numbers from these orders. Inferred references become final, because too little is left to
   * compare with other orders.
   * @returns the ids of the redacted orders. Orders that changed since `before`, or still have work due, are left out.
   */
  reduce: async (ids: string[], before: Date, at: Date): Promise<string[]> => {
    if (ids.length === 0) return []
    const still = {
      redactedAt: null,
      updatedAt: { lt: before },
      nextPollAt: null,
      reconcileAt: null,
      refundAt: null,
    }
    await client.order.updateMany({
      where: { id: { in: ids }, ...still },
      data: { redactedAt: at, providerMessage: null, inferred: false },
    })
    const rows = await client.order.findMany({
      where: { id: { in: ids }, redactedAt: at },
      select: { id: true },
    })
    const redacted = rows.map(({ id }) => id)
    if (redacted.length > 0) await removeNumbers(client, redacted)
    return redacted
  },

  /**
   * Redacts purchases whose orders are all redacted. The cause of a purchase made by a button is replaced too, because
   * it may contain a phone number.
   */
  redactPurchases: async (ids: string[]): Promise<void> => {
    if (ids.length === 0) return
    await client.list.deleteMany({ where: { purchaseId: { in: ids } } })
    await client.warning.deleteMany({ where: { purchaseId: { in: ids } } })
    await client.purchase.updateMany({ where: { id: { in: ids } }, data: { lines: '[]' } })
    await client.$executeRaw`
      UPDATE "Purchase" SET "cause" = ${removedPrefix} || "id"
      WHERE "id" IN (${join(ids)}) AND "cause" LIKE 'press:%'`
    const subject = { in: ids.flatMap((id) => [`purchase:${id}`, `list:${id}`]) }
    await client.notice.deleteMany({ where: { subject } })
  },

  /**
   * Purchases in this state that expired before `before` and have no order. Each state is searched separately, because
   * the index is sorted by state first.
   * @returns their ids, and the position of the last one; null if there are no more.
   */
  cameToNothing: async (
    state: Ended,
    before: Date,
    after: Position | null,
    limit: number,
  ): Promise<{ ids: string[]; last: Position | null }> => {
    const rows = await client.purchase.findMany({
      where: {
        state,
        expiresAt: { lt: before, ...(after && { gte: after.at }) },
        orders: { none: {} },
        ...(after && { NOT: { expiresAt: after.at, id: { lte: after.id } } }),
      },
      orderBy: [{ expiresAt: 'asc' }, { id: 'asc' }],
      take: limit,
      select: { id: true, expiresAt: true },
    })
    const last = rows.at(-1)
    return {
      ids: rows.map(({ id }) => id),
      last: last ? { id: last.id, at: last.expiresAt } : null,
    }
  },

  /** Deletes old leftovers: unfinished dialogues with their questions, and notices that were set aside. */
  forgetLeftovers: async (before: Date): Promise<void> => {
    await client.session.deleteMany({ where: { updatedAt: { lt: before } } })
    await client.alert.deleteMany({ where: { name: 'prompt', since: { lt: before } } })
    await client.notice.deleteMany({ where: { setAsideAt: { lt: before } } })
  },
})

export type RedactionStore = ReturnType<typeof redactionStore>

const ending = {
  id: true,
  placement: true,
  status: true,
  reason: true,
  nextPollAt: true,
  reconcileAt: true,
  refundAt: true,
  createdAt: true,
  updatedAt: true,
  redactedAt: true,
} as const

const removeNumbers = async (client: Client, ids: string[]): Promise<void> => {
  const orderId = { in: ids }
  // Plain SQL, because each row gets its own value.
  await client.$executeRaw`
    UPDATE "Recipient" SET "phone" = ${removedPrefix} || "id" WHERE "orderId" IN (${join(ids)})`
  await client.$executeRaw`
    UPDATE "StatusReport" SET "body" = NULL, "digest" = ${removedPrefix} || CAST("id" AS TEXT),
      "phone" = CASE WHEN "phone" IS NULL THEN NULL ELSE ${removedPrefix} || CAST("id" AS TEXT) END
    WHERE "orderId" IN (${join(ids)})`
  await client.follow.deleteMany({ where: { orderId } })
  await forgetQuestions(client, { orderId })
  await client.complaint.deleteMany({ where: { orderId } })
  const subject = { in: ids.flatMap((id) => [`order:${id}`, `follow:${id}`]) }
  await client.notice.deleteMany({ where: { subject } })
}

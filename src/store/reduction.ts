import type { Order, PurchaseState } from '../orders/order.ts'
import type { Placement } from '../orders/placement.ts'
import { removedPrefix } from '../orders/removed-phone.ts'
import { Prisma } from './client/client.ts'
import type { Client } from './database.ts'
import { forgetQuestions, owedAbout } from './personal-data.ts'

/** Where a walk along rows in the order of a time has come to. */
export interface Position {
  id: string
  at: Date
}

/** How a purchase ends that is not confirmed. */
export const ends = ['cancelled', 'expired', 'superseded'] as const satisfies PurchaseState[]
type Ended = (typeof ends)[number]

/** An order that is not reduced yet. */
interface Unreduced extends Position, Pick<Order, 'purchaseId' | 'quantity'> {}

interface KeptOrder
  extends Pick<
    Order,
    'id' | 'placement' | 'status' | 'reason' | 'nextPollAt' | 'settleAt' | 'refundAt' | 'createdAt'
  > {
  updatedAt: Date
  reducedAt: Date | null
}

interface KeptPurchase {
  id: string
  /** A chat is owed a message about it, or somebody has asked about it lately. */
  isNeeded: boolean
  orders: KeptOrder[]
}

/** What is finished and old, and how it is reduced to what accounting needs (`orders/retention.ts`). */
export const reductionStore = (client: Client) => ({
  /** Orders that were made before then and are not reduced, oldest first. */
  unreduced: async (before: Date, after: Position | null, limit: number): Promise<Unreduced[]> => {
    const rows = await client.order.findMany({
      where: {
        reducedAt: null,
        createdAt: { lt: before, ...(after && { gte: after.at }) },
        ...(after && { NOT: { createdAt: after.at, id: { lte: after.id } } }),
      },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      take: limit,
      select: { id: true, purchaseId: true, quantity: true, createdAt: true },
    })
    return rows.map(({ createdAt, ...row }) => ({ ...row, at: createdAt }))
  },

  /** @param since a question that was asked since then is still somebody's. */
  ofPurchases: async (ids: string[], since: Date): Promise<KeptPurchase[]> => {
    const where = { id: { in: ids } }
    const rows = await client.purchase.findMany({ where, select: { id: true, orders: { select: ending } } })
    const isOwed = await owedAbout(client, rows)
    const asked = await client.enquiry.findMany({
      where: {
        createdAt: { gte: since },
        orderId: { in: rows.flatMap(({ orders }) => orders.map(({ id }) => id)) },
      },
      select: { orderId: true },
    })
    const askedAbout = new Set(asked.map(({ orderId }) => orderId))
    return rows.map((row) => ({
      id: row.id,
      isNeeded: isOwed(row) || row.orders.some(({ id }) => askedAbout.has(id)),
      orders: row.orders.map((order) => ({ ...order, placement: order.placement as Placement })),
    }))
  },

  /**
   * Takes from these orders whom they were for. An inference is final from then on: by what is left nobody could be
   * told apart who has a better claim.
   * @returns those that were: not one that was written since it was read.
   */
  reduce: async (ids: string[], before: Date, at: Date): Promise<string[]> => {
    if (ids.length === 0) return []
    const still = {
      reducedAt: null,
      updatedAt: { lt: before },
      nextPollAt: null,
      settleAt: null,
      refundAt: null,
    }
    await client.order.updateMany({
      where: { id: { in: ids }, ...still },
      data: { reducedAt: at, providerMessage: null, inferred: false },
    })
    const rows = await client.order.findMany({
      where: { id: { in: ids }, reducedAt: at },
      select: { id: true },
    })
    const reduced = rows.map(({ id }) => id)
    if (reduced.length > 0) await removeNumbers(client, reduced)
    return reduced
  },

  /** All of their orders are reduced. A cause may name the number that a button carried. */
  reducePurchases: async (ids: string[]): Promise<void> => {
    if (ids.length === 0) return
    await client.list.deleteMany({ where: { purchaseId: { in: ids } } })
    await client.purchase.updateMany({ where: { id: { in: ids } }, data: { lines: '[]' } })
    await client.$executeRaw`
      UPDATE "Purchase" SET "cause" = ${removedPrefix} || "id"
      WHERE "id" IN (${Prisma.join(ids)}) AND "cause" LIKE 'press:%'`
    const subject = { in: ids.flatMap((id) => [`purchase:${id}`, `list:${id}`]) }
    await client.notice.deleteMany({ where: { subject } })
  },

  /**
   * Drafts that ended so before then, without an order. One end at a time: then an index has them in order.
   * @returns their ids, and where the next page begins; null at the end.
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

  /** What was waited for, and what could not be said, before then: an answer to a question, a notice set aside. */
  forgetLeftovers: async (before: Date): Promise<void> => {
    await client.session.deleteMany({ where: { updatedAt: { lt: before } } })
    await client.notice.deleteMany({ where: { setAsideAt: { lt: before } } })
  },
})

export type ReductionStore = ReturnType<typeof reductionStore>

const ending = {
  id: true,
  placement: true,
  status: true,
  reason: true,
  nextPollAt: true,
  settleAt: true,
  refundAt: true,
  createdAt: true,
  updatedAt: true,
  reducedAt: true,
} as const

const removeNumbers = async (client: Client, ids: string[]): Promise<void> => {
  const orderId = { in: ids }
  // Plain SQL: each row gets something of its own.
  await client.$executeRaw`
    UPDATE "Recipient" SET "phone" = ${removedPrefix} || "id" WHERE "orderId" IN (${Prisma.join(ids)})`
  await client.$executeRaw`
    UPDATE "Event" SET "body" = NULL, "digest" = ${removedPrefix} || CAST("id" AS TEXT),
      "phone" = CASE WHEN "phone" IS NULL THEN NULL ELSE ${removedPrefix} || CAST("id" AS TEXT) END
    WHERE "orderId" IN (${Prisma.join(ids)})`
  await client.follow.deleteMany({ where: { orderId } })
  await forgetQuestions(client, { orderId })
  const subject = { in: ids.flatMap((id) => [`order:${id}`, `follow:${id}`]) }
  await client.notice.deleteMany({ where: { subject } })
}

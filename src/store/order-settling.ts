import type { Client } from '../database/database.ts'
import type { Order } from '../journal/order.ts'
import { neverSent, type Placement } from '../journal/placement.ts'
import { batchesOf } from './batches.ts'
import { oldestWhere } from './order-rows.ts'

/** Orders whose charge or refund is searched in the wallet. */
export const settlingQueries = (client: Client) => ({
  /** Makes the account's orders with an unknown outcome due at once, because its wallet can be read again. */
  settleNow: async (accountId: string, now: Date): Promise<void> => {
    await client.order.updateMany({
      where: { accountId, placement: 'unconfirmed', settleAt: { gt: now } },
      data: { settleAt: now },
    })
  },

  /**
   * All orders of the account that an unmatched debit may belong to. The wallet is read for those that `isWatched`
   * selects; the others are in review or cannot be searched.
   */
  claimants: (accountId: string): Promise<Order[]> =>
    oldestWhere(client, {
      accountId,
      reference: null,
      OR: [
        { placement: { in: ['sending', 'unconfirmed', 'review'] satisfies Placement[] } },
        { settleAt: { not: null } },
      ],
    }),

  /**
   * The account's orders since then whose outcome is uncertain and for which no debit is searched. Orders that were
   * certainly never sent are left out.
   */
  undecided: async (accountId: string, since: Date): Promise<Order[]> =>
    (
      await oldestWhere(client, {
        accountId,
        createdAt: { gte: since },
        settleAt: null,
        placement: { in: ['unconfirmed', 'review', 'not_placed'] satisfies Placement[] },
      })
    ).filter(({ placement, reason }) => placement !== 'not_placed' || !neverSent.includes(reason)),

  /** Failed and cancelled orders of the account whose refund is searched. */
  awaitingRefund: (accountId: string): Promise<Order[]> =>
    oldestWhere(client, { accountId, refundAt: { not: null } }),

  /**
   * Placed orders of the account for which the wallet shows a higher refund than is stored.
   * @param credits pesewas by reference.
   */
  refundedLess: async (accountId: string, credits: ReadonlyMap<string, number>): Promise<RefundedOrder[]> => {
    const found: RefundedOrder[] = []
    for (const part of batchesOf([...credits.keys()])) {
      const rows = await client.order.findMany({
        where: { accountId, reference: { in: part }, placement: 'placed' satisfies Placement },
        select: { id: true, reference: true, refundedPesewas: true },
        orderBy: { id: 'asc' },
      })
      for (const { id, reference, refundedPesewas } of rows) {
        if (reference !== null && (credits.get(reference) ?? 0) > (refundedPesewas ?? 0))
          found.push({ id, reference, isSecond: false })
      }
    }
    for (const part of batchesOf([...credits.keys()])) {
      const rows = await client.order.findMany({
        where: { accountId, otherReference: { in: part }, placement: 'placed' satisfies Placement },
        select: { id: true, otherReference: true },
        orderBy: { id: 'asc' },
      })
      for (const { id, otherReference: reference } of rows)
        if (reference !== null) found.push({ id, reference, isSecond: true })
    }
    return found
  },

  /** Those references that an order holds, as its own or as a second one. */
  heldReferences: async (references: string[]): Promise<Set<string>> => {
    const held = new Set<string>()
    for (const part of batchesOf(references)) {
      for (const name of ['reference', 'otherReference'] as const) {
        const rows = await client.order.findMany({
          where: { [name]: { in: part } },
          select: { reference: true, otherReference: true },
        })
        for (const row of rows) held.add(row[name] ?? '')
      }
    }
    return held
  },

  /** Send times by reference; only of references that are proven. */
  sentTimes: async (references: string[]): Promise<Map<string, Date>> => {
    const rows = await client.order.findMany({
      where: { reference: { in: references }, inferred: false, sentAt: { not: null } },
      select: { reference: true, sentAt: true },
    })
    return new Map(
      rows.flatMap(({ reference, sentAt }) => (reference && sentAt ? [[reference, sentAt]] : [])),
    )
  },
})

/** An order for which the wallet shows credits. */
export interface RefundedOrder {
  id: string
  /** The reference on the credits. */
  reference: string
  /** Whether it is the order's second reference. Refunds for that one are not stored. */
  isSecond: boolean
}

import type { Client } from '../../database/database.ts'
import { isOpen, isUnfinished, type Order } from '../../domain/order/order.ts'
import { openPlacements, type Placement } from '../../domain/order/placement.ts'
import { readReason } from '../../domain/order/reason.ts'
import { finalStatuses, isTerminal } from '../../domain/order/status.ts'
import type { Spending } from '../../domain/selling/spending.ts'
import { inListOrder, oldestWhere, orderOf, ordersWithIds, orNull, withRecipients } from './order-rows.ts'

const maxPlaced = 1_000

export const readingQueries = (client: Client) => ({
  byId: async (id: string): Promise<Order | null> =>
    orNull(await client.order.findUnique({ where: { id }, include: withRecipients })),

  /** The orders with these ids, oldest first. */
  byIds: (ids: readonly string[]): Promise<Order[]> => ordersWithIds(client, ids),

  byReference: async (reference: string): Promise<Order | null> =>
    orNull(await client.order.findUnique({ where: { reference }, include: withRecipients })),

  /** The account whose order holds the reference; null if no order does. */
  accountHolding: async (reference: string): Promise<string | null> =>
    (await client.order.findUnique({ where: { reference }, select: { accountId: true } }))?.accountId ?? null,

  /** The orders of a purchase, in the order of its list. */
  ofPurchase: async (purchaseId: string): Promise<Order[]> => {
    const written = { where: { purchaseId }, include: withRecipients, orderBy: inListOrder }
    return (await client.order.findMany(written)).map(orderOf)
  },

  /** The account's newest orders whose reference is proven, newest first. */
  newestProven: async (accountId: string, limit: number): Promise<Order[]> => {
    const rows = await client.order.findMany({
      where: { accountId, reference: { not: null }, inferred: false },
      include: withRecipients,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: limit,
    })
    return rows.map(orderOf)
  },

  /** Orders with a reference that were confirmed since `since`, newest first, at most 1,000. */
  placedSince: async (accountId: string, since: Date): Promise<Order[]> => {
    const where = { accountId, createdAt: { gte: since }, reference: { not: null } }
    const latest = { orderBy: [{ createdAt: 'desc' as const }, { id: 'desc' as const }], take: maxPlaced }
    return (await client.order.findMany({ where, ...latest, include: withRecipients })).map(orderOf)
  },

  /** Orders that have not ended, oldest first. */
  open: async (accountId: string): Promise<Order[]> =>
    (
      await oldestWhere(client, {
        accountId,
        OR: [{ placement: { in: [...openPlacements] } }, { placement: 'placed', nextPollAt: { not: null } }],
      })
    ).filter(isOpen),

  queuedOfAccount: (accountId: string): Promise<Order[]> =>
    oldestWhere(client, { accountId, placement: 'queued' }),

  placementsOf: async (purchaseId: string): Promise<Pick<Order, 'id' | 'placement'>[]> => {
    const rows = await client.order.findMany({ where: { purchaseId }, select: { id: true, placement: true } })
    return rows.map(({ id, placement }) => ({ id, placement: placement as Placement }))
  },

  /**
   * The orders of the purchase that have not ended. A placed order counts as ended if every number has a final status,
   * even if only a callback reported it.
   */
  openOf: async (purchaseId: string): Promise<Pick<Order, 'placement' | 'sentAt'>[]> => {
    const rows = await client.order.findMany({
      where: { purchaseId, placement: { in: [...openPlacements, 'placed'] } },
      select: {
        id: true,
        kind: true,
        placement: true,
        status: true,
        nextPollAt: true,
        reason: true,
        acceptedQuantity: true,
        quantity: true,
        sentAt: true,
      },
    })
    const open = rows
      .map((row) => ({ ...row, placement: row.placement as Placement, reason: readReason(row.reason) }))
      .filter(isUnfinished)
    const bulk = open.filter(({ kind, placement }) => kind === 'bulk' && placement === 'placed')
    const told =
      bulk.length === 0
        ? []
        : await client.recipient.groupBy({
            by: ['orderId'],
            where: { orderId: { in: bulk.map(({ id }) => id) }, status: { in: [...finalStatuses] } },
            _count: { _all: true },
          })
    const ended = new Map(told.map(({ orderId, _count }) => [orderId, _count._all]))
    return open.filter(({ id, kind, placement, status, acceptedQuantity, quantity }) => {
      if (placement !== 'placed') return true
      if (kind === 'single') return !isTerminal(status)
      return (ended.get(id) ?? 0) < (acceptedQuantity ?? quantity)
    })
  },

  countByPlacement: async (): Promise<{ placement: string; count: number }[]> => {
    const groups = await client.order.groupBy({ by: ['placement'], _count: true })
    return groups.map(({ placement, _count }) => ({ placement, count: _count }))
  },

  /** The chats of the orders that changed since `since`. */
  chatsSince: async (accountId: string, since: Date): Promise<number[]> => {
    const rows = await client.order.findMany({
      where: { accountId, updatedAt: { gte: since } },
      distinct: ['chatId'],
      select: { chatId: true },
    })
    return rows.map(({ chatId }) => Number(chatId))
  },

  /** The columns from which the cost of the member's orders is computed. */
  spending: async (accountId: string, userId: number, since: Date): Promise<Spending[]> => {
    const rows = await client.order.findMany({
      where: { accountId, userId: BigInt(userId), createdAt: { gte: since } },
      select: {
        placement: true,
        reason: true,
        chargedPesewas: true,
        refundedPesewas: true,
        extraPesewas: true,
        unitPricePesewas: true,
        agentUnitPesewas: true,
        quantity: true,
        acceptedQuantity: true,
      },
    })
    return rows.map((row) => row as Spending)
  },
})

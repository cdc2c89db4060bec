import type { Client } from '../../database/database.ts'
import type { Order } from '../../domain/order/order.ts'
import { neverSent, openPlacements, type Placement } from '../../domain/order/placement.ts'
import { type Pesewas, pesewas, sum, times } from '../../provider/money.ts'
import { batchesOf } from '../batches.ts'
import { oldestWhere } from './order-rows.ts'

const refusedForBalance = (since: Date) => ({
  placement: 'rejected' satisfies Placement,
  reason: 'balance',
  createdAt: { gte: since },
  recipients: { some: { retryId: null } },
})

/** Queries about orders whose charge or refund is being looked for in the wallet. */
export const reconcilingQueries = (client: Client) => ({
  /**
   * Makes a read of the wallet due immediately for the account's orders with an unknown outcome. Call it when the
   * wallet can be read again.
   */
  reconcileNow: async (accountId: string, now: Date): Promise<void> => {
    await client.order.updateMany({
      where: { accountId, placement: 'unconfirmed', reconcileAt: { gt: now } },
      data: { reconcileAt: now },
    })
  },

  /**
   * The account's orders that may own a debit that no order explains. The wallet is still read for those that are
   * `isWatched`; for the others, the search has ended.
   */
  claimants: (accountId: string): Promise<Order[]> =>
    oldestWhere(client, {
      accountId,
      reference: null,
      OR: [
        { placement: { in: ['sending', 'unconfirmed', 'review'] satisfies Placement[] } },
        { reconcileAt: { not: null } },
      ],
    }),

  /** The account's orders with an inferred reference. The wallet is still read in case their own debit comes later. */
  watchedInferred: (accountId: string): Promise<Order[]> =>
    oldestWhere(client, {
      accountId,
      placement: 'placed' satisfies Placement,
      inferred: true,
      reconcileAt: { not: null },
    }),

  /**
   * Orders whose outcome stayed uncertain, and for which the search for a debit has ended. Orders that were certainly
   * never sent are left out.
   */
  undecided: async (accountId: string, since: Date): Promise<Order[]> =>
    (
      await oldestWhere(client, {
        accountId,
        createdAt: { gte: since },
        reconcileAt: null,
        placement: { in: ['unconfirmed', 'review', 'not_placed'] satisfies Placement[] },
      })
    ).filter(({ placement, reason }) => placement !== 'not_placed' || !neverSent.includes(reason)),

  /** Orders that the provider refused because the balance was too low, and that belong to no retry yet. */
  refusedForBalance: (accountId: string, since: Date): Promise<Order[]> =>
    oldestWhere(client, { accountId, ...refusedForBalance(since) }),

  /** The accounts with orders that the provider refused because the balance was too low. */
  accountsRefused: async (since: Date): Promise<string[]> => {
    const rows = await client.order.findMany({
      where: refusedForBalance(since),
      distinct: ['accountId'],
      select: { accountId: true },
    })
    return rows.map(({ accountId }) => accountId)
  },

  awaitingRefund: (accountId: string): Promise<Order[]> =>
    oldestWhere(client, { accountId, refundAt: { not: null } }),

  /**
   * Placed orders whose refund in the wallet is higher than the stored one, and orders with credits for their second
   * reference.
   * @param credits the sum of credits in pesewas, by reference.
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

  chargesOf: async (accountId: string, references: readonly string[]): Promise<ChargedOrder[]> => {
    const found: ChargedOrder[] = []
    for (const part of batchesOf([...references])) {
      const rows = await client.order.findMany({
        where: { accountId, reference: { in: part }, placement: 'placed' satisfies Placement },
        select: charged,
      })
      found.push(...(rows as ChargedOrder[]))
    }
    return found
  },

  /**
   * The id of the account's newest placed order that was sent before `before` or, if there is none, of its newest
   * placed order.
   */
  newestSent: async (accountId: string, before: Date): Promise<string | null> => {
    const newest = { orderBy: { createdAt: 'desc' }, select: { id: true } } as const
    const placed = { accountId, placement: 'placed' satisfies Placement }
    const found =
      (await client.order.findFirst({ where: { ...placed, sentAt: { lte: before } }, ...newest })) ??
      (await client.order.findFirst({ where: placed, ...newest }))
    return found?.id ?? null
  },

  /** Whether the account sent an order after `since`. If so, a balance that was read before may be outdated. */
  isSentSince: async (accountId: string, since: Date): Promise<boolean> => {
    // Orders are sent within minutes after they are confirmed, so older ones are not searched.
    const lately = new Date(since.getTime() - 60 * 60_000)
    const where = { accountId, createdAt: { gt: lately }, sentAt: { gt: since } }
    return (
      (await client.order.findFirst({ where, orderBy: { createdAt: 'desc' }, select: { id: true } })) !== null
    )
  },

  /** The cost of the list's orders that may not have been charged yet. */
  unchargedCost: async (purchaseId: string): Promise<Pesewas> => {
    const rows = await client.order.findMany({
      where: { purchaseId, placement: { in: [...openPlacements] } },
      select: { unitPricePesewas: true, quantity: true },
    })
    return sum(rows.map(({ unitPricePesewas, quantity }) => times(pesewas(unitPricePesewas), quantity)))
  },

  /** Whether the wallet is already being searched for a charge that no order explains. */
  isLookedThrough: async (accountId: string): Promise<boolean> =>
    (await client.order.findFirst({
      where: { accountId, refundAt: { not: null }, extraAt: { not: null } },
      select: { id: true },
    })) !== null,

  /** The cost of orders with an unknown outcome. The wallet may or may not have been charged for them. */
  openCost: async (accountId: string): Promise<Pesewas> => {
    const rows = await client.order.findMany({
      where: { accountId, placement: { in: ['sending', 'unconfirmed', 'review'] satisfies Placement[] } },
      select: { reason: true, unitPricePesewas: true, quantity: true },
    })
    const open = rows.filter(({ reason }) => reason !== 'charged_by_person')
    return sum(open.map(({ unitPricePesewas, quantity }) => times(pesewas(unitPricePesewas), quantity)))
  },

  /** Which of these references an order already has, as its own or as its second one. */
  referencesInUse: async (references: string[]): Promise<Set<string>> => {
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

  /** When each order was sent, by its reference. Orders whose reference was only inferred are left out. */
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

const charged = {
  id: true,
  reference: true,
  chargedPesewas: true,
  extraPesewas: true,
  unitPricePesewas: true,
  quantity: true,
  placedAt: true,
} as const

export type ChargedOrder = Pick<Order, keyof typeof charged>

export interface RefundedOrder {
  id: string
  reference: string
  /** The reference is the order's second one. The order does not store refunds for its second reference. */
  isSecond: boolean
}

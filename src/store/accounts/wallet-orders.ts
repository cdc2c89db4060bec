import type { Client } from '../../database/database.ts'
import type { Order } from '../../domain/order/order.ts'
import { openPlacements, type Placement } from '../../domain/order/placement.ts'
import { type Pesewas, pesewas, sum, times } from '../../provider/money.ts'
import { orderOf, withRecipients } from '../orders/order-rows.ts'

interface Sum {
  orders: number
  pesewas: Pesewas
}

/** What open orders may still take from a wallet's balance. */
export interface OpenCharges {
  /** Orders that wait to be sent. They will be charged when they are sent. */
  waiting: Sum
  /** Orders that were sent, but nobody knows yet whether they were charged. */
  uncertain: Sum
}

/** The bundle that is ordered most. */
export interface MostOrdered {
  bundleId: number
  network: string
  volume: string
  /** The price of its newest order. */
  pricePesewas: Pesewas
}

export const walletStore = (client: Client) => ({
  openCharges: async (accountId: string): Promise<OpenCharges> => {
    const rows = await client.order.findMany({
      where: { accountId, placement: { in: [...openPlacements] } },
      select: { placement: true, reason: true, unitPricePesewas: true, quantity: true },
    })
    const isWaiting = ({ placement }: { placement: string }) => placement === 'queued'
    // An order that the person reported as charged is not uncertain, because its cost has left the wallet already.
    const isUncertain = (row: (typeof rows)[number]) => !isWaiting(row) && row.reason !== 'charged_by_person'
    return { waiting: sumOf(rows.filter(isWaiting)), uncertain: sumOf(rows.filter(isUncertain)) }
  },

  /** The bundle with the most recipients since `since`; null if nothing was placed. */
  usual: async (accountId: string, since: Date): Promise<MostOrdered | null> => {
    const placed = { accountId, createdAt: { gte: since }, placement: 'placed' satisfies Placement }
    const [most] = await client.order.groupBy({
      by: ['bundleId'],
      where: placed,
      _sum: { quantity: true },
      orderBy: { _sum: { quantity: 'desc' } },
      take: 1,
    })
    if (!most) return null
    const newest = await client.order.findFirst({
      where: { ...placed, bundleId: most.bundleId },
      orderBy: { createdAt: 'desc' },
      select: { bundleId: true, network: true, volume: true, unitPricePesewas: true },
    })
    if (!newest) return null
    const { unitPricePesewas, ...bundle } = newest
    return { ...bundle, pricePesewas: pesewas(unitPricePesewas) }
  },

  /**
   * The bundles of a network that were ordered most since `since`, the most frequent first.
   * @param userId null: all.
   */
  usualOn: async (
    { accountId, userId, network }: { accountId: string; userId: number | null; network: string },
    since: Date,
    most: number,
  ): Promise<number[]> => {
    const rows = await client.order.groupBy({
      by: ['bundleId'],
      where: {
        accountId,
        network,
        createdAt: { gte: since },
        placement: 'placed' satisfies Placement,
        ...(userId !== null && { userId: BigInt(userId) }),
      },
      _sum: { quantity: true },
      orderBy: { _sum: { quantity: 'desc' } },
      take: most,
    })
    return rows.map(({ bundleId }) => bundleId)
  },

  /** How many orders there are, counted up to `most`. @param userId null: all of the account. */
  countUpTo: async (
    most: number,
    { accountId, userId }: { accountId: string; userId: number | null },
  ): Promise<number> => {
    const where = { accountId, ...(userId !== null && { userId: BigInt(userId) }) }
    return (await client.order.findMany({ where, select: { id: true }, take: most })).length
  },

  byReferences: async (accountId: string, references: string[]): Promise<Order[]> => {
    const found = await client.order.findMany({
      where: {
        accountId,
        OR: [{ reference: { in: references } }, { otherReference: { in: references } }],
      },
      include: withRecipients,
    })
    return found.map(orderOf)
  },
})

export type WalletStore = ReturnType<typeof walletStore>

const sumOf = (rows: { unitPricePesewas: number; quantity: number }[]): Sum => ({
  orders: rows.length,
  pesewas: sum(rows.map((row) => times(pesewas(row.unitPricePesewas), row.quantity))),
})

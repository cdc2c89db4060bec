import type { Order } from '../orders/order.ts'
import { type Placement, unsettled } from '../orders/placement.ts'
import type { Pesewas } from '../provider/money.ts'
import type { Client } from './database.ts'
import { orderOf, withRecipients } from './orders.ts'

/** Orders, and what they cost as they were confirmed. */
interface Sum {
  orders: number
  pesewas: Pesewas
}

/** What open orders have to do with the balance of their wallet. */
export interface Held {
  /** They wait to be sent, and are charged then. */
  waiting: Sum
  /** They were sent, and nobody knows yet whether they were charged. */
  uncertain: Sum
}

/** The bundle that is ordered most. */
export interface Usual {
  bundleId: number
  network: string
  volume: string
  /** What the newest order of it was to cost. */
  pricePesewas: Pesewas
}

/** What the chat asks of the orders of one wallet. */
export const walletStore = (client: Client) => ({
  held: async (accountId: string): Promise<Held> => {
    const rows = await client.order.findMany({
      where: { accountId, placement: { in: [...unsettled] } },
      select: { placement: true, reason: true, unitPricePesewas: true, quantity: true },
    })
    const isWaiting = ({ placement }: { placement: string }) => placement === 'queued'
    // What a person says to be charged has left the wallet already.
    const isUncertain = (row: (typeof rows)[number]) => !isWaiting(row) && row.reason !== 'charged_by_person'
    return { waiting: sumOf(rows.filter(isWaiting)), uncertain: sumOf(rows.filter(isUncertain)) }
  },

  /** The bundle of the most recipients since then; null where nothing was placed. */
  usual: async (accountId: string, since: Date): Promise<Usual | null> => {
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
    return { ...bundle, pricePesewas: unitPricePesewas as Pesewas }
  },

  /** The account's orders that hold these references. */
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

  /** Orders of the account without a reference that a debit may belong to. */
  claimants: async (accountId: string): Promise<Order[]> => {
    const found = await client.order.findMany({
      where: {
        accountId,
        reference: null,
        OR: [
          { placement: { in: ['sending', 'unconfirmed', 'review'] satisfies Placement[] } },
          { settleAt: { not: null } },
        ],
      },
      include: withRecipients,
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    })
    return found.map(orderOf)
  },
})

export type WalletStore = ReturnType<typeof walletStore>

const sumOf = (rows: { unitPricePesewas: number; quantity: number }[]): Sum => ({
  orders: rows.length,
  pesewas: rows.reduce((sum, row) => sum + row.unitPricePesewas * row.quantity, 0) as Pesewas,
})

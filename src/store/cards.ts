import type { Client } from '../database/database.ts'
import type { Order, Purchase } from '../journal/order.ts'
import { type Account, accountIn, type Member, memberOf } from './accounts.ts'
import { inListOrder, orderOf, withRecipients } from './order-rows.ts'
import { purchaseOf } from './purchases.ts'

/** A purchase with what its card shows beside it, as of one moment. */
export interface ShownPurchase {
  purchase: Purchase
  /** None of a list: its card reads them by itself. */
  orders: Order[]
  account: Account
  /** Whoever looks at it; null: no member of the account. */
  viewer: Member | null
}

/** An order with its purchase, for news of it. */
export interface ShownOrder extends Omit<ShownPurchase, 'orders'> {
  order: Order
}

/** The person who looks at it, if they belong to the account. */
const accountFor = (viewerId: number) => ({
  include: { members: { where: { userId: BigInt(viewerId) } } },
})

/** What cards and news are drawn from, in one statement on PostgreSQL. */
export const cardStore = (client: Client) => ({
  ofPurchase: async (id: string, viewerId: number): Promise<ShownPurchase | null> => {
    const row = await client.purchase.findUnique({
      where: { id },
      include: {
        orders: { where: { listed: false }, include: withRecipients, orderBy: inListOrder },
        account: accountFor(viewerId),
      },
    })
    if (!row) return null
    const { orders, account, ...purchase } = row
    return { purchase: purchaseOf(purchase), orders: orders.map(orderOf), ...accountAndViewer(account) }
  },

  ofOrder: async (id: string, viewerId: number): Promise<ShownOrder | null> => {
    const row = await client.order.findUnique({
      where: { id },
      include: { ...withRecipients, purchase: true, account: accountFor(viewerId) },
    })
    if (!row) return null
    const { purchase, account, ...order } = row
    return { order: orderOf(order), purchase: purchaseOf(purchase), ...accountAndViewer(account) }
  },
})

/** The queries of `cardStore`. */
export type CardStore = ReturnType<typeof cardStore>

const accountAndViewer = ({
  members: [viewer],
  ...account
}: Parameters<typeof accountIn>[0] & { members: Parameters<typeof memberOf>[0][] }) => ({
  account: accountIn(account),
  viewer: viewer ? memberOf(viewer) : null,
})

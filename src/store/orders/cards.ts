import type { Client } from '../../database/database.ts'
import type {
  Account as AccountRow,
  Member as MemberRow,
  Purchase as PurchaseRow,
} from '../../database/row-types.ts'
import { hasBareCard, type Order, type Purchase } from '../../domain/order/order.ts'
import { openPlacements } from '../../domain/order/placement.ts'
import { type Account, accountIn, type Member, memberOf } from '../accounts/accounts.ts'
import { bookOf, type Contact, contactStore } from '../shop/contacts.ts'
import { inListOrder, orderOf, withRecipients } from './order-rows.ts'
import { purchaseOf, purchaseStore } from './purchases.ts'

/** A purchase with everything else that its card shows, as of one moment. */
export interface ShownPurchase {
  purchase: Purchase
  /** Null if nothing was ordered, or if it is a list, whose card reads its orders separately. */
  order: Order | null
  account: Account
  /** The member who looks at the card; null if they are not a member of the account. */
  viewer: Member | null
  /** The contacts in the viewer's book for the numbers of the order or draft. */
  saved: Contact[]
  /** The number that the `cause` of the order's next repeat ends with. */
  nextRepeat: number
}

export type ShownOrder = ShownPurchase & { order: Order }

/** How the cause of a purchase that repeats an order begins. A number follows. */
export const againCause = (orderId: string): string => `again:${orderId}:`

export const cardStore = (client: Client) => ({
  ofPurchase: async (id: string, viewerId: number): Promise<ShownPurchase | null> => {
    const row = await client.purchase.findUnique({
      where: { id },
      include: {
        account: seenBy(viewerId),
        orders: { where: { listed: false }, orderBy: inListOrder, take: 1, include: withRecipients },
      },
    })
    if (!row) return null
    const { orders, ...purchase } = row
    const order = orders[0] ? orderOf(orders[0]) : null
    const isBare = order !== null && hasBareCard(purchase, order)
    return shownIn(client, purchase, order, isBare)
  },

  ofOrder: async (id: string, viewerId: number): Promise<ShownOrder | null> => {
    const row = await client.order.findUnique({
      where: { id },
      include: { ...withRecipients, purchase: { include: { account: seenBy(viewerId) } } },
    })
    if (!row) return null
    const { purchase, ...order } = row
    const shown = { order: orderOf(order) }
    return { ...(await shownIn(client, purchase, shown.order)), ...shown }
  },
})

export type CardStore = ReturnType<typeof cardStore>

const seenBy = (viewerId: number) => ({ include: { members: { where: { userId: BigInt(viewerId) } } } })

const shownIn = async (
  client: Client,
  {
    account: { members, ...account },
    ...row
  }: PurchaseRow & { account: AccountRow & { members: MemberRow[] } },
  order: Order | null,
  isBare = false,
): Promise<ShownPurchase> => {
  const purchase = purchaseOf(row)
  const viewer = members[0] ? memberOf(members[0]) : null
  const phones = (order?.recipients ?? purchase.lines.slice(0, 1)).map(({ phone }) => phone)
  const isRepeatable = order !== null && !isBare && !openPlacements.includes(order.placement)
  const [saved, nextRepeat] = await Promise.all([
    viewer ? contactStore(client).byPhones(bookOf(viewer), phones) : [],
    isRepeatable ? purchaseStore(client).nextNonce(againCause(order.id)) : 0,
  ])
  return { purchase, order, account: accountIn(account), viewer, saved, nextRepeat }
}

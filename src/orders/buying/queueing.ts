import type { Order } from '../../domain/order/order.ts'
import { type Shop, sellingPrice } from '../../domain/selling/price-rule.ts'
import { type Member, overseerOf } from '../../store/accounts/accounts.ts'
import type { NewOrder } from '../../store/orders/order-placing.ts'
import type { Queries } from '../../store/store.ts'

/**
 * Adds the values that are fixed when a purchase is confirmed: the shop's selling price and, for an agent, the price
 * that they saw and the owner who gets news of the order.
 * @param known the role of the person who confirms, and the shop, if the caller has read them.
 */
export const withConfirmedTerms = async (
  tx: Queries,
  orders: readonly NewOrder[],
  { role, shop: read }: Partial<Pick<Member, 'role'> & { shop: Shop }> = {},
): Promise<NewOrder[]> => {
  const [first] = orders
  if (!first) return []
  const [shop, overseen] = await Promise.all([
    read ?? tx.shops.of(first.accountId),
    role === 'owner' ? null : overseenBy(tx, first),
  ])
  return orders.map((order) => {
    const present = sellingPrice(shop, order, order.unitPricePesewas)
    if (!overseen) return { ...order, sellUnitPesewas: present }
    const { agentUnitPesewas = present } = order
    return {
      ...order,
      ...overseen,
      agentUnitPesewas,
      sellUnitPesewas: agentUnitPesewas ?? present,
    }
  })
}

/** The agent's name, and the chat of the owner who gets news about them. Null for an owner. */
const overseenBy = async (
  tx: Queries,
  { userId, accountId }: Pick<NewOrder, 'userId' | 'accountId'>,
): Promise<Pick<Order, 'ownerChatId' | 'agentName'> | null> => {
  const members = await tx.accounts.members(accountId)
  const agent = members.find((member) => member.userId === userId && member.role === 'agent')
  if (!agent) return null
  return { ownerChatId: overseerOf(members, agent)?.chatId ?? null, agentName: agent.name }
}

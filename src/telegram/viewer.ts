import type { Order } from '../orders/order.ts'
import type { Queries } from '../store/store.ts'

/** As what somebody looks at an order or a list: null where they do not belong to its account, or no longer do. */
export type ViewerRole = 'owner' | 'agent' | null

/** The provider's words about a wallet that holds too little may tell what it holds: that is for its owners alone. */
export const asSeenBy = <T extends Pick<Order, 'reason' | 'providerMessage'>>(
  order: T,
  viewer: ViewerRole,
): T => (viewer !== 'owner' && order.reason === 'balance' ? { ...order, providerMessage: null } : order)

/** @param viewerId whose chat it is shown in: a private chat's id is its user's. */
export const roleOf = async (
  queries: Pick<Queries, 'accounts'>,
  { accountId }: { accountId: string },
  viewerId: number,
): Promise<ViewerRole> => {
  const viewer = await queries.accounts.member(viewerId)
  return viewer?.accountId === accountId ? viewer.role : null
}

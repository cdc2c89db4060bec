import type { Order } from '../orders/order.ts'
import { isRemoved } from '../orders/removed-phone.ts'
import type { Member } from '../store/accounts.ts'
import type { Queries } from '../store/store.ts'

/**
 * As what somebody looks at an order or a list.
 *
 * | role | sees |
 * |---|---|
 * | `owner` | all of it |
 * | `agent` | no balance of the wallet, no figure in the provider's words, no entry of the wallet |
 * | `removed_agent` | the same of what they ordered themselves, and can do nothing about it |
 * | `former_owner` | the same of what they ordered themselves, and can do nothing about it |
 * | null: a follower or a stranger | what `shared-card.ts` shows: no price, and the number masked |
 */
export type ViewerRole = 'owner' | 'agent' | 'removed_agent' | 'former_owner' | null

/** Whoever has one may still act for the account. */
export type MemberRole = Member['role']

declare const seen: unique symbol

/** An order as somebody may see it. Texts take no other, so that none can tell more. */
export type SeenOrder = Order & { readonly [seen]: true }

/** What the role may see of the order: the one place where that is settled. */
export const orderSeenBy = (order: Order, role: ViewerRole): SeenOrder =>
  (role === 'owner'
    ? order
    : { ...order, balancePesewas: null, providerMessage: wordsForOthers(order) }) as SeenOrder

/** The provider's words may tell the wallet's balance and prices (API §7): their figures are for owners alone. */
const wordsForOthers = ({ reason, providerMessage, recipients }: Order): string | null => {
  if (reason === 'balance' || providerMessage === null) return null
  const own = new Set(recipients.flatMap(({ phone }) => (isRemoved(phone) ? [] : [phone as string])))
  return providerMessage.replace(/\p{N}[\p{N}.,]*/gu, (figure) =>
    own.has(figure.replace(/[.,]+$/, '')) ? figure : '…',
  )
}

/** What tells as what somebody looks at an order. */
type Ordered = Pick<Order, 'accountId' | 'userId' | 'reportTo' | 'agentName'>

/**
 * @param order one of them where a list is looked at.
 * @param viewerId whose chat it is shown in: a private chat's id is its user's.
 */
export const roleOf = async (
  queries: Pick<Queries, 'accounts'>,
  order: Ordered,
  viewerId: number,
): Promise<ViewerRole> => {
  const viewer = await queries.accounts.member(viewerId)
  if (viewer?.accountId === order.accountId) return viewer.role
  if (viewerId !== order.userId) return null
  return order.reportTo !== null || order.agentName !== null ? 'removed_agent' : 'former_owner'
}

/** The member's role in that account; null where they do not belong to it, or no longer do. */
export const memberRole = async (
  queries: Pick<Queries, 'accounts'>,
  { accountId }: { accountId: string },
  viewerId: number,
): Promise<MemberRole | null> => {
  const viewer = await queries.accounts.member(viewerId)
  return viewer?.accountId === accountId ? viewer.role : null
}

export const isMember = (role: ViewerRole): role is MemberRole => role === 'owner' || role === 'agent'

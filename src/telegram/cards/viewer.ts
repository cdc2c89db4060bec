import { type Charges, chargesOf } from '../../domain/debits/charge.ts'
import type { Order, PricelessOrder, Recipient } from '../../domain/order/order.ts'
import {
  type CountedOrder,
  type Counts,
  countsOf,
  type ListProgress,
  progressOf,
} from '../../domain/order/progress.ts'
import { awaitedRefund } from '../../domain/order/recipient-ends.ts'
import { isRemoved } from '../../domain/order/removed-phone.ts'
import { inPricesOf } from '../../domain/selling/agent-prices.ts'
import type { AgentPrices } from '../../domain/selling/price-rule.ts'
import type { EarlierOrder } from '../../orders/buying/earlier-order.ts'
import type { Member } from '../../store/accounts/accounts.ts'
import type { Queries } from '../../store/store.ts'

/**
 * The role in which a person looks at an order or a list.
 *
 * | role | sees |
 * |---|---|
 * | `owner` | everything |
 * | `agent` | no balance and no entries of the wallet, and no amounts in the provider's words. They see the prices that the owners choose (`AgentPrices`), by default the selling price at the time they confirmed |
 * | `removed_agent` | what an agent sees, but only of their own orders, and can do nothing about them |
 * | `former_owner` | what a removed agent sees, but at cost, and can do nothing about it |
 * | null: a follower or a stranger | what `shared-card.ts` shows: no price, and a masked number |
 */
export type ViewerRole = 'owner' | 'agent' | 'removed_agent' | 'former_owner' | null

/** The roles of a person who may still act for the account. */
export type MemberRole = Member['role']

declare const seen: unique symbol

/** How a person may look at an account's orders: in which role, and which prices they see. */
export interface View {
  role: ViewerRole
  prices: AgentPrices
}

/**
 * An order as a viewer may see it. Texts accept no other type, so they cannot show more. Its prices are only in
 * `priced` and `costs`.
 */
export type SeenOrder = PricelessOrder & {
  readonly [seen]: true
  readonly viewer: ViewerRole
  /** The order in the prices that the viewer sees; null if they see none. */
  readonly priced: Order | null
  /**
   * The order with what it costs the wallet, for texts about the wallet's money; null if the viewer does not see that.
   */
  readonly costs: Order | null
  /** How much of the money that is due back came back. */
  readonly refund: 'none' | 'part' | 'whole'
}

/** The order as a viewer may see it. No other code decides that. */
export const orderSeenBy = (order: Order, { role, prices }: View): SeenOrder => {
  const own =
    role === 'owner' ? order : { ...order, balancePesewas: null, providerMessage: wordsForOthers(order) }
  const {
    unitPricePesewas: _,
    chargedPesewas: __,
    refundedPesewas: ___,
    agentUnitPesewas: ____,
    extraPesewas: _____,
    ...others
  } = own
  return {
    ...others,
    viewer: role,
    priced: inPricesOf(own, prices),
    costs: prices === 'cost' ? own : null,
    refund: refundOf(order),
  } as SeenOrder
}

const refundOf = (order: Order): SeenOrder['refund'] => {
  const refunded = order.refundedPesewas ?? 0
  if (refunded >= awaitedRefund(order)) return 'whole'
  return refunded > 0 ? 'part' : 'none'
}

/** Whether a person may know that an order exists: owners know all orders, others only their own. */
export const mayKnow = ({ userId }: Pick<Order, 'userId'>, role: ViewerRole, viewerId: number): boolean =>
  role === 'owner' || userId === viewerId

/**
 * An earlier order for the same number, as a viewer may see it. `others`: another member made it, so the viewer may not
 * see it. The viewer is warned all the same, because a second order costs money.
 */
export type SeenEarlier = { order: SeenOrder; recipient: Recipient } | 'others'

/** @param viewer the member who is warned; null: they belong to no account. */
export const earlierSeenBy = async (
  queries: Pick<Queries, 'shops'>,
  { order, recipient }: EarlierOrder,
  viewerId: number,
  viewer: Member | null,
): Promise<SeenEarlier> => {
  const role = roleIn(order, viewerId, viewer)
  return mayKnow(order, role, viewerId)
    ? { order: orderSeenBy(order, await viewOf(queries, order, role)), recipient }
    : 'others'
}

/**
 * How a person may look at an account's orders. Owners and former owners see costs; owners decide what agents see. A
 * removed agent sees no costs, because a rule of their own may have hidden the costs from them.
 * @param ordered the order, or the viewer: an agent sees only their own orders.
 */
export const viewOf = async (
  { shops }: Pick<Queries, 'shops'>,
  ordered: { accountId: string; userId: number },
  role: ViewerRole,
): Promise<View> => {
  if (role === null) return { role, prices: 'none' }
  if (role === 'owner' || role === 'former_owner') return { role, prices: 'cost' }
  const { agentPrices } = await shops.asSeenBy(ordered)
  return { role, prices: role === 'removed_agent' && agentPrices === 'cost' ? 'none' : agentPrices }
}

/**
 * What a person who is not an owner sees of the provider's words. Numbers are replaced by `…`, because they may reveal
 * the wallet's balance and prices (API §7); the order's own phones stay.
 */
const wordsForOthers = ({ reason, providerMessage, recipients }: Order): string | null => {
  if (reason === 'balance' || providerMessage === null) return null
  const own = new Set<string>(recipients.flatMap(({ phone }) => (isRemoved(phone) ? [] : [phone])))
  return providerMessage.replace(/\p{N}[\p{N}.,]*/gu, (figure) =>
    own.has(figure.replace(/[.,]+$/, '')) ? figure : '…',
  )
}

/** The parts of an order that decide a person's role. */
type Ordered = Pick<Order, 'accountId' | 'userId' | 'ownerChatId' | 'agentName'>

/**
 * The role of a viewer. @param order for a list, any one of its orders. @param viewerId the chat that shows it. A
 * private chat has its user's id.
 */
export const roleOf = async (
  queries: Pick<Queries, 'accounts'>,
  order: Ordered,
  viewerId: number,
): Promise<ViewerRole> => roleIn(order, viewerId, await queries.accounts.member(viewerId))

/**
 * Like `roleOf`, for a viewer who was already read from the database. @param viewer null: the viewer belongs to no
 * account.
 */
export const roleIn = (
  order: Ordered,
  viewerId: number,
  viewer: Pick<Member, 'accountId' | 'role'> | null,
): ViewerRole => {
  if (viewer?.accountId === order.accountId) return viewer.role
  if (viewerId !== order.userId) return null
  return order.ownerChatId !== null || order.agentName !== null ? 'removed_agent' : 'former_owner'
}

/** The person's role in the account; null if they are not a member of it. */
export const memberRole = async (
  queries: Pick<Queries, 'accounts'>,
  { accountId }: { accountId: string },
  viewerId: number,
): Promise<MemberRole | null> => {
  const viewer = await queries.accounts.member(viewerId)
  return viewer?.accountId === accountId ? viewer.role : null
}

export const isMember = (role: ViewerRole): role is MemberRole => role === 'owner' || role === 'agent'

/**
 * A list's progress as a viewer may see it. `money` is in the prices that they see; null if they do not see the prices
 * of all orders.
 */
export type SeenProgress = Omit<ListProgress, 'charges' | 'owedPesewas'> & {
  money: Pick<ListProgress, 'charges' | 'owedPesewas'> | null
}

/** A list's progress, with the money in the prices of the view. */
export const progressSeenBy = (orders: readonly Order[], { prices }: View): SeenProgress => {
  const { charges: __, owedPesewas: ___, ...counts } = progressOf(orders)
  const current = orders.filter(({ placement }) => placement !== 'superseded')
  const priced = current.flatMap((order) => inPricesOf(order, prices) ?? [])
  const money = progressOf(priced)
  const shares = new Map(money.failed.map(({ orderId, refundedPesewas }) => [orderId, refundedPesewas]))
  const failed = counts.failed.map((failure) => ({
    ...failure,
    refundedPesewas: failure.refundedPesewas === null ? null : (shares.get(failure.orderId) ?? null),
  }))
  return { ...counts, failed, money: priced.length === current.length ? money : null }
}

/**
 * A list's counts and charges as a viewer may see them, for a line of the history. `charges` is null if they do not see
 * the prices of all orders.
 */
export type SeenStanding = Counts & { charges: Charges | null }

/** A list's counts, with the charges in the prices of the view. */
export const standingSeenBy = (parts: readonly CountedOrder[], { prices }: View): SeenStanding => {
  const priced = parts.flatMap((part) => inPricesOf(part, prices) ?? [])
  return { ...countsOf(parts), charges: priced.length === parts.length ? chargesOf(priced) : null }
}

/** The prices in which sums are counted. A viewer who sees no prices is shown no sums. */
export const amountsFor = (prices: AgentPrices): 'cost' | 'selling' =>
  prices === 'cost' ? 'cost' : 'selling'

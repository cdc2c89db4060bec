import { type Charges, chargesOf } from '../../domain/debits/charge.ts'
import type { Order, PricelessOrder, Recipient } from '../../domain/order/order.ts'
import {
  type CountedOrder,
  type Counts,
  countsOf,
  type ListProgress,
  progressOf,
} from '../../domain/order/progress.ts'
import { awaitedRefund } from '../../domain/order/recipients.ts'
import { isRemoved } from '../../domain/order/removed-phone.ts'
import { inPricesOf } from '../../domain/selling/agent-prices.ts'
import type { AgentPrices } from '../../domain/selling/selling.ts'
import type { EarlierOrder } from '../../orders/buying/earlier-order.ts'
import type { Member } from '../../store/accounts/accounts.ts'
import type { Queries } from '../../store/store.ts'

/**
 * The role in which somebody looks at an order or a list.
 *
 * | role | sees |
 * |---|---|
 * | `owner` | all of it |
 * | `agent` | no balance of the wallet, no figure in the provider's words, no entry of the wallet, and of prices what the owners let them (`AgentPrices`): by default the selling price at which they confirmed it |
 * | `removed_agent` | the same of what they ordered themselves, and can do nothing about it |
 * | `former_owner` | the same of what they ordered themselves, and can do nothing about it |
 * | null: a follower or a stranger | what `shared-card.ts` shows: no price, and the number masked |
 */
export type ViewerRole = 'owner' | 'agent' | 'removed_agent' | 'former_owner' | null

/** A person with one of these roles may still act for the account. */
export type MemberRole = Member['role']

declare const seen: unique symbol

/** A person who looks at something of an account, and the prices that they see. */
export interface View {
  role: ViewerRole
  prices: AgentPrices
}

/**
 * An order as somebody may see it. Texts take no other, so that none can tell more: what it costs stands in `priced`
 * alone, in the prices that they see.
 */
export type SeenOrder = PricelessOrder & {
  readonly [seen]: true
  /** The reader's role. */
  readonly viewer: ViewerRole
  /** With the prices that they see; null where they see none of it. */
  readonly priced: Order | null
  /** With what it costs the wallet, for words about the wallet's money; null where they do not see that. */
  readonly costs: Order | null
  /** How much of what has to come back has come back. */
  readonly refund: 'none' | 'part' | 'whole'
}

/** The order as somebody may see it: the one place where that is settled. */
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

/** Whether somebody may know of an order at all: owners of all, others of their own. */
export const mayKnow = ({ userId }: Pick<Order, 'userId'>, role: ViewerRole, viewerId: number): boolean =>
  role === 'owner' || userId === viewerId

/**
 * An order that the same number got before, as somebody may see it; `others`: they may not know of it. They are warned
 * all the same, because a second order costs money.
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

/** Owners see what their orders cost, and so does who was one; of an agent the owners settle it. */
export const viewOf = async (
  { shops }: Pick<Queries, 'shops'>,
  { accountId }: { accountId: string },
  role: ViewerRole,
): Promise<View> => {
  if (role === 'owner' || role === 'former_owner') return { role, prices: 'cost' }
  return { role, prices: role === null ? 'none' : (await shops.of(accountId)).agentPrices }
}

/** The provider's words may tell the wallet's balance and prices (API §7): their figures are for owners alone. */
const wordsForOthers = ({ reason, providerMessage, recipients }: Order): string | null => {
  if (reason === 'balance' || providerMessage === null) return null
  const own = new Set<string>(recipients.flatMap(({ phone }) => (isRemoved(phone) ? [] : [phone])))
  return providerMessage.replace(/\p{N}[\p{N}.,]*/gu, (figure) =>
    own.has(figure.replace(/[.,]+$/, '')) ? figure : '…',
  )
}

/** The facts about an order that decide somebody's role. */
type Ordered = Pick<Order, 'accountId' | 'userId' | 'ownerChatId' | 'agentName'>

/**
 * @param order one of them where a list is looked at.
 * @param viewerId whose chat it is shown in: a private chat's id is its user's.
 */
export const roleOf = async (
  queries: Pick<Queries, 'accounts'>,
  order: Ordered,
  viewerId: number,
): Promise<ViewerRole> => roleIn(order, viewerId, await queries.accounts.member(viewerId))

/** The same where the viewer was read already; null: they belong to no account. */
export const roleIn = (
  order: Ordered,
  viewerId: number,
  viewer: Pick<Member, 'accountId' | 'role'> | null,
): ViewerRole => {
  if (viewer?.accountId === order.accountId) return viewer.role
  if (viewerId !== order.userId) return null
  return order.ownerChatId !== null || order.agentName !== null ? 'removed_agent' : 'former_owner'
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

/** Whether the role may still act for the account. */
export const isMember = (role: ViewerRole): role is MemberRole => role === 'owner' || role === 'agent'

/** How a list stands for somebody: its money in the prices that they see, null where they do not see all of it. */
export type SeenProgress = Omit<ListProgress, 'charges' | 'owedPesewas'> & {
  money: Pick<ListProgress, 'charges' | 'owedPesewas'> | null
}

/** A list's progress, with money in the prices of the view. */
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

/** The same in a line of the history. */
export type SeenStanding = Counts & { charges: Charges | null }

/** How a list stands, with money in the prices of the view. */
export const standingSeenBy = (parts: readonly CountedOrder[], { prices }: View): SeenStanding => {
  const priced = parts.flatMap((part) => inPricesOf(part, prices) ?? [])
  return { ...countsOf(parts), charges: priced.length === parts.length ? chargesOf(priced) : null }
}

/** The prices in which sums are made. A reader who sees no prices is told no sums. */
export const amountsFor = (prices: AgentPrices): 'cost' | 'selling' =>
  prices === 'cost' ? 'cost' : 'selling'

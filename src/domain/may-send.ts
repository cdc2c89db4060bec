import type { Bundle } from '../provider/index.ts'
import { type Pesewas, sum } from '../provider/money.ts'
import { type Order, type PriceReading, totalPesewas } from './order/order.ts'
import { staleConfirmationMs } from './order/placement.ts'
import type { PurchaseRemark } from './order/reason.ts'
import { isPending } from './order/recipient-ends.ts'

/** What the bot knows about a queued order without asking the provider. */
export interface OrderFacts {
  /** The order as it is stored now; null if it is no longer queued, or a part was split off since it was read. */
  order: Order | null
  /** The account's last owner has disconnected, or the person who ordered is no longer an agent of the account. */
  left: 'disconnected' | 'agent_left' | null
  /** When the person last confirmed the order. */
  confirmedAt: Date
  /**
   * Whether the provider last accepted the account's credentials. `suspected`: it has refused them, and the bot has not
   * yet verified that they are wrong.
   */
  credentials: 'accepted' | 'suspected' | 'refused'
  /** An operator has marked the order's network as down. */
  isNetworkDown: boolean
  /** The open orders that have to end first, by phone of this order. */
  blockers: ReadonlyMap<string, Order>
  /** No other order of the same list is being sent, and the list is not held up. */
  isItsTurn: boolean
  /** The total cost of all queued orders of the same list. For a single order, its own cost. */
  queuedPesewas: Pesewas
}

/** What the provider answered about the price, and about the balance if that was asked. */
export type OfferReading =
  /**
   * `balancePesewas` is null for a single order, and for a list that has begun: the balance is not checked for
   * these.
   */
  | { kind: 'read'; prices: PriceReading; balancePesewas: Pesewas | null }
  /** The account's request limit is reached. `waitMs` is the time until there is room again. */
  | { kind: 'rate_limited'; waitMs: number }
  | { kind: 'unreadable'; remark: 'unauthorized' | 'prices_unreadable' }
  /** The account has no credentials left. */
  | { kind: 'no_wallet' }

/** What the bot learned from the provider in this attempt. */
export interface Learned {
  /** The refused credentials have been tried once more. */
  wasVerified: boolean
  offer: OfferReading | null
}

export const nothingLearned: Learned = { wasVerified: false, offer: null }

/** The order stays queued until `until`, and is then checked again. */
export interface Wait {
  kind: 'wait'
  reason: 'network_down' | 'verifying' | 'rate_limited'
  until: Date
}

/** A decision not to send a queued order now. */
export type Postponement =
  | Wait
  /** All phones of the order have open orders. */
  | { kind: 'wait_for'; blocker: Order; until: Date }
  /** Some phones of the order have open orders. These phones are moved to orders of their own, which wait. */
  | { kind: 'take_out'; blockers: ReadonlyMap<string, Order>; until: Date }
  /**
   * The order must not be sent as it was confirmed. `prices`: the prices for the new card; null to keep the
   * confirmed ones.
   */
  | { kind: 'ask_again'; remark: PurchaseRemark; prices: PriceReading | null }
  | { kind: 'stop'; reason: 'disconnected' | 'agent_left' | 'bundle_gone' }

export type SendDecision =
  | { kind: 'send' }
  | Postponement
  /** The order is left as it is: it is no longer queued, or it is not its turn in the list. */
  | { kind: 'leave' }
  /** Try the refused credentials once more, then decide again. */
  | { kind: 'verify' }
  /** Read the price, then decide again. */
  | { kind: 'read_offer' }

/** How soon an order that waits for another one is checked again, if no event wakes it earlier. */
const blockedAgainMs = 30_000
/** How soon an order that waits for its network is checked again. */
const networkAgainMs = 10_000
/**
 * How soon an order is checked again while its credentials are suspected. A suspicion is usually cleared up within a
 * second.
 */
const verifiedAgainMs = 2_000

export const sendDecision = (facts: OrderFacts, { wasVerified, offer }: Learned, at: Date): SendDecision => {
  const { order, left, confirmedAt, credentials, blockers } = facts
  const after = (ms: number): Date => new Date(at.getTime() + ms)
  if (order === null) return { kind: 'leave' }
  if (left !== null) return { kind: 'stop', reason: left }
  // A confirmation so far in the future was stamped by a wrong clock, so nobody knows how long the order has waited.
  if (Math.abs(at.getTime() - confirmedAt.getTime()) > staleConfirmationMs) return askAgain('waited_long')
  if (credentials === 'refused') return wasVerified ? askAgain('unauthorized') : { kind: 'verify' }
  if (credentials === 'suspected') return { kind: 'wait', reason: 'verifying', until: after(verifiedAgainMs) }
  if (facts.isNetworkDown) return { kind: 'wait', reason: 'network_down', until: after(networkAgainMs) }
  const [blocker] = blockers.values()
  if (blocker) {
    const until = after(blockedAgainMs)
    const isWhole = blockers.size === order.recipients.length
    return isWhole ? { kind: 'wait_for', blocker, until } : { kind: 'take_out', blockers, until }
  }
  if (!facts.isItsTurn) return { kind: 'leave' }
  return offer === null ? { kind: 'read_offer' } : comparedWith(offer, order, facts.queuedPesewas, at)
}

/** The last check before sending: the price and the balance, as the provider has just given them. */
const comparedWith = (offer: OfferReading, order: Order, queuedPesewas: Pesewas, at: Date): SendDecision => {
  switch (offer.kind) {
    case 'no_wallet':
      return { kind: 'stop', reason: 'disconnected' }
    case 'rate_limited':
      return { kind: 'wait', reason: 'rate_limited', until: new Date(at.getTime() + offer.waitMs) }
    case 'unreadable':
      return askAgain(offer.remark)
    case 'read': {
      const { prices, balancePesewas } = offer
      const bundle = prices.bundles.find(({ id }) => id === order.bundleId)
      if (!bundle && !order.listed) return { kind: 'stop', reason: 'bundle_gone' }
      if (!bundle || !isSame(bundle, order)) return askAgain('price_changed', prices)
      const isShort = balancePesewas !== null && queuedPesewas > balancePesewas
      return isShort ? askAgain('balance_changed') : { kind: 'send' }
    }
  }
}

const askAgain = (remark: PurchaseRemark, prices: PriceReading | null = null): SendDecision => ({
  kind: 'ask_again',
  remark,
  prices,
})

const isSame = (bundle: Bundle, order: Order): boolean =>
  bundle.pricePesewas === order.unitPricePesewas &&
  bundle.network === order.network &&
  bundle.volume === order.volume

/** The cost of the orders that are still queued. */
export const queuedCost = (orders: readonly Order[]): Pesewas =>
  sum(orders.filter(({ placement }) => placement === 'queued').map(totalPesewas))

/**
 * For each phone with an open order elsewhere in the account: the open order that must end first. The provider refuses
 * a second order for a number while one is pending (API §4.2).
 * @param others the account's other open orders for these phones, oldest first.
 * @param heldUp those of `otherLists` that are held up.
 */
export const blockersAmong = (
  order: Order,
  others: readonly Order[],
  heldUp: ReadonlySet<string>,
): Map<string, Order> => {
  const phones = order.recipients.map(({ phone }) => phone)
  const before = others.filter((other) => goesFirst(other, order, heldUp))
  const blockers = new Map<string, Order>()
  for (const phone of phones) {
    const blocker = blockerOf(
      order,
      before.filter((other) => isPending(other, phone)),
    )
    if (blocker) blockers.set(phone, blocker)
  }
  return blockers
}

/** The other lists that have an order queued before this one. Such an order goes first, unless its list is held up. */
export const otherLists = (order: Order, others: readonly Order[]): string[] => {
  const before = others.filter((other) => isQueuedBefore(other, order) && isInOtherList(other, order))
  return [...new Set(before.map(({ purchaseId }) => purchaseId))]
}

const goesFirst = (other: Order, order: Order, heldUp: ReadonlySet<string>): boolean =>
  other.placement !== 'queued' ||
  (isQueuedBefore(other, order) && !(isInOtherList(other, order) && heldUp.has(other.purchaseId)))

const isQueuedBefore = (other: Order, order: Order): boolean =>
  other.placement === 'queued' && comesBefore(other, order)

const isInOtherList = (other: Order, order: Order): boolean =>
  other.listed && other.purchaseId !== order.purchaseId

/** Even with “Send anyway”, an order waits for one whose outcome is unknown. */
const blockerOf = (order: Order, before: Order[]): Order | null => {
  const unknown = before.find(({ placement }) => placement === 'unconfirmed' || placement === 'sending')
  return unknown ?? (order.sendAnyway ? null : (before[0] ?? null))
}

const comesBefore = (a: Order, b: Order): boolean => {
  const difference = a.createdAt.getTime() - b.createdAt.getTime() || a.position - b.position
  return difference < 0 || (difference === 0 && a.id < b.id)
}

import type { Bundle } from '../provider/index.ts'
import { type Pesewas, sum } from '../provider/money.ts'
import { type Order, type PriceReading, totalPesewas } from './order.ts'
import { staleConfirmationMs } from './placement.ts'
import type { PurchaseRemark } from './reason.ts'

/** The journal's knowledge about a queued order at one moment. */
export interface OrderFacts {
  /** The order as it is stored now; null: it is not queued any more, or a part was split off since it was read. */
  order: Order | null
  /** The account's last owner has left, or the person who ordered is not its agent any more. */
  left: 'disconnected' | 'agent_left' | null
  /** When the person last confirmed that it is to be sent. */
  confirmedAt: Date
  /** How the provider took the account's credentials last. */
  credentials: 'accepted' | 'suspected' | 'refused'
  /** The operator takes no orders on its network now. */
  isNetworkDown: boolean
  /** The open order that has to end first, by phone of this order. */
  blockers: ReadonlyMap<string, Order>
  /** No other order of its list is being sent, and nothing holds the list up. */
  isItsTurn: boolean
  /** The cost of all queued orders of its list; a single order's own cost. */
  queuedPesewas: Pesewas
}

/** The provider's answer about an order's price, and about the balance if it was asked. */
export type OfferReading =
  /** `balancePesewas`: null if the list has begun, and for a single order: neither is checked against the balance. */
  | { kind: 'read'; prices: PriceReading; balancePesewas: Pesewas | null }
  /** The account's request limit is reached; `waitMs` is the wait until it is not. */
  | { kind: 'rate_limited'; waitMs: number }
  | { kind: 'unreadable'; remark: 'unauthorized' | 'prices_unreadable' }
  /** The account has no credentials any more. */
  | { kind: 'no_wallet' }

/** The provider's answers for this one try. */
export interface Learned {
  /** Refused credentials were tried once more. */
  wasVerified: boolean
  offer: OfferReading | null
}

/** Nothing was asked of the provider yet. */
export const nothingLearned: Learned = { wasVerified: false, offer: null }

/** The order stays queued until that time, and is then checked again. */
export interface Wait {
  kind: 'wait'
  reason: 'network_down' | 'verifying' | 'rate_limited'
  until: Date
}

/** The decision on a queued order that is not sent now. */
export type Hold =
  | Wait
  /** All of its phones have open orders. */
  | { kind: 'wait_for'; blocker: Order; until: Date }
  /** Some of its phones have open orders: they wait in orders of their own. */
  | { kind: 'take_out'; blockers: ReadonlyMap<string, Order>; until: Date }
  /** It must not be sent as it was confirmed. `prices`: the prices of the new card; null: as confirmed. */
  | { kind: 'ask_again'; remark: PurchaseRemark; prices: PriceReading | null }
  /** The order is cancelled. */
  | { kind: 'stop'; reason: 'disconnected' | 'agent_left' | 'bundle_gone' }

/** The next step for a queued order. */
export type SendDecision =
  | { kind: 'send' }
  | Hold
  /** Another process works on it: the order stays as it is. */
  | { kind: 'leave' }
  /** The refused credentials are tried once more, then the order is judged again. */
  | { kind: 'verify' }
  /** The price is read, then the order is judged again. */
  | { kind: 'read_offer' }

/** The next check of an order that waits for another, in case nobody wakes it. */
const blockedAgainMs = 30_000
/** The next check of an order that waits for its network. */
const networkAgainMs = 10_000
/** A suspected refusal is usually cleared up within a second. */
const verifiedAgainMs = 2_000

/** Whether a queued order may be sent as it was confirmed, by the facts of that moment. */
export const readinessOf = (facts: OrderFacts, { wasVerified, offer }: Learned, at: Date): SendDecision => {
  const { order, left, confirmedAt, credentials, blockers } = facts
  const after = (ms: number): Date => new Date(at.getTime() + ms)
  if (order === null) return { kind: 'leave' }
  if (left !== null) return { kind: 'stop', reason: left }
  // So far in the future it was confirmed by a clock that was set right since: nobody knows how long it has waited.
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

/** The last check of an order: its price and the balance, as the provider tells them. */
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

/** The cost of the queued ones among these orders. */
export const queuedCost = (orders: readonly Order[]): Pesewas =>
  sum(orders.filter(({ placement }) => placement === 'queued').map(totalPesewas))

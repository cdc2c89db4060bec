import type { Order, Recipient } from '../domain/order/order.ts'
import { type RecipientState, stateOf } from '../domain/order/progress.ts'
import { isTerminal } from '../domain/order/status.ts'
import { type Shopfront, shopfrontOf } from '../domain/selling/price-rule.ts'
import { type Pesewas, times } from '../provider/money.ts'
import { sizeName } from './offer-name.ts'

/** A customer's receipt. It does not show what the order cost the shop. */
export interface Receipt {
  shop: Shopfront
  at: Date
  network: string
  /** The size, followed by the name of the offer if its slug has one. */
  volume: string
  /** The customer's number, or how many numbers the receipt is for. */
  whom: Pick<Recipient, 'phone'> | { count: number }
  /** The status of the one recipient, or how many of them were delivered. */
  status: ReceiptStatus
  deliveredAt: Date | null
  reference: string | null
  /**
   * The selling price of all recipients that were delivered or may still be; null if there are none, or if the order
   * has no selling price.
   */
  pricePesewas: Pesewas | null
}

export type ReceiptStatus =
  /** The status of one recipient, in the provider's words. `reported`: only a callback has reported it. */
  | { kind: 'word'; word: string; reported: boolean; tone: Tone }
  | { kind: 'counts'; delivered: number; of: number; tone: Tone }

/** `good`: delivered. `open`: undecided. `bad`: failed. */
export type Tone = 'good' | 'open' | 'bad'

/**
 * The receipt of one recipient, or of all together.
 * @param position the recipient's position in the order; `all` for all recipients together.
 * @returns null if the order is not placed or has no such recipient.
 */
export const receiptOf = (order: Order, shop: Shopfront, position: number | 'all'): Receipt | null => {
  const chosen = order.recipients.filter((each) => position === 'all' || each.position === position)
  const [first] = chosen
  if (!first || order.placement !== 'placed') return null
  const states = chosen.map((recipient) => stateOf(order, recipient))
  const status = statusOf(states)
  const sold = states.filter(mayBeSold).length
  return {
    shop: shopfrontOf(shop),
    at: order.placedAt ?? order.createdAt,
    network: order.network,
    volume: sizeName(order.network, order.volume, order.offerSlug),
    whom: chosen.length === 1 ? { phone: first.phone } : { count: chosen.length },
    status,
    deliveredAt: status.tone === 'good' ? deliveredAt(order, chosen) : null,
    reference: order.reference,
    pricePesewas: order.sellUnitPesewas === null || sold === 0 ? null : times(order.sellUnitPesewas, sold),
  }
}

const statusOf = (states: readonly RecipientState[]): ReceiptStatus => {
  const [first] = states
  if (states.length === 1 && first) return wordOf(first)
  const tones = states.map((state) => wordOf(state).tone)
  const delivered = tones.filter((tone) => tone === 'good').length
  const tone = tones.includes('open') ? 'open' : delivered > 0 ? 'good' : 'bad'
  return { kind: 'counts', delivered, of: states.length, tone }
}

const wordOf = (state: RecipientState): Extract<ReceiptStatus, { kind: 'word' }> => {
  if (state.kind !== 'status') return { kind: 'word', word: 'placed', reported: false, tone: 'open' }
  const { status: word, reported } = state
  const isOpen = reported || !isTerminal(word)
  return { kind: 'word', word, reported, tone: isOpen ? 'open' : word === 'delivered' ? 'good' : 'bad' }
}

const mayBeSold = (state: RecipientState): boolean => wordOf(state).tone !== 'bad'

const deliveredAt = (order: Order, [recipient]: readonly Recipient[]): Date | null =>
  order.deliveredAt ?? (order.kind === 'bulk' ? (recipient?.statusAt ?? null) : null)

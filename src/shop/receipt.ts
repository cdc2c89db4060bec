import type { Order, Recipient } from '../orders/order.ts'
import { type RecipientState, stateOf } from '../orders/progress.ts'
import { isTerminal } from '../orders/status.ts'
import type { Pesewas } from '../provider/money.ts'
import { sizeName } from './offer-name.ts'

/** What a customer gets of an order: nothing of what it cost. */
export interface Receipt {
  shop: string | null
  at: Date
  network: string
  /** The size, with its offer where that is needed to tell it from others. */
  volume: string
  /** The customer's number, or how many numbers it is for. */
  whom: Pick<Recipient, 'phone'> | { count: number }
  /** What became of each that it is for, as words with how often. */
  status: ReceiptStatus
  deliveredAt: Date | null
  reference: string | null
  /** For all that were delivered or may still be; null where it has no selling price or nothing was delivered. */
  pricePesewas: Pesewas | null
}

export type ReceiptStatus =
  /** The provider's word. `reported`: only a callback has told it. */
  | { kind: 'word'; word: string; reported: boolean; tone: Tone }
  | { kind: 'counts'; delivered: number; of: number; tone: Tone }

export type Tone = 'good' | 'open' | 'bad'

/** @param position of the one recipient that it is for; `all`: for all of the order together. */
export const receiptOf = (order: Order, shop: string | null, position: number | 'all'): Receipt | null => {
  const chosen = order.recipients.filter((each) => position === 'all' || each.position === position)
  const [first] = chosen
  if (!first || order.placement !== 'placed') return null
  const states = chosen.map((recipient) => stateOf(order, recipient))
  const status = statusOf(states)
  const sold = states.filter(mayBeSold).length
  return {
    shop,
    at: order.placedAt ?? order.createdAt,
    network: order.network,
    volume: sizeName(order.network, order.volume, order.offerSlug),
    whom: chosen.length === 1 ? { phone: first.phone } : { count: chosen.length },
    status,
    deliveredAt: status.tone === 'good' ? deliveredAt(order, chosen) : null,
    reference: order.reference,
    pricePesewas:
      order.sellUnitPesewas === null || sold === 0 ? null : ((order.sellUnitPesewas * sold) as Pesewas),
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

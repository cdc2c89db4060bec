import type { Bundle } from '../../provider/index.ts'
import { minus, type Pesewas, times, zero } from '../../provider/money.ts'
import type { Phone } from '../../provider/phone.ts'
import { openPlacements, type Placement } from './placement.ts'
import type { OtherReason, PurchaseRemark, Reason } from './reason.ts'
import { isRemoved, type RemovedPhone } from './removed-phone.ts'
import { isTerminal } from './status.ts'

/** A bundle as it was offered to the person, who confirms exactly this. */
export interface Offer {
  bundleId: number
  network: string
  volume: string
  offerSlug: string | null
  pricePesewas: Pesewas
}

export interface PriceReading {
  bundles: Bundle[]
  readAt: Date | null
}

/** One recipient of a draft, with the bundle for them. */
export interface PurchaseLine extends Offer {
  phone: Phone
  /** Several offers have the wanted size; this is the one that the customer got last time. */
  asLastTime?: boolean
  /** The amount that the person wrote next to the number. */
  writtenPesewas?: Pesewas
  /** A saved or often used number that differs from this one by a typing slip. */
  near?: { phone: Phone; slip: 'digit' | 'swap' } | null
  /** When the line's price was read. */
  pricedAt?: Date | null
  /** The price that was confirmed before it changed to the current one. */
  confirmedPesewas?: Pesewas | null
  /**
   * On an agent's line: the shop's selling price at the time of the draft, which the agent pays; null if there was
   * none.
   */
  agentPesewas?: Pesewas | null
  /** The selling price that was confirmed before it changed. */
  confirmedAgentPesewas?: Pesewas | null
}

/** The state of a card: only a `draft` can be confirmed. */
export type PurchaseState = 'draft' | 'confirmed' | 'cancelled' | 'expired' | 'superseded'

/** One card in the chat, which the person confirms with one press. */
export interface Purchase {
  id: string
  accountId: string
  userId: number
  chatId: number
  /** A list also has a row with its text and answers, and its lines are in its orders. */
  kind: 'single' | 'list'
  state: PurchaseState
  lines: PurchaseLine[]
  remark: PurchaseRemark | null
  cardMessageId: number | null
  /** Whether the card has no buttons, because the message that says how the order ended has them. */
  isBare: boolean
  createdAt: Date
  expiresAt: Date
  confirmedAt: Date | null
  successorId: string | null
  /** The order of a list that holds up the rest, until it is proven to exist or the person decides. */
  heldById: string | null
  /** The earlier list, if this one is its rest, or orders its failed recipients again. */
  retryOfId: string | null
  /** When the list's closing message was queued. */
  closedAt: Date | null
}

/** One phone of an order, with its own delivery status if the provider gives one. */
export interface Recipient {
  /**
   * A `RemovedPhone` once the order is redacted. Redaction removes the numbers of all recipients, and only from
   * finished orders.
   */
  phone: Phone | RemovedPhone
  /** The recipient's place in the list of the purchase. */
  position: number
  /** The recipient's own status; null in a bulk order for which the provider gives only a status of the whole. */
  status: string | null
  statusAt: Date | null
  /** Only a callback has reported the status. */
  reported: boolean
  /** The open purchase that repeats the order for this recipient. */
  retryId: string | null
}

/** One POST to the provider. The intent is stored before it is sent, the outcome afterwards. */
export interface Order {
  id: string
  purchaseId: string
  accountId: string
  userId: number
  chatId: number
  kind: 'single' | 'bulk'
  /** The order belongs to a list, so the list's card and messages report on it. */
  listed: boolean
  /**
   * The order's place within the purchase. In a list only the first order has position 0. Gaps are left for orders that
   * are split off later.
   */
  position: number
  /** The order of the same list that is sent right before this one. */
  afterId: string | null
  bundleId: number
  network: string
  volume: string
  offerSlug: string | null
  unitPricePesewas: Pesewas
  /** The shop's selling price per recipient at the confirmation; null if there was none. */
  sellUnitPesewas: Pesewas | null
  /** The price per recipient that an agent saw at the confirmation; null if they saw none. */
  agentUnitPesewas: Pesewas | null
  quantity: number
  /** How many recipients the provider accepted, if it said so. */
  acceptedQuantity: number | null
  placement: Placement
  /** Why the order has its placement, as a code. The catalogue of texts has words for each. */
  reason: Reason | OtherReason | null
  /** The provider's message about the order. */
  providerMessage: string | null
  providerType: string | null
  /** The HTTP status of an answer that neither accepted nor rejected the order. */
  answerStatus: number | null
  reference: string | null
  /** The reference was inferred from a debit. It is removed if it proves to be another order's. */
  inferred: boolean
  /** A second reference that may be the order's too: its late answer named it, or a callback to its address. */
  otherReference: string | null
  status: string | null
  statusReported: boolean
  statusAt: Date | null
  announcedStatus: string | null
  callbackAt: Date | null
  chargedPesewas: Pesewas | null
  /** The wallet's balance after the charge, if the provider's answer gave it. */
  balancePesewas: Pesewas | null
  waitsForId: string | null
  sendAnyway: boolean
  attempts: number
  notBefore: Date | null
  leaseToken: string | null
  leaseUntil: Date | null
  sentAt: Date | null
  /** By the provider's clock; null if the provider gave no time. */
  placedAt: Date | null
  /** When the order's reference became known to the bot. */
  answeredAt: Date | null
  deliveredAt: Date | null
  /** How long the delivery took (`deliverySecondsOf`); null before the delivery, or if unknown. */
  deliverySeconds: number | null
  /** The chat of the owner who also gets the news of an agent's order. */
  ownerChatId: number | null
  agentName: string | null
  polls: number
  nextPollAt: Date | null
  reconcileAt: Date | null
  /** When to look for the order's refund next; null if no refund is due, or a day has passed. */
  refundAt: Date | null
  refundedPesewas: Pesewas | null
  /** How much more than the order's price was charged; see `overcharge`. */
  extraPesewas: Pesewas | null
  /** Since when the bot has looked for a charge beyond the price, or when one was seen. */
  extraAt: Date | null
  clockOffsetMs: number | null
  createdAt: Date
  recipients: Recipient[]
}

/** Whether the purchase's card leaves its buttons, except `⋯`, to the message that says how the order ended. */
export const hasBareCard = (
  { isBare }: Pick<Purchase, 'isBare'>,
  { placement, status }: Pick<Order, 'placement' | 'status'>,
): boolean => isBare && placement === 'placed' && isTerminal(status)

/** An order without its cost, for texts that anybody may see. */
export type PricelessOrder = Omit<
  Order,
  'unitPricePesewas' | 'chargedPesewas' | 'refundedPesewas' | 'extraPesewas' | 'agentUnitPesewas'
>

/** Whether the order is redacted: reduced to what accounting needs, without its recipients' numbers. */
export const isRedacted = ({ recipients }: { recipients: readonly Pick<Recipient, 'phone'>[] }): boolean =>
  recipients.some(({ phone }) => isRemoved(phone))

/** The numbers of an unfinished order, which is never redacted. */
export const phonesOf = ({ recipients }: Pick<Order, 'recipients'>): Phone[] =>
  recipients.flatMap(({ phone }) => (isRemoved(phone) ? [] : phone))

export const totalPesewas = (order: Pick<Order, 'unitPricePesewas' | 'quantity'>): Pesewas =>
  times(order.unitPricePesewas, order.quantity)

/**
 * The number of recipients that the charge pays for. If the provider took only part of a bulk order, the charge is
 * a smaller multiple of the unit price.
 */
export const acceptedBy = (
  { kind, quantity, unitPricePesewas }: Pick<Order, 'kind' | 'quantity' | 'unitPricePesewas'>,
  chargedPesewas: number | null,
): number => {
  if (kind === 'single') return 1
  const count = (chargedPesewas ?? 0) / unitPricePesewas
  return Number.isInteger(count) && count > 0 && count < quantity ? count : quantity
}

/** Whether the charge differs from the confirmed price. An unknown charge (null) does not. */
export const isOtherCharge = (
  { unitPricePesewas }: Pick<Order, 'unitPricePesewas'>,
  chargedPesewas: number | null,
  acceptedQuantity: number,
): boolean => chargedPesewas !== null && chargedPesewas !== unitPricePesewas * acceptedQuantity

export const chargeOf = (order: Pick<Order, 'chargedPesewas' | 'unitPricePesewas' | 'quantity'>): Pesewas =>
  order.chargedPesewas ?? totalPesewas(order)

/** The charge, less anything charged beyond the order's price. */
export const ownChargeOf = (
  order: Pick<Order, 'chargedPesewas' | 'unitPricePesewas' | 'quantity'> &
    Partial<Pick<Order, 'extraPesewas'>>,
): Pesewas => minus(chargeOf(order), order.extraPesewas ?? zero)

/**
 * Whether the order may still change. A placed order counts as unfinished while it is polled, even if callbacks have
 * reported its final status. An order that a person has judged to be charged is finished.
 */
export const isUnfinished = ({
  placement,
  nextPollAt,
  reason,
}: Pick<Order, 'placement' | 'nextPollAt' | 'reason'>): boolean =>
  placement === 'placed'
    ? nextPollAt !== null
    : openPlacements.includes(placement) && reason !== 'charged_by_person'

/** One recipient is ordered by API §4.2, several are ordered by API §4.3. */
export const kindFor = (quantity: number): Order['kind'] => (quantity === 1 ? 'single' : 'bulk')

/**
 * Whether the provider may have the order pending, now or later. Orders that the bot no longer watches do not count
 * (placed and no longer polled, or judged by a person to be charged), because the bot would never learn that they have
 * ended.
 */
export const isOpen = ({
  placement,
  status,
  nextPollAt,
  reason,
}: Pick<Order, 'placement' | 'status' | 'nextPollAt' | 'reason'>): boolean =>
  placement === 'placed' ? !isTerminal(status) && nextPollAt !== null : reason !== 'charged_by_person'

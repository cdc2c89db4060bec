import type { Bundle } from '../provider/index.ts'
import { minus, type Pesewas, times, zero } from '../provider/money.ts'
import type { Phone } from '../provider/phone.ts'
import { openPlacements, type Placement } from './placement.ts'
import type { OtherReason, PurchaseRemark, Reason } from './reason.ts'
import { isRemoved, type RemovedPhone } from './removed-phone.ts'
import { isTerminal } from './status.ts'

/** A bundle as it was offered to the person, who confirms it in this form. */
export interface Offer {
  bundleId: number
  network: string
  volume: string
  offerSlug: string | null
  pricePesewas: Pesewas
}

/** Prices with the time of their reading. */
export interface PriceReading {
  bundles: Bundle[]
  readAt: Date | null
}

/** One recipient of a draft with the bundle for them. */
export interface PurchaseLine extends Offer {
  phone: Phone
  /** Several offers have that size, and this is the one that the customer got last time. */
  asLastTime?: boolean
  /** The amount that the person wrote beside the number. */
  writtenPesewas?: Pesewas
  /** A number that was saved or often ordered for, and is one slip of the finger away. */
  near?: { phone: Phone; slip: 'digit' | 'swap' } | null
  /** When the line's price was read. */
  pricedAt?: Date | null
  /** The price that was confirmed before it changed to this one. */
  confirmedPesewas?: Pesewas | null
  /**
   * For an agent's line: the shop's selling price when it was drafted, which the agent pays; null if there was
   * none.
   */
  agentPesewas?: Pesewas | null
  /** The selling price that was confirmed before the price changed. */
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
  /** A list keeps its text and answers beside it, and its lines in its orders. */
  kind: 'single' | 'list'
  state: PurchaseState
  lines: PurchaseLine[]
  remark: PurchaseRemark | null
  cardMessageId: number | null
  createdAt: Date
  expiresAt: Date
  confirmedAt: Date | null
  successorId: string | null
  /** The order of a list whose outcome holds up the rest, until it is known or the person decides. */
  heldById: string | null
  /** The earlier list: this one is its rest, or orders its failed recipients again. */
  retryOfId: string | null
  /** When the closing message of a list was owed. */
  closedAt: Date | null
}

/** One phone of an order, with its own delivery status if the provider tells one. */
export interface Recipient {
  /** Removed if the order is reduced: that happens to all of its recipients, and only after the order is finished. */
  phone: Phone | RemovedPhone
  /** The recipient's place in the list of the purchase. */
  position: number
  /** The recipient's own status; null in a bulk order if only the whole order has a status. */
  status: string | null
  statusAt: Date | null
  /** Only a callback has told the status. */
  reported: boolean
  /** The live purchase that orders for this recipient again. */
  retryId: string | null
}

/** One POST to the provider: the intent is stored before it, the outcome after it. */
export interface Order {
  id: string
  purchaseId: string
  accountId: string
  userId: number
  chatId: number
  kind: 'single' | 'bulk'
  /** The order is part of a list: the list's own card and messages speak of it. */
  listed: boolean
  /**
   * The order's place within the purchase. In a list only the first order has 0. Gaps are left for orders that
   * are split off.
   */
  position: number
  /** The order of the same list that goes before this one. */
  afterId: string | null
  bundleId: number
  network: string
  volume: string
  offerSlug: string | null
  unitPricePesewas: Pesewas
  /** The shop's selling price for each recipient at the confirmation; null if there was none. */
  sellUnitPesewas: Pesewas | null
  /** The price for each recipient that an agent saw at the confirmation; null if they saw none. */
  agentUnitPesewas: Pesewas | null
  quantity: number
  /** How many recipients the provider accepted, if it said so. */
  acceptedQuantity: number | null
  placement: Placement
  /** A code for the reason of the placement; the catalogue has its words. */
  reason: Reason | OtherReason | null
  /** The provider's sentence. */
  providerMessage: string | null
  providerType: string | null
  /** The HTTP status of an answer that said neither yes nor no. */
  answerStatus: number | null
  reference: string | null
  /** The reference was inferred from a debit. Proof that it is another order's takes it away again. */
  inferred: boolean
  /** A second proven reference: the order's own late answer named it after a callback had named the first. */
  otherReference: string | null
  status: string | null
  statusReported: boolean
  statusAt: Date | null
  announcedStatus: string | null
  callbackAt: Date | null
  chargedPesewas: Pesewas | null
  /** The wallet's balance after the charge, as the provider told it. */
  balancePesewas: Pesewas | null
  waitsForId: string | null
  sendAnyway: boolean
  attempts: number
  notBefore: Date | null
  leaseToken: string | null
  leaseUntil: Date | null
  sentAt: Date | null
  /** By the provider's clock, if it said so. */
  placedAt: Date | null
  /** When its reference became known here. */
  answeredAt: Date | null
  deliveredAt: Date | null
  /** The time from placing to delivery; null if one of them is unknown. */
  deliverySeconds: number | null
  /** The chat of the owner who hears of an agent's order as well. */
  reportTo: number | null
  /** The agent's name at the time of the order; null if an owner ordered. */
  agentName: string | null
  polls: number
  nextPollAt: Date | null
  reconcileAt: Date | null
  /** The next look for its refund; null if no refund is due, or the day is over. */
  refundAt: Date | null
  refundedPesewas: Pesewas | null
  /** The part of the charge that is beyond the order's price; see `overcharge`. */
  extraPesewas: Pesewas | null
  /** Since when such a part is looked for, or was seen. */
  extraAt: Date | null
  clockOffsetMs: number | null
  createdAt: Date
  recipients: Recipient[]
}

/** An order without its cost, for texts that anybody may see. */
export type PricelessOrder = Omit<
  Order,
  'unitPricePesewas' | 'chargedPesewas' | 'refundedPesewas' | 'extraPesewas' | 'agentUnitPesewas'
>

/** Whether the order is reduced to the part that accounting needs, without its recipients' numbers. */
export const isRedacted = ({ recipients }: { recipients: readonly Pick<Recipient, 'phone'>[] }): boolean =>
  recipients.some(({ phone }) => isRemoved(phone))

/** The numbers of an unfinished order, which always has them all. */
export const phonesOf = ({ recipients }: Pick<Order, 'recipients'>): Phone[] =>
  recipients.flatMap(({ phone }) => (isRemoved(phone) ? [] : phone))

/** The order's price as it was confirmed. */
export const totalPesewas = (order: Pick<Order, 'unitPricePesewas' | 'quantity'>): Pesewas =>
  times(order.unitPricePesewas, order.quantity)

/**
 * The number of recipients that the charge pays for: a bulk order taken in part costs a smaller multiple of the
 * price.
 */
export const acceptedBy = (
  { kind, quantity, unitPricePesewas }: Pick<Order, 'kind' | 'quantity' | 'unitPricePesewas'>,
  chargedPesewas: number | null,
): number => {
  if (kind === 'single') return 1
  const count = (chargedPesewas ?? 0) / unitPricePesewas
  return Number.isInteger(count) && count > 0 && count < quantity ? count : quantity
}

/** Whether the charge differs from the confirmed price; null, an unknown charge, does not. */
export const isOtherCharge = (
  { unitPricePesewas }: Pick<Order, 'unitPricePesewas'>,
  chargedPesewas: number | null,
  acceptedQuantity: number,
): boolean => chargedPesewas !== null && chargedPesewas !== unitPricePesewas * acceptedQuantity

/** The order's charge; if the provider did not tell it, the confirmed price. */
export const chargeOf = (order: Pick<Order, 'chargedPesewas' | 'unitPricePesewas' | 'quantity'>): Pesewas =>
  order.chargedPesewas ?? totalPesewas(order)

/** The charge without what the wallet shows beyond it. */
export const ownChargeOf = (
  order: Pick<Order, 'chargedPesewas' | 'unitPricePesewas' | 'quantity'> &
    Partial<Pick<Order, 'extraPesewas'>>,
): Pesewas => minus(chargeOf(order), order.extraPesewas ?? zero)

/**
 * Whether the order may still change. A placed order has ended when it is not polled any more; one with an end
 * that only callbacks told is still polled. An order that a person judged to be charged stays as it is.
 */
export const isUnfinished = ({
  placement,
  nextPollAt,
  reason,
}: Pick<Order, 'placement' | 'nextPollAt' | 'reason'>): boolean =>
  placement === 'placed'
    ? nextPollAt !== null
    : openPlacements.includes(placement) && reason !== 'charged_by_person'

/** One recipient is ordered by API §4.2, several by §4.3. */
export const kindFor = (quantity: number): Order['kind'] => (quantity === 1 ? 'single' : 'bulk')

/**
 * Whether the provider may have the order pending, now or later. A placed order that is not polled any more
 * does not count, nor one that a person judged to be charged: nobody here would learn of its end.
 */
export const isOpen = ({
  placement,
  status,
  nextPollAt,
  reason,
}: Pick<Order, 'placement' | 'status' | 'nextPollAt' | 'reason'>): boolean =>
  placement === 'placed' ? !isTerminal(status) && nextPollAt !== null : reason !== 'charged_by_person'

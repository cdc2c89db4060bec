import type { Pesewas } from '../provider/money.ts'
import type { Phone } from '../provider/phone.ts'
import type { Placement } from './placement.ts'
import { isRemoved, type RemovedPhone } from './removed-phone.ts'

/** A bundle as it was offered to the person: what they confirm. */
export interface Offer {
  bundleId: number
  network: string
  volume: string
  offerSlug: string | null
  pricePesewas: Pesewas
}

/** One recipient of a draft with what they are to get. */
export interface PurchaseLine extends Offer {
  phone: Phone
  /** When its price was read. */
  pricedAt?: Date | null
  /** The price that was confirmed before it changed to this one. */
  confirmedPesewas?: Pesewas | null
  /** Of an agent's: the shop's selling price when it was drafted, which is what they pay; null where it had none. */
  agentPesewas?: Pesewas | null
  /** That of the order that was confirmed before the price changed. */
  confirmedAgentPesewas?: Pesewas | null
}

export type PurchaseState = 'draft' | 'confirmed' | 'cancelled' | 'expired' | 'superseded'

/** Why a draft is shown although nobody just asked for it. */
export type PurchaseRemark =
  | 'price_changed'
  | 'balance_changed'
  | 'prices_unreadable'
  | 'unauthorized'
  | 'waited_long'
  /** It was asked for once more although its failure is not certain. */
  | 'not_certain'
  /** Confirmed without a second press: the person's settings allow that for a repeat of that price. */
  | 'by_setting'
  /** What was not ready in a list when the rest was confirmed. */
  | 'left_over'
  /** Ended, because it was found in a restored copy. */
  | 'restored'
  /** Ended, because newer lists of the person took its place. */
  | 'crowded_out'

/** What a person confirms with one press: one card in the chat. */
export interface Purchase {
  id: string
  accountId: string
  userId: number
  chatId: number
  /** A list has its text and answers beside it, and its lines in its orders. */
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
  /** The list of which it is the rest, or whose failed recipients it orders again. */
  retryOfId: string | null
  /** When the closing message of a list was owed. */
  closedAt: Date | null
}

/** One phone of an order, with its own delivery status where the provider tells one. */
export interface Recipient {
  /** Removed where the order is reduced: with all of its recipients, and only once it is finished. */
  phone: Phone | RemovedPhone
  /** Its place in the list of the purchase. */
  position: number
  /** Its own status; null in a bulk order of which only the whole was told. */
  status: string | null
  statusAt: Date | null
  /** Only a callback has told it. */
  reported: boolean
  /** The live purchase that orders it again. */
  retryId: string | null
}

/** One POST to the provider: its intent before, its journal after. */
export interface Order {
  id: string
  purchaseId: string
  accountId: string
  userId: number
  chatId: number
  kind: 'single' | 'bulk'
  /** Part of a list: the list's own card and messages speak of it. */
  listed: boolean
  /** Its place within the purchase: 0 for the first of a list alone. Between two are places for what is taken out. */
  position: number
  /** The order of the same list that has its turn before this one. */
  afterId: string | null
  bundleId: number
  network: string
  volume: string
  offerSlug: string | null
  unitPricePesewas: Pesewas
  /** What the shop asked for it when it was confirmed, for each recipient; null where it had settled no price. */
  sellUnitPesewas: Pesewas | null
  /** What an agent saw as its price when they confirmed it, for each recipient; null where they saw none. */
  agentUnitPesewas: Pesewas | null
  quantity: number
  /** For how many recipients the provider took it, where it said so. */
  acceptedQuantity: number | null
  placement: Placement
  /** A code for why the placement is what it is; the catalogue has its words. */
  reason: string | null
  providerMessage: string | null
  providerType: string | null
  reference: string | null
  /** The reference was inferred from a debit: proof that it is another order's takes it away again. */
  inferred: boolean
  /** A second reference that is proven as well: its own late answer named it after a callback had named the first. */
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
  placedAt: Date | null
  deliveredAt: Date | null
  /** From being placed to being delivered; null where one of both is not known. */
  deliverySeconds: number | null
  /** The chat of the owner to whom an agent's order is reported as well. */
  reportTo: number | null
  /** The name that the agent who ordered it had then; null where an owner did. */
  agentName: string | null
  polls: number
  nextPollAt: Date | null
  settleAt: Date | null
  /** When its refund is looked for next; null where none is due, or the day is over. */
  refundAt: Date | null
  refundedPesewas: Pesewas | null
  clockOffsetMs: number | null
  createdAt: Date
  recipients: Recipient[]
}

/** An order without what it costs: what texts for anybody are made of. */
export type PricelessOrder = Omit<
  Order,
  'unitPricePesewas' | 'chargedPesewas' | 'refundedPesewas' | 'agentUnitPesewas'
>

/** Whether it is reduced to what accounting needs: whom it was for is not known any more. */
export const isReduced = ({ recipients }: { recipients: readonly Pick<Recipient, 'phone'>[] }): boolean =>
  recipients.some(({ phone }) => isRemoved(phone))

/** The numbers of an order that is not finished: such a one has them all. */
export const phonesOf = ({ recipients }: Pick<Order, 'recipients'>): Phone[] =>
  recipients.flatMap(({ phone }) => (isRemoved(phone) ? [] : phone))

/** What the order costs as it was confirmed. */
export const totalPesewas = (order: Pick<Order, 'unitPricePesewas' | 'quantity'>): Pesewas =>
  (order.unitPricePesewas * order.quantity) as Pesewas

/** For how many recipients that charge is: a smaller multiple of the price where a bulk order was taken in part. */
export const acceptedBy = (
  { kind, quantity, unitPricePesewas }: Pick<Order, 'kind' | 'quantity' | 'unitPricePesewas'>,
  chargedPesewas: number | null,
): number => {
  if (kind === 'single') return 1
  const count = (chargedPesewas ?? 0) / unitPricePesewas
  return Number.isInteger(count) && count > 0 && count < quantity ? count : quantity
}

/** Whether it was charged with another price than the one it was confirmed by; null where nobody told. */
export const isOtherCharge = (
  { unitPricePesewas }: Pick<Order, 'unitPricePesewas'>,
  chargedPesewas: number | null,
  acceptedQuantity: number,
): boolean => chargedPesewas !== null && chargedPesewas !== unitPricePesewas * acceptedQuantity

/** What it was charged with, as far as the provider told. */
export const chargeOf = (order: Pick<Order, 'chargedPesewas' | 'unitPricePesewas' | 'quantity'>): Pesewas =>
  order.chargedPesewas ?? totalPesewas(order)

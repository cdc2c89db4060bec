import type { Order } from '../../../src/domain/order/order.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import { orderSeenBy, type SeenOrder } from '../../../src/telegram/cards/viewer.ts'

export const now = new Date('2026-11-21T10:32:00Z')
export const phone = '0241234567' as Phone

/** Recipients without a status. */
export const recipientsOf = (count: number): Order['recipients'] =>
  Array.from({ length: count }, (_, position) => ({
    phone,
    position,
    status: null,
    statusAt: null,
    reported: false,
    retryId: null,
  }))

/** An order that was just confirmed. */
export const confirmed: Order = {
  id: 'o'.repeat(22),
  purchaseId: 'p'.repeat(22),
  accountId: 'a',
  userId: 1,
  chatId: 1,
  kind: 'single',
  listed: false,
  position: 0,
  afterId: null,
  bundleId: 5,
  network: 'MTN',
  volume: '5GB',
  offerSlug: null,
  quantity: 1,
  recipients: recipientsOf(1),
  unitPricePesewas: pesewas(2350),
  sellUnitPesewas: null,
  agentUnitPesewas: null,
  acceptedQuantity: null,
  providerMessage: null,
  providerType: null,
  answerStatus: null,
  inferred: false,
  otherReference: null,
  placement: 'queued',
  reason: null,
  reference: null,
  status: null,
  statusReported: false,
  statusAt: null,
  announcedStatus: null,
  callbackAt: null,
  chargedPesewas: null,
  balancePesewas: null,
  waitsForId: null,
  sendAnyway: false,
  attempts: 0,
  notBefore: null,
  leaseToken: null,
  leaseUntil: null,
  deliverySeconds: null,
  ownerChatId: null,
  agentName: null,
  polls: 0,
  nextPollAt: null,
  reconcileAt: null,
  refundAt: null,
  refundedPesewas: null,
  extraPesewas: null,
  extraAt: null,
  answeredAt: null,
  clockOffsetMs: null,
  createdAt: now,
  sentAt: null,
  placedAt: null,
  deliveredAt: null,
}

/** A just confirmed order with other values in `fields`, as its owner sees it. */
export const orderWith = (fields: Partial<Order>): SeenOrder =>
  orderSeenBy({ ...confirmed, ...fields }, { role: 'owner', prices: 'cost' })

export const anOrder = orderWith({})

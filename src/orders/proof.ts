import type { OrderStatus } from '../provider/index.ts'
import type { Queries } from '../store/store.ts'
import { type Claimant, fitsRecord } from './matching.ts'
import type { Order } from './order.ts'
import { tell } from './purchases.ts'
import { measuredToleranceMs, unmeasuredToleranceMs } from './settling.ts'
import { isTerminal } from './status.ts'

/** The order as something that may claim a debit of its wallet. */
export const claimantOf = (order: Order): Claimant => {
  const toleranceMs = order.clockOffsetMs === null ? unmeasuredToleranceMs : measuredToleranceMs
  const sentAt = (order.sentAt ?? order.createdAt).getTime()
  return {
    orderId: order.id,
    sending: order.placement === 'sending',
    kind: order.kind,
    network: order.network,
    volume: order.volume,
    phones: order.recipients.map(({ phone }) => phone),
    unitPricePesewas: order.unitPricePesewas,
    notBeforeMs: sentAt + (order.clockOffsetMs ?? 0) - toleranceMs,
  }
}

/** What a status record says that matters for whose it is. */
export const recordOf = (record: OrderStatus) => ({
  network: record.network,
  volume: record.volume,
  phone: record.phone,
  placedAtMs: record.placedAt?.getTime() ?? null,
})

/**
 * Takes a reference as this order's, if its status record fits and no other order holds it: proof, or inference
 * that nothing contradicts. Always said in a new message.
 * @returns whether it was taken.
 */
export const adopt = async (
  tx: Queries,
  order: Order,
  record: OrderStatus,
  chargedPesewas: number | null,
  at: Date,
): Promise<boolean> => {
  if ((await tx.orders.byReference(record.reference)) !== null) return false
  if (!fitsRecord(claimantOf(order), recordOf(record))) return false
  // An end is left to the poll that follows at once: it says so in a message and does what an end entails.
  const status = isTerminal(record.status) ? 'processing' : record.status
  const patch = {
    reference: record.reference,
    status,
    statusAt: at,
    statusReported: false,
    reason: null,
    chargedPesewas: chargedPesewas ?? record.totalPricePesewas ?? record.pricePesewas,
    placedAt: record.placedAt ?? order.sentAt ?? at,
    settleAt: null,
    nextPollAt: at,
    callbackAt: null,
  }
  if (!(await tx.orders.prove(order.id, patch, at))) return false
  await tx.orders.patchRecipients(order.id, null, status, at)
  await tx.events.release(order.id)
  await tell(tx, order, at, { about: 'proof' })
  return true
}

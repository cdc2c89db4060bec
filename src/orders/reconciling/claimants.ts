import { suspectedBeforeMs } from '../../domain/debits/evidence.ts'
import type { Claimant } from '../../domain/debits/matching.ts'
import type { Order } from '../../domain/order/order.ts'
import {
  isWatched,
  measuredToleranceMs,
  unmeasuredToleranceMs,
} from '../../domain/times/reconciling-schedule.ts'
import type { Queries } from '../../store/store.ts'

/**
 * The provider's times are in whole seconds, so a debit may appear to be up to a second earlier than its POST. Half a
 * second is added to be safe.
 */
const grainMs = 1_500

/** The account's orders that may own a debit in its wallet. */
export const watchedClaimants = async (
  { orders }: Pick<Queries, 'orders'>,
  accountId: string,
): Promise<Order[]> => (await orders.claimants(accountId)).filter(isWatched)

/**
 * Whether the provider answered 409. Either another order for the number was pending, or this order's POST arrived
 * twice.
 */
export const isContested = ({
  placement,
  reason,
  providerType,
}: Pick<Order, 'placement' | 'reason' | 'providerType'>): boolean =>
  placement === 'rejected' ? reason === 'pending' : providerType !== null

/**
 * The order as a claimant: one that may own a debit of its wallet.
 *
 * @param offsets how far, in ms, the provider's clock may be ahead of ours (several candidates). The value known when
 * the order was sent is added to them. The smallest one sets the earliest time that the debit can have.
 */
export const claimantOf = (order: Order, offsets: readonly number[] = []): Claimant => {
  const known = order.clockOffsetMs === null ? offsets : [order.clockOffsetMs, ...offsets]
  const toleranceMs = known.length === 0 ? unmeasuredToleranceMs : measuredToleranceMs
  const sentAt = (order.sentAt ?? order.createdAt).getTime()
  const sentMs = sentAt + Math.min(...(known.length === 0 ? [0] : known))
  return {
    orderId: order.id,
    sending: order.placement === 'sending',
    kind: order.kind,
    network: order.network,
    volume: order.volume,
    phones: order.recipients.map(({ phone }) => phone),
    unitPricePesewas: order.unitPricePesewas,
    // After a 409, a debit from before the send belongs to the other, pending order, so only a small tolerance is used.
    notBeforeMs: sentMs - (isContested(order) && known.length > 0 ? grainMs : toleranceMs),
    suspectFromMs: sentMs - toleranceMs - suspectedBeforeMs,
  }
}

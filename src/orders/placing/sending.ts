import { crashPoint } from '../../base/crash-point.ts'
import { type Order, phonesOf } from '../../domain/order/order.ts'
import {
  type AttemptOutcome,
  leaseReserveMs,
  type Placed,
  sendLeaseMs,
} from '../../domain/order/placement.ts'
import {
  type PlacedBulkOrder,
  type PlacementOutcome,
  type Provider,
  ProviderError,
} from '../../provider/index.ts'
import type { Phone } from '../../provider/phone.ts'
import type { Queries } from '../../store/store.ts'
import { countRequest } from '../../wallets/budget.ts'
import { enqueueSendingCard } from '../following/order-news.ts'
import type { PlacerOptions } from './placer-options.ts'
import { wait } from './postponing.ts'

/** The right of one process to send an order. It ends when either the wall clock or the monotonic clock says so. */
export interface SendLease {
  token: string
  endsAtMs: number
  endsMonotonicMs: number
}

/** A lease that starts now. It is valid once `beginSending` has written it. */
export const leaseFrom = (
  { monotonicMs, newId }: Pick<PlacerOptions, 'monotonicMs' | 'newId'>,
  at: Date,
): SendLease => ({
  token: newId(),
  endsAtMs: at.getTime() + sendLeaseMs,
  endsMonotonicMs: monotonicMs() + sendLeaseMs,
})

/**
 * Moves the order from `queued` to `sending`; this is committed before anything is sent. If the account's request limit
 * is reached, the order waits.
 * @returns true if the lease was written, so that the order is sent.
 */
export const beginSending = async (
  tx: Queries,
  { prices }: Pick<PlacerOptions, 'prices'>,
  order: Order,
  lease: SendLease,
  at: Date,
): Promise<boolean> => {
  const waitMs = await countRequest(tx, order.accountId, 'order', at)
  if (waitMs > 0) {
    const until = new Date(at.getTime() + waitMs)
    await wait(tx, order, { kind: 'wait', reason: 'rate_limited', until }, at)
    return false
  }
  const patch = {
    leaseToken: lease.token,
    leaseUntil: new Date(lease.endsAtMs),
    sentAt: at,
    clockOffsetMs: prices.clockOffsetMs(order.accountId),
    reason: null,
    waitsForId: null,
    notBefore: null,
  }
  if (!(await tx.orders.go({ id: order.id }, 'sending', patch, at))) return false
  await enqueueSendingCard(tx, order, at)
  return true
}

/** Sends the POST. @throws unexpected errors; the order then becomes `unconfirmed` when its lease ends. */
export const post = async (
  options: PlacerOptions,
  provider: Provider,
  order: Order,
  lease: SendLease,
  signal: AbortSignal,
): Promise<AttemptOutcome> => {
  const { now, monotonicMs } = options
  const leaseLeft = () => Math.min(lease.endsAtMs - now().getTime(), lease.endsMonotonicMs - monotonicMs())
  const call = {
    signal,
    mayStart: () => leaseLeft() >= leaseReserveMs && options.mayWork(),
    onStart: () => crashPoint('first_byte'),
  }
  const callback = options.callbackUrl(order.id)
  const common = { bundleId: order.bundleId, ...(callback && { webhookUrl: callback }) }
  const phones = phonesOf(order)
  try {
    if (order.kind === 'bulk') {
      const outcome = await provider.placeBulkOrder({ ...common, phones }, call)
      if (outcome.kind === 'placed') comparePhones(options, order, outcome.order)
      return placedAs(outcome, (placed) => ({
        chargedPesewas: placed.totalPricePesewas,
        acceptedQuantity: placed.totalQuantity,
      }))
    }
    const outcome = await provider.placeOrder({ ...common, phone: phones[0] as Phone }, call)
    if (outcome.kind === 'placed') {
      const { reference, phone } = outcome.order
      comparePhones(options, order, { reference, phones: phone === null ? [] : [phone] })
    }
    return placedAs(outcome, ({ pricePesewas }) => ({ chargedPesewas: pricePesewas, acceptedQuantity: 1 }))
  } catch (error) {
    // `invalid_request` is thrown before a connection is opened. After any other error, the order becomes
    // `unconfirmed` when its lease ends.
    if (!(error instanceof ProviderError && error.code === 'invalid_request')) throw error
    options.log.error({ orderId: order.id, err: error }, 'an order could not be made into a request')
    return { kind: 'not_made' }
  }
}

/**
 * Reports an answer that names phone numbers other than the order's. The order is charged in any case, and only the
 * provider can say who got the bundle.
 */
const comparePhones = (
  { log, onOtherPhone }: PlacerOptions,
  order: Order,
  { phones, reference }: Pick<PlacedBulkOrder, 'phones' | 'reference'>,
): void => {
  const sent = new Set<string>(phonesOf(order))
  if (phones.every((phone) => sent.has(phone))) return
  log.error({ orderId: order.id }, 'the provider answers an order with another number')
  onOtherPhone(reference)
}

const placedAs = <T extends Pick<Placed, 'reference' | 'status' | 'placedAt'>>(
  outcome: PlacementOutcome<T>,
  taken: (order: T) => Pick<Placed, 'chargedPesewas' | 'acceptedQuantity'>,
): PlacementOutcome<Placed> => {
  if (outcome.kind !== 'placed') return outcome
  const { reference, status, placedAt } = outcome.order
  return { ...outcome, order: { reference, status, placedAt, ...taken(outcome.order) } }
}

import { claimRequest } from '../accounts/budget.ts'
import { crashPoint } from '../crash-point.ts'
import { type PlacementOutcome, type Provider, ProviderError } from '../provider/index.ts'
import type { Phone } from '../provider/phone.ts'
import { blockersOf } from './blockers.ts'
import { type Order, phonesOf } from './order.ts'
import { type AttemptOutcome, leaseMs, leaseReserveMs, type Placed } from './placement.ts'
import type { PlacerOptions } from './placer.ts'
import { endIfLeft, holdFor } from './readiness.ts'
import { tell } from './telling.ts'
import { isItsTurn } from './turn.ts'

/** Who may send an order, and until when: held by one process, by two clocks. */
export interface Lease {
  token: string
  endsAtMs: number
  endsMonotonicMs: number
}

/** queued → sending, committed before the first byte; also the last look at other orders for the phone. */
export const claim = async (options: PlacerOptions, order: Order): Promise<Lease | null> => {
  const { store, now, monotonicMs, newId } = options
  const at = now()
  const token = newId()
  const endsMonotonicMs = monotonicMs() + leaseMs
  const until = new Date(at.getTime() + leaseMs)
  crashPoint('before_intent')
  const claimed = await store.transaction(async (tx) => {
    if (await endIfLeft(tx, order, at)) return false
    if ((await tx.accounts.byId(order.accountId))?.unauthorizedSince) return false
    // A part of it may have been taken out by another process: what is sent is what is written.
    if ((await tx.orders.byId(order.id))?.quantity !== order.quantity) return false
    if (!(await isItsTurn(tx, order)) || (await blockersOf(tx, order)).size > 0) return false
    const waitMs = await claimRequest(tx, order.accountId, 'order', at)
    if (waitMs > 0) {
      await holdFor(tx, order, waitMs, at)
      return false
    }
    const patch = {
      leaseToken: token,
      leaseUntil: until,
      sentAt: at,
      clockOffsetMs: options.prices.clockOffsetMs(order.accountId),
      reason: null,
      waitsForId: null,
      notBefore: null,
    }
    if (!(await tx.orders.go({ id: order.id }, 'sending', patch, at))) return false
    await tell(tx, order, at)
    return true
  })
  options.onNotice()
  return claimed ? { token, endsAtMs: until.getTime(), endsMonotonicMs } : null
}

/** The POST itself. @throws what nobody planned: the lease's end makes the order `unconfirmed` then. */
export const post = async (
  options: PlacerOptions,
  provider: Provider,
  order: Order,
  lease: Lease,
  signal: AbortSignal,
): Promise<AttemptOutcome> => {
  const { now, monotonicMs } = options
  const leaseLeft = () => Math.min(lease.endsAtMs - now().getTime(), lease.endsMonotonicMs - monotonicMs())
  const call = {
    signal,
    mayStart: () => leaseLeft() >= leaseReserveMs,
    onStart: () => crashPoint('first_byte'),
  }
  const callback = options.callbackUrl(order.id)
  const common = { bundleId: order.bundleId, ...(callback && { webhookUrl: callback }) }
  const phones = phonesOf(order)
  try {
    if (order.kind === 'bulk') {
      const outcome = await provider.placeBulkOrder({ ...common, phones }, call)
      return placedAs(outcome, (placed) => ({
        chargedPesewas: placed.totalPricePesewas,
        acceptedQuantity: placed.totalQuantity,
      }))
    }
    const outcome = await provider.placeOrder({ ...common, phone: phones[0] as Phone }, call)
    return placedAs(outcome, ({ pricePesewas }) => ({ chargedPesewas: pricePesewas, acceptedQuantity: 1 }))
  } catch (error) {
    // Thrown before a connection is opened. Whatever else went wrong, the lease's end makes it `unconfirmed`.
    if (!(error instanceof ProviderError && error.code === 'invalid_request')) throw error
    options.log.error({ orderId: order.id, err: error }, 'an order could not be made into a request')
    return { kind: 'not_made' }
  }
}

const placedAs = <T extends Pick<Placed, 'reference' | 'status' | 'placedAt'>>(
  outcome: PlacementOutcome<T>,
  taken: (order: T) => Pick<Placed, 'chargedPesewas' | 'acceptedQuantity'>,
): PlacementOutcome<Placed> => {
  if (outcome.kind !== 'placed') return outcome
  const { reference, status, placedAt } = outcome.order
  return { ...outcome, order: { reference, status, placedAt, ...taken(outcome.order) } }
}

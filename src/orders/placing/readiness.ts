import { crashPoint } from '../../base/crash-point.ts'
import { sendDecision } from '../../domain/may-send.ts'
import type { Order } from '../../domain/order/order.ts'
import type { Provider } from '../../provider/index.ts'
import { noteBalance } from '../../wallets/low-balance.ts'
import { factsOf, type HeardOffer, readOffer } from '../permission/send-facts.ts'
import type { PlacerOptions } from './placer-options.ts'
import { postpone } from './postponing.ts'
import { beginSending, leaseFrom, type SendLease } from './sending.ts'

/** An order that may be sent now. It is stored as `sending`. */
export interface Ready {
  order: Order
  lease: SendLease
  provider: Provider
}

export interface Queued {
  order: Order
  /**
   * The order was queued a moment ago, and nothing is known to prevent it from being sent. So its price is read from
   * the provider before the order is checked.
   */
  isClear: boolean
}

/** The state of an attempt to make an order ready. */
interface Try extends Queued {
  /** Whether the provider has been asked again about credentials that it refused. */
  wasVerified: boolean
  /** The provider's answer about the order's price; null if it was not asked yet. */
  heard: HeardOffer | null
}

type Look =
  | { kind: 'ready'; ready: Ready }
  /** The order is not sent now. */
  | { kind: 'postponed' }
  /** Some phones were moved to other orders. `rest` is the order without them. */
  | { kind: 'parted'; rest: Order }
  /** The provider has to be asked first: whether it accepts the credentials, or for the price. */
  | { kind: 'verify' | 'read_offer' }

/**
 * Makes a queued order ready to be sent, or postpones it. If the provider has to be asked first, that happens outside
 * any transaction, and then the order is checked again.
 * @param stopping when it aborts, an order that is not ready yet stays queued, so that a slow answer does not delay the
 * stop.
 * @returns null if the order is not sent now.
 */
export const makeReady = async (
  options: PlacerOptions,
  queued: Queued,
  stopping: AbortSignal,
): Promise<Ready | null> => {
  let current: Try = { ...queued, wasVerified: false, heard: null }
  while (!stopping.aborted && options.mayWork()) {
    const look = await lookAt(options, current)
    switch (look.kind) {
      case 'ready':
        return look.ready
      case 'postponed':
        return null
      case 'parted':
        current = { order: look.rest, isClear: false, wasVerified: false, heard: null }
        break
      case 'verify':
        await options.wallets.verify(queued.order.accountId)
        current = { ...current, wasVerified: true }
        break
      case 'read_offer':
        current = {
          ...current,
          isClear: false,
          heard: await orAbort(stopping, readOffer(options, current.order)),
        }
    }
  }
  return null
}

/**
 * Checks the order. Until the provider was asked, this happens outside any transaction, so that no other work waits for
 * the account's lock.
 */
const lookAt = async (options: PlacerOptions, current: Try): Promise<Look> => {
  const { order, isClear, wasVerified, heard } = current
  if (isClear) return { kind: 'read_offer' }
  if (!heard) {
    const learned = { wasVerified, offer: null }
    const { facts } = await factsOf(options.store, order, learned)
    const decision = sendDecision(facts, learned, options.now())
    if (decision.kind === 'verify' || decision.kind === 'read_offer') return decision
  }
  return act(options, current)
}

/** Decides about the order and acts on the decision in one transaction, so that nothing changes between the two. */
const act = async (options: PlacerOptions, { order: queued, wasVerified, heard }: Try): Promise<Look> => {
  const { store, now, newId } = options
  const at = now()
  const lease = leaseFrom(options, at)
  if (heard) crashPoint('before_intent')
  const look = await store.transaction(
    async (tx): Promise<Look> => {
      if (heard?.balance) await noteBalance(tx, queued.accountId, heard.balance)
      const learned = { wasVerified, offer: heard?.offer ?? null }
      const { facts, account } = await factsOf(tx, queued, learned)
      const decision = sendDecision(facts, learned, at)
      const order = facts.order ?? queued
      switch (decision.kind) {
        case 'verify':
        case 'read_offer':
          return decision
        case 'leave':
          return { kind: 'postponed' }
        case 'send': {
          // The client is made before `sending` is written. If making it failed after that, an order that was never
          // sent would look like one with an unknown outcome.
          const provider = options.wallets.clientFor(account)
          const isBegun = await beginSending(tx, options, order, lease, at)
          return isBegun ? { kind: 'ready', ready: { order, lease, provider } } : { kind: 'postponed' }
        }
        default: {
          const rest = await postpone(tx, order, decision, { newId, at })
          return rest ? { kind: 'parted', rest } : { kind: 'postponed' }
        }
      }
    },
    { accounts: [queued.accountId] },
  )
  options.onNotice()
  return look
}

/** The result of `work`; null if the signal aborts before the work is done. */
const orAbort = async <T>(signal: AbortSignal, work: Promise<T>): Promise<T | null> => {
  const { promise, resolve } = Promise.withResolvers<null>()
  const onAbort = () => resolve(null)
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

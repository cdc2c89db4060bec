import type { Postponement, Wait } from '../../domain/may-send.ts'
import type { Order, PriceReading } from '../../domain/order/order.ts'
import type { PurchaseRemark } from '../../domain/order/reason.ts'
import type { Phone } from '../../provider/phone.ts'
import type { Queries } from '../../store/store.ts'
import { offerOf } from '../buying/prices.ts'
import { askAgain } from '../buying/purchases.ts'
import { enqueueNews } from '../following/order-news.ts'
import { askAgainForRest } from './ask-again.ts'

interface Moment {
  newId: () => string
  at: Date
}

/**
 * Applies the decision about a queued order in the same transaction, and enqueues an update of its card.
 * @returns the order without the phones that were moved to other orders; null if none were moved.
 */
export const postpone = async (
  tx: Queries,
  order: Order,
  postponement: Postponement,
  { newId, at }: Moment,
): Promise<Order | null> => {
  switch (postponement.kind) {
    case 'wait':
      await wait(tx, order, postponement, at)
      return null
    case 'wait_for':
      await tx.orders.patch(
        order.id,
        { waitsForId: postponement.blocker.id, reason: 'waits', notBefore: postponement.until },
        at,
      )
      await tx.orders.passTurn(order.id)
      if (order.waitsForId !== postponement.blocker.id) await enqueueNews(tx, order, at)
      return null
    case 'take_out':
      return takeOut(tx, order, postponement, { newId, at })
    case 'ask_again':
      await askAnew(tx, order, { ...postponement, newId, at })
      return null
    case 'stop':
      if (!(await tx.orders.go({ id: order.id }, 'cancelled', { reason: postponement.reason }, at)))
        return null
      await tx.orders.wakeWaiting(order.id)
      // Only the card says that the bundle is no longer sold, because the person is looking at it.
      await enqueueNews(
        tx,
        order,
        at,
        ...(postponement.reason === 'bundle_gone' ? [] : [{ about: 'placement' } as const]),
      )
      return null
  }
}

/** Keeps an order queued until `until`. Its card gives the reason and, for a request limit, how long it lasts. */
export const wait = async (tx: Queries, order: Order, { reason, until }: Wait, at: Date): Promise<void> => {
  await tx.orders.patch(order.id, { reason, notBefore: until }, at)
  if (reason === 'network_down') await tx.orders.passTurn(order.id)
  if (reason === 'rate_limited' || order.reason !== reason) await enqueueNews(tx, order, at)
}

/**
 * Moves phones that have another open order to separate orders. These wait; the remaining phones can be sent now.
 * @returns the order without these phones; null if it is no longer queued.
 */
const takeOut = async (
  tx: Queries,
  order: Order,
  { blockers, until }: Extract<Postponement, { kind: 'take_out' }>,
  { newId, at }: Moment,
): Promise<Order | null> => {
  let rest = order
  for (const [waitsForId, phones] of Map.groupBy(blockers.keys(), (phone) => blockers.get(phone)?.id ?? '')) {
    const part = { id: newId(), phones, waitsForId, notBefore: until }
    if (!(await tx.orders.split(rest, part, at))) return null
    rest = { ...rest, recipients: rest.recipients.filter(({ phone }) => !phones.includes(phone)) }
  }
  await enqueueNews(tx, order, at)
  return tx.orders.byId(order.id)
}

interface AskAnew extends Moment {
  remark: PurchaseRemark
  prices: PriceReading | null
}

/** Asks the person again. For a list, one card asks about everything that is still queued. */
const askAnew = async (tx: Queries, order: Order, { prices, remark, newId, at }: AskAnew): Promise<void> => {
  if (order.listed) {
    await askAgainForRest(tx, order, { remark, prices, newId, at })
    return
  }
  const bundle = prices?.bundles.find(({ id }) => id === order.bundleId)
  const confirmed = {
    phone: order.recipients[0]?.phone as Phone,
    bundleId: order.bundleId,
    network: order.network,
    volume: order.volume,
    offerSlug: order.offerSlug,
    pricePesewas: order.unitPricePesewas,
  }
  const changed =
    prices && bundle
      ? {
          ...offerOf(bundle, prices.bundles),
          pricedAt: prices.readAt,
          confirmedPesewas: order.unitPricePesewas,
          confirmedAgentPesewas: order.agentUnitPesewas,
        }
      : {}
  await askAgain(tx, order, { remark, line: { ...confirmed, ...changed }, newId, at })
}

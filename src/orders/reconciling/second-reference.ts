import type { Order } from '../../domain/order/order.ts'
import type { OrderStatus } from '../../provider/index.ts'
import type { Queries } from '../../store/store.ts'
import { enqueueNews } from '../following/order-news.ts'
import { watchedClaimants } from './claimants.ts'
import { mayBeAbout } from './proof.ts'

/**
 * A second reference of an order whose first one is proven. The provider may have taken the POST twice, or may have
 * named somebody else's order for this one. Nobody can tell which, so both references are kept and the person is told
 * that both may have been charged.
 */

/**
 * How a reference that a callback named is related to a proven order. `open`: it may also be the debit of an order
 * whose outcome is unknown, and that has to be found out first.
 */
type Verdict = 'second' | 'foreign' | 'open'

/**
 * Decides about a reference that a callback to a proven order's own address named, and keeps it if nothing else
 * explains it.
 */
export const judgeSecond = async (
  tx: Queries,
  { id }: Pick<Order, 'id'>,
  record: OrderStatus,
  at: Date,
): Promise<Verdict> => {
  const { reference } = record
  const order = await tx.orders.byId(id)
  // Another process may have kept it in the meantime.
  if (order?.otherReference === reference) return 'second'
  if (order?.placement !== 'placed' || !mayBeAbout(order, record, 'proof')) return 'foreign'
  if (await tx.orders.byReference(reference)) return 'foreign'
  const claimants = await watchedClaimants(tx, order.accountId)
  if (claimants.some((other) => mayBeAbout(other, record, 'proof'))) return 'open'
  await keepSecond(tx, order, reference, at)
  // Callbacks about it that waited are applied, so that its final status is announced.
  await tx.statusReports.reopen(id, reference)
  return 'second'
}

/** Stores a second reference, and tells the people concerned. */
export const keepSecond = async (tx: Queries, order: Order, reference: string, at: Date): Promise<void> => {
  await tx.orders.patch(order.id, { otherReference: reference }, at)
  await enqueueNews(tx, order, at, { about: 'two_references', reference })
}

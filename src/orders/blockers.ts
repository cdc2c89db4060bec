import type { Queries } from '../store/store.ts'
import type { Order } from './order.ts'
import { isPending } from './recipients.ts'

/**
 * By phone of the order, the other open order of the account that has to end first: the provider refuses a second
 * one while one is pending (API §4.2).
 */
export const blockersOf = async (
  queries: Pick<Queries, 'orders' | 'purchases'>,
  order: Order,
): Promise<Map<string, Order>> => {
  const phones = order.recipients.map(({ phone }) => phone)
  const others = await queries.orders.openFor(order.accountId, phones, order.id)
  const before: Order[] = []
  for (const other of others) if (await goesFirst(queries, other, order)) before.push(other)
  const blockers = new Map<string, Order>()
  for (const phone of phones) {
    const blocker = blockerOf(
      order,
      before.filter((other) => isPending(other, phone)),
    )
    if (blocker) blockers.set(phone, blocker)
  }
  return blockers
}

/** What is not sent yet is waited for if it was there before, unless the rest of its list is held up. */
const goesFirst = async (
  { purchases }: Pick<Queries, 'purchases'>,
  other: Order,
  order: Order,
): Promise<boolean> => {
  if (other.placement !== 'queued') return true
  if (!comesBefore(other, order)) return false
  const isElsewhere = other.listed && other.purchaseId !== order.purchaseId
  return !(isElsewhere && (await purchases.byId(other.purchaseId))?.heldById)
}

/** One of unknown outcome is waited for even by who is in a hurry. */
const blockerOf = (order: Order, before: Order[]): Order | null => {
  const unknown = before.find(({ placement }) => placement === 'unconfirmed' || placement === 'sending')
  return unknown ?? (order.sendAnyway ? null : (before[0] ?? null))
}

const comesBefore = (a: Order, b: Order): boolean => {
  const difference = a.createdAt.getTime() - b.createdAt.getTime() || a.position - b.position
  return difference < 0 || (difference === 0 && a.id < b.id)
}

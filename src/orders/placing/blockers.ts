import type { Order } from '../../domain/order.ts'
import { isPending } from '../../domain/recipients.ts'
import type { Queries } from '../../store/store.ts'

/**
 * For each phone of the order that has one: the account's other open order that must end first. The provider refuses
 * a second order for a number while one is pending (API §4.2).
 * @param others the account's other open orders for these phones, oldest first.
 */
export const blockersAmong = async (
  queries: Pick<Queries, 'purchases'>,
  others: readonly Order[],
  order: Order,
): Promise<Map<string, Order>> => {
  const phones = order.recipients.map(({ phone }) => phone)
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

/** An older unsent order goes first, unless its list is held up. */
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

/** "Send anyway" does not skip an order whose outcome is unknown. */
const blockerOf = (order: Order, before: Order[]): Order | null => {
  const unknown = before.find(({ placement }) => placement === 'unconfirmed' || placement === 'sending')
  return unknown ?? (order.sendAnyway ? null : (before[0] ?? null))
}

const comesBefore = (a: Order, b: Order): boolean => {
  const difference = a.createdAt.getTime() - b.createdAt.getTime() || a.position - b.position
  return difference < 0 || (difference === 0 && a.id < b.id)
}

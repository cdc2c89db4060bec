import type { Queries } from '../store/store.ts'
import type { Order } from './order.ts'
import type { PlacerOptions } from './placer.ts'
import { isPending } from './recipients.ts'
import { tell } from './telling.ts'

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

/** How soon an order that waits for another is looked at again, should nobody wake it. */
const waitAgainMs = 30_000

/**
 * Some of its phones have to wait: they are taken out into orders that wait, and hold up nobody else. What they wait for
 * is looked at in the transaction: an order that has ended since it was read wakes nobody any more.
 * @returns what is left of the order; null where another process has changed it meanwhile, or all of it has to wait now.
 */
export const takeOut = async ({ store, now, newId }: PlacerOptions, order: Order): Promise<Order | null> => {
  const at = now()
  const notBefore = new Date(at.getTime() + waitAgainMs)
  return store.transaction(async (tx) => {
    const blockers = await blockersOf(tx, order)
    if (blockers.size === order.recipients.length) return null
    const phonesByBlocker = Map.groupBy(blockers.keys(), (phone) => blockers.get(phone)?.id ?? '')
    let rest = order
    // Another process may have taken them out since it was read: then this one looks at it anew.
    if ((await tx.orders.byId(order.id))?.quantity !== order.quantity) return null
    for (const [waitsForId, phones] of phonesByBlocker) {
      if (!(await tx.orders.split(rest, { id: newId(), phones, waitsForId, notBefore }, at))) return null
      rest = { ...rest, recipients: rest.recipients.filter(({ phone }) => !phones.includes(phone)) }
    }
    await tell(tx, order, at)
    return tx.orders.byId(order.id)
  })
}

/**
 * All of its phones have to wait, so it waits as a whole.
 * @returns false where what it was to wait for has ended meanwhile.
 */
export const waitFor = async ({ store, now }: PlacerOptions, order: Order): Promise<boolean> => {
  const at = now()
  return store.transaction(async (tx) => {
    const blockers = await blockersOf(tx, order)
    const [blocker] = blockers.values()
    if (!blocker || blockers.size < order.recipients.length) return false
    const notBefore = new Date(at.getTime() + waitAgainMs)
    await tx.orders.patch(order.id, { waitsForId: blocker.id, reason: 'waits', notBefore }, at)
    await tx.orders.passTurn(order.id)
    if (order.waitsForId !== blocker.id) await tell(tx, order, at)
    return true
  })
}

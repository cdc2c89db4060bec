import type { Queries } from '../store/store.ts'
import type { Order, Purchase } from './order.ts'
import { progressOf } from './progress.ts'
import { refusedOf } from './refused.ts'

/**
 * Which recipients of a list are ordered once more: `failed` are those whose failure the provider's record or a
 * refund confirms, `one` is a single one of which only less is known, by its place in the list; `refused` are those
 * that were not ordered at all, without the ones that are known to be pending.
 */
export type Which = { kind: 'failed' } | { kind: 'one'; position: number } | { kind: 'refused' }

interface Chosen {
  orderId: string
  phone: string
  retryId: string | null
}

/** Those of the orders that may be ordered once more, whether another purchase has taken them or not. */
const chosenOf = (orders: readonly Order[], which: Which): Chosen[] => {
  switch (which.kind) {
    case 'failed':
      return progressOf(orders).failed.filter(({ isCertain }) => isCertain)
    case 'one':
      return progressOf(orders).failed.filter(({ position }) => position === which.position)
    case 'refused':
      return refusedOf(orders).filter(({ isPending }) => !isPending)
  }
}

/**
 * Takes recipients for the purchase of that id. One that another purchase has taken stays with it: no recipient is
 * in two.
 * @returns their orders with these recipients alone.
 */
export const claimAgain = async (
  tx: Queries,
  orders: readonly Order[],
  which: Which,
  retryId: string,
): Promise<Order[]> => {
  const free = chosenOf(orders, which).filter((each) => each.retryId === null)
  const openPhones = which.kind === 'refused' ? await openAmong(tx, orders, free) : new Set<string>()
  const byOrder = Map.groupBy(
    free.filter(({ phone }) => !openPhones.has(phone)),
    ({ orderId }) => orderId,
  )
  const claimed: Order[] = []
  for (const order of orders) {
    const phones = byOrder.get(order.id)?.map(({ phone }) => phone) ?? []
    if (phones.length === 0) continue
    await tx.orders.claimRetry(order.id, phones, retryId)
    claimed.push({ ...order, recipients: order.recipients.filter(({ phone }) => phones.includes(phone)) })
  }
  return claimed
}

const openAmong = async (
  tx: Queries,
  [order]: readonly Order[],
  chosen: readonly Chosen[],
): Promise<Set<string>> =>
  order
    ? tx.orders.phonesWithOpen(
        order.accountId,
        chosen.map(({ phone }) => phone),
      )
    : new Set()

/** The purchase that has taken such recipients before: a second press opens it. */
export const earlierRetry = async (
  tx: Queries,
  orders: readonly Order[],
  which: Which,
): Promise<Purchase | null> => {
  const taken = chosenOf(orders, which).findLast(({ retryId }) => retryId !== null)
  return taken?.retryId ? tx.purchases.byId(taken.retryId) : null
}

import type { Order, Purchase } from '../../domain/order/order.ts'
import { type Failure, progressOf } from '../../domain/order/progress.ts'
import { refusedOf } from '../../domain/order/refused.ts'
import type { Queries } from '../../store/store.ts'

/**
 * Which recipients of a list are ordered again. `failed`: the provider's record or a refund confirms that they
 * failed. `refused`: they were not ordered at all, and are not known to be pending. `sure`: both of these. `one`: a
 * single one whose failure is less certain, by its place in the list.
 */
export type Which = { kind: 'failed' | 'refused' | 'sure' } | { kind: 'one'; position: number }

interface Chosen {
  orderId: string
  phone: string
  retryId: string | null
}

/** The recipients that nobody has ordered again yet. */
export interface RetryChoices {
  /** How many certainly got nothing. */
  sure: number
  /** Probably failed. Each one needs its own press to be reordered. */
  doubtful: Failure[]
  /** How many were refused because they have an open order. */
  pending: number
}

/** Counts the recipients of a list that can be ordered again, and lists those whose failure is not certain. */
export const retryChoices = (orders: readonly Order[]): RetryChoices => {
  const refused = refusedOf(orders).filter(isFree)
  const failed = progressOf(orders).failed.filter(isFree)
  const pending = refused.filter(({ isPending }) => isPending).length
  return {
    sure: refused.length - pending + failed.filter(({ isCertain }) => isCertain).length,
    doubtful: failed.filter(({ isCertain }) => !isCertain),
    pending,
  }
}

const isFree = ({ retryId }: { retryId: string | null }): boolean => retryId === null

/** The recipients that may be ordered again, whether or not a retry has them already. */
const chosenOf = (orders: readonly Order[], which: Which): Chosen[] => {
  switch (which.kind) {
    case 'failed':
      return progressOf(orders).failed.filter(({ isCertain }) => isCertain)
    case 'one':
      return progressOf(orders).failed.filter(({ position }) => position === which.position)
    case 'refused':
      return refusedOf(orders).filter(({ isPending }) => !isPending)
    case 'sure':
      return [...chosenOf(orders, { kind: 'failed' }), ...chosenOf(orders, { kind: 'refused' })]
  }
}

/**
 * Assigns recipients to a retry. A recipient is in one retry at most, so those that are in another stay there. Refused
 * phones that have an open order by now are left out.
 * @param retryId the purchase that orders them again.
 * @returns their orders, with only these recipients.
 */
export const takeForRetry = async (
  tx: Queries,
  orders: readonly Order[],
  which: Which,
  retryId: string,
): Promise<Order[]> => {
  const free = chosenOf(orders, which).filter(isFree)
  const refusedIds = new Set(refusedOf(orders).map(({ orderId }) => orderId))
  const refused = free.filter(({ orderId }) => refusedIds.has(orderId))
  const openPhones = await openAmong(tx, orders, refused)
  const byOrder = Map.groupBy(
    free.filter(({ orderId, phone }) => !refusedIds.has(orderId) || !openPhones.has(phone)),
    ({ orderId }) => orderId,
  )
  const taken: Order[] = []
  for (const order of orders) {
    const phones = byOrder.get(order.id)?.map(({ phone }) => phone) ?? []
    if (phones.length === 0) continue
    await tx.orders.takeForRetry(order.id, phones, retryId)
    taken.push({ ...order, recipients: order.recipients.filter(({ phone }) => phones.includes(phone)) })
  }
  return taken
}

const openAmong = async (
  tx: Queries,
  [order]: readonly Order[],
  chosen: readonly Chosen[],
): Promise<Set<string>> =>
  order && chosen.length > 0
    ? tx.orders.phonesWithOpen(
        order.accountId,
        chosen.map(({ phone }) => phone),
      )
    : new Set()

/** A retry that has one of these recipients already, so that a second press opens it; null: none has. */
export const earlierRetry = async (
  tx: Queries,
  orders: readonly Order[],
  which: Which,
): Promise<Purchase | null> => {
  const taken = chosenOf(orders, which).findLast(({ retryId }) => retryId !== null)
  return taken?.retryId ? tx.purchases.byId(taken.retryId) : null
}

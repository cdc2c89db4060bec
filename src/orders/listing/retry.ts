import type { Order, Purchase } from '../../domain/order/order.ts'
import { type Failure, progressOf } from '../../domain/order/progress.ts'
import { refusedOf } from '../../domain/order/refused.ts'
import type { Queries } from '../../store/store.ts'

/**
 * Which recipients of a list are ordered again. `failed`: the provider's record or a refund confirms that they failed.
 * `refused`: the provider did not accept them, for a reason other than an open order. `sure`: both of these, and those
 * that were stopped before they were sent. `one`: a single recipient, by position in the list, whose failure is less
 * certain.
 */
export type Which = { kind: 'failed' | 'refused' | 'sure' } | { kind: 'one'; position: number }

interface Chosen {
  orderId: string
  phone: string
  retryId: string | null
}

/** The recipients that are in no retry yet. */
export interface RetryChoices {
  /** How many of the recipients certainly received nothing. */
  sure: number
  /** How many of these were stopped before they were sent. */
  unsent: number
  /** The number that certainly received nothing, if it is the only one. */
  onlySure: string | null
  /** Recipients that probably failed. Each needs its own press to be ordered again. */
  doubtful: Failure[]
  /** How many of the recipients were refused because they have an open order. */
  pending: number
}

export const retryChoices = (orders: readonly Order[]): RetryChoices => {
  const refused = refusedOf(orders).filter(isFree)
  const failed = progressOf(orders).failed.filter(isFree)
  const pending = refused.filter(({ isPending }) => isPending).length
  const unsent = unsentOf(orders).filter(isFree)
  const sure = [
    ...unsent,
    ...refused.filter(({ isPending }) => !isPending),
    ...failed.filter(({ isCertain }) => isCertain),
  ]
  return {
    sure: sure.length,
    unsent: unsent.length,
    onlySure: sure.length === 1 ? (sure[0]?.phone ?? null) : null,
    doubtful: failed.filter(({ isCertain }) => !isCertain),
    pending,
  }
}

/** The recipients of the orders that were stopped before they were sent. */
const unsentOf = (orders: readonly Order[]): Chosen[] =>
  orders
    .filter(({ placement }) => placement === 'cancelled')
    .flatMap(({ id, recipients }) =>
      recipients.map(({ phone, retryId }) => ({ orderId: id, phone, retryId })),
    )

const isFree = ({ retryId }: { retryId: string | null }): boolean => retryId === null

/** The recipients that may be ordered again, including those that are in a retry already. */
const chosenOf = (orders: readonly Order[], which: Which): Chosen[] => {
  switch (which.kind) {
    case 'failed':
      return progressOf(orders).failed.filter(({ isCertain }) => isCertain)
    case 'one':
      return progressOf(orders).failed.filter(({ position }) => position === which.position)
    case 'refused':
      return refusedOf(orders).filter(({ isPending }) => !isPending)
    case 'sure':
      return [
        ...unsentOf(orders),
        ...chosenOf(orders, { kind: 'failed' }),
        ...chosenOf(orders, { kind: 'refused' }),
      ]
  }
}

/**
 * Assigns recipients to a retry. Each recipient is in at most one retry, so those in an earlier one stay there. Refused
 * phones that have an open order by now are left out.
 * @param retryId the id of the retry's purchase.
 * @returns the orders of the assigned recipients, with only these recipients.
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

/** An earlier retry that contains one of these recipients, so that a second press opens it; null if there is none. */
export const earlierRetry = async (
  tx: Queries,
  orders: readonly Order[],
  which: Which,
): Promise<Purchase | null> => {
  const taken = chosenOf(orders, which).findLast(({ retryId }) => retryId !== null)
  return taken?.retryId ? tx.purchases.byId(taken.retryId) : null
}

import { isOpen, type Order, type Recipient } from '../../domain/order.ts'
import { mayBeCharged } from '../../domain/progress.ts'
import { isPending } from '../../domain/recipients.ts'
import { isRemoved } from '../../domain/removed-phone.ts'
import type { Phone } from '../../provider/phone.ts'
import type { Queries } from '../../store/store.ts'

/** A second order for the same phone and bundle within this time is a question. */
export const recentMs = 10 * 60_000

/** A number that got a bundle minutes ago, or is still to get it. It may have been charged. */
export interface EarlierOrder {
  phone: Phone
  recipient: Recipient
  order: Order
}

/** Since when an order is recent. */
export const recentSince = (at: Date): Date => new Date(at.getTime() - recentMs)

/**
 * The account's orders for those numbers of the last ten minutes, or still open, newest first. It does not matter who
 * ordered, or how.
 */
export const earlierOrders = async (
  queries: Pick<Queries, 'orders'>,
  accountId: string,
  phones: readonly Phone[],
  at: Date,
): Promise<EarlierOrder[]> =>
  earlierIn(await queries.orders.recentFor(accountId, phones, recentSince(at)), phones, at)

/** The newest one for that number and bundle. */
export const earlierOrder = async (
  queries: Pick<Queries, 'orders'>,
  accountId: string,
  line: { phone: Phone; bundleId: number },
  at: Date,
): Promise<EarlierOrder | null> =>
  earlierAmong(await queries.orders.recentFor(accountId, [line.phone], recentSince(at)), line, at)

/** The same where the number's recent orders were read already. */
export const earlierAmong = (
  recent: readonly Order[],
  { phone, bundleId }: { phone: Phone; bundleId: number },
  at: Date,
): EarlierOrder | null =>
  earlierIn(recent, [phone], at).find(({ order }) => order.bundleId === bundleId) ?? null

const earlierIn = (recent: readonly Order[], phones: readonly Phone[], at: Date): EarlierOrder[] => {
  const since = recentSince(at)
  const asked = new Set<string>(phones)
  return recent.toSorted(newestFirst).flatMap((order) =>
    order.recipients.flatMap((recipient) => {
      const { phone } = recipient
      if (isRemoved(phone) || !asked.has(phone) || !mayBeCharged(order, recipient)) return []
      return orderedAt(order) >= since || (isOpen(order) && isPending(order, phone))
        ? [{ phone, recipient, order }]
        : []
    }),
  )
}

/** When it was confirmed, or sent where that was later. */
export const orderedAt = ({ createdAt, sentAt }: Pick<Order, 'createdAt' | 'sentAt'>): Date =>
  sentAt !== null && sentAt > createdAt ? sentAt : createdAt

const newestFirst = (a: Order, b: Order): number =>
  b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1)

/** An order in as few characters as a button has room for. */
export const briefId = ({ id }: Pick<Order, 'id'>): string => id.slice(-8)

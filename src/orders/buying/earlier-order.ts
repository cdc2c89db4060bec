import { isOpen, type Order, type Recipient } from '../../domain/order/order.ts'
import { mayBeCharged } from '../../domain/order/progress.ts'
import { isPending } from '../../domain/order/recipient-ends.ts'
import { isRemoved } from '../../domain/order/removed-phone.ts'
import type { Phone } from '../../provider/phone.ts'
import type { Queries } from '../../store/store.ts'

/** If the same bundle is ordered for the same phone within this time, ms, the bot asks first. */
export const recentMs = 10 * 60_000

/** A recipient of a recent or open order that was, or may have been, charged. */
export interface EarlierOrder {
  phone: Phone
  recipient: Recipient
  order: Order
}

export const recentSince = (at: Date): Date => new Date(at.getTime() - recentMs)

/** The account's recent or open orders for these numbers, newest first, no matter who ordered, or how. */
export const earlierOrders = async (
  queries: Pick<Queries, 'orders'>,
  accountId: string,
  phones: readonly Phone[],
  at: Date,
): Promise<EarlierOrder[]> =>
  earlierIn(await queries.orders.recentFor(accountId, phones, recentSince(at)), phones, at)

/** The newest recent or open order for this number and bundle. */
export const earlierOrder = async (
  queries: Pick<Queries, 'orders'>,
  accountId: string,
  line: { phone: Phone; bundleId: number },
  at: Date,
): Promise<EarlierOrder | null> =>
  earlierAmong(await queries.orders.recentFor(accountId, [line.phone], recentSince(at)), line, at)

/** Like `earlierOrder`, for a caller that has read the number's recent orders already. */
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

export const orderedAt = ({ createdAt, sentAt }: Pick<Order, 'createdAt' | 'sentAt'>): Date =>
  sentAt !== null && sentAt > createdAt ? sentAt : createdAt

const newestFirst = (a: Order, b: Order): number =>
  b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1)

/** The end of the order's id, short enough for a button's data. */
export const briefId = ({ id }: Pick<Order, 'id'>): string => id.slice(-8)

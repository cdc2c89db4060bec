import type { Client } from '../../database/database.ts'
import type { OrderWhere } from '../../database/row-types.ts'
import { isOpen, type Order } from '../../domain/order/order.ts'
import { openPlacements, type Placement } from '../../domain/order/placement.ts'
import { readReason } from '../../domain/order/reason.ts'
import { isTerminal } from '../../domain/order/status.ts'
import type { Phone } from '../../provider/phone.ts'
import { batchesOf } from '../batches.ts'
import { type Note, noNote } from '../changes.ts'
import { ordersWithIds } from './order-rows.ts'

export const recipientQueries = (client: Client, note: Note = noNote) => ({
  /**
   * Sets the status of some or all recipients of an order.
   * @param phones the recipients with this status; null for all.
   * @param reported true if the status comes only from a callback.
   */
  patchRecipients: async (
    orderId: string,
    phones: string[] | null,
    status: string | null,
    at: Date,
    reported = false,
  ): Promise<void> => {
    const where = { orderId, ...(phones && { phone: { in: phones } }) }
    const data = { status, statusAt: at, reported }
    const rows = await client.recipient.updateManyAndReturn({ where, data, select: { accountId: true } })
    const [first] = rows
    // A status of all recipients is the order's own status, which is noted as a change of the order.
    if (first && phones !== null && status !== null)
      note({
        kind: 'recipients',
        orderId,
        accountId: first.accountId,
        at,
        status,
        reported,
        count: rows.length,
      })
  },

  /** The account's other orders for these phones that may still be open, oldest first. */
  openFor: async (accountId: string, phones: readonly Phone[], exceptId: string): Promise<Order[]> => {
    const mayBeOpen = [
      { placement: { in: [...openPlacements] } },
      { placement: 'placed' satisfies Placement, nextPollAt: { not: null } },
    ]
    return (await ordersFor(client, accountId, phones, { id: { not: exceptId }, OR: mayBeOpen })).filter(
      isOpen,
    )
  },

  phonesWithOpen: async (accountId: string, phones: string[]): Promise<Set<string>> => {
    const open = new Set<string>()
    for (const part of batchesOf(phones)) {
      const rows = await client.recipient.findMany({
        where: {
          accountId,
          phone: { in: part },
          order: { placement: { in: [...openPlacements, 'placed'] } },
        },
        select: {
          phone: true,
          status: true,
          order: { select: { kind: true, placement: true, status: true, nextPollAt: true, reason: true } },
        },
      })
      for (const { phone, status, order } of rows) {
        const isEnded = order.kind === 'bulk' && order.placement === 'placed' && isTerminal(status)
        if (
          !isEnded &&
          isOpen({ ...order, placement: order.placement as Placement, reason: readReason(order.reason) })
        )
          open.add(phone)
      }
    }
    return open
  },

  /**
   * The account's orders for these phones that were, or may have been, charged: those made or sent since `since`, and
   * those that are still open.
   */
  recentFor: (accountId: string, phones: readonly Phone[], since: Date): Promise<Order[]> =>
    ordersFor(client, accountId, phones, {
      placement: { in: [...openPlacements, 'placed'] },
      OR: [
        { createdAt: { gte: since } },
        { sentAt: { gte: since } },
        { placement: { not: 'placed' satisfies Placement } },
        { nextPollAt: { not: null } },
      ],
    }),

  /**
   * Whether anybody of the account has ordered that bundle for that phone since `since`, whatever the outcome. An order
   * made earlier counts if it was sent since then, or is still open or followed.
   */
  hasRecent: async (
    accountId: string,
    { phone, bundleId }: { phone: string; bundleId: number },
    since: Date,
  ): Promise<boolean> => {
    const late = [{ createdAt: { gte: since } }, { sentAt: { gte: since } }]
    const open = [{ placement: { in: [...openPlacements] } }, { nextPollAt: { not: null } }]
    const where = { bundleId, OR: [...late, ...open] }
    return (
      (await client.recipient.findFirst({
        where: { accountId, phone, order: { is: where } },
        select: { id: true },
      })) !== null
    )
  },

  /** For each phone, the networks on which the account has ordered for it. Refused orders do not count. */
  servedOn: async (accountId: string, phones: string[]): Promise<Record<string, string[]>> => {
    const found = new Map<string, Set<string>>()
    for (const part of batchesOf(phones)) {
      const rows = await client.recipient.findMany({
        where: {
          accountId,
          phone: { in: part },
          order: { placement: { in: [...openPlacements, 'placed'] } },
        },
        select: { phone: true, order: { select: { network: true } } },
      })
      for (const { phone, order } of rows)
        found.set(phone, (found.get(phone) ?? new Set()).add(order.network))
    }
    return Object.fromEntries([...found].map(([phone, networks]) => [phone, [...networks].sort()]))
  },

  /**
   * Assigns recipients of an order to a retry. Each recipient is in at most one retry that can still be ordered.
   * @returns how many were in no retry before.
   */
  takeForRetry: async (orderId: string, phones: string[], retryId: string): Promise<number> => {
    const { count } = await client.recipient.updateMany({
      where: { orderId, phone: { in: phones }, retryId: null },
      data: { retryId },
    })
    return count
  },

  /** Frees the recipients of a retry that will not be ordered, so that another retry can take them. */
  dropRetry: async (retryId: string): Promise<void> => {
    await client.recipient.updateMany({ where: { retryId }, data: { retryId: null } })
  },

  /** Moves a retry's recipients of that bundle to another retry. */
  passRetry: async (
    retryId: string,
    to: string,
    { bundleId, phones }: { bundleId: number; phones: string[] },
  ): Promise<void> => {
    for (const part of batchesOf(phones)) {
      await client.recipient.updateMany({
        where: { retryId, phone: { in: part }, order: { is: { bundleId } } },
        data: { retryId: to },
      })
    }
  },
})

/** The account's orders for these phones that fulfil the condition, oldest first. */
const ordersFor = async (
  client: Client,
  accountId: string,
  phones: readonly Phone[],
  order: OrderWhere,
): Promise<Order[]> => {
  const ids = new Set<string>()
  for (const part of batchesOf(phones)) {
    const where = { accountId, phone: { in: part }, order: { is: order } }
    for (const { orderId } of await client.recipient.findMany({ where, select: { orderId: true } }))
      ids.add(orderId)
  }
  // Usually nothing matches. Then no orders are read.
  return ids.size === 0 ? [] : ordersWithIds(client, [...ids])
}

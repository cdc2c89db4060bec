import type { Client } from '../../database/database.ts'
import type { Complaint as ComplaintRow } from '../../database/row-types.ts'
import {
  type ComplaintEnd,
  type ComplaintKind,
  type ComplaintTimes,
  complaintKinds,
} from '../../domain/order/complaint.ts'
import type { Order } from '../../domain/order/order.ts'
import { finalStatuses } from '../../domain/order/status.ts'
import { orderOf, withRecipients } from '../orders/order-rows.ts'

/** A report that a delivered order has not arrived (`domain/order/complaint.ts`). */
export interface Complaint extends ComplaintTimes {
  id: string
  orderId: string
  accountId: string
  /** The number's place in the order; null means the whole order. */
  position: number | null
  /** The chat of the person who raised the complaint; null if that person's data was deleted. */
  raisedBy: number | null
  kind: ComplaintKind
  /** Telegram's id of a picture that shows the number's balance; null if none was sent. */
  photoId: string | null
  createdAt: Date
  /** Null while the complaint is open. */
  end: ComplaintEnd | null
  endedAt: Date | null
}

type NewComplaint = Omit<Complaint, 'end' | 'endedAt' | 'raisedBy'> & { raisedBy: number }

export const complaintStore = (client: Client) => ({
  byId: async (id: string): Promise<Complaint | null> =>
    orNull(await client.complaint.findUnique({ where: { id } })),

  /** The open complaint about a number or, if `position` is null, about the whole order. There is at most one. */
  openFor: async (orderId: string, position: number | null): Promise<Complaint | null> =>
    orNull(await client.complaint.findUnique({ where: { openFor: openKey({ orderId, position }) } })),

  /** The open complaints about an order, oldest first. */
  openOf: async (orderId: string): Promise<Complaint[]> => {
    const where = { orderId, openFor: { not: null } }
    return (await client.complaint.findMany({ where, orderBy: { createdAt: 'asc' } })).map(complaintOf)
  },

  /** Call it only if no complaint about the number is open. */
  insert: async (complaint: NewComplaint): Promise<void> => {
    const raisedBy = BigInt(complaint.raisedBy)
    await client.complaint.create({ data: { ...complaint, raisedBy, openFor: openKey(complaint) } })
  },

  /** Ends a complaint. @returns false if it had ended before. */
  end: async (id: string, end: ComplaintEnd, endedAt: Date): Promise<boolean> => {
    const { count } = await client.complaint.updateMany({
      where: { id, openFor: { not: null } },
      data: { openFor: null, end, endedAt, remindAt: null },
    })
    return count === 1
  },

  /** Notes that the shop is reminded. @returns false if it was reminded before, or if the complaint has ended. */
  noteReminded: async (id: string): Promise<boolean> => {
    const { count } = await client.complaint.updateMany({
      where: { id, remindAt: { not: null } },
      data: { remindAt: null },
    })
    return count === 1
  },

  /** How many complaints the chat has raised after `since`. */
  raisedSince: (chatId: number, since: Date): Promise<number> =>
    client.complaint.count({ where: { raisedBy: BigInt(chatId), createdAt: { gt: since } } }),

  /**
   * Open complaints that may have to end, or that the shop may have to be reminded of, with their orders, sorted by id.
   * @param latest times later than this were stored while the clock was wrong, and count as over.
   * @param after the id after which to continue.
   */
  maybeDue: async (
    now: Date,
    latest: Date,
    after: string,
    take: number,
  ): Promise<{ complaint: Complaint; order: Order }[]> => {
    const isOver = [{ lte: now }, { gt: latest }]
    const failed = finalStatuses.filter((status) => status !== 'delivered')
    const rows = await client.complaint.findMany({
      where: {
        id: { gt: after },
        openFor: { not: null },
        OR: [
          ...isOver.flatMap((at) => [{ expiresAt: at }, { remindAt: at }]),
          { order: { status: { in: failed } } },
          { order: { recipients: { some: { status: { in: failed } } } } },
        ],
      },
      include: { order: { include: withRecipients } },
      orderBy: { id: 'asc' },
      take,
    })
    return rows.map(({ order, ...row }) => ({ complaint: complaintOf(row), order: orderOf(order) }))
  },
})

export type ComplaintStore = ReturnType<typeof complaintStore>

const openKey = ({ orderId, position }: Pick<Complaint, 'orderId' | 'position'>): string =>
  `${orderId}:${position ?? 'all'}`

const complaintOf = ({ openFor: _, raisedBy, kind, end, ...row }: ComplaintRow): Complaint => ({
  ...row,
  raisedBy: raisedBy === 0n ? null : Number(raisedBy),
  // An unknown word was written by a later version.
  kind: complaintKinds.find((each) => each === kind) ?? 'unsaid',
  end: end as ComplaintEnd | null,
})

const orNull = (row: ComplaintRow | null): Complaint | null => row && complaintOf(row)

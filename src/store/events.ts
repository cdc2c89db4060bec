import type { Client } from '../database/database.ts'
import { newId } from '../database/id.ts'
import type { Insert } from '../database/insertion.ts'
import type { StatusEvent } from '../journal/status.ts'

/** A newly reported status, not processed yet. */
export interface NewEvent extends Omit<StatusEvent, 'id'> {
  digest: string
  body: string | null
}

/** A reported status that was not processed yet. */
export interface ArrivedEvent extends StatusEvent {
  /** The account of its order; null: there is no such order. */
  accountId: string | null
}

/**
 * How a reported status was processed. `held`: the order has no reference yet to compare with. `foreign`: it
 * belongs to another order. `dismissed`: it belonged to another order or could not be applied, and an operator hid
 * it. `doubted`: not a status, but a debit that may be the order's or a credit for its second reference. The person
 * was told of it.
 */
export type Verdict = 'applied' | 'stale' | 'foreign' | 'held' | 'dismissed' | 'doubted'

/** Reported statuses, from arrival to verdict. */
export const eventStore = (client: Client) => ({
  /**
   * Callbacks that are not processed yet, in the order of arrival, with the accounts of their orders.
   * @param after an event's id, or 0
   */
  unapplied: async (after: number, limit: number): Promise<ArrivedEvent[]> => {
    const rows = await client.$queryRaw<(EventRow & Pick<ArrivedEvent, 'accountId'>)[]>`
      SELECT "Event"."id", "orderId", "source", "Event"."reference", "Event"."status", "phone", "happenedAt",
        "receivedAt", "accountId"
      FROM "Event" LEFT JOIN "Order" ON "Order"."id" = "orderId"
      WHERE "appliedAt" IS NULL AND "Event"."id" > ${after} ORDER BY "Event"."id" LIMIT ${limit}`
    return rows.map((row) => ({ ...eventOf(row), accountId: row.accountId }))
  },

  ofOrder: async (orderId: string, verdict: Verdict): Promise<StatusEvent[]> =>
    (await client.event.findMany({ where: { orderId, verdict }, orderBy: { id: 'asc' } })).map(eventOf),

  /** When the provider produced the newest applied callback with this status of the order's recipient. */
  producedAt: async (orderId: string, phone: string, status: string): Promise<Date | null> => {
    const where = { orderId, phone, status, source: 'callback', verdict: 'applied' satisfies Verdict }
    return (await client.event.findFirst({ where, orderBy: { id: 'desc' } }))?.happenedAt ?? null
  },

  /** How many callbacks the order has. */
  countCallbacks: (orderId: string): Promise<number> =>
    client.event.count({ where: { orderId, source: 'callback' } }),

  /**
   * Lets the order's callbacks be processed again, now that its reference is known: held ones, and ones with this
   * reference that were taken for another order's.
   */
  release: async (orderId: string, reference: string): Promise<void> => {
    await client.event.updateMany({
      where: { orderId, OR: [{ verdict: 'held' }, { verdict: { in: ['foreign', 'dismissed'] }, reference }] },
      data: { verdict: null, appliedAt: null },
    })
  },

  /** Stores a status that came by other means than a callback, as applied or with another verdict. */
  note: async (event: Omit<StatusEvent, 'id' | 'phone'>, verdict: Verdict = 'applied'): Promise<void> => {
    const judged = { appliedAt: event.receivedAt, verdict }
    await client.event.create({ data: { ...event, ...judged, digest: newId() } })
  },

  /** Erases the callback's content: only its arrival is kept. */
  strip: async (id: number): Promise<void> => {
    await client.event.updateMany({ where: { id }, data: { phone: null, body: null } })
  },

  judge: async (ids: number[], verdict: Verdict, appliedAt: Date): Promise<void> => {
    await client.event.updateMany({ where: { id: { in: ids } }, data: { verdict, appliedAt } })
  },
})

/** How events come in, outside of any transaction. */
export interface Arrivals {
  /** Stores events in one commit; known digests are left out. @returns how many were new. */
  insert(events: readonly NewEvent[]): Promise<number>
}

/** Writes reported statuses without the client: a burst of callbacks is one statement. */
export const arrivals = (insert: Insert): Arrivals => ({
  insert: (events) =>
    insert({
      table: 'Event',
      columns,
      unique: 'digest',
      rows: events.map((event) => columns.map((name) => event[name])),
    }),
})

const columns = [
  'orderId',
  'source',
  'digest',
  'reference',
  'status',
  'phone',
  'happenedAt',
  'receivedAt',
  'body',
] as const satisfies (keyof NewEvent)[]

/** The queries of `eventStore`. */
export type EventStore = ReturnType<typeof eventStore>

type EventRow = Omit<StatusEvent, 'source'> & { source: string }

const eventOf = (row: EventRow): StatusEvent => ({
  id: row.id,
  orderId: row.orderId,
  source: row.source as StatusEvent['source'],
  reference: row.reference,
  status: row.status,
  phone: row.phone,
  happenedAt: row.happenedAt,
  receivedAt: row.receivedAt,
})

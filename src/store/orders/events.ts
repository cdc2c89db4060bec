import type { Client } from '../../database/database.ts'
import { newId } from '../../database/id.ts'
import { empty, join, sql } from '../../database/sql.ts'
import type { StatusEvent } from '../../domain/status.ts'
import { type Note, noNote } from '../changes.ts'

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
 * was told of it. `extra`: not a status, but a debit beyond the order's price; its status is the entry's key.
 */
export type Disposition = 'applied' | 'stale' | 'foreign' | 'held' | 'dismissed' | 'doubted' | 'extra'

/** Reported statuses, from arrival to disposition. */
export const eventStore = (client: Client, note: Note = noNote) => ({
  /** Stores events in one commit; known digests are left out. @returns how many were new. */
  insert: async (events: readonly NewEvent[]): Promise<number> => {
    if (events.length === 0) return 0
    const rows = events.map(
      ({ orderId, source, digest, reference, status, phone, happenedAt, receivedAt, body }) => sql`
        (${orderId}, ${source}, ${digest}, ${reference}, ${status}, ${phone}, ${happenedAt}, ${receivedAt}, ${body})`,
    )
    // SQLite's client cannot leave out rows that exist.
    const accounts = await accountsOf(client, events)
    const inserted = await client.$executeRaw`
      INSERT INTO "Event"
        ("orderId", "source", "digest", "reference", "status", "phone", "happenedAt", "receivedAt", "body")
      VALUES ${join(rows)} ON CONFLICT ("orderId", "digest") DO NOTHING`
    for (const { orderId, status, receivedAt: at } of events)
      note({ kind: 'callback', orderId, accountId: accounts.get(orderId) ?? null, at, status })
    return inserted
  },

  /**
   * Callbacks that are not processed yet, in the order of arrival, with the accounts of their orders.
   * @param after an event's id, or 0
   * @param except accounts that are left out, and orders of no account.
   */
  unapplied: async (
    after: number,
    limit: number,
    except: readonly string[] = [],
  ): Promise<ArrivedEvent[]> => {
    const others =
      except.length === 0 ? empty : sql`AND COALESCE("accountId", "orderId") NOT IN (${join([...except])})`
    const rows = await client.$queryRaw<(EventRow & Pick<ArrivedEvent, 'accountId'>)[]>`
      SELECT "Event"."id", "orderId", "source", "Event"."reference", "Event"."status", "phone", "happenedAt",
        "receivedAt", "accountId"
      FROM "Event" LEFT JOIN "Order" ON "Order"."id" = "orderId"
      WHERE "appliedAt" IS NULL AND "Event"."id" > ${after} ${others} ORDER BY "Event"."id" LIMIT ${limit}`
    return rows.map((row) => ({ ...eventOf(row), accountId: row.accountId }))
  },

  ofOrder: async (orderId: string, disposition: Disposition): Promise<StatusEvent[]> =>
    (await client.event.findMany({ where: { orderId, disposition }, orderBy: { id: 'asc' } })).map(eventOf),

  /** When the provider produced the newest applied callback with this status of the order's recipient. */
  producedAt: async (orderId: string, phone: string, status: string): Promise<Date | null> => {
    const where = { orderId, phone, status, source: 'callback', disposition: 'applied' satisfies Disposition }
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
    const named = { disposition: { in: ['foreign', 'dismissed'] satisfies Disposition[] }, reference }
    const where = { orderId, OR: [{ disposition: 'held' satisfies Disposition }, named] }
    await client.event.updateMany({ where, data: { disposition: null, appliedAt: null } })
  },

  /** Stores a status that came by other means than a callback, as applied or with another disposition. */
  note: async (
    event: Omit<StatusEvent, 'id' | 'phone'>,
    disposition: Disposition = 'applied',
  ): Promise<void> => {
    const { orderId, source, reference, status, happenedAt, receivedAt } = event
    const noted = { orderId, source, reference, status, happenedAt, receivedAt }
    await client.event.create({ data: { ...noted, digest: newId(), appliedAt: receivedAt, disposition } })
  },

  /** Erases the callback's content: only its arrival is kept. */
  strip: async (id: number): Promise<void> => {
    await client.event.updateMany({ where: { id }, data: { phone: null, body: null } })
  },

  /** Keeps the disposition on callbacks that have none yet. @returns false if one of them has a disposition. */
  judge: async (ids: number[], disposition: Disposition, appliedAt: Date): Promise<boolean> => {
    const { count } = await client.event.updateMany({
      where: { id: { in: ids }, appliedAt: null },
      data: { disposition, appliedAt },
    })
    return count === ids.length
  },

  /** Takes held callbacks for another order's. */
  disown: async (ids: number[], appliedAt: Date): Promise<void> => {
    const where = { id: { in: ids }, disposition: 'held' satisfies Disposition }
    const data = { disposition: 'foreign' satisfies Disposition, appliedAt }
    await client.event.updateMany({ where, data })
  },
})

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

/** The accounts of the events' orders, by order. */
const accountsOf = async (
  client: Client,
  events: readonly { orderId: string }[],
): Promise<ReadonlyMap<string, string>> => {
  const where = { id: { in: events.map(({ orderId }) => orderId) } }
  const rows = await client.order.findMany({ where, select: { id: true, accountId: true } })
  return new Map(rows.map(({ id, accountId }) => [id, accountId]))
}

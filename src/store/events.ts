import type { Client } from './database.ts'
import { newId } from './id.ts'
import type { Insert } from './insertion.ts'

/** One reported status, as it came. */
export interface StatusEvent {
  id: number
  orderId: string
  source: 'callback' | 'poll' | 'answer'
  reference: string
  status: string
  phone: string | null
  happenedAt: Date | null
  receivedAt: Date
}

export interface NewEvent extends Omit<StatusEvent, 'id'> {
  digest: string
  body: string | null
}

/**
 * `held`: the order has no reference yet that it could be compared with. `dismissed`: it was another order's, or could
 * not be applied, and an operator wants to see it no more. `doubted`: no status, but a debit that may be the order's, or
 * what came back for its second reference, of which its person was told.
 */
export type Verdict = 'applied' | 'stale' | 'foreign' | 'held' | 'dismissed' | 'doubted'

export const eventStore = (client: Client) => ({
  /** Callbacks that nobody has looked at yet, in the order of their arrival. @param after an event's id, or 0 */
  unapplied: async (after: number, limit: number): Promise<StatusEvent[]> => {
    const where = { appliedAt: null, id: { gt: after } }
    return (await client.event.findMany({ where, orderBy: { id: 'asc' }, take: limit })).map(eventOf)
  },

  ofOrder: async (orderId: string, verdict: Verdict): Promise<StatusEvent[]> =>
    (await client.event.findMany({ where: { orderId, verdict }, orderBy: { id: 'asc' } })).map(eventOf),

  /** By its own time, when the newest applied callback that told this status of the order's recipient was produced. */
  producedAt: async (orderId: string, phone: string, status: string): Promise<Date | null> => {
    const where = { orderId, phone, status, source: 'callback', verdict: 'applied' satisfies Verdict }
    return (await client.event.findFirst({ where, orderBy: { id: 'desc' } }))?.happenedAt ?? null
  },

  /** How many callbacks of the order there are. */
  countCallbacks: (orderId: string): Promise<number> =>
    client.event.count({ where: { orderId, source: 'callback' } }),

  /**
   * Callbacks of the order are to be looked at again, as it has its reference now: those that were held, and those
   * that name the reference and were taken for another order's.
   */
  release: async (orderId: string, reference: string): Promise<void> => {
    await client.event.updateMany({
      where: { orderId, OR: [{ verdict: 'held' }, { verdict: { in: ['foreign', 'dismissed'] }, reference }] },
      data: { verdict: null, appliedAt: null },
    })
  },

  /** Keeps a status that was not told by a callback, as it was applied; or as another order's. */
  note: async (event: Omit<StatusEvent, 'id' | 'phone'>, verdict: Verdict = 'applied'): Promise<void> => {
    const judged = { appliedAt: event.receivedAt, verdict }
    await client.event.create({ data: { ...event, ...judged, digest: newId() } })
  },

  /** Keeps of a callback that it came, and nobody's number. */
  strip: async (id: number): Promise<void> => {
    await client.event.updateMany({ where: { id }, data: { phone: null, body: null } })
  },

  judge: async (ids: number[], verdict: Verdict, appliedAt: Date): Promise<void> => {
    await client.event.updateMany({ where: { id: { in: ids } }, data: { verdict, appliedAt } })
  },
})

/** How events come in: outside of any transaction. */
export interface Arrivals {
  /** Stores events in one commit; those whose digest is there already are left out. @returns how many were new. */
  insert(events: readonly NewEvent[]): Promise<number>
}

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

export type EventStore = ReturnType<typeof eventStore>

const eventOf = (row: Omit<StatusEvent, 'source'> & { source: string }): StatusEvent => ({
  id: row.id,
  orderId: row.orderId,
  source: row.source as StatusEvent['source'],
  reference: row.reference,
  status: row.status,
  phone: row.phone,
  happenedAt: row.happenedAt,
  receivedAt: row.receivedAt,
})

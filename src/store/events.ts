import { Prisma } from './client/client.ts'
import type { Client } from './database.ts'

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

/** `held`: the order has no reference yet that it could be compared with. */
export type Verdict = 'applied' | 'stale' | 'foreign' | 'held'

export const eventStore = (client: Client) => ({
  /** Stores events; those whose digest is there already are left out. @returns how many were new. */
  insert: async (events: NewEvent[]): Promise<number> => {
    let stored = 0
    for (let first = 0; first < events.length; first += mostPerStatement) {
      stored += await client.$executeRaw(insertion(events.slice(first, first + mostPerStatement)))
    }
    return stored
  },

  /** Callbacks that nobody has looked at yet, in the order of their arrival. @param after an event's id, or 0 */
  unapplied: async (after: number, limit: number): Promise<StatusEvent[]> => {
    const where = { appliedAt: null, id: { gt: after } }
    return (await client.event.findMany({ where, orderBy: { id: 'asc' }, take: limit })).map(eventOf)
  },

  ofOrder: async (orderId: string, verdict: Verdict): Promise<StatusEvent[]> =>
    (await client.event.findMany({ where: { orderId, verdict }, orderBy: { id: 'asc' } })).map(eventOf),

  /**
   * Callbacks of the order are to be looked at again, as it has its reference now: those that were held, and those
   * that name the reference and were taken for another order's.
   */
  release: async (orderId: string, reference: string): Promise<void> => {
    await client.event.updateMany({
      where: { orderId, OR: [{ verdict: 'held' }, { verdict: 'foreign', reference }] },
      data: { verdict: null, appliedAt: null },
    })
  },

  judge: async (ids: number[], verdict: Verdict, appliedAt: Date): Promise<void> => {
    await client.event.updateMany({ where: { id: { in: ids } }, data: { verdict, appliedAt } })
  },
})

/** PostgreSQL takes 65,535 values in a statement, SQLite 32,766. */
const mostPerStatement = 500

/**
 * One statement for all rows, which both kinds of database understand: to build it takes a fraction of what
 * `createMany` takes, and the database itself leaves out what it has.
 */
const insertion = (events: NewEvent[]): Prisma.Sql => Prisma.sql`
  INSERT INTO "Event"
    ("orderId", "source", "digest", "reference", "status", "phone", "happenedAt", "receivedAt", "body")
  VALUES ${Prisma.join(events.map(valuesOf))}
  ON CONFLICT ("digest") DO NOTHING`

const valuesOf = (
  event: NewEvent,
): Prisma.Sql => Prisma.sql`(${event.orderId}, ${event.source}, ${event.digest},
  ${event.reference}, ${event.status}, ${event.phone}, ${event.happenedAt}, ${event.receivedAt}, ${event.body})`

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

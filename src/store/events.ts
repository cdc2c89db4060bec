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
  /** Stores events; those whose digest is there already are left out. */
  insert: async (events: NewEvent[]): Promise<number> => {
    const digests = events.map(({ digest }) => digest)
    const known = await client.event.findMany({
      where: { digest: { in: digests } },
      select: { digest: true },
    })
    const seen = new Set(known.map(({ digest }) => digest))
    const fresh = events.filter(({ digest }) => !seen.has(digest) && seen.add(digest))
    if (fresh.length > 0) await client.event.createMany({ data: fresh })
    return fresh.length
  },

  /** Callbacks that nobody has looked at yet, in the order of their arrival. */
  unapplied: async (limit: number): Promise<StatusEvent[]> =>
    (await client.event.findMany({ where: { appliedAt: null }, orderBy: { id: 'asc' }, take: limit })).map(
      eventOf,
    ),

  ofOrder: async (orderId: string, verdict: Verdict): Promise<StatusEvent[]> =>
    (await client.event.findMany({ where: { orderId, verdict }, orderBy: { id: 'asc' } })).map(eventOf),

  /** Held callbacks of the order are to be looked at again: it has its reference now. */
  release: async (orderId: string): Promise<void> => {
    await client.event.updateMany({
      where: { orderId, verdict: 'held' },
      data: { verdict: null, appliedAt: null },
    })
  },

  judge: async (id: number, verdict: Verdict, appliedAt: Date): Promise<void> => {
    await client.event.update({ where: { id }, data: { verdict, appliedAt } })
  },
})

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

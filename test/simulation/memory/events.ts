import type { StatusEvent } from '../../../src/domain/status.ts'
import type { EventStore } from '../../../src/store/orders/events.ts'
import type { EventRow, Tables } from './rows.ts'

const eventOf = (row: EventRow): StatusEvent => {
  const { digest: _, body: __, appliedAt: ___, disposition: ____, ...event } = row
  return event
}

const inOrder = (a: EventRow, b: EventRow): number => a.id - b.id
const idOf = ({ id }: EventRow): number => id
const keyOf = ({ orderId, digest }: Pick<EventRow, 'orderId' | 'digest'>): string => `${orderId} ${digest}`

export const memoryEvents = ({ events, orders }: Tables): EventStore => {
  const waiting = events.part(({ appliedAt }) => appliedAt === null)

  return {
    insert: async (news) => {
      const seen = new Set(events.all().map(keyOf))
      let stored = 0
      for (const event of news) {
        // SQLite also gives a number to a row that it then leaves out as a repeat.
        const id = events.nextId()
        if (seen.has(keyOf(event))) continue
        seen.add(keyOf(event))
        events.set(id, { ...event, id, appliedAt: null, disposition: null })
        stored += 1
      }
      return stored
    },

    unapplied: async (after, limit, except = []) =>
      waiting()
        .filter(({ id }) => id > after)
        .sort(inOrder)
        .map((row) => ({ ...eventOf(row), accountId: orders.get(row.orderId)?.accountId ?? null }))
        .filter(({ accountId, orderId }) => !except.includes(accountId ?? orderId))
        .slice(0, limit),

    ofOrder: async (orderId, disposition) =>
      events
        .where((row) => row.orderId === orderId && row.disposition === disposition)
        .sort(inOrder)
        .map(eventOf),

    producedAt: async (orderId, phone, status) =>
      events
        .where((row) => row.orderId === orderId && row.phone === phone && row.status === status)
        .filter(({ source, disposition }) => source === 'callback' && disposition === 'applied')
        .sort(inOrder)
        .at(-1)?.happenedAt ?? null,

    countCallbacks: async (orderId) =>
      events.where((row) => row.orderId === orderId && row.source === 'callback').length,

    release: async (orderId, reference) => {
      events.update(
        (row) =>
          row.orderId === orderId &&
          (row.disposition === 'held' ||
            ((row.disposition === 'foreign' || row.disposition === 'dismissed') &&
              row.reference === reference)),
        idOf,
        (row) => ({ ...row, disposition: null, appliedAt: null }),
      )
    },

    note: async (event, disposition = 'applied') => {
      const id = events.nextId()
      const judged = { appliedAt: event.receivedAt, disposition }
      events.set(id, { ...event, ...judged, id, digest: `note ${id}`, phone: null, body: null })
    },

    strip: async (id) => {
      events.update(
        (row) => row.id === id,
        idOf,
        (row) => ({ ...row, phone: null, body: null }),
      )
    },

    judge: async (ids, disposition, appliedAt) => {
      const count = events.update(
        (row) => ids.includes(row.id) && row.appliedAt === null,
        idOf,
        (row) => ({ ...row, disposition, appliedAt }),
      )
      return count === ids.length
    },

    disown: async (ids, appliedAt) => {
      events.update(
        (row) => ids.includes(row.id) && row.disposition === 'held',
        idOf,
        (row) => ({ ...row, disposition: 'foreign', appliedAt }),
      )
    },
  }
}

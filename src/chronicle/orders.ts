import type { Order } from '../journal/order.ts'
import { type Placement, sourcesOf } from '../journal/placement.ts'
import type { OrderPatch } from '../store/order-placing.ts'
import type { OrderStore } from '../store/orders.ts'
import type { OrderChange, OrderEvent } from './event.ts'

/** The facts of an order that an event needs and an update does not give. */
type Known = Pick<Order, 'accountId' | 'createdAt'>

/** Above this number, the order that was met first is forgotten. It is read again at its next change. */
const maxKnown = 10_000

/** Remembers the accounts of the orders that were met lately. */
export const knownOrders = () => {
  const known = new Map<string, Known>()
  return {
    of: (id: string): Known | undefined => known.get(id),
    meet: ({ id, accountId, createdAt }: Known & { id: string }): void => {
      known.set(id, { accountId, createdAt })
      const [oldest] = known.keys()
      if (known.size > maxKnown && oldest !== undefined) known.delete(oldest)
    },
  }
}

/** The queries about orders, with a note of each change that they make. */
export const watchOrders = (
  orders: OrderStore,
  known: ReturnType<typeof knownOrders>,
  note: (event: OrderEvent) => void,
): OrderStore => {
  const read = async (id: string): Promise<Order | null> => {
    const order = await orders.byId(id)
    if (order) known.meet(order)
    return order
  }

  const of = async (id: string): Promise<Known | null> => known.of(id) ?? (await read(id))

  /** The order's placement before an update whose guard allows several. */
  const before = async (id: string) => {
    const order = await read(id)
    return { from: order?.placement ?? null, sentAt: order?.sentAt ?? null }
  }

  const tell = async (orderId: string, at: Date, change: OrderChange): Promise<void> =>
    note({ orderId, accountId: (await of(orderId))?.accountId ?? null, at, ...change })

  const moved = async (
    id: string,
    at: Date,
    move: Omit<PlacementEvent, 'kind' | 'createdAt'>,
  ): Promise<void> =>
    tell(id, at, { kind: 'placement', createdAt: (await of(id))?.createdAt ?? null, ...move })

  return {
    ...orders,
    byId: read,
    byIds: async (ids) => {
      const found = await orders.byIds(ids)
      for (const order of found) known.meet(order)
      return found
    },
    toReport: async (...asked) => {
      const found = await orders.toReport(...asked)
      for (const { order } of found) known.meet(order)
      return found
    },
    insertQueued: async (queued, newId) => {
      await orders.insertQueued(queued, newId)
      for (const order of queued) {
        known.meet(order)
        await moved(order.id, order.createdAt, { ...confirmed, reason: null })
      }
    },
    split: async (from, part, now) => {
      const isSplit = await orders.split(from, part, now)
      if (!isSplit) return false
      known.meet({ ...from, id: part.id })
      await moved(part.id, now, { ...confirmed, reason: 'split' })
      return true
    },
    go: async (guard, to, patch, now) => {
      const from = sourceUnder(guard, to)
      const origin = from ? { from, sentAt: null } : await before(guard.id)
      const hasGone = await orders.go(guard, to, patch, now)
      if (hasGone) await moved(guard.id, now, { ...origin, to, reason: codeIn(patch) })
      return hasGone
    },
    prove: async (id, patch, now) => {
      const origin = await before(id)
      const isProven = await orders.prove(id, patch, now)
      if (isProven) await moved(id, now, { ...origin, to: 'placed', reason: codeIn(patch) })
      return isProven
    },
    patch: async (id, patch, now) => {
      await orders.patch(id, patch, now)
      for (const change of changesIn(patch)) await tell(id, now, change)
    },
    patchRecipients: async (id, phones, status, at, reported = false) => {
      await orders.patchRecipients(id, phones, status, at, reported)
      if (phones === null || status === null) return
      await tell(id, at, { kind: 'recipients', status, reported, count: phones.length })
    },
  }
}

type PlacementEvent = Extract<OrderChange, { kind: 'placement' }>

const confirmed = { from: null, to: 'queued', sentAt: null } as const

/** The placement that an order leaves, as far as the guard of its update says; null if there are several. */
const sourceUnder = (guard: Parameters<OrderStore['go']>[0], to: Placement): Placement | null => {
  if (guard.leaseToken || guard.leaseEndedBefore) return 'sending'
  if (guard.inferredReference !== undefined) return 'placed'
  const [source, ...others] = sourcesOf(to)
  return others.length === 0 ? (source ?? null) : null
}

const codeIn = ({ reason }: OrderPatch): string | null => (typeof reason === 'string' ? reason : null)

/** The changes in a patch that are worth a note. */
const changesIn = (patch: OrderPatch): OrderChange[] => {
  const { status, statusReported, deliverySeconds, refundedPesewas } = patch
  const changes: OrderChange[] = []
  if (typeof status === 'string') {
    const seconds = typeof deliverySeconds === 'number' ? deliverySeconds : null
    changes.push({ kind: 'status', status, reported: statusReported === true, deliverySeconds: seconds })
  } else if (statusReported === false) {
    changes.push({ kind: 'status_confirmed' })
  }
  if (typeof refundedPesewas === 'number') changes.push({ kind: 'refund' })
  const reason = codeIn(patch)
  if (reason !== null) changes.push({ kind: 'reason', reason })
  return changes
}

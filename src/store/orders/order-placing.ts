import type { Client } from '../../database/database.ts'
import type { OrderColumns } from '../../database/row-types.ts'
import { join, sql } from '../../database/sql.ts'
import { kindFor, type Order } from '../../domain/order/order.ts'
import { type Placement, provable, sourcesOf } from '../../domain/order/placement.ts'
import type { OtherReason, Reason, Reasons } from '../../domain/order/reason.ts'
import { latest } from '../../domain/times/ahead.ts'
import type { Phone } from '../../provider/phone.ts'
import { batchesOf } from '../batches.ts'
import type { Note, OrderNews } from '../changes.ts'
import { orderOf, withRecipients } from './order-rows.ts'

/** The columns that a query may write to an order. Only `go` and `prove` change the placement. */
export type OrderPatch = Partial<Omit<OrderColumns, 'placement' | 'id' | 'reason'>> & {
  reason?: Reason | OtherReason | null
}

export type PatchTo<P extends Placement> = Omit<OrderPatch, 'reason'> & { reason?: Reasons[P] | null }

/** A newly confirmed order, whose placement is `queued`. */
export interface NewOrder
  extends Pick<
      Order,
      | 'id'
      | 'purchaseId'
      | 'accountId'
      | 'userId'
      | 'chatId'
      | 'kind'
      | 'bundleId'
      | 'network'
      | 'volume'
      | 'offerSlug'
      | 'unitPricePesewas'
    >,
    Partial<
      Pick<
        Order,
        | 'listed'
        | 'position'
        | 'afterId'
        | 'sellUnitPesewas'
        | 'agentUnitPesewas'
        | 'ownerChatId'
        | 'agentName'
      >
    > {
  recipients: { phone: Phone; position: number }[]
  createdAt: Date
}

/** Some of an order's recipients that are moved to a new order, because they have to wait for another one. */
export interface Part {
  id: string
  phones: string[]
  waitsForId: string | null
  notBefore: Date | null
}

/** Conditions under which an order's placement changes. */
interface Guard {
  id: string
  /** The lease of the order must have this token. */
  leaseToken?: string
  /** The lease must have ended by this time. */
  leaseEndedBefore?: Date
  /** The order is in no list, so there is no next order of a list to release. */
  isAlone?: boolean
  /** The order must have this inferred reference. Without this condition, a placed order stays placed. */
  inferredReference?: string
}

const sourcesUnder = (
  { leaseToken, leaseEndedBefore, inferredReference }: Guard,
  to: Placement,
): Placement[] => {
  if (leaseToken || leaseEndedBefore) return ['sending']
  return sourcesOf(to).filter((from) => (from === 'placed') === (inferredReference !== undefined))
}

/** Queries that write orders, split them, and move them along the placement table. */
export const placingQueries = (client: Client, note: Note) => ({
  /** Writes confirmed orders with their recipients. */
  insertQueued: async (orders: NewOrder[], newId: () => string): Promise<void> => {
    for (const order of orders) {
      // Written one by one, because Prisma compiles this query once, but a `createMany` of orders each time.
      await client.order.create({ data: queuedRow(order), select: { id: true } })
      const { id: orderId, accountId, createdAt } = order
      note({ ...confirmed, orderId, accountId, at: createdAt, reason: null, createdAt })
    }
    const recipients = orders.flatMap(({ id, accountId, recipients }) =>
      recipients.map(({ phone, position }) => sql`(${newId()}, ${id}, ${accountId}, ${phone}, ${position})`),
    )
    // Plain SQL for the same reason: Prisma would compile a `createMany` each time.
    for (const rows of batchesOf(recipients)) {
      await client.$executeRaw`
        INSERT INTO "Recipient" ("id", "orderId", "accountId", "phone", "position") VALUES ${join(rows)}`
    }
  },

  /**
   * Moves recipients of a queued order to a new order that is otherwise the same and waits separately.
   * @returns false if the order is no longer queued.
   */
  split: async (from: Order, part: Part, now: Date): Promise<boolean> => {
    const quantity = from.recipients.length - part.phones.length
    const { count } = await client.order.updateMany({
      where: { id: from.id, placement: 'queued' satisfies Placement },
      data: { quantity, kind: kindFor(quantity), updatedAt: now },
    })
    if (count === 0) return false
    await client.order.create({ data: partRow(from, part, now) })
    await client.recipient.updateMany({
      where: { orderId: from.id, phone: { in: part.phones } },
      data: { orderId: part.id },
    })
    const { accountId, createdAt } = from
    note({ ...confirmed, orderId: part.id, accountId, at: now, reason: 'split', createdAt })
    return true
  },

  /** Lets the next order of the list be sent. */
  passTurn: (id: string): Promise<void> => passTurn(client, id),

  /**
   * Moves the order to placement `to`, if the placement table has an arrow from its current placement.
   * @returns false if there is no such arrow, or a condition of `guard` is not met.
   */
  go: async <P extends Placement>(guard: Guard, to: P, patch: PatchTo<P>, now: Date): Promise<boolean> => {
    const sources = sourcesUnder(guard, to)
    const from = await sourceOf(client, guard.id, sources)
    const [moved] = await client.order.updateManyAndReturn({
      where: {
        id: guard.id,
        placement: { in: sources },
        ...(guard.leaseToken && { leaseToken: guard.leaseToken }),
        ...(guard.leaseEndedBefore && leaseOver(guard.leaseEndedBefore)),
        ...(guard.inferredReference !== undefined && {
          reference: guard.inferredReference,
          inferred: true,
        }),
      },
      data: { ...patch, placement: to, updatedAt: now },
      select: facts,
    })
    if (!moved) return false
    note({ kind: 'placement', orderId: guard.id, at: now, from, to, reason: reasonIn(patch), ...moved })
    if (to !== 'sending' && to !== 'queued' && !guard.isAlone) await passTurn(client, guard.id)
    return true
  },

  /**
   * Moves the order to `placed`, even if a process holds its lease, because the order is proven to exist.
   * @returns false if its placement does not allow that (`provable`).
   */
  prove: async (id: string, patch: PatchTo<'placed'>, now: Date): Promise<boolean> => {
    const from = await sourceOf(client, id, provable)
    const [moved] = await client.order.updateManyAndReturn({
      where: { id, placement: { in: [...provable] } },
      data: {
        ...patch,
        placement: 'placed' satisfies Placement,
        leaseToken: null,
        leaseUntil: null,
        updatedAt: now,
      },
      select: facts,
    })
    if (!moved) return false
    note({ kind: 'placement', orderId: id, at: now, from, to: 'placed', reason: reasonIn(patch), ...moved })
    await passTurn(client, id)
    return true
  },

  /** Changes columns other than the placement. */
  patch: async (id: string, patch: OrderPatch, now: Date): Promise<void> => {
    const data = { ...patch, updatedAt: now }
    const [patched] = await client.order.updateManyAndReturn({
      where: { id },
      data,
      select: { accountId: true },
    })
    if (patched) for (const news of newsIn(patch)) note({ orderId: id, at: now, ...patched, ...news })
  },

  /** Orders that are still `sending` although their lease has ended. */
  leaseEnded: async (now: Date, limit: number): Promise<Order[]> =>
    (
      await client.order.findMany({
        where: { placement: 'sending', ...leaseOver(now) },
        include: withRecipients,
        take: limit,
      })
    ).map(orderOf),

  /** Makes orders that wait for this one due to be checked again. */
  wakeWaiting: async (waitsForId: string): Promise<void> => {
    const where = { waitsForId, placement: 'queued' satisfies Placement }
    await client.order.updateMany({ where, data: { waitsForId: null, notBefore: null } })
  },

  /** Makes orders that wait for that network due to be checked again. */
  wakeNetwork: async (network: string): Promise<void> => {
    await client.order.updateMany({
      where: { network, placement: 'queued', reason: 'network_down' },
      data: { notBefore: null },
    })
  },
})

const confirmed = { kind: 'placement', from: null, to: 'queued', sentAt: null } as const

/** The columns that are reported with a change of placement. */
const facts = { accountId: true, createdAt: true, sentAt: true } as const

/** The placement before a change. It is only for the log, because the update that follows has its own condition. */
const sourceOf = async (
  client: Client,
  id: string,
  sources: readonly Placement[],
): Promise<Placement | null> => {
  const [only, ...others] = sources
  if (only && others.length === 0) return only
  const row = await client.order.findUnique({ where: { id }, select: { placement: true } })
  return row ? (row.placement as Placement) : null
}

const reasonIn = ({ reason }: OrderPatch): string | null => (typeof reason === 'string' ? reason : null)

const newsIn = (patch: OrderPatch): OrderNews[] => {
  const { status, statusReported, deliverySeconds, refundedPesewas } = patch
  const news: OrderNews[] = []
  if (typeof status === 'string') {
    const seconds = typeof deliverySeconds === 'number' ? deliverySeconds : null
    news.push({ kind: 'status', status, reported: statusReported === true, deliverySeconds: seconds })
  } else if (statusReported === false) {
    news.push({ kind: 'status_confirmed' })
  }
  if (typeof refundedPesewas === 'number') news.push({ kind: 'refund' })
  const reason = reasonIn(patch)
  if (reason !== null) news.push({ kind: 'reason', reason })
  return news
}
/**
 * The condition that a lease has ended. In its last millisecond, a lease still counts. An end too far in the future
 * counts as over, because a wrong clock has written it.
 */
const leaseOver = (now: Date) => ({
  OR: [{ leaseUntil: { lt: now } }, { leaseUntil: { gt: latest('leaseUntil', now) } }],
})

const passTurn = async (client: Client, id: string): Promise<void> => {
  await client.order.updateMany({ where: { afterId: id }, data: { afterId: null } })
}

const queuedRow = (order: NewOrder) => {
  const { recipients, ownerChatId = null } = order
  return {
    id: order.id,
    purchaseId: order.purchaseId,
    accountId: order.accountId,
    userId: BigInt(order.userId),
    chatId: BigInt(order.chatId),
    kind: order.kind,
    listed: order.listed ?? false,
    position: order.position ?? 0,
    afterId: order.afterId ?? null,
    bundleId: order.bundleId,
    network: order.network,
    volume: order.volume,
    offerSlug: order.offerSlug,
    unitPricePesewas: order.unitPricePesewas,
    sellUnitPesewas: order.sellUnitPesewas ?? null,
    agentUnitPesewas: order.agentUnitPesewas ?? null,
    ownerChatId: ownerChatId === null ? null : BigInt(ownerChatId),
    agentName: order.agentName ?? null,
    quantity: recipients.length,
    placement: 'queued' satisfies Placement,
    createdAt: order.createdAt,
    updatedAt: order.createdAt,
  } satisfies Partial<OrderColumns>
}

/** A new order for some recipients of another order. All else is the same. */
export const partOf = (from: Order, { phones, ...part }: Part) => ({
  purchaseId: from.purchaseId,
  accountId: from.accountId,
  userId: from.userId,
  chatId: from.chatId,
  listed: from.listed,
  position: from.position + 1,
  bundleId: from.bundleId,
  network: from.network,
  volume: from.volume,
  offerSlug: from.offerSlug,
  unitPricePesewas: from.unitPricePesewas,
  sellUnitPesewas: from.sellUnitPesewas,
  agentUnitPesewas: from.agentUnitPesewas,
  ownerChatId: from.ownerChatId,
  agentName: from.agentName,
  createdAt: from.createdAt,
  ...part,
  kind: kindFor(phones.length),
  quantity: phones.length,
  reason: 'waits' as const,
})

const partRow = (from: Order, part: Part, now: Date) => ({
  ...partOf(from, part),
  userId: BigInt(from.userId),
  chatId: BigInt(from.chatId),
  ownerChatId: from.ownerChatId === null ? null : BigInt(from.ownerChatId),
  placement: 'queued' satisfies Placement,
  updatedAt: now,
})

/** The values of a new order in the columns that are filled in later. */
export const blankOrder = {
  listed: false,
  sellUnitPesewas: null,
  agentUnitPesewas: null,
  ownerChatId: null,
  agentName: null,
  position: 0,
  afterId: null,
  acceptedQuantity: null,
  inferred: false,
  otherReference: null,
  placement: 'queued',
  reason: null,
  providerMessage: null,
  providerType: null,
  answerStatus: null,
  reference: null,
  status: null,
  statusReported: false,
  statusAt: null,
  announcedStatus: null,
  callbackAt: null,
  chargedPesewas: null,
  balancePesewas: null,
  waitsForId: null,
  sendAnyway: false,
  attempts: 0,
  notBefore: null,
  leaseToken: null,
  leaseUntil: null,
  sentAt: null,
  placedAt: null,
  answeredAt: null,
  deliveredAt: null,
  deliverySeconds: null,
  polls: 0,
  nextPollAt: null,
  reconcileAt: null,
  refundAt: null,
  refundedPesewas: null,
  extraPesewas: null,
  extraAt: null,
  redactedAt: null,
  clockOffsetMs: null,
} as const

/** The order as `insertQueued` writes it. */
export const queuedAs = ({ recipients, ...order }: NewOrder): Order & { updatedAt: Date } => ({
  ...blankOrder,
  ...order,
  quantity: recipients.length,
  updatedAt: order.createdAt,
  recipients: recipients
    .toSorted((a, b) => a.position - b.position || (a.phone < b.phone ? -1 : 1))
    .map((recipient) => ({ ...recipient, status: null, statusAt: null, reported: false, retryId: null })),
})

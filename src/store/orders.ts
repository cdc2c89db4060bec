import type { Order } from '../orders/order.ts'
import { type Placement, provable, sourcesOf, unsettled } from '../orders/placement.ts'
import { isTerminal } from '../orders/status.ts'
import type { Pesewas } from '../provider/money.ts'
import type { Phone } from '../provider/phone.ts'
import type { Prisma } from './client/client.ts'
import type { Client } from './database.ts'

const withRecipients = { recipients: { orderBy: { phone: 'asc' as const } } }

type Row = Prisma.OrderGetPayload<{ include: typeof withRecipients }>

export type OrderPatch = Partial<Omit<Prisma.OrderUncheckedUpdateManyInput, 'placement' | 'id'>>

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
  > {
  phones: string[]
  createdAt: Date
}

/** Guard of a placement's update beside the arrow itself: who holds the lease. */
interface Guard {
  id: string
  leaseToken?: string
  leaseEndedBefore?: Date
}

export const orderStore = (client: Client) => ({
  byId: async (id: string): Promise<Order | null> =>
    orNull(await client.order.findUnique({ where: { id }, include: withRecipients })),

  byReference: async (reference: string): Promise<Order | null> =>
    orNull(await client.order.findUnique({ where: { reference }, include: withRecipients })),

  /** The reference of the account's newest placed order. */
  newestReference: async (accountId: string): Promise<string | null> => {
    const row = await client.order.findFirst({
      where: { accountId, reference: { not: null } },
      orderBy: { createdAt: 'desc' },
      select: { reference: true },
    })
    return row?.reference ?? null
  },

  ofPurchase: async (purchaseId: string): Promise<Order[]> =>
    (
      await client.order.findMany({
        where: { purchaseId },
        include: withRecipients,
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      })
    ).map(orderOf),

  /** One page of an account's orders, newest first; one more than asked tells that there is a next page. */
  page: async (accountId: string, skip: number, take: number): Promise<Order[]> =>
    (
      await client.order.findMany({
        where: { accountId },
        include: withRecipients,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        skip,
        take,
      })
    ).map(orderOf),

  insertQueued: async ({ phones, ...order }: NewOrder, newId: () => string): Promise<void> => {
    await client.order.create({
      data: {
        ...order,
        userId: BigInt(order.userId),
        chatId: BigInt(order.chatId),
        quantity: phones.length,
        placement: 'queued' satisfies Placement,
        updatedAt: order.createdAt,
        recipients: { create: phones.map((phone) => ({ id: newId(), accountId: order.accountId, phone })) },
      },
    })
  },

  /**
   * Takes the order along one arrow of the placement table, if it still stands where the arrow begins.
   * @returns false where it does not: somebody else moved it.
   */
  go: async (guard: Guard, to: Placement, patch: OrderPatch, now: Date): Promise<boolean> => {
    const { count } = await client.order.updateMany({
      where: {
        id: guard.id,
        placement: { in: guard.leaseToken || guard.leaseEndedBefore ? ['sending'] : sourcesOf(to) },
        ...(guard.leaseToken && { leaseToken: guard.leaseToken }),
        ...(guard.leaseEndedBefore && { leaseUntil: { lt: guard.leaseEndedBefore } }),
      },
      data: { ...patch, placement: to, updatedAt: now },
    })
    return count === 1
  },

  /** Proof that the order exists is taken whoever holds the lease. */
  prove: async (id: string, patch: OrderPatch, now: Date): Promise<boolean> => {
    const { count } = await client.order.updateMany({
      where: { id, placement: { in: [...provable] } },
      data: {
        ...patch,
        placement: 'placed' satisfies Placement,
        leaseToken: null,
        leaseUntil: null,
        updatedAt: now,
      },
    })
    return count === 1
  },

  /** Changes what does not touch the placement. */
  patch: async (id: string, patch: OrderPatch, now: Date): Promise<void> => {
    await client.order.updateMany({ where: { id }, data: { ...patch, updatedAt: now } })
  },

  patchRecipients: async (orderId: string, phone: string | null, status: string, at: Date): Promise<void> => {
    await client.recipient.updateMany({
      where: { orderId, ...(phone && { phone }) },
      data: { status, statusAt: at },
    })
  },

  /** Orders that are due to be sent, oldest first: of accounts that are neither frozen nor refused. */
  dueToSend: async (now: Date, limit: number): Promise<Order[]> =>
    (
      await client.order.findMany({
        where: {
          placement: 'queued',
          OR: [{ notBefore: null }, { notBefore: { lte: now } }],
          account: { is: { OR: [{ frozenUntil: null }, { frozenUntil: { lte: now } }] } },
        },
        include: withRecipients,
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        take: limit,
      })
    ).map(orderOf),

  leaseEnded: async (now: Date, limit: number): Promise<Order[]> =>
    (
      await client.order.findMany({
        where: { placement: 'sending', leaseUntil: { lt: now } },
        include: withRecipients,
        take: limit,
      })
    ).map(orderOf),

  /** Orders whose status is due to be asked, the longest overdue first. */
  dueToPoll: async (now: Date, limit: number): Promise<Order[]> =>
    (
      await client.order.findMany({
        where: {
          nextPollAt: { lte: now },
          account: {
            is: { unauthorizedSince: null, OR: [{ frozenUntil: null }, { frozenUntil: { lte: now } }] },
          },
        },
        include: withRecipients,
        orderBy: { nextPollAt: 'asc' },
        take: limit,
      })
    ).map(orderOf),

  /** Orders of unknown outcome, or without their refund, for which the wallet is due to be read. */
  dueToSettle: async (now: Date, limit: number): Promise<Order[]> =>
    (
      await client.order.findMany({
        where: {
          OR: [{ settleAt: { lte: now } }, { refundAt: { lte: now } }],
          account: {
            is: { unauthorizedSince: null, OR: [{ frozenUntil: null }, { frozenUntil: { lte: now } }] },
          },
        },
        include: withRecipients,
        take: limit,
      })
    ).map(orderOf),

  /** All orders of the account that a debit may belong to without its being known. */
  claimants: async (accountId: string): Promise<Order[]> =>
    (
      await client.order.findMany({
        where: { accountId, OR: [{ placement: 'sending' }, { settleAt: { not: null } }] },
        include: withRecipients,
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      })
    ).map(orderOf),

  /** Failed and cancelled orders of the account whose refund is looked for. */
  awaitingRefund: async (accountId: string): Promise<Order[]> =>
    (
      await client.order.findMany({
        where: { accountId, refundAt: { not: null } },
        include: withRecipients,
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      })
    ).map(orderOf),

  /** Those of the references that an order holds. */
  heldReferences: async (references: string[]): Promise<Set<string>> => {
    const held = new Set<string>()
    for (let first = 0; first < references.length; first += 500) {
      const rows = await client.order.findMany({
        where: { reference: { in: references.slice(first, first + 500) } },
        select: { reference: true },
      })
      for (const { reference } of rows) if (reference !== null) held.add(reference)
    }
    return held
  },

  /** Other orders of the account for a phone that may still be open, oldest first. */
  openFor: async (accountId: string, phones: string[], exceptId: string): Promise<Order[]> => {
    const rows = await client.order.findMany({
      where: {
        accountId,
        id: { not: exceptId },
        placement: { in: [...unsettled, 'placed'] },
        recipients: { some: { accountId, phone: { in: phones } } },
      },
      include: withRecipients,
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    })
    return rows.map(orderOf).filter(isOpen)
  },

  /** Lets orders that wait for this one be looked at again. */
  wakeWaiting: async (waitsForId: string): Promise<void> => {
    await client.order.updateMany({
      where: { waitsForId, placement: 'queued' },
      data: { waitsForId: null, notBefore: null },
    })
  },

  /** Orders of the account that are still to end. */
  open: async (accountId: string): Promise<Order[]> => {
    const rows = await client.order.findMany({
      where: {
        accountId,
        OR: [{ placement: { in: [...unsettled] } }, { placement: 'placed', nextPollAt: { not: null } }],
      },
      include: withRecipients,
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    })
    return rows.map(orderOf).filter(isOpen)
  },

  queuedOfAccount: async (accountId: string): Promise<Order[]> =>
    (await client.order.findMany({ where: { accountId, placement: 'queued' }, include: withRecipients })).map(
      orderOf,
    ),

  countByPlacement: async (): Promise<{ placement: string; count: number }[]> => {
    const groups = await client.order.groupBy({ by: ['placement'], _count: true })
    return groups.map(({ placement, _count }) => ({ placement, count: _count }))
  },
})

export type OrderStore = ReturnType<typeof orderStore>

/** Whether the provider may still have it pending, or will. A placed order that is polled no more is not waited for. */
export const isOpen = (order: Order): boolean =>
  order.placement === 'placed' ? !isTerminal(order.status) && order.nextPollAt !== null : true

const orderOf = (row: Row): Order => ({
  ...row,
  kind: row.kind === 'bulk' ? 'bulk' : 'single',
  placement: row.placement as Placement,
  userId: Number(row.userId),
  chatId: Number(row.chatId),
  unitPricePesewas: row.unitPricePesewas as Pesewas,
  chargedPesewas: row.chargedPesewas as Pesewas | null,
  balancePesewas: row.balancePesewas as Pesewas | null,
  refundedPesewas: row.refundedPesewas as Pesewas | null,
  recipients: row.recipients.map(({ phone, status }) => ({ phone: phone as Phone, status })),
})

const orNull = (row: Row | null): Order | null => row && orderOf(row)

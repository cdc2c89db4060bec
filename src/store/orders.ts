import type { Spending } from '../orders/allowance.ts'
import type { Order, Recipient } from '../orders/order.ts'
import { neverSent, type Placement, provable, sourcesOf, unsettled } from '../orders/placement.ts'
import { ends, isTerminal } from '../orders/status.ts'
import type { Pesewas } from '../provider/money.ts'
import type { Phone } from '../provider/phone.ts'
import { Prisma } from './client/client.ts'
import type { Client } from './database.ts'

export const withRecipients = {
  recipients: { orderBy: [{ position: 'asc' as const }, { phone: 'asc' as const }] },
}

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
    >,
    Partial<
      Pick<
        Order,
        'listed' | 'position' | 'afterId' | 'sellUnitPesewas' | 'agentUnitPesewas' | 'reportTo' | 'agentName'
      >
    > {
  recipients: { phone: Phone; position: number }[]
  createdAt: Date
}

/** Some of an order's recipients, who have to wait for another order. */
export interface Part {
  id: string
  phones: string[]
  waitsForId: string | null
  notBefore: Date | null
}

/** Guard of a placement's update beside the arrow itself: who holds the lease. */
interface Guard {
  id: string
  leaseToken?: string
  leaseEndedBefore?: Date
  /** The reference that it holds by inference: only with this does a placed order leave its place. */
  inferredReference?: string
}

const sourcesUnder = (
  { leaseToken, leaseEndedBefore, inferredReference }: Guard,
  to: Placement,
): Placement[] => {
  if (leaseToken || leaseEndedBefore) return ['sending']
  return sourcesOf(to).filter((from) => (from === 'placed') === (inferredReference !== undefined))
}

const mostPlaced = 1_000

export const orderStore = (client: Client) => ({
  byId: async (id: string): Promise<Order | null> =>
    orNull(await client.order.findUnique({ where: { id }, include: withRecipients })),

  byIds: async (ids: string[]): Promise<Order[]> =>
    (await client.order.findMany({ where: { id: { in: ids } }, include: withRecipients })).map(orderOf),

  byReference: async (reference: string): Promise<Order | null> =>
    orNull(await client.order.findUnique({ where: { reference }, include: withRecipients })),

  /** The account's newest orders whose reference is proven, newest first. */
  newestProven: async (accountId: string, limit: number): Promise<Order[]> => {
    const rows = await client.order.findMany({
      where: { accountId, reference: { not: null }, inferred: false },
      include: withRecipients,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: limit,
    })
    return rows.map(orderOf)
  },

  ofPurchase: async (purchaseId: string): Promise<Order[]> =>
    (
      await client.order.findMany({
        where: { purchaseId },
        include: withRecipients,
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      })
    ).map(orderOf),

  insertQueued: async (orders: NewOrder[], newId: () => string): Promise<void> => {
    await client.order.createMany({ data: orders.map(queuedRow) })
    const recipients = orders.flatMap(({ id, accountId, recipients }) =>
      recipients.map((recipient) => ({ ...recipient, id: newId(), orderId: id, accountId })),
    )
    // Plain SQL, for a list of ten thousand: its press is answered after this, and rows by the client take 8 × as long.
    for (const part of partsOf(recipients)) {
      const rows = part.map(
        ({ id, orderId, accountId, phone, position }) =>
          Prisma.sql`(${id}, ${orderId}, ${accountId}, ${phone}, ${position})`,
      )
      await client.$executeRaw`
        INSERT INTO "Recipient" ("id", "orderId", "accountId", "phone", "position") VALUES ${Prisma.join(rows)}`
    }
  },

  /**
   * Takes recipients out of an order that is still queued into another like it, which waits by itself.
   * @returns false where it is queued no more.
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
    return true
  },

  /** Lets the order of the same list that comes after this one have its turn. */
  passTurn: (id: string): Promise<void> => passTurn(client, id),

  /** Where the orders of the purchase stand, without their recipients. */
  placementsOf: async (purchaseId: string): Promise<Pick<Order, 'id' | 'placement'>[]> => {
    const rows = await client.order.findMany({ where: { purchaseId }, select: { id: true, placement: true } })
    return rows.map(({ id, placement }) => ({ id, placement: placement as Placement }))
  },

  /** How many orders of the purchase are still to end: without those of which the end of each number is told. */
  countOpenOf: async (purchaseId: string): Promise<number> => {
    const rows = await client.order.findMany({
      where: { purchaseId, placement: { in: [...unsettled, 'placed'] } },
      select: {
        ...{ id: true, kind: true, placement: true, status: true, nextPollAt: true, reason: true },
        ...{ acceptedQuantity: true, quantity: true },
      },
    })
    const open = rows.filter((row) => isUnfinished({ ...row, placement: row.placement as Placement }))
    const bulk = open.filter(({ kind, placement }) => kind === 'bulk' && placement === 'placed')
    const told =
      bulk.length === 0
        ? []
        : await client.recipient.groupBy({
            by: ['orderId'],
            where: { orderId: { in: bulk.map(({ id }) => id) }, status: { in: [...ends] } },
            _count: { _all: true },
          })
    const ended = new Map(told.map(({ orderId, _count }) => [orderId, _count._all]))
    return open.filter(({ id, kind, placement, status, acceptedQuantity, quantity }) => {
      if (placement !== 'placed') return true
      if (kind === 'single') return !isTerminal(status)
      return (ended.get(id) ?? 0) < (acceptedQuantity ?? quantity)
    }).length
  },

  /**
   * Takes the order along one arrow of the placement table, if it still stands where the arrow begins.
   * @returns false where it does not: somebody else moved it.
   */
  go: async (guard: Guard, to: Placement, patch: OrderPatch, now: Date): Promise<boolean> => {
    const { count } = await client.order.updateMany({
      where: {
        id: guard.id,
        placement: { in: sourcesUnder(guard, to) },
        ...(guard.leaseToken && { leaseToken: guard.leaseToken }),
        ...(guard.leaseEndedBefore && { leaseUntil: { lt: guard.leaseEndedBefore } }),
        ...(guard.inferredReference !== undefined && {
          reference: guard.inferredReference,
          inferred: true,
        }),
      },
      data: { ...patch, placement: to, updatedAt: now },
    })
    if (count === 1 && to !== 'sending' && to !== 'queued') await passTurn(client, guard.id)
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
    if (count === 1) await passTurn(client, id)
    return count === 1
  },

  /** Changes what does not touch the placement. */
  patch: async (id: string, patch: OrderPatch, now: Date): Promise<void> => {
    await client.order.updateMany({ where: { id }, data: { ...patch, updatedAt: now } })
  },

  /** @param phones those of its recipients that have the status; null: all. */
  patchRecipients: async (
    orderId: string,
    phones: string[] | null,
    status: string | null,
    at: Date,
    reported = false,
  ): Promise<void> => {
    await client.recipient.updateMany({
      where: { orderId, ...(phones && { phone: { in: phones } }) },
      data: { status, statusAt: at, reported },
    })
  },

  /**
   * Orders that are due to be sent, oldest first: of accounts that are not frozen.
   * @param busy accounts of which no more are sent at this moment.
   */
  dueToSend: async (now: Date, limit: number, busy: string[] = []): Promise<Order[]> =>
    (
      await client.order.findMany({
        where: {
          placement: 'queued',
          ...(busy.length > 0 && { accountId: { notIn: busy } }),
          afterId: null,
          purchase: { is: { heldById: null } },
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

  /** The account has no room for polls until then: those that are due sooner are due again then. */
  putOffPolls: async (accountId: string, until: Date): Promise<void> => {
    await client.order.updateMany({
      where: { accountId, nextPollAt: { lt: until } },
      data: { nextPollAt: until },
    })
  },

  /** Orders of unknown outcome, or without their refund, for which the wallet is due to be read. */
  dueToSettle: async (now: Date, limit: number): Promise<Order[]> => {
    // A query each, in the order of an index: otherwise SQLite reads all orders, by their accounts.
    const due = await Promise.all(
      (['settleAt', 'refundAt'] as const).map((time) =>
        client.order.findMany({
          where: {
            [time]: { lte: now },
            account: {
              is: { unauthorizedSince: null, OR: [{ frozenUntil: null }, { frozenUntil: { lte: now } }] },
            },
          },
          include: withRecipients,
          orderBy: { [time]: 'asc' },
          take: limit,
        }),
      ),
    )
    return [...new Map(due.flat().map((row) => [row.id, orderOf(row)])).values()].slice(0, limit)
  },

  /** All orders of the account that a debit may belong to without its being known. */
  claimants: async (accountId: string): Promise<Order[]> =>
    (
      await client.order.findMany({
        where: { accountId, OR: [{ placement: 'sending' }, { settleAt: { not: null } }] },
        include: withRecipients,
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      })
    ).map(orderOf),

  /**
   * Orders of the account made since then of which nobody knows for certain, and for which no debit is looked for. Those
   * that were certainly never sent are none.
   */
  undecided: async (accountId: string, since: Date): Promise<Order[]> =>
    (
      await client.order.findMany({
        where: {
          accountId,
          createdAt: { gte: since },
          settleAt: null,
          placement: { in: ['unconfirmed', 'review', 'not_placed'] satisfies Placement[] },
        },
        include: withRecipients,
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      })
    )
      .filter(({ placement, reason }) => placement !== 'not_placed' || !neverSent.includes(reason))
      .map(orderOf),

  /** Failed and cancelled orders of the account whose refund is looked for. */
  awaitingRefund: async (accountId: string): Promise<Order[]> =>
    (
      await client.order.findMany({
        where: { accountId, refundAt: { not: null } },
        include: withRecipients,
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      })
    ).map(orderOf),

  /** Placed orders of the account of which less is known to have come back than these credits, by reference, show. */
  refundedLess: async (accountId: string, credits: ReadonlyMap<string, number>): Promise<RefundedOrder[]> => {
    const found: RefundedOrder[] = []
    for (const part of partsOf([...credits.keys()])) {
      const rows = await client.order.findMany({
        where: { accountId, reference: { in: part }, placement: 'placed' satisfies Placement },
        select: { id: true, reference: true, refundedPesewas: true },
        orderBy: { id: 'asc' },
      })
      for (const { id, reference, refundedPesewas } of rows) {
        if (reference !== null && (credits.get(reference) ?? 0) > (refundedPesewas ?? 0))
          found.push({ id, reference, isSecond: false })
      }
    }
    for (const part of partsOf([...credits.keys()])) {
      const rows = await client.order.findMany({
        where: { accountId, otherReference: { in: part }, placement: 'placed' satisfies Placement },
        select: { id: true, otherReference: true },
        orderBy: { id: 'asc' },
      })
      for (const { id, otherReference: reference } of rows)
        if (reference !== null) found.push({ id, reference, isSecond: true })
    }
    return found
  },

  /** Those of the references that an order holds, as its own or as a second one. */
  heldReferences: async (references: string[]): Promise<Set<string>> => {
    const held = new Set<string>()
    for (const part of partsOf(references)) {
      for (const name of ['reference', 'otherReference'] as const) {
        const rows = await client.order.findMany({
          where: { [name]: { in: part } },
          select: { reference: true, otherReference: true },
        })
        for (const row of rows) held.add(row[name] ?? '')
      }
    }
    return held
  },

  /** When those of the references were sent that an order holds by proof. */
  sentTimes: async (references: string[]): Promise<Map<string, Date>> => {
    const rows = await client.order.findMany({
      where: { reference: { in: references }, inferred: false, sentAt: { not: null } },
      select: { reference: true, sentAt: true },
    })
    return new Map(
      rows.flatMap(({ reference, sentAt }) => (reference && sentAt ? [[reference, sentAt]] : [])),
    )
  },

  /** Placed orders of the account that were confirmed since then, newest first, as many as a wallet's read may show. */
  placedSince: async (accountId: string, since: Date): Promise<Order[]> => {
    const where = { accountId, createdAt: { gte: since }, reference: { not: null } }
    const latest = { orderBy: [{ createdAt: 'desc' as const }, { id: 'desc' as const }], take: mostPlaced }
    return (await client.order.findMany({ where, ...latest, include: withRecipients })).map(orderOf)
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

  /**
   * Orders of the account for these phones that were charged, or may be: made or sent since then, or not at an end.
   * They are found by their recipients, so a long history is not read.
   */
  recentFor: async (accountId: string, phones: string[], since: Date): Promise<Order[]> => {
    const open = [{ placement: { in: [...unsettled] } }, { nextPollAt: { not: null } }]
    const order = {
      placement: { in: [...unsettled, 'placed'] },
      OR: [{ createdAt: { gte: since } }, { sentAt: { gte: since } }, ...open],
    }
    const ids = new Set<string>()
    for (const part of partsOf(phones)) {
      const where = { accountId, phone: { in: part }, order: { is: order } }
      for (const row of await client.recipient.findMany({ where, select: { orderId: true } }))
        ids.add(row.orderId)
    }
    const found: Row[] = []
    for (const part of partsOf([...ids])) {
      found.push(...(await client.order.findMany({ where: { id: { in: part } }, include: withRecipients })))
    }
    return found.map(orderOf)
  },

  /**
   * Whether anybody of the account has ordered that bundle for that phone since then, whatever became of it; what was
   * ordered before counts where it was sent since then, or nobody knows yet what becomes of it.
   */
  hasRecent: async (
    accountId: string,
    { phone, bundleId }: { phone: string; bundleId: number },
    since: Date,
  ): Promise<boolean> => {
    const late = [{ createdAt: { gte: since } }, { sentAt: { gte: since } }]
    const where = { bundleId, OR: [...late, { placement: { in: [...unsettled] } }] }
    return (
      (await client.recipient.findFirst({
        where: { accountId, phone, order: { is: where } },
        select: { id: true },
      })) !== null
    )
  },

  /** The networks on which the account has ordered for these phones, by phone: what was refused does not count. */
  servedOn: async (accountId: string, phones: string[]): Promise<Record<string, string[]>> => {
    const found = new Map<string, Set<string>>()
    for (const part of partsOf(phones)) {
      const rows = await client.recipient.findMany({
        where: { accountId, phone: { in: part }, order: { placement: { in: [...unsettled, 'placed'] } } },
        select: { phone: true, order: { select: { network: true } } },
      })
      for (const { phone, order } of rows)
        found.set(phone, (found.get(phone) ?? new Set()).add(order.network))
    }
    return Object.fromEntries([...found].map(([phone, networks]) => [phone, [...networks].sort()]))
  },

  /** What the orders that a member has made since then cost, or may. */
  spending: async (accountId: string, userId: number, since: Date): Promise<Spending[]> => {
    const rows = await client.order.findMany({
      where: { accountId, userId: BigInt(userId), createdAt: { gte: since } },
      select: {
        placement: true,
        chargedPesewas: true,
        refundedPesewas: true,
        unitPricePesewas: true,
        agentUnitPesewas: true,
        quantity: true,
        acceptedQuantity: true,
      },
    })
    return rows.map((row) => row as Spending)
  },

  /** Those of the phones that have an open order of the account. */
  phonesWithOpen: async (accountId: string, phones: string[]): Promise<Set<string>> => {
    const open = new Set<string>()
    for (const part of partsOf(phones)) {
      const rows = await client.recipient.findMany({
        where: { accountId, phone: { in: part }, order: { placement: { in: [...unsettled, 'placed'] } } },
        select: {
          phone: true,
          status: true,
          order: { select: { kind: true, placement: true, status: true, nextPollAt: true, reason: true } },
        },
      })
      for (const { phone, status, order } of rows) {
        const isEnded = order.kind === 'bulk' && order.placement === 'placed' && isTerminal(status)
        if (!isEnded && isOpen({ ...order, placement: order.placement as Placement })) open.add(phone)
      }
    }
    return open
  },

  /** Takes recipients of an order for a purchase that orders them again: each is in one live purchase at most. */
  claimRetry: async (orderId: string, phones: string[], retryId: string): Promise<number> => {
    const { count } = await client.recipient.updateMany({
      where: { orderId, phone: { in: phones }, retryId: null },
      data: { retryId },
    })
    return count
  },

  /** Gives back what a purchase that came to nothing had taken. */
  dropRetry: async (retryId: string): Promise<void> => {
    await client.recipient.updateMany({ where: { retryId }, data: { retryId: null } })
  },

  /** Hands what a purchase had taken for that bundle and these phones to another one; null: gives it back. */
  passRetry: async (
    retryId: string,
    to: string | null,
    { bundleId, phones }: { bundleId: number; phones: string[] },
  ): Promise<void> => {
    for (const part of partsOf(phones)) {
      await client.recipient.updateMany({
        where: { retryId, phone: { in: part }, order: { is: { bundleId } } },
        data: { retryId: to },
      })
    }
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

  /** Orders of the account of which something is still to be found out: they are sent, asked for or watched. */
  underWatch: async (accountId: string): Promise<Order[]> => {
    const rows = await client.order.findMany({
      where: {
        accountId,
        OR: [
          { placement: { in: ['sending', 'unconfirmed', 'review'] satisfies Placement[] } },
          { nextPollAt: { not: null } },
          { settleAt: { not: null } },
          { refundAt: { not: null } },
        ],
      },
      include: withRecipients,
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    })
    return rows.map(orderOf)
  },

  /** The chats of those of the account's orders that have changed since then. */
  chatsSince: async (accountId: string, since: Date): Promise<number[]> => {
    const rows = await client.order.findMany({
      where: { accountId, updatedAt: { gte: since } },
      distinct: ['chatId'],
      select: { chatId: true },
    })
    return rows.map(({ chatId }) => Number(chatId))
  },

  /** The wallet of the account can be read again: that is done now for its orders of unknown outcome. */
  settleNow: async (accountId: string, now: Date): Promise<void> => {
    await client.order.updateMany({
      where: { accountId, placement: 'unconfirmed', settleAt: { gt: now } },
      data: { settleAt: now },
    })
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

/** As many values as one query may name. */
const mostValues = 500

const partsOf = <T>(values: T[]): T[][] =>
  Array.from({ length: Math.ceil(values.length / mostValues) }, (_, index) =>
    values.slice(index * mostValues, (index + 1) * mostValues),
  )

const passTurn = async (client: Client, id: string): Promise<void> => {
  await client.order.updateMany({ where: { afterId: id }, data: { afterId: null } })
}

/** One recipient is ordered by API §4.2, several by §4.3. */
export const kindFor = (quantity: number): Order['kind'] => (quantity === 1 ? 'single' : 'bulk')

const queuedRow = ({ recipients, reportTo = null, ...order }: NewOrder) => ({
  ...order,
  reportTo: reportTo === null ? null : BigInt(reportTo),
  userId: BigInt(order.userId),
  chatId: BigInt(order.chatId),
  quantity: recipients.length,
  placement: 'queued' satisfies Placement,
  updatedAt: order.createdAt,
})

/** An order like the one that it is taken out of, with its own recipients. */
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
  reportTo: from.reportTo,
  agentName: from.agentName,
  createdAt: from.createdAt,
  ...part,
  kind: kindFor(phones.length),
  quantity: phones.length,
  reason: 'waits',
})

const partRow = (from: Order, part: Part, now: Date) => ({
  ...partOf(from, part),
  userId: BigInt(from.userId),
  chatId: BigInt(from.chatId),
  reportTo: from.reportTo === null ? null : BigInt(from.reportTo),
  placement: 'queued' satisfies Placement,
  updatedAt: now,
})

/** An order for which a wallet shows credits. */
export interface RefundedOrder {
  id: string
  /** What they bear. */
  reference: string
  /** It is the order's second one, of which nothing is kept of what came back. */
  isSecond: boolean
}

export type OrderStore = ReturnType<typeof orderStore>

/**
 * Whether the provider may still have it pending, or will. Not waited for are a placed order that is polled no more,
 * and one of which a person says that it was charged: nobody here learns of its end.
 */
export const isOpen = ({
  placement,
  status,
  nextPollAt,
  reason,
}: Pick<Order, 'placement' | 'status' | 'nextPollAt' | 'reason'>): boolean =>
  placement === 'placed' ? !isTerminal(status) && nextPollAt !== null : reason !== 'charged_by_person'

/**
 * Whether more may become of it. A placed order is at an end when nothing is asked about it any more: what only
 * callbacks have told still is. What a person has judged to be charged is left at that.
 */
export const isUnfinished = ({
  placement,
  nextPollAt,
  reason,
}: Pick<Order, 'placement' | 'nextPollAt' | 'reason'>): boolean =>
  placement === 'placed'
    ? nextPollAt !== null
    : unsettled.includes(placement) && reason !== 'charged_by_person'

export const orderOf = (row: Row): Order => ({
  ...row,
  kind: row.kind === 'bulk' ? 'bulk' : 'single',
  placement: row.placement as Placement,
  userId: Number(row.userId),
  chatId: Number(row.chatId),
  unitPricePesewas: row.unitPricePesewas as Pesewas,
  sellUnitPesewas: row.sellUnitPesewas as Pesewas | null,
  agentUnitPesewas: row.agentUnitPesewas as Pesewas | null,
  reportTo: row.reportTo === null ? null : Number(row.reportTo),
  chargedPesewas: row.chargedPesewas as Pesewas | null,
  balancePesewas: row.balancePesewas as Pesewas | null,
  refundedPesewas: row.refundedPesewas as Pesewas | null,
  recipients: row.recipients.map(({ phone, position, status, statusAt, reported, retryId }) => ({
    phone: phone as Recipient['phone'],
    position,
    status,
    statusAt,
    reported,
    retryId,
  })),
})

const orNull = (row: Row | null): Order | null => row && orderOf(row)

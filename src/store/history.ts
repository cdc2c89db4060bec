import type { Order } from '../orders/order.ts'
import { type Placement, unsettled } from '../orders/placement.ts'
import type { CountedOrder } from '../orders/progress.ts'
import { ends } from '../orders/status.ts'
import type { Pesewas } from '../provider/money.ts'
import type { Phone } from '../provider/phone.ts'
import { Prisma } from './client/client.ts'
import type { Client } from './database.ts'
import { orderOf, withRecipients } from './orders.ts'

/**
 * Which orders are asked for: all, those without a known end, those that were delivered, or those that came to
 * nothing (what the provider refused, failed, cancelled or paid back, and what was never placed).
 */
export const historyStates = ['all', 'open', 'delivered', 'failed'] as const
export type HistoryState = (typeof historyStates)[number]

/** What is looked for among the orders. */
export type HistorySearch =
  | { by: 'phone'; phone: Phone }
  /** Any part of a reference, in capitals. */
  | { by: 'reference'; part: string }

/** Whose orders, and which of them. */
export interface HistoryQuery {
  accountId: string
  /** Only what that user has ordered; null: what anybody of the account has. */
  userId: number | null
  state: HistoryState
  /** Ordered at that time or later. */
  since: Date | null
  network: string | null
  search: HistorySearch | null
}

/** One line of the history: an order, or a list by the first of its orders. */
export type HistoryEntry =
  | { kind: 'order'; order: Order }
  | { kind: 'list'; order: Order; parts: CountedOrder[] }

/** A status that an order had, and since when. */
export interface HistoryEvent {
  source: 'callback' | 'poll' | 'answer'
  status: string
  phone: string | null
  happenedAt: Date | null
  receivedAt: Date
}

export const historyStore = (client: Client) => ({
  /**
   * One page, newest first. A list is one entry whatever it holds: under a filter it is there when one of its orders
   * passes, or one of its numbers has that end by itself.
   */
  page: async (query: HistoryQuery, skip: number, take: number): Promise<HistoryEntry[]> => {
    const ids = (await client.$queryRaw<{ purchaseId: string }[]>(pageSql(query, skip, take))).map(
      ({ purchaseId }) => purchaseId,
    )
    const rows = await client.order.findMany({
      where: { purchaseId: { in: ids }, OR: [{ listed: false }, { position: 0 }] },
      include: withRecipients,
    })
    const orders = new Map(rows.map((row) => [row.purchaseId, orderOf(row)]))
    const parts = await countedOrders(
      client,
      rows.filter(({ listed }) => listed).map(({ purchaseId }) => purchaseId),
    )
    return ids.flatMap((id): HistoryEntry[] => {
      const order = orders.get(id)
      if (!order) return []
      return [order.listed ? { kind: 'list', order, parts: parts.get(id) ?? [] } : { kind: 'order', order }]
    })
  },

  /** The networks that the account has ordered, by name. */
  networks: async (accountId: string): Promise<string[]> => {
    const found: string[] = []
    // From one to the next along an index: to read all orders for four words would take as long as a page.
    while (found.length < mostNetworks) {
      const next = await client.order.findFirst({
        where: { accountId, network: { gt: found.at(-1) ?? '' } },
        orderBy: { network: 'asc' },
        select: { network: true },
      })
      if (!next) return found
      found.push(next.network)
    }
    return found
  },

  /**
   * The newest statuses that were applied to an order, in the order in which they came; not those of a reference
   * that was taken for its own once. Recipients of a bulk order may have references of their own.
   */
  events: async (
    { id, kind, reference }: Pick<Order, 'id' | 'kind' | 'reference'>,
    most: number,
  ): Promise<HistoryEvent[]> => {
    const where = {
      orderId: id,
      verdict: 'applied',
      ...(kind === 'single' && { reference: reference ?? '' }),
    }
    const newest = await client.event.findMany({ where, orderBy: { id: 'desc' }, take: most })
    return newest.reverse().map(({ source, status, phone, happenedAt, receivedAt }) => ({
      source: source as HistoryEvent['source'],
      status,
      phone,
      happenedAt,
      receivedAt,
    }))
  },
})

export type HistoryStore = ReturnType<typeof historyStore>

/** More are not offered as a filter. */
const mostNetworks = 8

// Plain SQL: the client cannot take the entries of a page from the index alone, and would read each order instead.
const pageSql = (query: HistoryQuery, skip: number, take: number): Prisma.Sql => Prisma.sql`
  SELECT DISTINCT o."createdAt", o."purchaseId" FROM ${sourceOf(query)}
  WHERE ${Prisma.join(conditionsOf(query), ' AND ')}
  ORDER BY o."createdAt" DESC, o."purchaseId" DESC LIMIT ${take} OFFSET ${skip}`

const sourceOf = ({ search }: HistoryQuery): Prisma.Sql =>
  search?.by === 'phone'
    ? Prisma.sql`"Recipient" p JOIN "Order" o ON o."id" = p."orderId"`
    : Prisma.sql`"Order" o`

const conditionsOf = ({ accountId, userId, state, since, network, search }: HistoryQuery): Prisma.Sql[] => [
  Prisma.sql`o."accountId" = ${accountId}`,
  ...(userId === null ? [] : [Prisma.sql`o."userId" = ${BigInt(userId)}`]),
  ...(since === null ? [] : [Prisma.sql`o."createdAt" >= ${since}`]),
  ...(network === null ? [] : [Prisma.sql`o."network" = ${network}`]),
  ...(state === 'all' ? [] : [stateSql(state)]),
  ...(search === null ? [] : [searchSql(accountId, search)]),
]

const searchSql = (accountId: string, search: HistorySearch): Prisma.Sql =>
  search.by === 'phone'
    ? Prisma.sql`p."accountId" = ${accountId} AND p."phone" = ${search.phone}`
    : Prisma.sql`UPPER(o."reference") LIKE ${`%${search.part}%`}`

const stateSql = (state: Exclude<HistoryState, 'all'>): Prisma.Sql => {
  switch (state) {
    case 'open':
      return Prisma.sql`(o."placement" IN (${Prisma.join([...unsettled])})
        OR (o."placement" = 'placed' AND (o."status" IS NULL OR o."status" NOT IN (${Prisma.join([...ends])}))))`
    case 'delivered':
      return endedSql(['delivered'])
    case 'failed':
      return Prisma.sql`(o."placement" IN (${Prisma.join([...neverPlaced])}) OR ${endedSql(failures)})`
  }
}

const neverPlaced: readonly Placement[] = ['rejected', 'not_placed']
const failures = ends.filter((status) => status !== 'delivered')

/** The order ended so, or of several numbers one did. */
const endedSql = (statuses: readonly string[]): Prisma.Sql => Prisma.sql`(
  (o."placement" = 'placed' AND o."status" IN (${Prisma.join([...statuses])}))
  OR (o."kind" = 'bulk' AND EXISTS (
    SELECT 1 FROM "Recipient" r WHERE r."orderId" = o."id" AND r."status" IN (${Prisma.join([...statuses])}))))`

/** The orders of these lists, with their recipients only counted: there may be ten thousand of them. */
const countedOrders = async (client: Client, lists: string[]): Promise<Map<string, CountedOrder[]>> => {
  if (lists.length === 0) return new Map()
  const rows = await client.order.findMany({ where: { purchaseId: { in: lists } }, select: countedColumns })
  const groups = await client.$queryRaw<Group[]>`
    SELECT r."orderId", r."status", r."reported", CAST(COUNT(*) AS INTEGER) AS "count"
    FROM "Order" o JOIN "Recipient" r ON r."orderId" = o."id"
    WHERE o."purchaseId" IN (${Prisma.join(lists)}) GROUP BY r."orderId", r."status", r."reported"`
  const recipients = Map.groupBy(groups, ({ orderId }) => orderId)
  const counted = rows.map((row) => ({
    ...row,
    kind: row.kind === 'bulk' ? ('bulk' as const) : ('single' as const),
    placement: row.placement as Placement,
    unitPricePesewas: row.unitPricePesewas as Pesewas,
    agentUnitPesewas: row.agentUnitPesewas as Pesewas | null,
    chargedPesewas: row.chargedPesewas as Pesewas | null,
    refundedPesewas: row.refundedPesewas as Pesewas | null,
    recipients: (recipients.get(row.id) ?? []).map(({ status, reported, count }) => ({
      status,
      reported: Boolean(reported),
      count: Number(count),
    })),
  }))
  return Map.groupBy(counted, ({ purchaseId }) => purchaseId)
}

interface Group {
  orderId: string
  status: string | null
  reported: boolean | number
  count: number | bigint
}

const countedColumns = {
  id: true,
  agentUnitPesewas: true,
  chargedPesewas: true,
  refundedPesewas: true,
  purchaseId: true,
  kind: true,
  placement: true,
  status: true,
  statusReported: true,
  acceptedQuantity: true,
  quantity: true,
  unitPricePesewas: true,
} satisfies Prisma.OrderSelect

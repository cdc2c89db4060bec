import type { Client } from '../../database/database.ts'
import type { OrderSelect } from '../../database/row-types.ts'
import { join, type Sql, sql } from '../../database/sql.ts'
import type { Order } from '../../domain/order/order.ts'
import { openPlacements, type Placement } from '../../domain/order/placement.ts'
import type { CountedOrder } from '../../domain/order/progress.ts'
import { readReason } from '../../domain/order/reason.ts'
import { finalStatuses } from '../../domain/order/status.ts'
import { pesewas, pesewasOrNull } from '../../provider/money.ts'
import type { Phone } from '../../provider/phone.ts'
import { orderOf, withRecipients } from './order-rows.ts'

/**
 * The states by which the history can be filtered. `failed` covers orders that the provider refused, failed, cancelled
 * or refunded, and orders that were never placed.
 */
export const historyStates = ['all', 'open', 'delivered', 'failed'] as const
export type HistoryState = (typeof historyStates)[number]

export type HistorySearch =
  | { by: 'phone'; phone: Phone }
  /** Any part of a reference, in capitals. */
  | { by: 'reference'; part: string }

export interface HistoryQuery {
  accountId: string
  /** Only orders by this user; null for everybody on the account. */
  userId: number | null
  state: HistoryState
  /** Orders confirmed from `since` on and before `until`; null for no limit. */
  since: Date | null
  until: Date | null
  network: string | null
  search: HistorySearch | null
}

/** A line of the history: one order, or one list, represented by its first order. */
export type HistoryEntry =
  | { kind: 'order'; order: Order }
  | { kind: 'list'; order: Order; parts: CountedOrder[] }

/** A reported status of an order. */
export interface HistoryReport {
  source: 'callback' | 'poll' | 'answer'
  status: string
  phone: string | null
  happenedAt: Date | null
  receivedAt: Date
}

export const historyStore = (client: Client) => ({
  /**
   * A page of the history, newest first, without orders that a new draft replaced. A list is one entry. A filter keeps
   * the list if it fits one of the list's orders or the final status of one of its numbers.
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

  /**
   * The newest applied statuses of an order, in the order of arrival. Statuses of a wrongly inferred reference are left
   * out. For a bulk order, all references count, because its recipients may have their own.
   */
  statusReports: async (
    { id, kind, reference }: Pick<Order, 'id' | 'kind' | 'reference'>,
    most: number,
  ): Promise<HistoryReport[]> => {
    const where = {
      orderId: id,
      disposition: 'applied',
      ...(kind === 'single' && { reference: reference ?? '' }),
    }
    const newest = await client.statusReport.findMany({ where, orderBy: { id: 'desc' }, take: most })
    return newest.reverse().map(({ source, status, phone, happenedAt, receivedAt }) => ({
      source: source as HistoryReport['source'],
      status,
      phone,
      happenedAt,
      receivedAt,
    }))
  },
})

export type HistoryStore = ReturnType<typeof historyStore>

// Plain SQL, because Prisma cannot take a page from the index alone and would read each order.
const pageSql = (query: HistoryQuery, skip: number, take: number): Sql => sql`
  SELECT DISTINCT o."createdAt", o."purchaseId" FROM ${sourceOf(query)}
  WHERE ${join(conditionsOf(query), ' AND ')}
  ORDER BY o."createdAt" DESC, o."purchaseId" DESC LIMIT ${take} OFFSET ${skip}`

const sourceOf = ({ search }: HistoryQuery): Sql =>
  search?.by === 'phone' ? sql`"Recipient" p JOIN "Order" o ON o."id" = p."orderId"` : sql`"Order" o`

const conditionsOf = ({ accountId, userId, state, since, until, network, search }: HistoryQuery): Sql[] => [
  sql`o."accountId" = ${accountId}`,
  // Leaves out orders that a new draft replaced. The draft's own order is in the history once it is confirmed.
  sql`o."placement" <> 'superseded'`,
  ...(userId === null ? [] : [sql`o."userId" = ${BigInt(userId)}`]),
  ...(since === null ? [] : [sql`o."createdAt" >= ${since}`]),
  ...(until === null ? [] : [sql`o."createdAt" < ${until}`]),
  ...(network === null ? [] : [sql`o."network" = ${network}`]),
  ...(state === 'all' ? [] : [stateSql(state)]),
  ...(search === null ? [] : [searchSql(accountId, search)]),
]

const searchSql = (accountId: string, search: HistorySearch): Sql =>
  search.by === 'phone'
    ? sql`p."accountId" = ${accountId} AND p."phone" = ${search.phone}`
    : sql`UPPER(o."reference") LIKE ${`%${search.part}%`}`

const stateSql = (state: Exclude<HistoryState, 'all'>): Sql => {
  switch (state) {
    case 'open':
      return sql`(o."placement" IN (${join([...openPlacements])})
        OR (o."placement" = 'placed' AND (o."status" IS NULL OR o."status" NOT IN (${join([...finalStatuses])}))))`
    case 'delivered':
      return endedSql(['delivered'])
    case 'failed':
      return sql`(o."placement" IN (${join([...neverPlaced])}) OR ${endedSql(failures)})`
  }
}

const neverPlaced: readonly Placement[] = ['rejected', 'not_placed']
const failures = finalStatuses.filter((status) => status !== 'delivered')

/** The condition that the order, or one of its numbers, has one of these final statuses. */
const endedSql = (statuses: readonly string[]): Sql => sql`(
  (o."placement" = 'placed' AND o."status" IN (${join([...statuses])}))
  OR (o."kind" = 'bulk' AND EXISTS (
    SELECT 1 FROM "Recipient" r WHERE r."orderId" = o."id" AND r."status" IN (${join([...statuses])}))))`

/** Recipients are only counted, because a list may have ten thousand. */
const countedOrders = async (client: Client, lists: string[]): Promise<Map<string, CountedOrder[]>> => {
  if (lists.length === 0) return new Map()
  const rows = await client.order.findMany({ where: { purchaseId: { in: lists } }, select: countedColumns })
  const groups = await client.$queryRaw<Group[]>`
    SELECT r."orderId", r."status", r."reported", CAST(COUNT(*) AS INTEGER) AS "count"
    FROM "Order" o JOIN "Recipient" r ON r."orderId" = o."id"
    WHERE o."purchaseId" IN (${join(lists)}) GROUP BY r."orderId", r."status", r."reported"`
  const recipients = Map.groupBy(groups, ({ orderId }) => orderId)
  const counted = rows.map((row) => ({
    ...row,
    kind: row.kind === 'bulk' ? ('bulk' as const) : ('single' as const),
    placement: row.placement as Placement,
    reason: readReason(row.reason),
    unitPricePesewas: pesewas(row.unitPricePesewas),
    agentUnitPesewas: pesewasOrNull(row.agentUnitPesewas),
    chargedPesewas: pesewasOrNull(row.chargedPesewas),
    refundedPesewas: pesewasOrNull(row.refundedPesewas),
    extraPesewas: pesewasOrNull(row.extraPesewas),
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
  extraPesewas: true,
  purchaseId: true,
  kind: true,
  placement: true,
  reason: true,
  status: true,
  statusReported: true,
  acceptedQuantity: true,
  quantity: true,
  unitPricePesewas: true,
} satisfies OrderSelect

import { type Parameter, type Select, timeOf } from '../database/selection.ts'
import type { Order, Recipient } from '../journal/order.ts'
import type { Placement } from '../journal/placement.ts'
import { readReason } from '../journal/reason.ts'
import { pesewas, pesewasOrNull } from '../provider/money.ts'

/** The orders to export, and the book that gives their numbers names. */
export interface ExportScope {
  accountId: string
  /** Only orders by this user; null: all of the account. */
  userId: number | null
  /** Orders from this time on; null: from the first. */
  since: Date | null
  /** Orders before this time. */
  until: Date
  /** The book's `agentId`. */
  agentId: number
}

/** The order behind which the next page begins, in the order of `page`. */
export type ExportCursor = Pick<Order, 'createdAt' | 'id'>

/** The columns of an order in an export. */
export interface ExportedOrder
  extends Pick<
    Order,
    | (
        | 'id'
        | 'createdAt'
        | 'userId'
        | 'agentName'
        | 'kind'
        | 'network'
        | 'volume'
        | 'offerSlug'
        | 'placement'
        | 'reason'
        | 'reference'
      )
    | ('unitPricePesewas' | 'sellUnitPesewas' | 'agentUnitPesewas' | 'chargedPesewas')
    | ('refundedPesewas' | 'extraPesewas')
    | ('quantity' | 'acceptedQuantity')
    | ('status' | 'statusReported' | 'statusAt' | 'sentAt' | 'placedAt')
  > {
  recipients: ExportedRecipient[]
}

/** One number of an exported order, with its name in the book. */
export interface ExportedRecipient extends Pick<Recipient, 'phone' | 'status' | 'statusAt' | 'reported'> {
  /** The saved name. */
  name: string | null
}

/** Orders that a new draft replaced were never sent, and are left out. */
const replaced: Placement = 'superseded'

/** Orders for a file, page by page. The client is bypassed because there may be hundreds of thousands. */
export const exportStore = (select: Select) => ({
  /** The number of rows: one for each recipient. */
  count: async (scope: ExportScope): Promise<number> => {
    const { sql, parameters } = conditionsOf(scope, null)
    const [row] = await select(`SELECT SUM("quantity") FROM "Order" WHERE ${sql}`, parameters)
    return Number(row?.[0] ?? 0)
  },

  /** A page of orders, newest first, behind the last one that was read. */
  page: async (scope: ExportScope, after: ExportCursor | null, take: number): Promise<ExportedOrder[]> => {
    const { sql, parameters } = conditionsOf(scope, after)
    const rows = await select(pageSql(sql), [...parameters, take, scope.accountId, scope.agentId])
    const orders: ExportedOrder[] = []
    for (const [phone, status, statusAt, reported, name, ...order] of rows as PageRow[]) {
      if (orders.at(-1)?.id !== order[0]) orders.push(orderOf(order))
      const recipient = { phone, status, statusAt: timeOf(statusAt), reported: reported === 1, name }
      orders.at(-1)?.recipients.push(recipient)
    }
    return orders
  },
})

/** The queries of `exportStore`. */
export type ExportStore = ReturnType<typeof exportStore>

/** A row for each recipient: its own columns, then those of its order. */
const pageSql = (conditions: string): string => `
  SELECT "Recipient"."phone", "Recipient"."status", "Recipient"."statusAt", "reported", "name", listed.*
  FROM (
    SELECT "id", "createdAt", "userId", "agentName", "kind", "network", "volume", "placement", "reason", "reference",
      "unitPricePesewas", "sellUnitPesewas", "chargedPesewas", "quantity", "acceptedQuantity",
      "status", "statusReported", "statusAt", "sentAt", "placedAt", "agentUnitPesewas", "refundedPesewas",
      "extraPesewas", "offerSlug"
    FROM "Order" WHERE ${conditions}
    ORDER BY "createdAt" DESC, "id" DESC LIMIT ?
  ) AS listed
  JOIN "Recipient" ON "orderId" = listed."id"
  LEFT JOIN "Customer" ON "Customer"."accountId" = ? AND "agentId" = ? AND "Customer"."phone" = "Recipient"."phone"
  ORDER BY listed."createdAt" DESC, listed."id" DESC, "position", "Recipient"."phone"`

/** A row of `pageSql`. */
type PageRow = [
  phone: Recipient['phone'],
  status: string | null,
  statusAt: string | null,
  reported: 0 | 1,
  name: string | null,
  ...order: OrderRow,
]

type OrderRow = [
  id: string,
  createdAt: string,
  userId: number,
  agentName: string | null,
  kind: Order['kind'],
  network: string,
  volume: string,
  placement: Placement,
  reason: string | null,
  reference: string | null,
  unitPricePesewas: number,
  sellUnitPesewas: number | null,
  chargedPesewas: number | null,
  quantity: number,
  acceptedQuantity: number | null,
  status: string | null,
  statusReported: 0 | 1,
  statusAt: string | null,
  sentAt: string | null,
  placedAt: string | null,
  agentUnitPesewas: number | null,
  refundedPesewas: number | null,
  extraPesewas: number | null,
  offerSlug: string | null,
]

const orderOf = ([
  id,
  createdAt,
  userId,
  agentName,
  kind,
  network,
  volume,
  placement,
  reason,
  reference,
  unitPricePesewas,
  sellUnitPesewas,
  chargedPesewas,
  quantity,
  acceptedQuantity,
  status,
  statusReported,
  statusAt,
  sentAt,
  placedAt,
  agentUnitPesewas,
  refundedPesewas,
  extraPesewas,
  offerSlug,
]: OrderRow): ExportedOrder => ({
  id,
  createdAt: new Date(createdAt),
  userId,
  agentName,
  kind,
  network,
  volume,
  offerSlug,
  placement,
  reason: readReason(reason),
  reference,
  unitPricePesewas: pesewas(unitPricePesewas),
  sellUnitPesewas: pesewasOrNull(sellUnitPesewas),
  chargedPesewas: pesewasOrNull(chargedPesewas),
  quantity,
  acceptedQuantity,
  status,
  statusReported: statusReported === 1,
  statusAt: timeOf(statusAt),
  sentAt: timeOf(sentAt),
  placedAt: timeOf(placedAt),
  agentUnitPesewas: pesewasOrNull(agentUnitPesewas),
  refundedPesewas: pesewasOrNull(refundedPesewas),
  extraPesewas: pesewasOrNull(extraPesewas),
  recipients: [],
})

const conditionsOf = (
  { accountId, userId, since, until }: ExportScope,
  after: ExportCursor | null,
): { sql: string; parameters: Parameter[] } => {
  const all: ([sql: string, ...Parameter[]] | null)[] = [
    ['"accountId" = ?', accountId],
    ['"placement" <> ?', replaced],
    userId === null ? null : ['"userId" = ?', userId],
    since && ['"createdAt" >= ?', since],
    // Only one upper bound of the time: with two, SQLite starts at the first and reads everything again.
    after
      ? ['"createdAt" <= ? AND ("createdAt" < ? OR "id" < ?)', after.createdAt, after.createdAt, after.id]
      : ['"createdAt" < ?', until],
  ]
  const conditions = all.filter((each) => each !== null)
  return {
    sql: conditions.map(([sql]) => sql).join(' AND '),
    parameters: conditions.flatMap(([, ...parameters]) => parameters),
  }
}

import type { Order, Recipient } from '../orders/order.ts'
import type { Placement } from '../orders/placement.ts'
import type { Pesewas } from '../provider/money.ts'
import { type Parameter, type Select, type Stored, timeOf } from './selection.ts'

/** Which orders are exported, and by whose book their numbers have names. */
export interface ExportScope {
  accountId: string
  /** Whose alone; null: all of the account. */
  userId: number | null
  /** From then on; null: from the first. */
  since: Date | null
  /** Before then. */
  until: Date
  /** As in `Book`. */
  agentId: number
}

/** Where the next page begins: behind that order, in the order of `page`. */
export type ExportCursor = Pick<Order, 'createdAt' | 'id'>

/** What an export tells of an order. */
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
        | 'placement'
        | 'reference'
      )
    | ('unitPricePesewas' | 'sellUnitPesewas' | 'agentUnitPesewas' | 'chargedPesewas' | 'refundedPesewas')
    | ('quantity' | 'acceptedQuantity')
    | ('status' | 'statusReported' | 'statusAt' | 'sentAt' | 'placedAt')
  > {
  recipients: ExportedRecipient[]
}

export interface ExportedRecipient extends Pick<Recipient, 'phone' | 'status' | 'statusAt' | 'reported'> {
  /** The name that it is saved with. */
  name: string | null
}

/** What was replaced by a new draft has never been sent, and stands there as that. */
const replaced: Placement = 'superseded'

export const exportStore = (select: Select) => ({
  /** How many rows there will be: one for each recipient. */
  count: async (scope: ExportScope): Promise<number> => {
    const { sql, parameters } = conditionsOf(scope, null)
    const [row] = await select(`SELECT SUM("quantity") FROM "Order" WHERE ${sql}`, parameters)
    return Number(row?.[0] ?? 0)
  },

  /** So many orders, newest first, from behind the last one that was read. */
  page: async (scope: ExportScope, after: ExportCursor | null, take: number): Promise<ExportedOrder[]> => {
    const { sql, parameters } = conditionsOf(scope, after)
    const rows = await select(pageSql(sql), [...parameters, take, scope.accountId, scope.agentId])
    const orders: ExportedOrder[] = []
    for (const row of rows) {
      if (orders.at(-1)?.id !== row[0]) orders.push(orderOf(row))
      orders.at(-1)?.recipients.push(recipientOf(row))
    }
    return orders
  },
})

export type ExportStore = ReturnType<typeof exportStore>

/** A row for each recipient: the order's columns, then its own. */
const pageSql = (conditions: string): string => `
  SELECT listed.*, "Recipient"."phone", "Recipient"."status", "Recipient"."statusAt", "reported", "name"
  FROM (
    SELECT "id", "createdAt", "userId", "agentName", "kind", "network", "volume", "placement", "reference",
      "unitPricePesewas", "sellUnitPesewas", "chargedPesewas", "quantity", "acceptedQuantity",
      "status", "statusReported", "statusAt", "sentAt", "placedAt", "agentUnitPesewas", "refundedPesewas"
    FROM "Order" WHERE ${conditions}
    ORDER BY "createdAt" DESC, "id" DESC LIMIT ?
  ) AS listed
  JOIN "Recipient" ON "orderId" = listed."id"
  LEFT JOIN "Customer" ON "Customer"."accountId" = ? AND "agentId" = ? AND "Customer"."phone" = "Recipient"."phone"
  ORDER BY listed."createdAt" DESC, listed."id" DESC, "position", "Recipient"."phone"`

const orderOf = (row: Stored[]): ExportedOrder => ({
  id: row[0] as string,
  createdAt: timeOf(row[1]) as Date,
  userId: Number(row[2]),
  agentName: row[3] as string | null,
  kind: row[4] as ExportedOrder['kind'],
  network: row[5] as string,
  volume: row[6] as string,
  placement: row[7] as Placement,
  reference: row[8] as string | null,
  unitPricePesewas: row[9] as Pesewas,
  sellUnitPesewas: row[10] as Pesewas | null,
  chargedPesewas: row[11] as Pesewas | null,
  quantity: row[12] as number,
  acceptedQuantity: row[13] as number | null,
  status: row[14] as string | null,
  statusReported: row[15] === 1,
  statusAt: timeOf(row[16]),
  sentAt: timeOf(row[17]),
  placedAt: timeOf(row[18]),
  agentUnitPesewas: row[19] as Pesewas | null,
  refundedPesewas: row[20] as Pesewas | null,
  recipients: [],
})

const recipientOf = (row: Stored[]): ExportedRecipient => ({
  phone: row[21] as Recipient['phone'],
  status: row[22] as string | null,
  statusAt: timeOf(row[23]),
  reported: row[24] === 1,
  name: row[25] as string | null,
})

const conditionsOf = (
  { accountId, userId, since, until }: ExportScope,
  after: ExportCursor | null,
): { sql: string; parameters: Parameter[] } => {
  const conditions: [sql: string, ...Parameter[]][] = [
    ['"accountId" = ?', accountId],
    ['"placement" <> ?', replaced],
    ...(userId === null ? [] : [['"userId" = ?', userId] as [string, number]]),
    ...(since ? [['"createdAt" >= ?', since] as [string, Date]] : []),
    // One upper bound of the time: of two SQLite begins at the first, and reads all that was read before.
    after
      ? ['"createdAt" <= ? AND ("createdAt" < ? OR "id" < ?)', after.createdAt, after.createdAt, after.id]
      : ['"createdAt" < ?', until],
  ]
  return {
    sql: conditions.map(([sql]) => sql).join(' AND '),
    parameters: conditions.flatMap(([, ...parameters]) => parameters),
  }
}

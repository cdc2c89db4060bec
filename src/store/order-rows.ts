import { z } from 'zod'
import type { Client } from '../database/database.ts'
import type { Order as OrderRow, OrderWhere, Recipient as RecipientRow } from '../database/rows.ts'
import type { DatabaseKind } from '../database/schema.ts'
import { join, raw, type Sql, sql } from '../database/sql.ts'
import type { Order, Recipient } from '../journal/order.ts'
import type { Placement } from '../journal/placement.ts'
import { readReason } from '../journal/reason.ts'
import { pesewas, pesewasOrNull } from '../provider/money.ts'
import { batchesOf } from './batches.ts'
import { orderColumns } from './columns.ts'
import type { Ground } from './duties.ts'

/** The relations that `orderOf` needs. */
export const withRecipients = {
  recipients: { orderBy: [{ position: 'asc' as const }, { phone: 'asc' as const }] },
}

/** The orders of a purchase as its list has them. */
export const inListOrder = [
  { position: 'asc' as const },
  { createdAt: 'asc' as const },
  { id: 'asc' as const },
]

/** An order's row with its recipients, in the order of the list. */
type OrderWithRecipients = OrderRow & {
  recipients: Pick<RecipientRow, 'phone' | 'position' | 'status' | 'statusAt' | 'reported' | 'retryId'>[]
}

/** Turns a row into an order: ids become numbers, amounts become pesewas. */
export const orderOf = (row: OrderWithRecipients): Order => ({
  ...row,
  kind: row.kind === 'bulk' ? 'bulk' : 'single',
  placement: row.placement as Placement,
  reason: readReason(row.reason),
  userId: Number(row.userId),
  chatId: Number(row.chatId),
  unitPricePesewas: pesewas(row.unitPricePesewas),
  sellUnitPesewas: pesewasOrNull(row.sellUnitPesewas),
  agentUnitPesewas: pesewasOrNull(row.agentUnitPesewas),
  reportTo: row.reportTo === null ? null : Number(row.reportTo),
  chargedPesewas: pesewasOrNull(row.chargedPesewas),
  balancePesewas: pesewasOrNull(row.balancePesewas),
  refundedPesewas: pesewasOrNull(row.refundedPesewas),
  extraPesewas: pesewasOrNull(row.extraPesewas),
  recipients: row.recipients.map(({ phone, position, status, statusAt, reported, retryId }) => ({
    phone: phone as Recipient['phone'],
    position,
    status,
    statusAt,
    reported,
    retryId,
  })),
})

const columns = raw(orderColumns.of('"Order"'))

/** A JSON array of an order's recipients, for `recipientsIn`. */
export const recipientsOf: Record<DatabaseKind, Sql> = {
  sqlite: sql`(SELECT json_group_array(json_array("phone", "position", "status", "statusAt",
    "reported", "retryId") ORDER BY "position", "phone") FROM "Recipient" WHERE "orderId" = "Order"."id")`,
  postgresql: sql`(SELECT CAST(json_agg(json_build_array("phone", "position", "status", "statusAt" AT TIME ZONE 'UTC',
    CAST("reported" AS INTEGER), "retryId") ORDER BY "position", "phone") AS TEXT)
    FROM "Recipient" WHERE "orderId" = "Order"."id")`,
}

const recipientsSchema = z.array(
  z
    .tuple([
      z.string(),
      z.int(),
      z.string().nullable(),
      z.coerce.date().nullable(),
      z.int(),
      z.string().nullable(),
    ])
    .transform(([phone, position, status, statusAt, reported, retryId]) => ({
      ...{ phone, position, status, statusAt, retryId },
      reported: reported === 1,
    })),
)

/** What `recipientsOf` gives. */
export const recipientsIn = (json: unknown): z.output<typeof recipientsSchema> =>
  typeof json === 'string' ? recipientsSchema.parse(JSON.parse(json)) : []

/** The orders that meet the condition, oldest first. The client's own queries take four times as long. */
export const ordersWhere = async ({ client, kind }: Ground, condition: Sql): Promise<Order[]> => {
  const rows = await client.$queryRaw<(OrderRow & { recipients: string | null })[]>`
    SELECT ${columns}, ${recipientsOf[kind]} AS "recipients" FROM "Order" WHERE ${condition}
    ORDER BY "createdAt", "id"`
  return rows.map((row) => orderOf({ ...row, recipients: recipientsIn(row.recipients) }))
}

/** The orders with those ids, oldest first. */
export const ordersWithIds = async (ground: Ground, ids: readonly string[]): Promise<Order[]> => {
  const parts: Order[][] = []
  for (const part of batchesOf(ids)) parts.push(await ordersWhere(ground, sql`"id" IN (${join(part)})`))
  return parts.length > 1 ? parts.flat().sort(byAge) : parts.flat()
}

const byAge = (a: Order, b: Order): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1)

/** Oldest first. */
export const oldestFirst = [{ createdAt: 'asc' as const }, { id: 'asc' as const }]

/** The orders that meet the condition, oldest first. */
export const oldestWhere = async (client: Client, where: OrderWhere): Promise<Order[]> =>
  (await client.order.findMany({ where, include: withRecipients, orderBy: oldestFirst })).map(orderOf)

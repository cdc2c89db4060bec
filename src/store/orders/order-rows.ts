import type { Client } from '../../database/database.ts'
import type { Order as OrderRow, OrderWhere, Recipient as RecipientRow } from '../../database/row-types.ts'
import type { Order, Recipient } from '../../domain/order/order.ts'
import type { Placement } from '../../domain/order/placement.ts'
import { readReason } from '../../domain/order/reason.ts'
import { pesewas, pesewasOrNull } from '../../provider/money.ts'
import { batchesOf } from '../batches.ts'

export const withRecipients = {
  recipients: { orderBy: [{ position: 'asc' as const }, { phone: 'asc' as const }] },
}

export const inListOrder = [
  { position: 'asc' as const },
  { createdAt: 'asc' as const },
  { id: 'asc' as const },
]

/** The recipients are in the order of the list. */
type OrderWithRecipients = OrderRow & {
  recipients: Pick<RecipientRow, 'phone' | 'position' | 'status' | 'statusAt' | 'reported' | 'retryId'>[]
}

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
  ownerChatId: row.ownerChatId === null ? null : Number(row.ownerChatId),
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

export const orNull = (row: OrderWithRecipients | null): Order | null => row && orderOf(row)

/** The orders with these ids, oldest first. */
export const ordersWithIds = async (client: Client, ids: readonly string[]): Promise<Order[]> => {
  const parts: Order[][] = []
  for (const part of batchesOf(ids)) parts.push(await oldestWhere(client, { id: { in: part } }))
  return parts.length > 1 ? parts.flat().sort(byAge) : parts.flat()
}

export const byAge = (a: Order, b: Order): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1)

export const oldestFirst = [{ createdAt: 'asc' as const }, { id: 'asc' as const }]

export const oldestWhere = async (client: Client, where: OrderWhere): Promise<Order[]> =>
  (await client.order.findMany({ where, include: withRecipients, orderBy: oldestFirst })).map(orderOf)

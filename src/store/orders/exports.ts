import type { Client } from '../../database/database.ts'
import type { OrderSelect, OrderWhere } from '../../database/row-types.ts'
import type { Order, Recipient } from '../../domain/order/order.ts'
import type { Placement } from '../../domain/order/placement.ts'
import { readReason } from '../../domain/order/reason.ts'
import { pesewas, pesewasOrNull } from '../../provider/money.ts'
import { contactStore } from '../shop/contacts.ts'
import { withRecipients } from './order-rows.ts'

/** Which orders to export, and the contact book with names for their numbers. */
export interface ExportScope {
  accountId: string
  /** Only orders by this user; null for everybody of the account. */
  userId: number | null
  /** Orders from this time on; null for all. */
  since: Date | null
  /** Exclusive. */
  until: Date
  /** The book's `agentId`. */
  agentId: number
}

/** The last order of a page. The next page begins after it. */
export type ExportCursor = Pick<Order, 'createdAt' | 'id'>

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
  name: string | null
}

/** Left out of exports: a new draft replaced these orders, so they were never sent. */
const replaced: Placement = 'superseded'

export const exportStore = (client: Client) => ({
  /** The number of rows in the file: one for each recipient. */
  count: async (scope: ExportScope): Promise<number> => {
    const { _sum } = await client.order.aggregate({ where: within(scope, null), _sum: { quantity: true } })
    return _sum.quantity ?? 0
  },

  /** A page of orders with their recipients, newest first. */
  page: async (scope: ExportScope, after: ExportCursor | null, take: number): Promise<ExportedOrder[]> => {
    const rows = await client.order.findMany({
      where: within(scope, after),
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take,
      select: { ...exported, ...withRecipients },
    })
    const phones = rows.flatMap(({ recipients }) => recipients.map(({ phone }) => phone))
    const names = await contactStore(client).names(scope, phones)
    return rows.map(({ recipients, ...row }) => ({
      ...row,
      userId: Number(row.userId),
      kind: row.kind === 'bulk' ? 'bulk' : 'single',
      placement: row.placement as Placement,
      reason: readReason(row.reason),
      unitPricePesewas: pesewas(row.unitPricePesewas),
      sellUnitPesewas: pesewasOrNull(row.sellUnitPesewas),
      agentUnitPesewas: pesewasOrNull(row.agentUnitPesewas),
      chargedPesewas: pesewasOrNull(row.chargedPesewas),
      refundedPesewas: pesewasOrNull(row.refundedPesewas),
      extraPesewas: pesewasOrNull(row.extraPesewas),
      recipients: recipients.map(({ phone, status, statusAt, reported }) => ({
        phone: phone as Recipient['phone'],
        status,
        statusAt,
        reported,
        name: names.get(phone) ?? null,
      })),
    }))
  },
})

export type ExportStore = ReturnType<typeof exportStore>

const exported = {
  id: true,
  createdAt: true,
  userId: true,
  agentName: true,
  kind: true,
  network: true,
  volume: true,
  offerSlug: true,
  placement: true,
  reason: true,
  reference: true,
  unitPricePesewas: true,
  sellUnitPesewas: true,
  agentUnitPesewas: true,
  chargedPesewas: true,
  refundedPesewas: true,
  extraPesewas: true,
  quantity: true,
  acceptedQuantity: true,
  status: true,
  statusReported: true,
  statusAt: true,
  sentAt: true,
  placedAt: true,
} satisfies OrderSelect

const within = (
  { accountId, userId, since, until }: ExportScope,
  after: ExportCursor | null,
): OrderWhere => ({
  accountId,
  placement: { not: replaced },
  ...(userId !== null && { userId: BigInt(userId) }),
  // The query gives only one upper bound for the time. With two, SQLite would use the first one and read all earlier
  // pages again.
  createdAt: { ...(since && { gte: since }), ...(after ? { lte: after.createdAt } : { lt: until }) },
  ...(after && { OR: [{ createdAt: { lt: after.createdAt } }, { id: { lt: after.id } }] }),
})

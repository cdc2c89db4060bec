import type { Order } from '../orders/order.ts'
import type { Placement } from '../orders/placement.ts'
import type { Pesewas } from '../provider/money.ts'
import { Prisma } from './client/client.ts'
import type { Client } from './database.ts'

/** A time from `from` on, before `to`. */
export interface Span {
  from: Date
  to: Date
}

/** The orders of an account; with a user only those that they placed. */
export interface Whose {
  accountId: string
  userId: number | null
  /** In which prices their amounts are told: what was charged, or what their agents saw. */
  prices: 'cost' | 'selling'
}

/** Single orders that stand alike, added up. */
export interface AlikeOrders {
  network: string
  placement: Placement
  status: string | null
  count: number
  /** How many of them have a selling price, and what those are charged and sold for. */
  priced: number
  pricedChargePesewas: number
  salesPesewas: number
  chargedPesewas: number
  refundedPesewas: number
  /** How many of them have no price in these prices. */
  unseen: number
}

/** A bulk order whose recipients were only counted, those that stand alike together. */
export interface BulkOrder
  extends Pick<
    Order,
    | 'kind'
    | 'network'
    | 'placement'
    | 'status'
    | 'statusReported'
    | 'quantity'
    | 'acceptedQuantity'
    | 'unitPricePesewas'
    | 'sellUnitPesewas'
    | 'agentUnitPesewas'
    | 'chargedPesewas'
    | 'refundedPesewas'
  > {
  recipients: { status: string | null; reported: boolean; count: number }[]
}

/** How many deliveries of a network took so long; a bulk order is one. */
export interface DeliveryTime {
  network: string
  seconds: number
  count: number
}

/** What was ordered in a span, as far as it has to be told apart to be added up. */
export interface Sums {
  singles: AlikeOrders[]
  bulks: BulkOrder[]
}

export const tallyStore = (client: Client) => ({
  /** By the time at which the orders were confirmed. What was superseded is asked for again, and counted there. */
  sums: async (whose: Whose, span: Span): Promise<Sums> => ({
    singles: await singles(client, whose, span),
    bulks: await bulks(client, whose, span),
  }),

  /** How long what was ordered in the span took to be delivered. */
  deliveryTimes: async (whose: Whose, span: Span): Promise<DeliveryTime[]> => {
    const rows = await client.$queryRaw<Counted<DeliveryTime>[]>`
      SELECT "network", "deliverySeconds" AS "seconds", COUNT(*) AS "count"
      FROM "Order"
      WHERE ${within(whose, span)} AND "placement" <> 'superseded'
        AND "status" = 'delivered' AND "deliverySeconds" IS NOT NULL
      GROUP BY "network", "deliverySeconds"`
    return rows.map(({ network, seconds, count }) => ({
      network,
      seconds: Number(seconds),
      count: Number(count),
    }))
  },
})

export type TallyStore = ReturnType<typeof tallyStore>

const within = ({ accountId, userId }: Whose, { from, to }: Span): Prisma.Sql =>
  Prisma.sql`"accountId" = ${accountId} AND "createdAt" >= ${from} AND "createdAt" < ${to} ${
    userId === null ? Prisma.empty : Prisma.sql`AND "userId" = ${userId}`
  }`

// A whole number of PostgreSQL has 32 bits, and so has a product of two.
const charge = Prisma.sql`COALESCE("chargedPesewas", CAST("unitPricePesewas" AS BIGINT) * "quantity")`

type Counted<T> = { [key in keyof T]: T[key] extends number ? bigint | number : T[key] }

/** What each single order is told to have cost, and what of that came back: of its agent's price the same part. */
const amountsIn = (prices: Whose['prices']): { told: Prisma.Sql; back: Prisma.Sql } => {
  const refunded = Prisma.sql`COALESCE("refundedPesewas", 0)`
  if (prices === 'cost') return { told: charge, back: refunded }
  const told = Prisma.sql`"agentUnitPesewas"`
  const part = Prisma.sql`CAST(${told} AS BIGINT) * ${refunded} / (CASE WHEN ${charge} > 0 THEN ${charge} ELSE 1 END)`
  return { told, back: Prisma.sql`(CASE WHEN ${refunded} >= ${charge} THEN ${told} ELSE ${part} END)` }
}

const singles = async (client: Client, whose: Whose, span: Span): Promise<AlikeOrders[]> => {
  const { told, back } = amountsIn(whose.prices)
  const rows = await client.$queryRaw<Counted<AlikeOrders>[]>`
    SELECT "network", "placement", "status", COUNT(*) AS "count", COUNT("sellUnitPesewas") AS "priced",
      SUM(CASE WHEN "sellUnitPesewas" IS NULL THEN 0 ELSE ${charge} END) AS "pricedChargePesewas",
      COALESCE(SUM("sellUnitPesewas"), 0) AS "salesPesewas",
      SUM(${told}) AS "chargedPesewas",
      SUM(CASE WHEN "status" = 'refunded' AND NOT "statusReported" AND ${charge} > COALESCE("refundedPesewas", 0)
        THEN ${told} ELSE ${back} END) AS "refundedPesewas",
      SUM(CASE WHEN ${told} IS NULL THEN 1 ELSE 0 END) AS "unseen"
    FROM "Order"
    WHERE ${within(whose, span)} AND "kind" = 'single' AND "placement" <> 'superseded'
    GROUP BY "network", "placement", "status"`
  return rows.map(({ network, placement, status, ...sums }) => ({
    network,
    placement,
    status,
    count: Number(sums.count),
    priced: Number(sums.priced),
    pricedChargePesewas: Number(sums.pricedChargePesewas),
    salesPesewas: Number(sums.salesPesewas),
    chargedPesewas: Number(sums.chargedPesewas ?? 0),
    refundedPesewas: Number(sums.refundedPesewas ?? 0),
    unseen: Number(sums.unseen),
  }))
}

const bulks = async (client: Client, { accountId, userId }: Whose, span: Span): Promise<BulkOrder[]> => {
  const where: Prisma.OrderWhereInput = {
    accountId,
    ...(userId !== null && { userId }),
    createdAt: { gte: span.from, lt: span.to },
    kind: 'bulk',
    placement: { not: 'superseded' },
  }
  const orders = await client.order.findMany({ where, select: bulkColumns })
  if (orders.length === 0) return []
  const groups = await client.recipient.groupBy({
    by: ['orderId', 'status', 'reported'],
    where: { order: { is: where } },
    _count: { _all: true },
  })
  const byOrder = Map.groupBy(groups, ({ orderId }) => orderId)
  return orders.map(({ id, ...order }) => ({
    ...order,
    kind: 'bulk',
    placement: order.placement as Placement,
    unitPricePesewas: order.unitPricePesewas as Pesewas,
    sellUnitPesewas: order.sellUnitPesewas as Pesewas | null,
    agentUnitPesewas: order.agentUnitPesewas as Pesewas | null,
    chargedPesewas: order.chargedPesewas as Pesewas | null,
    refundedPesewas: order.refundedPesewas as Pesewas | null,
    recipients: (byOrder.get(id) ?? []).map(({ status, reported, _count }) => ({
      status,
      reported,
      count: _count._all,
    })),
  }))
}

const bulkColumns = {
  id: true,
  network: true,
  placement: true,
  status: true,
  statusReported: true,
  quantity: true,
  acceptedQuantity: true,
  unitPricePesewas: true,
  sellUnitPesewas: true,
  agentUnitPesewas: true,
  chargedPesewas: true,
  refundedPesewas: true,
} satisfies Prisma.OrderSelect

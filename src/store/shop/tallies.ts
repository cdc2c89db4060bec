import type { Client } from '../../database/database.ts'
import type { OrderSelect, OrderWhere } from '../../database/row-types.ts'
import { empty, type Sql, sql } from '../../database/sql.ts'
import type { Order } from '../../domain/order/order.ts'
import type { Placement } from '../../domain/order/placement.ts'
import { readReason } from '../../domain/order/reason.ts'
import { isTerminal } from '../../domain/order/status.ts'
import { type Pesewas, pesewas, pesewasOrNull } from '../../provider/money.ts'

/** From `from` (inclusive) to `to` (exclusive). */
export interface TallySpan {
  from: Date
  to: Date
}

/** All orders of an account, or only those of one user. */
export interface Whose {
  accountId: string
  userId: number | null
  /** Which prices are added up. `cost`: what the wallet was charged. `selling`: what agents saw when they ordered. */
  prices: 'cost' | 'selling'
}

/** Single orders in the same state, added up. */
export interface AlikeOrders {
  network: string
  placement: Placement
  status: string | null
  /** The order's reason if it says something about the charge; otherwise null. */
  reason: Order['reason']
  count: number
  /** The orders with a selling price: how many there are, what was charged minus what was refunded, and the sales. */
  priced: number
  pricedPaidPesewas: Pesewas
  salesPesewas: Pesewas
  chargedPesewas: Pesewas
  refundedPesewas: Pesewas
  /** How many have no price of the chosen kind. */
  unseen: number
}

/** A bulk order, with the number of its recipients for each status. */
export interface BulkOrder
  extends Pick<
    Order,
    | 'kind'
    | 'network'
    | 'placement'
    | 'reason'
    | 'status'
    | 'statusReported'
    | 'quantity'
    | 'acceptedQuantity'
    | 'unitPricePesewas'
    | 'sellUnitPesewas'
    | 'agentUnitPesewas'
    | 'chargedPesewas'
    | 'refundedPesewas'
    | 'extraPesewas'
  > {
  recipients: { status: string | null; reported: boolean; count: number }[]
}

/** How many deliveries on a network took a certain number of seconds. A bulk order counts once. */
export interface DeliveryTime {
  network: string
  seconds: number
  count: number
}

/** An order that is on its way, and since when. */
export interface OpenSince {
  network: string
  placedAt: Date
}

/** Orders of a span of time, grouped only as far as the sums need. */
export interface Sums {
  singles: AlikeOrders[]
  bulks: BulkOrder[]
}

export const tallyStore = (client: Client) => ({
  /**
   * Sums over the orders confirmed in the span. A superseded order is not counted, because the order that replaced it
   * is.
   */
  sums: async (whose: Whose, span: TallySpan): Promise<Sums> => ({
    singles: await singles(client, whose, span),
    bulks: await bulks(client, whose, span),
  }),

  /** How long the deliveries took, for orders that were confirmed in the span. */
  deliveryTimes: async (whose: Whose, span: TallySpan): Promise<DeliveryTime[]> => {
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

  /** The account's orders that were confirmed in the span and are on their way. A bulk order counts once. */
  openOrders: async (accountId: string, { from, to }: TallySpan): Promise<OpenSince[]> => {
    const rows = await client.order.findMany({
      where: { accountId, createdAt: { gte: from, lt: to }, placement: 'placed', placedAt: { not: null } },
      select: { network: true, placedAt: true, status: true },
    })
    return rows.flatMap(({ network, placedAt, status }) =>
      placedAt === null || isTerminal(status) ? [] : [{ network, placedAt }],
    )
  },
})

export type TallyStore = ReturnType<typeof tallyStore>

const within = ({ accountId, userId }: Whose, { from, to }: TallySpan): Sql =>
  sql`"accountId" = ${accountId} AND "createdAt" >= ${from} AND "createdAt" < ${to} ${
    userId === null ? empty : sql`AND "userId" = ${userId}`
  }`

// The cast prevents an overflow: in PostgreSQL, the product of two 32-bit integers has only 32 bits.
const charge = sql`COALESCE("chargedPesewas", CAST("unitPricePesewas" AS BIGINT) * "quantity")`

type Counted<T> = { [key in keyof T]: T[key] extends number ? bigint | number : T[key] }

/**
 * SQL for a single order's cost (`told`) and refund (`back`) in the chosen prices. In an agent's prices, the refund is
 * the same share of the cost as the wallet's refund is of the charge. A charge beyond the price, and its refund, do not
 * count in agents' prices.
 */
const amountsIn = (prices: Whose['prices']): { told: Sql; back: Sql } => {
  const refunded = sql`COALESCE("refundedPesewas", 0)`
  if (prices === 'cost') return { told: charge, back: refunded }
  const told = sql`"agentUnitPesewas"`
  const extra = sql`COALESCE("extraPesewas", 0)`
  const own = sql`(${charge} - ${extra})`
  const ofOwn = sql`(CASE WHEN ${refunded} > ${extra} THEN ${refunded} - ${extra} ELSE 0 END)`
  const part = sql`CAST(${told} AS BIGINT) * ${ofOwn} / (CASE WHEN ${own} > 0 THEN ${own} ELSE 1 END)`
  return { told, back: sql`(CASE WHEN ${ofOwn} >= ${own} THEN ${told} ELSE ${part} END)` }
}

/** The reason if it says something about the charge (`chargeKnownOf`). Any other reason would only make more groups. */
const tellingReason = sql`CASE WHEN "reason" IN ('charged_by_person', 'late_doubt') THEN "reason" END`

const singles = async (client: Client, whose: Whose, span: TallySpan): Promise<AlikeOrders[]> => {
  const { told, back } = amountsIn(whose.prices)
  const rows = await client.$queryRaw<Counted<AlikeOrders>[]>`
    SELECT "network", "placement", "status", ${tellingReason} AS "reason", COUNT(*) AS "count", COUNT("sellUnitPesewas") AS "priced",
      SUM(CASE WHEN "sellUnitPesewas" IS NULL THEN 0 ELSE ${charge} - COALESCE("refundedPesewas", 0) END)
        AS "pricedPaidPesewas",
      COALESCE(SUM("sellUnitPesewas"), 0) AS "salesPesewas",
      SUM(${told}) AS "chargedPesewas",
      SUM(CASE WHEN "status" = 'refunded' AND NOT "statusReported" AND ${charge} > COALESCE("refundedPesewas", 0)
        THEN ${told} ELSE ${back} END) AS "refundedPesewas",
      SUM(CASE WHEN ${told} IS NULL THEN 1 ELSE 0 END) AS "unseen"
    FROM "Order"
    WHERE ${within(whose, span)} AND "kind" = 'single' AND "placement" <> 'superseded'
    GROUP BY "network", "placement", "status", ${tellingReason}`
  return rows.map(({ network, placement, status, reason, ...sums }) => ({
    network,
    placement,
    status,
    reason: readReason(reason),
    count: Number(sums.count),
    priced: Number(sums.priced),
    pricedPaidPesewas: pesewas(Number(sums.pricedPaidPesewas)),
    salesPesewas: pesewas(Number(sums.salesPesewas)),
    chargedPesewas: pesewas(Number(sums.chargedPesewas ?? 0)),
    refundedPesewas: pesewas(Number(sums.refundedPesewas ?? 0)),
    unseen: Number(sums.unseen),
  }))
}

const bulks = async (client: Client, { accountId, userId }: Whose, span: TallySpan): Promise<BulkOrder[]> => {
  const where: OrderWhere = {
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
    reason: readReason(order.reason),
    unitPricePesewas: pesewas(order.unitPricePesewas),
    sellUnitPesewas: pesewasOrNull(order.sellUnitPesewas),
    agentUnitPesewas: pesewasOrNull(order.agentUnitPesewas),
    chargedPesewas: pesewasOrNull(order.chargedPesewas),
    refundedPesewas: pesewasOrNull(order.refundedPesewas),
    extraPesewas: pesewasOrNull(order.extraPesewas),
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
  reason: true,
  status: true,
  statusReported: true,
  quantity: true,
  acceptedQuantity: true,
  unitPricePesewas: true,
  sellUnitPesewas: true,
  agentUnitPesewas: true,
  chargedPesewas: true,
  refundedPesewas: true,
  extraPesewas: true,
} satisfies OrderSelect

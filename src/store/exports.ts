import type { Order, Recipient } from '../orders/order.ts'
import type { Placement } from '../orders/placement.ts'
import { Prisma } from './client/client.ts'
import type { Client } from './database.ts'

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
    | ('unitPricePesewas' | 'sellUnitPesewas' | 'chargedPesewas' | 'quantity' | 'acceptedQuantity')
    | ('status' | 'statusReported' | 'statusAt' | 'sentAt' | 'placedAt')
  > {
  recipients: ExportedRecipient[]
}

export interface ExportedRecipient extends Pick<Recipient, 'phone' | 'status' | 'statusAt' | 'reported'> {
  /** The name that it is saved with. */
  name: string | null
}

type OrderRow = Omit<ExportedOrder, 'userId' | 'recipients'> & { userId: bigint }
type RecipientRow = ExportedRecipient & { orderId: string }

/** What was replaced by a new draft has never been sent, and stands there as that. */
const replaced: Placement = 'superseded'

export const exportStore = (client: Client) => ({
  /** How many rows there will be: one for each recipient. */
  count: async ({ accountId, userId, since, until }: ExportScope): Promise<number> => {
    const { _sum } = await client.order.aggregate({
      where: {
        accountId,
        ...(userId !== null && { userId: BigInt(userId) }),
        placement: { not: replaced },
        createdAt: { ...(since && { gte: since }), lt: until },
      },
      _sum: { quantity: true },
    })
    return _sum.quantity ?? 0
  },

  /**
   * So many orders, newest first, from behind the last one that was read. Plain SQL: by the client a hundred thousand
   * take six times as long, and leave half as much garbage again.
   */
  page: async (scope: ExportScope, after: ExportCursor | null, take: number): Promise<ExportedOrder[]> => {
    const orders = await client.$queryRaw<OrderRow[]>`
      SELECT "id", "createdAt", "userId", "agentName", "kind", "network", "volume", "placement", "reference",
        "unitPricePesewas", "sellUnitPesewas", "chargedPesewas", "quantity", "acceptedQuantity",
        "status", "statusReported", "statusAt", "sentAt", "placedAt"
      FROM "Order" WHERE ${Prisma.join(conditionsOf(scope, after), ' AND ')}
      ORDER BY "createdAt" DESC, "id" DESC LIMIT ${take}`
    if (orders.length === 0) return []
    const ids = Prisma.join(orders.map(({ id }) => id))
    const recipients = await client.$queryRaw<RecipientRow[]>`
      SELECT "orderId", "Recipient"."phone", "status", "statusAt", "reported", "name"
      FROM "Recipient" LEFT JOIN "Customer" ON "Customer"."accountId" = ${scope.accountId}
        AND "agentId" = ${BigInt(scope.agentId)} AND "Customer"."phone" = "Recipient"."phone"
      WHERE "orderId" IN (${ids}) ORDER BY "position", "Recipient"."phone"`
    const byOrder = Map.groupBy(recipients, ({ orderId }) => orderId)
    return orders.map((order) => ({
      ...order,
      userId: Number(order.userId),
      recipients: byOrder.get(order.id) ?? [],
    }))
  },
})

export type ExportStore = ReturnType<typeof exportStore>

const conditionsOf = (
  { accountId, userId, since, until }: ExportScope,
  after: ExportCursor | null,
): Prisma.Sql[] => [
  Prisma.sql`"accountId" = ${accountId}`,
  Prisma.sql`"placement" <> ${replaced}`,
  ...(userId === null ? [] : [Prisma.sql`"userId" = ${BigInt(userId)}`]),
  ...(since ? [Prisma.sql`"createdAt" >= ${since}`] : []),
  // One upper bound of the time: of two SQLite begins at the first, and reads all that was read before.
  ...(after
    ? [
        Prisma.sql`"createdAt" <= ${after.createdAt}`,
        Prisma.sql`("createdAt" < ${after.createdAt} OR "id" < ${after.id})`,
      ]
    : [Prisma.sql`"createdAt" < ${until}`]),
]

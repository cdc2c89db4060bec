import { raw, type Sql, sql } from '../database/sql.ts'
import { isOpen, type Order } from '../journal/order.ts'
import type { Phone } from '../provider/phone.ts'
import { type Account, accountIn } from './accounts.ts'
import { networksFact } from './chats.ts'
import { accountColumns, orderColumns } from './columns.ts'
import type { Ground } from './duties.ts'
import { orderOf, recipientsIn, recipientsOf } from './order-rows.ts'
import { openFor } from './recipients.ts'

/** An order that is to be sent, with what decides whether it may be, as of one moment. */
export interface OrderToSend {
  /** As it is stored now. */
  order: Order | null
  account: Account | null
  /** The operators' switch of networks, as it is stored; null: it was never set. */
  networksDown: string | null
  /** Other orders of the account for its phones that may still be open, oldest first. */
  open: Order[]
}

/** An order to which an answer has come, with what the answer is compared with, as of one moment. */
export interface AnsweredOrder {
  order: Order | null
  account: Account | null
  /** Whether an owner is to be told when the balance runs low. */
  isBalanceWatched: boolean
  /** The order that holds the reference. */
  holder: Order | null
}

/** Orders with their account and what stands beside them, in one statement each. */
export const surroundingQueries = (ground: Ground) => ({
  toSend: async (
    { id, accountId }: Pick<Order, 'id' | 'accountId'>,
    phones: readonly Phone[],
  ): Promise<OrderToSend> => {
    const ids = phones.length === 0 ? only(id) : sql`${only(id)} UNION ALL ${openFor(accountId, phones, id)}`
    const fact = sql`(SELECT "value" FROM "Fact" WHERE "name" = ${networksFact})`
    const { account, beside, orders } = await around(ground, accountId, { ids, beside: fact })
    return {
      order: orders.find((order) => order.id === id) ?? null,
      account,
      networksDown: typeof beside === 'string' ? beside : null,
      open: orders.filter((order) => order.id !== id && isOpen(order)),
    }
  },

  /** @param reference the one that the answer names. */
  toAnswer: async (
    { id, accountId }: Pick<Order, 'id' | 'accountId'>,
    reference: string,
  ): Promise<AnsweredOrder> => {
    const ids = sql`${only(id)} UNION ALL SELECT "id" FROM "Order" WHERE "reference" = ${reference}`
    const isWatched = sql`EXISTS (
      SELECT 1 FROM "Member" JOIN "Preference" ON "Preference"."userId" = "Member"."userId"
      WHERE "accountId" = ${accountId} AND "role" = 'owner' AND "lowBalancePesewas" IS NOT NULL)`
    const { account, beside, orders } = await around(ground, accountId, { ids, beside: isWatched })
    return {
      order: orders.find((order) => order.id === id) ?? null,
      account,
      isBalanceWatched: Boolean(beside),
      holder: orders.find((order) => order.reference === reference) ?? null,
    }
  },
})

const only = (id: string): Sql => sql`SELECT CAST(${id} AS TEXT)`

const columns = raw([accountColumns.as('account'), orderColumns.as('found')].join(', '))

/**
 * The account and those orders.
 * @param beside one more value.
 */
const around = async (
  { client, kind }: Ground,
  accountId: string,
  { ids, beside }: { ids: Sql; beside: Sql },
): Promise<{ account: Account | null; beside: unknown; orders: Order[] }> => {
  const rows = await client.$queryRaw<Record<string, unknown>[]>`
    SELECT ${columns}, "recipients", ${beside} AS "beside"
    FROM (SELECT 1) AS "asked" LEFT JOIN "Account" AS "account" ON "account"."id" = ${accountId}
    LEFT JOIN (SELECT "Order".*, ${recipientsOf[kind]} AS "recipients" FROM "Order" WHERE "id" IN (${ids})) AS "found"
      ON TRUE
    ORDER BY "found"."createdAt", "found"."id"`
  const read = rows.map((row) => {
    const cells = Object.values(row).values()
    const account = accountColumns.read(cells)
    const order = orderColumns.read(cells)
    const recipients = recipientsIn(cells.next().value)
    return { account: account && accountIn(account), order: order && orderOf({ ...order, recipients }) }
  })
  return {
    account: read[0]?.account ?? null,
    beside: rows[0]?.beside,
    orders: read.flatMap(({ order }) => order ?? []),
  }
}

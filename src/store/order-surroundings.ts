import { z } from 'zod'
import type { DatabaseKind } from '../database/schema.ts'
import { join, raw, type Sql, sql } from '../database/sql.ts'
import { isOpen, type Order, type Purchase } from '../journal/order.ts'
import type { Shop } from '../journal/selling.ts'
import type { Phone } from '../provider/phone.ts'
import { type Account, accountIn, type MemberOfAccount, memberOf } from './accounts.ts'
import { type Follow, networksFact } from './chats.ts'
import {
  accountColumns,
  customerColumns,
  memberColumns,
  orderColumns,
  preferenceColumns,
  purchaseColumns,
} from './columns.ts'
import { type Customer, customerOf } from './customers.ts'
import type { Ground } from './duties.ts'
import { orderOf, recipientsIn, recipientsOf } from './order-rows.ts'
import { defaultPreferences, type Preferences, preferencesOf } from './preferences.ts'
import { firstPhone, purchaseOf } from './purchases.ts'
import { openFor, recentFor } from './recipients.ts'
import { shopIn, shopOf } from './shops.ts'
import { switchColumns, switchesIn } from './switch-facts.ts'

/** An order that is to be sent, with what decides whether it may be, as of one moment. */
export interface OrderToSend {
  /** As it is stored now. */
  order: Order | null
  account: Account | null
  /** The operators' switch of networks, as it is stored; null: it was never set. */
  networksDown: string | null
  /** How many requests the account made since each of the times that were asked for. */
  made: number[]
  /** Other orders of the account for its phones that may still be open, oldest first. */
  open: Order[]
}

/** An order whose status may change now, with what decides who is told and what follows, as of one moment. */
export interface ReportedOrder {
  order: Order
  followers: Follow[]
  /** What is settled in the chat of whoever ordered. */
  preferences: Preferences
  /** Whether other orders wait for its end. */
  isWaitedFor: boolean
  /** Whether the provider may be asked for its account: the key is accepted, and no silence was asked for. */
  mayBeAsked: boolean
}

/** A draft that is to be confirmed, with what decides whether it may be, as of one moment. */
export interface PurchaseToConfirm {
  purchase: Purchase | null
  /** Whoever confirms it; null: no member of the account. */
  member: MemberOfAccount | null
  /** The account's orders for the draft's number that `recentFor` finds, oldest first. */
  recent: Order[]
  shop: Shop
  /** The facts that hold the operators' switches, by name. */
  switches: ReadonlyMap<string, string>
  /** How many requests the account made since each of the times that were asked for. */
  made: number[]
  /** The draft's number in the book of whoever confirms it. */
  saved: Customer | null
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
    since: readonly Date[] = [],
  ): Promise<OrderToSend> => {
    const ids = phones.length === 0 ? only(id) : sql`${only(id)} UNION ALL ${openFor(accountId, phones, id)}`
    const fact = sql`(SELECT "value" FROM "Fact" WHERE "name" = ${networksFact})`
    const values = [fact, ...madeSince(accountId, since)]
    const { account, found, orders } = await around(ground, accountId, ids, values)
    const [networksDown, ...made] = found
    return {
      order: orders.find((order) => order.id === id) ?? null,
      account,
      networksDown: typeof networksDown === 'string' ? networksDown : null,
      made: made.map(Number),
      open: orders.filter((order) => order.id !== id && isOpen(order)),
    }
  },

  /**
   * @param since the beginning of the time that counts as recent.
   * @param countedSince the times since which requests are counted.
   */
  toConfirm: async (
    id: string,
    { userId, accountId }: { userId: number; accountId: string },
    since: Date,
    countedSince: readonly Date[] = [],
  ): Promise<PurchaseToConfirm> => {
    const { client, kind } = ground
    const phone = sql`(SELECT ${raw(firstPhone[kind])} FROM "Purchase" WHERE "id" = ${id})`
    const rows = await client.$queryRaw<Record<string, unknown>[]>`
      SELECT ${draftColumns}, "recipients", ${raw(switchColumns)},
        ${beside([shopOf(ground, accountId), ...madeSince(accountId, countedSince)])}
      FROM (SELECT 1) AS "asked" LEFT JOIN "Purchase" AS "purchase" ON "purchase"."id" = ${id}
      LEFT JOIN "Member" AS "member" ON "member"."userId" = ${BigInt(userId)} AND "member"."accountId" = ${accountId}
      LEFT JOIN "Account" AS "account" ON "account"."id" = "member"."accountId"
      LEFT JOIN "Customer" AS "saved" ON "saved"."accountId" = "member"."accountId" AND "saved"."phone" = ${phone}
        AND "saved"."agentId" = CASE "member"."role" WHEN 'agent' THEN "member"."userId" ELSE 0 END
      LEFT JOIN (${withTheirRecipients(kind, recentFor(accountId, phone, since))}) AS "found" ON TRUE
      ORDER BY "found"."createdAt", "found"."id"`
    const read = rows.map((row) => {
      const cells = Object.values(row).values()
      const purchase = purchaseColumns.read(cells)
      const member = memberColumns.read(cells)
      const account = accountColumns.read(cells)
      const saved = customerColumns.read(cells)
      const order = orderIn(cells)
      const switches = switchesIn(cells)
      const [shop, ...made] = [...cells]
      return { purchase, member, account, saved, order, switches, shop, made }
    })
    const [first] = read
    const { purchase = null, member, account, saved = null } = first ?? {}
    return {
      purchase: purchase && purchaseOf(purchase),
      member: member && account ? { ...memberOf(member), account: accountIn(account) } : null,
      recent: read.flatMap(({ order }) => order ?? []),
      shop: shopIn(first?.shop),
      switches: first?.switches ?? new Map(),
      made: first?.made.map(Number) ?? [],
      saved: saved && customerOf(saved),
    }
  },

  /**
   * Orders by their ids, oldest first.
   * @param events callbacks; `unapplied` is how many of them have no verdict yet.
   */
  toReport: async (
    ids: readonly string[],
    events: readonly number[],
    now: Date,
  ): Promise<{ orders: ReportedOrder[]; unapplied: number }> => {
    const { client, kind } = ground
    const unapplied =
      events.length === 0
        ? sql`0`
        : sql`(SELECT COUNT(*) FROM "Event" WHERE "id" IN (${join([...events])}) AND "appliedAt" IS NULL)`
    const rows = await client.$queryRaw<Record<string, unknown>[]>`
      SELECT ${reportedColumns}, "recipients", "followers", "isWaitedFor", "mayBeAsked", ${unapplied} AS "unapplied"
      FROM (SELECT 1) AS "asked" LEFT JOIN (
        SELECT "Order".*, ${recipientsOf[kind]} AS "recipients", ${followersOf[kind]} AS "followers",
          EXISTS (SELECT 1 FROM "Order" AS waiting WHERE waiting."placement" = 'queued'
            AND waiting."accountId" = "Order"."accountId" AND waiting."waitsForId" = "Order"."id") AS "isWaitedFor",
          EXISTS (SELECT 1 FROM "Account" WHERE "Account"."id" = "Order"."accountId" AND "unauthorizedSince" IS NULL
            AND ("frozenUntil" IS NULL OR "frozenUntil" <= ${now})) AS "mayBeAsked"
        FROM "Order" WHERE "id" IN (${join([...ids])})
      ) AS "found" ON TRUE
      LEFT JOIN "Preference" AS "wishes" ON "wishes"."userId" = "found"."chatId"
      ORDER BY "found"."createdAt", "found"."id"`
    return {
      orders: rows.flatMap((row) => reportedIn(Object.values(row).values()) ?? []),
      unapplied: Number(rows[0]?.unapplied ?? 0),
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
    const { account, found, orders } = await around(ground, accountId, ids, [isWatched])
    return {
      order: orders.find((order) => order.id === id) ?? null,
      account,
      isBalanceWatched: Boolean(found[0]),
      holder: orders.find((order) => order.reference === reference) ?? null,
    }
  },
})

const only = (id: string): Sql => sql`SELECT CAST(${id} AS TEXT)`

const columns = raw([accountColumns.as('account'), orderColumns.as('found')].join(', '))

const draftColumns = raw(
  [
    purchaseColumns.as('purchase'),
    memberColumns.as('member'),
    accountColumns.as('account'),
    customerColumns.as('saved'),
    orderColumns.as('found'),
  ].join(', '),
)

/** The orders with these ids, each with its recipients. */
const withTheirRecipients = (kind: DatabaseKind, ids: Sql): Sql => sql`
  SELECT "Order".*, ${recipientsOf[kind]} AS "recipients" FROM "Order" WHERE "id" IN (${ids})`

const reportedColumns = raw([preferenceColumns.as('wishes'), orderColumns.as('found')].join(', '))

/** A JSON array of the chats that follow an order, with the message of each. */
const followersOf: Record<DatabaseKind, Sql> = {
  sqlite: sql`(SELECT json_group_array(json_array("Follow"."chatId", "messageId")) FROM "Follow"
    WHERE "orderId" = "Order"."id")`,
  postgresql: sql`(SELECT CAST(json_agg(json_build_array("Follow"."chatId", "messageId")) AS TEXT) FROM "Follow"
    WHERE "orderId" = "Order"."id")`,
}

const followersSchema = z.array(z.tuple([z.int(), z.int().nullable()]))

const reportedIn = (cells: Iterator<unknown>): ReportedOrder | null => {
  const wishes = preferenceColumns.read(cells)
  const order = orderIn(cells)
  if (!order) return null
  const [json, isWaitedFor, mayBeAsked] = [cells.next().value, cells.next().value, cells.next().value]
  const followers = typeof json === 'string' ? followersSchema.parse(JSON.parse(json)) : []
  return {
    order,
    followers: followers.map(([chatId, messageId]) => ({ orderId: order.id, chatId, messageId })),
    preferences: wishes ? preferencesOf(wishes) : defaultPreferences(order.chatId),
    isWaitedFor: Boolean(isWaitedFor),
    mayBeAsked: Boolean(mayBeAsked),
  }
}

/** Takes an order's cells with its recipients, which come next in a row. */
const orderIn = (cells: Iterator<unknown>): Order | null => {
  const order = orderColumns.read(cells)
  const recipients = recipientsIn(cells.next().value)
  return order && orderOf({ ...order, recipients })
}

/** How many requests the account made since each of the times. */
const madeSince = (accountId: string, times: readonly Date[]): Sql[] =>
  times.map(
    (time) => sql`(SELECT COUNT(*) FROM "Request" WHERE "accountId" = ${accountId} AND "at" > ${time})`,
  )

/** Values that stand beside the columns of a row, each with a name of its own. */
const beside = (values: readonly Sql[]): Sql =>
  join(values.map((value, index) => sql`${value} AS ${raw(`"beside ${index}"`)}`))

/**
 * The account and those orders.
 * @param values what else is read.
 */
const around = async (
  { client, kind }: Ground,
  accountId: string,
  ids: Sql,
  values: readonly Sql[],
): Promise<{ account: Account | null; found: unknown[]; orders: Order[] }> => {
  const rows = await client.$queryRaw<Record<string, unknown>[]>`
    SELECT ${columns}, "recipients", ${beside(values)}
    FROM (SELECT 1) AS "asked" LEFT JOIN "Account" AS "account" ON "account"."id" = ${accountId}
    LEFT JOIN (${withTheirRecipients(kind, ids)}) AS "found" ON TRUE
    ORDER BY "found"."createdAt", "found"."id"`
  const read = rows.map((row) => {
    const cells = Object.values(row).values()
    const account = accountColumns.read(cells)
    return { account: account && accountIn(account), order: orderIn(cells), found: [...cells] }
  })
  return {
    account: read[0]?.account ?? null,
    found: read[0]?.found ?? [],
    orders: read.flatMap(({ order }) => order ?? []),
  }
}

import type { Client } from '../../database/database.ts'
import { join, type Sql, sql } from '../../database/sql.ts'
import type { Order } from '../../domain/order/order.ts'
import { type AheadRule, latest } from '../../domain/times/ahead.ts'
import { type DueSearch, type DueWork, findDue, rangesOver, unionOf } from './due.ts'
import { ordersWithIds } from './order-rows.ts'

/**
 * How many due orders of an account are found at once: as many as may be in progress together. So if an account has
 * room for one more, at least one of its found orders is not in progress yet.
 */
const ordersOfAccount = 4

export const searchQueries = (client: Client) => ({
  /**
   * Orders that are due to be sent, oldest first: a few of each account, and none of frozen accounts.
   * @param limit the most accounts; those that have waited longest come first.
   * @param except accounts that are left out.
   * @param known orders that are left out, because they are in progress already.
   */
  dueToSend: async (
    now: Date,
    limit: number,
    except: readonly string[] = [],
    known: readonly string[] = [],
  ): Promise<Order[]> => {
    const due = await findDue(client, placing(now), limit, except)
    const ids = due.flatMap(({ work }) => work.split(','))
    return ordersWithIds(
      client,
      ids.filter((id) => !known.includes(id)),
    )
  },

  /**
   * For each account about which the provider can be asked, the order whose poll is longest overdue.
   * @param limit the most accounts; the longest overdue come first.
   * @param except accounts that are left out.
   */
  dueToPoll: async (now: Date, limit: number, except: readonly string[] = []): Promise<Order[]> => {
    const due = await findDue(client, planned('nextPollAt', 'pollAt', now), limit, except)
    const ids = due.map(({ work }) => work)
    const orders = new Map((await ordersWithIds(client, ids)).map((order) => [order.id, order]))
    return ids.flatMap((id) => orders.get(id) ?? [])
  },

  /**
   * Accounts whose wallet is due to be read, for orders with an unknown outcome or a missing refund.
   * @param limit the most accounts; the longest overdue come first.
   * @param except accounts that are left out.
   */
  dueToReconcile: async (now: Date, limit: number, except: readonly string[] = []): Promise<string[]> => {
    const search = (column: 'reconcileAt' | 'refundAt'): Promise<DueWork[]> =>
      findDue(client, planned(column, 'readAt', now), limit, except)
    const due = [...(await search('reconcileAt')), ...(await search('refundAt'))]
    const accounts = due.sort((a, b) => a.since.getTime() - b.since.getTime()).map(({ key }) => key)
    return [...new Set(accounts)].slice(0, limit)
  },
})

/** The condition that the provider has asked for a pause for the account (the `key` of the search). */
const isFrozen = (now: Date): Sql => sql`EXISTS (
  SELECT 1 FROM "Account"
  WHERE "Account"."id" = "key" AND "frozenUntil" > ${now} AND "frozenUntil" <= ${latest('frozenUntil', now)})`

const isAccepted = sql`EXISTS (
  SELECT 1 FROM "Account" WHERE "Account"."id" = "key" AND "unauthorizedSince" IS NULL)`

/** The search for queued orders that may be sent. The `work` of an account is their ids, joined by commas. */
const placing = (now: Date): DueSearch => {
  const delays = [sql`"notBefore" IS NULL`, ...rangesOver(sql`"notBefore"`, 'queuedUntil', now)]
  const queued = sql`FROM "Order" WHERE "placement" = 'queued' AND "afterId" IS NULL`
  /**
   * The account's orders that need not wait for an earlier order of their list. They are sorted by all columns of the
   * index, so that PostgreSQL uses it.
   */
  const inTurn = (what: Sql, most: number) =>
    unionOf(
      delays.map(
        (delay) => sql`SELECT ${what} ${queued} AND "accountId" = "key" AND ${delay}
          AND (SELECT "heldById" FROM "Purchase" WHERE "Purchase"."id" = "purchaseId") IS NULL
          ORDER BY "placement", "accountId", "afterId", "notBefore", "createdAt" LIMIT ${most}`,
      ),
    )
  return {
    // `afterId` need not be checked here, because an account with queued orders always has one whose turn it is.
    waiting: sql`"Order" WHERE "placement" = 'queued'`,
    column: sql`"accountId"`,
    rows: (most) =>
      unionOf(
        delays.map(
          (
            delay,
          ) => sql`SELECT "accountId" AS "key", COALESCE("notBefore", "createdAt") AS "at" ${queued} AND ${delay}
            ORDER BY "placement", "notBefore", "createdAt" LIMIT ${most}`,
        ),
      ),
    isServed: sql`NOT ${isFrozen(now)}`,
    since: sql`SELECT MIN("at") FROM (${inTurn(sql`COALESCE("notBefore", "createdAt") AS "at"`, 1)}) AS "first"`,
    work: sql`SELECT STRING_AGG("id", ',') FROM (${inTurn(sql`"id"`, ordersOfAccount)}) AS "ready"`,
  }
}

const times = { nextPollAt: sql`"nextPollAt"`, reconcileAt: sql`"reconcileAt"`, refundAt: sql`"refundAt"` }

/**
 * The search for orders whose time in the named column is due. The `work` of an account is the id of the longest
 * overdue order.
 */
const planned = (name: keyof typeof times, rule: AheadRule, now: Date): DueSearch => {
  const time = times[name]
  const ranges = rangesOver(time, rule, now)
  const first = (what: Sql) =>
    join(
      ranges.map(
        (range) => sql`(SELECT ${what} FROM "Order" WHERE "accountId" = "key" AND ${range}
          ORDER BY "accountId", ${time} LIMIT 1)`,
      ),
    )
  return {
    waiting: sql`"Order" WHERE ${time} IS NOT NULL`,
    column: sql`"accountId"`,
    rows: (most) =>
      unionOf(
        ranges.map(
          (range) => sql`SELECT "accountId" AS "key", ${time} AS "at" FROM "Order" WHERE ${range}
            ORDER BY ${time} LIMIT ${most}`,
        ),
      ),
    isServed: sql`${isAccepted} AND NOT ${isFrozen(now)}`,
    since: sql`COALESCE(${first(time)})`,
    work: sql`COALESCE(${first(sql`"id"`)})`,
  }
}

import { type Sql, sql } from '../database/sql.ts'
import type { Duty } from './duties.ts'

/** Orders of an account that are found at once. No more are ever under way, so one that is not is among them. */
const ordersOfAccount = 4

const isAccepted = sql`EXISTS (SELECT 1 FROM "Account" WHERE "Account"."id" = "key" AND "unauthorizedSince" IS NULL)`
const isFrozen = (now: Date) => sql`EXISTS (
  SELECT 1 FROM "Account" WHERE "Account"."id" = "key" AND "frozenUntil" > ${now})`
const thawsAt = sql`(SELECT "frozenUntil" FROM "Account" WHERE "Account"."id" = "key")`

/** Orders of the account whose turn it is, in the order of the index. PostgreSQL plans a join twice as long. */
const inTurn = (delay: Sql) => sql`
  FROM "Order" WHERE "Order"."placement" = 'queued' AND "Order"."accountId" = "key" AND "Order"."afterId" IS NULL
    AND ${delay} AND (SELECT "heldById" FROM "Purchase" WHERE "Purchase"."id" = "Order"."purchaseId") IS NULL
  ORDER BY "Order"."placement", "Order"."accountId", "Order"."afterId", "Order"."notBefore", "Order"."createdAt"`

/** Queued orders that may be sent. The work of an account is their ids, joined by commas. */
export const placing = (now: Date): Duty => ({
  kind: 'placing',
  work: sql`CASE WHEN NOT ${isFrozen(now)} THEN (
    SELECT STRING_AGG("id", ',') FROM (
      SELECT * FROM (SELECT "Order"."id" ${inTurn(sql`"Order"."notBefore" IS NULL`)} LIMIT ${ordersOfAccount}) AS "new"
      UNION ALL
      SELECT * FROM (SELECT "Order"."id" ${inTurn(sql`"Order"."notBefore" <= ${now}`)} LIMIT ${ordersOfAccount}) AS "put off"
    ) AS "ready") END`,
  next: sql`CASE WHEN ${isFrozen(now)} THEN ${thawsAt}
    ELSE (SELECT "Order"."notBefore" ${inTurn(sql`"Order"."notBefore" > ${now}`)} LIMIT 1) END`,
})

/** Orders whose poll is due. The work of an account is the id of the longest overdue one. */
export const polling = (now: Date): Duty => ({
  kind: 'polling',
  work: sql`CASE WHEN ${isAccepted} AND NOT ${isFrozen(now)} THEN (
    SELECT "id" FROM "Order" WHERE "Order"."accountId" = "key" AND "nextPollAt" <= ${now}
    ORDER BY "Order"."accountId", "nextPollAt" LIMIT 1) END`,
  next: sql`CASE WHEN NOT ${isAccepted} THEN NULL WHEN ${isFrozen(now)} THEN ${thawsAt}
    ELSE (SELECT MIN("nextPollAt") FROM "Order" WHERE "Order"."accountId" = "key") END`,
})

/** PostgreSQL takes the first of an index for it, but might look for any order that is due through the whole table. */
const firstRead = sql`(
  SELECT MIN("at") FROM (
    SELECT MIN("settleAt") AS "at" FROM "Order" WHERE "Order"."accountId" = "key"
    UNION ALL SELECT MIN("refundAt") FROM "Order" WHERE "Order"."accountId" = "key"
  ) AS "first")`

/** Reads of a wallet for orders without an outcome, or for refunds. */
export const settling = (now: Date): Duty => ({
  kind: 'settling',
  work: sql`CASE WHEN ${isAccepted} AND NOT ${isFrozen(now)} AND ${firstRead} <= ${now} THEN "key" END`,
  next: sql`CASE WHEN NOT ${isAccepted} THEN NULL WHEN ${isFrozen(now)} THEN ${thawsAt} ELSE ${firstRead} END`,
})

const isMuted = sql`EXISTS (SELECT 1 FROM "Chat" WHERE "Chat"."id" = CAST("key" AS BIGINT) AND "mutedAt" IS NOT NULL)`
const owed = sql`FROM "Notice" WHERE "setAsideAt" IS NULL AND "chatId" = CAST("key" AS BIGINT)`
/** The oldest notice of the chat that no quiet hours hold back. */
const head = (column: Sql, now: Date) => sql`(
  SELECT ${column} ${owed} AND ("quietUntil" IS NULL OR "quietUntil" <= ${now})
  ORDER BY "setAsideAt", "chatId", "id" LIMIT 1)`

/** Notices that may be sent to a chat: its oldest is due, or held back by quiet hours alone. */
export const sending = (now: Date): Duty => ({
  kind: 'sending',
  work: sql`CASE WHEN NOT ${isMuted}
    AND ${head(sql`CASE WHEN "notBefore" > ${now} THEN 0 ELSE 1 END`, now)} = 1 THEN "key" END`,
  next: sql`CASE WHEN NOT ${isMuted} THEN (
    SELECT MIN("at") FROM (
      SELECT ${head(sql`"notBefore"`, now)} AS "at"
      UNION ALL SELECT MIN("quietUntil") ${owed} AND "quietUntil" > ${now}
    ) AS "first") END`,
})

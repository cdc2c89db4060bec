import { randomInt } from 'node:crypto'
import type { Client } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/** Everything that waits, by account or chat, with the time before which nothing of it is due. */
const waiting = [
  sql`SELECT 'placing', "accountId", MIN(COALESCE("notBefore", "createdAt")) FROM "Order"
    WHERE "placement" = 'queued' AND "afterId" IS NULL GROUP BY "accountId"`,
  sql`SELECT 'polling', "accountId", MIN("nextPollAt") FROM "Order"
    WHERE "nextPollAt" > ${new Date(0)} GROUP BY "accountId"`,
  sql`SELECT 'settling', "accountId", MIN("at") FROM (
      SELECT "accountId", "settleAt" AS "at" FROM "Order" WHERE "settleAt" IS NOT NULL
      UNION ALL SELECT "accountId", "refundAt" FROM "Order" WHERE "refundAt" IS NOT NULL
    ) AS "searched" WHERE true GROUP BY "accountId"`,
  sql`SELECT 'sending', CAST("chatId" AS TEXT), MIN(COALESCE(
      CASE WHEN "quietUntil" > "notBefore" THEN "quietUntil" ELSE "notBefore" END, "quietUntil", "createdAt")) FROM "Notice"
    WHERE "setAsideAt" IS NULL
      AND NOT EXISTS (SELECT 1 FROM "Chat" WHERE "Chat"."id" = "chatId" AND "mutedAt" IS NOT NULL)
    GROUP BY "chatId"`,
]

/** The table that searches for due work go by (`duties`). */
export const dutyStore = (client: Client) => ({
  /** Writes duties that are missing or too late. Their triggers should leave nothing to mend. */
  mend: async (): Promise<void> => {
    for (const each of waiting) {
      await client.$executeRaw`
        INSERT INTO "Duty" ("kind", "key", "due", "causes")
        SELECT "waiting".*, CAST(${randomInt(1_000_000_000)} AS INTEGER) FROM (${each}) AS "waiting" WHERE true
        ON CONFLICT ("kind", "key") DO UPDATE SET "due" = excluded."due", "causes" = "Duty"."causes" + 1
        WHERE excluded."due" < "Duty"."due"`
    }
  },
})

/** The queries of `dutyStore`. */
export type DutyStore = ReturnType<typeof dutyStore>

import type { Client } from '../database/database.ts'
import { inPassing } from '../database/in-passing.ts'
import type { AtOnce } from '../database/postgres-at-once.ts'
import { ofAccount, type Scope } from '../database/scope.ts'
import { join, raw, sql } from '../database/sql.ts'
import { type Account, type AccountStore, accountIn, isErased } from './accounts.ts'
import { accountColumns } from './columns.ts'

/** How much of its limits an account has used. */
export interface Usage {
  /** Its requests since each of the times that were asked for. */
  counts: readonly number[]
  /** Until when the provider asked for silence. */
  frozenUntil: Date | null
}

/** The most requests that may have been made since a time. */
export interface Room {
  since: Date
  most: number
}

type Counts = Record<number, number | bigint | null>

const countsOf = (times: readonly Date[]) =>
  join(
    times.map((time, index) => sql`SUM(CASE WHEN "at" > ${time} THEN 1 ELSE 0 END) AS ${raw(`"${index}"`)}`),
  )

const earliestOf = (times: readonly Date[]): Date =>
  new Date(Math.min(...times.map((time) => time.getTime())))

/** Requests to the provider by account and time, for the budget. */
export const requestStore = (client: Client) => ({
  /**
   * Counts a request if fewer than the most were made since each of the times, and the provider asked for no silence.
   * Two at once could both find the last room: call it in a transaction that has the account.
   * @returns whether it was counted.
   */
  claim: async (accountId: string, at: Date, rooms: readonly Room[]): Promise<boolean> => {
    const haveRoom = rooms.map(
      ({ since, most }) =>
        sql`(SELECT COUNT(*) FROM "Request" WHERE "accountId" = ${accountId} AND "at" > ${since}) < ${most}`,
    )
    const isSilent = sql`EXISTS (SELECT 1 FROM "Account" WHERE "id" = ${accountId} AND "frozenUntil" > ${at})`
    const count = await client.$executeRaw`
      INSERT INTO "Request" ("accountId", "at") SELECT ${accountId}, ${at}
      WHERE ${join([sql`NOT ${isSilent}`, ...haveRoom], ' AND ')}`
    return count === 1
  },

  /** Counts a request for which the transaction has found room: it has the account to itself. */
  count: async (accountId: string, at: Date): Promise<void> => {
    await inPassing(
      () => client.$executeRaw`INSERT INTO "Request" ("accountId", "at") VALUES (${accountId}, ${at})`,
    )
  },

  /** How many there were since each of the times, in one statement. */
  countsSince: async (accountId: string, times: readonly Date[]): Promise<number[]> => {
    const [row] = await client.$queryRaw<Counts[]>`
      SELECT ${countsOf(times)} FROM "Request" WHERE "accountId" = ${accountId} AND "at" > ${earliestOf(times)}`
    return times.map((_, index) => Number(row?.[index] ?? 0))
  },

  /** The same, with the provider's wish for silence, in one statement. */
  usageSince: async (accountId: string, times: readonly Date[]): Promise<Usage> => {
    const [row] = await client.$queryRaw<(Counts & Pick<Usage, 'frozenUntil'>)[]>`
      SELECT "frozenUntil", ${countsOf(times)} FROM (SELECT CAST(${accountId} AS TEXT) AS "asked") AS "asking"
      LEFT JOIN "Account" ON "Account"."id" = "asked"
      LEFT JOIN "Request" ON "Request"."accountId" = "asked" AND "at" > ${earliestOf(times)}
      GROUP BY "frozenUntil"`
    return {
      counts: times.map((_, index) => Number(row?.[index] ?? 0)),
      frozenUntil: row?.frozenUntil ?? null,
    }
  },

  /** The time of the request after `skip` older ones. */
  nthSince: async (accountId: string, since: Date, skip: number): Promise<Date | null> => {
    const row = await client.request.findFirst({
      where: { accountId, at: { gt: since } },
      orderBy: { at: 'asc' },
      skip,
    })
    return row?.at ?? null
  },

  forgetBefore: async (at: Date): Promise<void> => {
    await client.request.deleteMany({ where: { at: { lt: at } } })
  },
})

/** The queries of `requestStore`. */
export type RequestStore = ReturnType<typeof requestStore>

/** A request that was to be counted. */
export interface LoneClaim {
  /** As it was then. */
  account: Account | null
  isCounted: boolean
}

/** How a request is counted by itself. */
export interface LoneClaims {
  /** The same as `claim`, in a transaction of its own. Nothing is counted for an account without credentials. */
  claimAlone(accountId: string, at: Date, rooms: readonly Room[]): Promise<LoneClaim>
}

interface Counted {
  accounts: AccountStore
  requests: RequestStore
}

type Within = <T>(scope: Scope, work: (queries: Counted) => Promise<T>) => Promise<T>

/** Counts in one round trip where there is a way to. */
export const loneClaims = (within: Within, atOnce: AtOnce | null): LoneClaims => ({
  claimAlone: (accountId, at, rooms) =>
    atOnce
      ? claimAtOnce(atOnce, accountId, at, rooms)
      : within(ofAccount(accountId), (tx) => claimIn(tx, accountId, at, rooms)),
})

const claimIn = async (
  { accounts, requests }: Counted,
  accountId: string,
  at: Date,
  rooms: readonly Room[],
): Promise<LoneClaim> => {
  const account = await accounts.byId(accountId)
  return { account, isCounted: !isErased(account) && (await requests.claim(accountId, at, rooms)) }
}

const claimAtOnce = async (
  atOnce: AtOnce,
  accountId: string,
  at: Date,
  rooms: readonly Room[],
): Promise<LoneClaim> => {
  const limits = rooms.flatMap(({ since, most }) => [accountId, since, most])
  const haveRoom = rooms.map(
    () => `AND (SELECT COUNT(*) FROM "Request" WHERE "accountId" = ? AND "at" > ?) < ?`,
  )
  const [row] = await atOnce(
    ofAccount(accountId),
    `WITH counted AS (
      INSERT INTO "Request" ("accountId", "at") SELECT "id", ? FROM "Account"
      WHERE "id" = ? AND "sealedSecret" <> '' AND ("frozenUntil" IS NULL OR "frozenUntil" <= ?) ${haveRoom.join(' ')}
      RETURNING 1)
    SELECT ${accountColumns.of('"Account"')}, (SELECT COUNT(*) FROM counted) FROM "Account" WHERE "id" = ?`,
    [at, accountId, at, ...limits, accountId],
  )
  const account = row ? accountColumns.read(row.values()) : null
  return { account: account && accountIn(account), isCounted: row?.at(-1) === 1 }
}

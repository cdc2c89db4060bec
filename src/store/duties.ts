import type { Client } from '../database/database.ts'
import type { DatabaseKind } from '../database/schema.ts'
import { empty, join, type Sql, sql } from '../database/sql.ts'

/** A kind of work that is searched for by account, or by chat. */
export type DutyKind = 'placing' | 'polling' | 'settling' | 'sending'

/** How one kind of work is recognised. In both pieces, `"key"` is the account or the chat. */
export interface Duty {
  kind: DutyKind
  /** What is due of it, as a text; null: nothing. */
  work: Sql
  /** When something of it is due next, if nothing is; null: nothing of it waits. */
  next: Sql
}

/** Work that is due. */
export interface DueWork {
  key: string
  /** The value of `work`. */
  work: string
}

/** A row of a look, which goes to the first duties. */
export interface Looked {
  key: string
  causes: number
  due: Date | string
  work: string | null
  next: Date | string | null
}

/**
 * Duties with nothing due stay until there are so many, or until they have stayed so long: to remove each by itself would
 * be a statement for each message.
 */
const minTidied = 8
const maxIdleMs = 15_000

/** A search ends after so many steps over duties that were fulfilled meanwhile; the next search goes on behind them. */
const maxSteps = 20

/**
 * The longest due work, so that the time does not grow with what waits. The table `Duty` has a row for each account and
 * chat that work may wait for, at the latest when it is due. The search looks at what the first rows stand for. It
 * removes or moves those with nothing due, unless another cause came meanwhile.
 * @param except keys that are left out.
 */
export const findDue = async (
  { client, kind }: Ground,
  duty: Duty,
  { now, limit, except = [], look = lookBy(client) }: Search & { except?: readonly string[]; look?: Look },
): Promise<DueWork[]> => {
  const found: DueWork[] = []
  const seen = [...except]
  for (let step = 0; step < maxSteps && found.length < limit; step += 1) {
    const room = limit - found.length
    const looked = await look(looking(duty, { now, limit: room, except: seen }))
    found.push(...looked.flatMap(({ key, work }) => (work === null ? [] : [{ key, work }])))
    const idle = looked.filter(({ work }) => work === null)
    const isOld = idle.some(({ due }) => now.getTime() - new Date(due).getTime() > maxIdleMs)
    if (idle.length >= Math.min(minTidied, room) || isOld) await tidy({ client, kind }, duty, now, idle)
    if (looked.length < room) break
    seen.push(...looked.map(({ key }) => key))
  }
  return found
}

/** What a search works on. */
export interface Ground {
  client: Client
  kind: DatabaseKind
}

interface Search {
  now: Date
  limit: number
}

/** Runs the query of a look. */
export type Look = (query: Sql) => Promise<Looked[]>

const lookBy =
  (client: Client): Look =>
  (query) =>
    client.$queryRaw<Looked[]>(query)

/** The columns of `Looked`, of the longest due duties. */
const looking = (
  { kind, work, next }: Duty,
  { now, limit, except }: Search & { except: readonly string[] },
): Sql => {
  const others = except.length === 0 ? empty : sql`AND "key" NOT IN (${join([...except])})`
  // Materialized: otherwise PostgreSQL plans and finds the work of each row twice.
  return sql`
    WITH "looked" AS MATERIALIZED (
      SELECT "key", "causes", "due", (${work}) AS "work"
      FROM (
        SELECT "key", "causes", "due" FROM "Duty"
        WHERE "kind" = ${kind} AND "due" <= ${now} ${others} ORDER BY "due" LIMIT ${limit}
      ) AS "longest"
    )
    SELECT "key", "causes", "due", "work", CASE WHEN "work" IS NULL THEN (${next}) END AS "next"
    FROM "looked" ORDER BY "due"`
}

/** Removes what waits no more, and moves what is due later. */
const tidy = async (
  { client, kind: databaseKind }: Ground,
  { kind, next }: Duty,
  now: Date,
  looked: readonly Looked[],
): Promise<void> => {
  // A transaction that causes work locks its rows in an order of its own, so that nothing may wait for it here.
  const unlocked = databaseKind === 'postgresql' ? sql`FOR UPDATE SKIP LOCKED` : empty
  const among = (rows: readonly Looked[]) => sql`"kind" = ${kind} AND "key" IN (
    SELECT "key" FROM "Duty" WHERE "kind" = ${kind}
      AND (${join(
        rows.map(({ key, causes }) => sql`("key" = ${key} AND "causes" = ${causes})`),
        ' OR ',
      )})
    ${unlocked})`
  const over = looked.filter((row) => row.next === null)
  if (over.length > 0) await client.$executeRaw`DELETE FROM "Duty" WHERE ${among(over)}`
  const later = looked.filter((row) => row.next !== null && new Date(row.next) > now)
  if (later.length > 0)
    await client.$executeRaw`UPDATE "Duty" SET "due" = COALESCE((${next}), "due") WHERE ${among(later)}`
}

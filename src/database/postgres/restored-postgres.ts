import { copyMarkNames, earlierCopyMark, formatCopyMark } from '../copies/copy-mark.ts'
import { newestOf, writtenAt } from '../copies/newest-write.ts'
import { FileFault } from '../database-file.ts'
import { serverFaultOf } from './server-fault.ts'
import { openSession, refuseInUse, type Session } from './session.ts'

/**
 * Marks a PostgreSQL database that contains a restored dump, as `markRestored` does for a file.
 * @throws {FileFault}
 */
export const markServer = async (options: {
  url: string
  at: Date | null
  now: Date
}): Promise<{ place: string; at: Date }> => {
  const session = await openSession(options.url)
  const { place } = session.address
  try {
    await refuseForeign(session)
    await refuseInUse(session)
    await refuseIfRunning(session)
    const at = options.at ?? newestOf(await timesIn(session), place, options.now)
    return { place, at: await stamp(session, at) }
  } catch (error) {
    throw serverFaultOf(error, place)
  } finally {
    await session.close()
  }
}

const refuseForeign = async ({ client, address }: Session): Promise<void> => {
  const { rows } = await client.query<{ isOurs: boolean }>(
    `SELECT to_regclass('"Fact"') IS NOT NULL AS "isOurs"`,
  )
  if (rows[0]?.isOurs) return
  throw new FileFault(`${address.place}: is not a Bundlegram database. Restore the dump into it first.`)
}

/**
 * Refuses a database on which a bot holds a lease. This also finds bots whose connections do not have the usual
 * name.
 */
const refuseIfRunning = async ({ client, address }: Session): Promise<void> => {
  const { rows } = await client.query<{ name: string; until: string }>(
    `SELECT "name", to_char("until", 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "until" FROM "Lease"
     WHERE "until" > clock_timestamp() AT TIME ZONE 'UTC' ORDER BY "until" DESC LIMIT 1`,
  )
  const [held] = rows
  if (!held) return
  throw new FileFault(
    `${address.place}: a bot is using it, or was a moment ago (it holds “${held.name}” until ${held.until}). Stop the bot and try again after that time. Nothing was changed.`,
  )
}

const timesIn = async ({ client }: Session): Promise<Date[]> => {
  const times: Date[] = []
  for (const [table, column] of writtenAt) {
    const { rows } = await client.query<{ ms: string | null }>(
      `SELECT (EXTRACT(EPOCH FROM max("${column}")) * 1000)::bigint AS ms FROM "${table}"`,
    )
    const ms = rows[0]?.ms ?? null
    if (ms !== null) times.push(new Date(Number(ms)))
  }
  return times
}

const stamp = async ({ client }: Session, at: Date): Promise<Date> => {
  await client.query('BEGIN')
  const known = await client.query<{ value: string }>(
    'SELECT "value" FROM "Fact" WHERE "name" = $1 FOR UPDATE',
    [copyMarkNames.backupOf],
  )
  const earlier = earlierCopyMark(known.rows[0]?.value ?? null, at)
  await client.query(
    'INSERT INTO "Fact" ("name", "value") VALUES ($1, $2) ON CONFLICT ("name") DO UPDATE SET "value" = excluded."value"',
    [copyMarkNames.backupOf, formatCopyMark(earlier)],
  )
  await client.query('COMMIT')
  return earlier
}

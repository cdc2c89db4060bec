import type { DatabaseSync } from 'node:sqlite'
import {
  checkIntegrity,
  databasePath,
  FileFault,
  faultOf,
  openFile,
  stampFile,
  takeAlone,
} from './database-file.ts'

interface Restoring {
  /** The address of the database. */
  url: string
  /** What the copy knows ends here; null: at the newest time in its rows. */
  at: Date | null
  now: Date
}

interface Restored {
  /** Which database it is, without a password. */
  place: string
  /** The time that it is marked with: the earlier one where it was marked before. */
  at: Date
}

/**
 * Marks a database that is a copy made by other means than `backup`, so that the bot's next start sends nothing of
 * what it finds. No bot may be running on it.
 * @throws {FileFault}
 */
export const markRestored = async (restoring: Restoring): Promise<Restored> => {
  const { url, at, now } = restoring
  if (at !== null && at > now) {
    throw new FileFault(
      `--at: ${at.toISOString()} is still to come, and it is ${now.toISOString()} now. Times are UTC.`,
    )
  }
  if (url.startsWith('file:')) return markFile(restoring)
  const { markServer } = await import('./restored-postgres.ts')
  return markServer(restoring)
}

const markFile = ({ url, at, now }: Restoring): Restored => {
  const path = databasePath(url)
  const database = openFile(path, { readOnly: false })
  try {
    takeAlone(database, path)
    checkIntegrity(database, path)
    return { place: path, at: stampFile(database, at ?? newestOf(timesIn(database), path, now)) }
  } catch (error) {
    throw faultOf(error, path)
  } finally {
    database.close()
  }
}

/** Columns with times at which something was written; those that lie ahead, such as the end of a lease, say nothing. */
export const writtenAt = [
  ['Order', 'updatedAt'],
  ['Purchase', 'createdAt'],
  ['Purchase', 'confirmedAt'],
  ['Event', 'receivedAt'],
  ['Notice', 'createdAt'],
  ['Request', 'at'],
  ['Account', 'createdAt'],
  ['Account', 'balanceAt'],
  ['Session', 'updatedAt'],
] as const

const timesIn = (database: DatabaseSync): Date[] =>
  writtenAt.flatMap(([table, column]) => {
    const row = database.prepare(`SELECT max("${column}") AS newest FROM "${table}"`).get()
    const time = new Date(String(row?.newest ?? ''))
    return Number.isNaN(time.getTime()) ? [] : [time]
  })

/** @throws {FileFault} where there is none. */
export const newestOf = (times: readonly Date[], place: string, now: Date): Date => {
  if (times.length === 0) {
    throw new FileFault(
      `${place}: has no rows that tell when it was copied. Say it yourself, for example --at ${now.toISOString()}`,
    )
  }
  return new Date(Math.min(Math.max(...times.map(Number)), now.getTime()))
}

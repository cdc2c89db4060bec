import type { DatabaseSync } from 'node:sqlite'
import {
  checkIntegrity,
  databasePath,
  FileFault,
  faultOf,
  openFile,
  stampFile,
  takeAlone,
} from '../database-file.ts'
import { newestOf, writtenAt } from './newest-write.ts'

interface Restoring {
  url: string
  /** The copy contains nothing after this time. Null means the newest time in its rows. */
  at: Date | null
  now: Date
}

interface Restored {
  /** Where the database is, without its password. */
  place: string
  /** The time in the mark. If the database had a mark with an earlier time, that time was kept. */
  at: Date
}

/**
 * Marks a database as a copy that was not made by `backup`. The bot's next start then sends none of the copy's
 * orders, because they may have been sent since the copy was made. No bot may be running on the database.
 * @throws {FileFault}
 */
export const markRestored = async (restoring: Restoring): Promise<Restored> => {
  const { url, at, now } = restoring
  if (at !== null && at > now) {
    throw new FileFault(
      `--at: ${at.toISOString()} is in the future (now: ${now.toISOString()}). Times are UTC.`,
    )
  }
  if (url.startsWith('file:')) return markFile(restoring)
  const { markServer } = await import('../postgres/restored-postgres.ts')
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

const timesIn = (database: DatabaseSync): Date[] =>
  writtenAt.flatMap(([table, column]) => {
    const row = database.prepare(`SELECT max("${column}") AS newest FROM "${table}"`).get()
    const time = new Date(String(row?.newest ?? ''))
    return Number.isNaN(time.getTime()) ? [] : [time]
  })

import type { DatabaseSync } from 'node:sqlite'
import { checkIntegrity, FileFault, faultOf, openFile, stampFile, takeAlone } from './database-file.ts'

/**
 * Marks a database that is a copy made by other means than `backup`, so that the bot's next start sends nothing of
 * what it finds. No bot may be running on it.
 * @param at what the copy knows ends here; null: at the newest time in its rows.
 * @returns the time that it is marked with: the earlier one where it was marked before.
 * @throws {FileFault}
 */
export const markRestored = (options: { path: string; at: Date | null; now: Date }): Date => {
  const { path, at, now } = options
  if (at !== null && at > now) {
    throw new FileFault(
      `--at: ${at.toISOString()} is still to come, and it is ${now.toISOString()} now. Times are UTC.`,
    )
  }
  const database = openFile(path, { readOnly: false })
  try {
    takeAlone(database, path)
    checkIntegrity(database, path)
    return stampFile(database, at ?? newestTime(database, path, now))
  } catch (error) {
    throw faultOf(error, path)
  } finally {
    database.close()
  }
}

/** Columns with times at which something was written; those that lie ahead, such as the end of a lease, say nothing. */
const writtenAt = [
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

const newestTime = (database: DatabaseSync, path: string, now: Date): Date => {
  const times = writtenAt.flatMap(([table, column]) => {
    const row = database.prepare(`SELECT max("${column}") AS newest FROM "${table}"`).get()
    const time = new Date(String(row?.newest ?? '')).getTime()
    return Number.isNaN(time) ? [] : [time]
  })
  if (times.length === 0) {
    throw new FileFault(
      `${path}: has no rows that tell when it was copied. Say it yourself, for example --at ${now.toISOString()}`,
    )
  }
  return new Date(Math.min(Math.max(...times), now.getTime()))
}

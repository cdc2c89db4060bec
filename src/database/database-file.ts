import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { copyMarkNames, earlierCopyMark, formatCopyMark } from './copies/copy-mark.ts'

/** An operator's command cannot use a database. The message is one sentence that says what to do. */
export class FileFault extends Error {
  override name = 'FileFault'
  readonly code = 'file_fault'
}

/**
 * The path of the embedded database's file.
 * @throws {FileFault} if the address does not name a file
 */
export const databasePath = (databaseUrl: string): string => {
  if (!databaseUrl.startsWith('file:')) {
    throw new FileFault(
      'DATABASE_URL: this command is for the embedded SQLite database, for example DATABASE_URL=file:./data/bundlegram.db; PostgreSQL has its own tools, such as pg_dump',
    )
  }
  const path = databaseUrl.slice('file:'.length)
  if (path === ':memory:') throw new FileFault('DATABASE_URL: a database in memory has no file')
  return path
}

/**
 * Opens an existing database of Bundlegram.
 * @throws {FileFault}
 */
export const openFile = (path: string, { readOnly }: { readOnly: boolean }): DatabaseSync => {
  if (!existsSync(path)) {
    throw new FileFault(
      `${path}: there is no such database. Name it, for example --database file:/srv/bundlegram/data/bundlegram.db`,
    )
  }
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { readOnly, timeout: 5_000 })
    if (database.prepare(factTable).get()) return database
  } catch (error) {
    database?.close()
    throw faultOf(error, path)
  }
  database.close()
  throw new FileFault(`${path}: is not a Bundlegram database. Nothing was changed.`)
}

const factTable = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'Fact'`

/**
 * Marks the database as a copy made at that time. An earlier mark is kept.
 * @returns the time of the mark
 */
export const stampFile = (database: DatabaseSync, at: Date): Date => {
  const row = database.prepare('SELECT value FROM Fact WHERE name = ?').get(copyMarkNames.backupOf)
  const earlier = earlierCopyMark(row ? String(row.value) : null, at)
  database
    .prepare(
      'INSERT INTO Fact (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    )
    .run(copyMarkNames.backupOf, formatCopyMark(earlier))
  return earlier
}

/** Runs SQLite's integrity check. @throws {FileFault} if the database is damaged */
export const checkIntegrity = (database: DatabaseSync, path: string): void => {
  const [first] = database.prepare('PRAGMA integrity_check(1)').all()
  if (first?.integrity_check !== 'ok') {
    throw new FileFault(`${path}: is damaged (${String(first?.integrity_check)}). Use another copy.`)
  }
}

/**
 * Makes sure that no other program uses the database, by switching off its write-ahead log. That fails while another
 * program has the database open.
 * @throws {FileFault} if another program has it open
 */
export const takeAlone = (database: DatabaseSync, path: string): void => {
  const inUse = () =>
    new FileFault(`${path}: a program is using it. Stop the bot first; nothing was changed.`)
  try {
    database.exec('PRAGMA busy_timeout = 500')
    const row = database.prepare('PRAGMA journal_mode = DELETE').get()
    if (row?.journal_mode !== 'delete') throw inUse()
    database.exec('BEGIN EXCLUSIVE; COMMIT')
  } catch (error) {
    throw error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5
      ? inUse()
      : error
  }
}

/** Error codes of SQLite and the operating system, explained for operators. */
const reasons: Record<string, string> = {
  5: 'another program holds it: try again, or stop that program',
  8: 'it may not be written to: run this as the user of the bot',
  11: 'it is damaged',
  13: 'the disk is full: make room, or name a file on another disk',
  14: 'it cannot be opened: check that you may read the file and write to its folder',
  26: 'it is not a SQLite database',
  ENOSPC: 'the disk is full: make room, or name a file on another disk',
  EACCES: 'you may not write there: run this as the user of the bot, or name another folder',
  EPERM: 'you may not write there: run this as the user of the bot, or name another folder',
  EROFS: 'that disk is read-only: name a folder on another one',
  EISDIR: 'that is a folder: name a file in it',
}

/** Turns an error of SQLite or of the file system into a sentence about the file. Returns other errors unchanged. */
export const faultOf = (error: unknown, path: string): unknown => {
  if (!(error instanceof Error) || error instanceof FileFault) return error
  // The low byte of SQLite's extended code is the kind of error; the rest says where it happened.
  const code =
    'errcode' in error ? String(Number(error.errcode) & 0xff) : 'code' in error ? String(error.code) : ''
  const reason = reasons[code] ?? (code === '' ? null : error.message)
  return reason === null ? error : new FileFault(`${path}: ${reason}.`, { cause: error })
}

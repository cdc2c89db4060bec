import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { checkIntegrity, FileFault, faultOf, openFile, stampFile } from '../database-file.ts'

interface BackupOptions {
  /** A bot may be writing to it. */
  source: string
  target: string
  force: boolean
  now: () => Date
  onProgress?: (done: number, total: number) => void
}

interface Backup {
  /** The copy contains nothing after this time. */
  at: Date
  bytes: number
}

/** How many pages are copied between two progress calls: 16 MB. */
const pagesPerStep = 4_096

/**
 * Copies a database while others write to it. The copy is consistent, checked and marked as a copy. It gets its
 * name only when it is complete and on the disk. The disk needs room for one copy.
 * @throws {FileFault}
 */
export const backUp = async (options: BackupOptions): Promise<Backup> => {
  const { source, target } = options
  checkTarget(options)
  const original = openFile(source, { readOnly: true })
  const partial = join(dirname(target), `.${basename(target)}.${randomBytes(4).toString('hex')}.partial`)
  const remove = () => removeAll(partial)
  process.once('exit', remove)
  try {
    closeSync(openSync(partial, 'wx', 0o600))
    const at = await copy(original, partial, options)
    const stamped = complete(partial, at)
    sync(partial)
    put(partial, target, options.force)
    sync(dirname(target))
    return { at: stamped, bytes: statSync(target).size }
  } catch (error) {
    throw faultOf(error, target)
  } finally {
    original.close()
    remove()
    process.off('exit', remove)
  }
}

/** Checks the place for the copy. @throws {FileFault} if no file can be written there */
const checkTarget = ({ source, target, force }: BackupOptions): void => {
  const folder = dirname(target)
  if (!statOf(folder)?.isDirectory()) {
    throw new FileFault(`${folder}: there is no such folder. Make it first, for example: mkdir -p ${folder}`)
  }
  const there = statOf(target)
  if (!there) return
  if (there.isDirectory()) {
    throw new FileFault(
      `${target}: is a folder. Name a file in it, for example ${join(target, 'bundlegram.db')}`,
    )
  }
  const original = statOf(source)
  if (original && original.ino === there.ino && original.dev === there.dev) {
    throw new FileFault(`${target}: is the database itself. Name another file for its copy.`)
  }
  if (!force) throw existsAlready(target)
}

const existsAlready = (target: string): FileFault =>
  new FileFault(
    `${target}: already exists and was left unchanged. Choose another name, for example ${target}-2, or overwrite it with --force.`,
  )

const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false })

/**
 * Copies the database as it is at one moment. The open transaction preserves that state: without it, SQLite would
 * start again after each write of another process, and never finish while the bot is busy.
 * @returns that moment
 */
const copy = async (
  original: DatabaseSync,
  partial: string,
  { now, onProgress }: BackupOptions,
): Promise<Date> => {
  const at = now()
  original.exec('BEGIN')
  original.prepare('SELECT count(*) FROM Fact').get()
  await backup(original, partial, {
    rate: pagesPerStep,
    progress: ({ totalPages, remainingPages }) => onProgress?.(totalPages - remainingPages, totalPages),
  })
  original.exec('ROLLBACK')
  return at
}

/**
 * Turns the copy into a single file and marks it.
 * @returns the time of the mark
 */
const complete = (partial: string, at: Date): Date => {
  const database = new DatabaseSync(partial)
  try {
    database.exec('PRAGMA journal_mode = DELETE')
    checkIntegrity(database, partial)
    return stampFile(database, at)
  } finally {
    database.close()
  }
}

const sync = (path: string): void => {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Gives the copy its name by a link: unlike a rename, a link never replaces a file that appeared in the meantime. */
const put = (partial: string, target: string, force: boolean): void => {
  if (force || !isLinked(partial, target)) renameSync(partial, target)
}

/**
 * Gives the copy its name by a link.
 * @returns false on a file system without links
 * @throws {FileFault} if there is a file of that name
 */
const isLinked = (partial: string, target: string): boolean => {
  try {
    linkSync(partial, target)
    return true
  } catch {
    if (statOf(target)) throw existsAlready(target)
    return false
  }
}

const removeAll = (partial: string): void => {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${partial}${end}`, { force: true })
}

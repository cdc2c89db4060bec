import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { checkIntegrity, FileFault, faultOf, openFile, stampFile } from '../database-file.ts'

interface BackupOptions {
  /** The database, which a bot may be writing to. */
  source: string
  target: string
  /** Overwrites an existing file. */
  force: boolean
  now: () => Date
  /** Called with the number of copied pages and of all pages. */
  onProgress?: (done: number, total: number) => void
}

interface Backup {
  /** The copy knows nothing after this time. */
  at: Date
  bytes: number
}

/** Pages copied between two progress calls: 16 MB. */
const pagesPerStep = 4_096

/**
 * Copies a database while others write to it. The copy is consistent, checked and marked as a copy, and gets its name
 * only when it is whole and on the disk. It needs room for one copy.
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

/** Checks the target before anything is written. @throws {FileFault} if no file can be put there. */
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
    `${target}: is there already and was left as it is. Take another name, for example ${target}-2, or write over it with --force.`,
  )

const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false })

/**
 * Copies the pages of one moment. Without a transaction that holds the moment, SQLite begins again at each write of
 * another process, and beside a busy bot it never ends.
 * @returns that moment.
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

/** Makes the copy a single file and marks it. */
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

/** Gives the copy its name by a link: unlike a rename, a link never replaces a file that came meanwhile. */
const put = (partial: string, target: string, force: boolean): void => {
  if (force || !isLinked(partial, target)) renameSync(partial, target)
}

/** Links the copy. @returns false on a file system without links. */
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

import { addedDatabasesOf, addedDatabaseUrl } from '../added-databases.ts'
import { FileFault, faultOf, openFile, takeAlone } from '../database-file.ts'
import { migrate } from '../migrations.ts'
import { openSession, refuseOtherEncoding, type Session } from '../postgres-session.ts'
import { serverFaultOf } from '../server-fault.ts'
import { sqliteAdapter, sqliteMigratable } from '../sqlite.ts'
import {
  type Compared,
  type Copied,
  type CopyOptions,
  compare,
  copy,
  type Ends,
  finish,
  type Moved,
  type OnProgress,
} from './copy.ts'
import { holdSource, readSource, type Source } from './source.ts'
import { lockTarget, openTarget } from './target.ts'

/** An embedded database, and the PostgreSQL that it is moved to. */
export interface Way {
  /** The added bot whose database it is; null: the main bot's. */
  botId: number | null
  path: string
  url: string
}

/** What became of one database. */
export interface MovedWay extends Way {
  outcome: Moved
}

interface MoveOptions extends CopyOptions {
  /** The main bot's embedded database. */
  path: string
  /** The address of a PostgreSQL. */
  url: string
}

/**
 * Moves the embedded database to a PostgreSQL, while no bot uses either, and with it the databases of added bots. If it
 * is killed at any moment, the next call goes on. Bots can never start on both:
 *
 * | committed | source | target |
 * |---|---|---|
 * | `moving_to` in the source | starts, and forgets the move | is empty |
 * | `moving` in the target, then its rows | starts, and forgets the move | refuses |
 * | `verified` in the target | starts, and forgets the move | refuses |
 * | `moved_to` in the source | refuses | refuses |
 * | `backup_of` in the target, without `moving` | refuses | starts, as on a copy |
 *
 * Rows are copied in commits that say how far they have come, so that none is copied twice or left out. A start on
 * the source removes `moving_to`. The target's rows then have no source and can only be deleted.
 *
 * Only when all databases are copied, they are marked; the main one first, because added bots start beside a main bot
 * alone: none starts on its source any more, nor on its target before that is complete.
 * @returns what became of each, the main one first; or the one that differs alone.
 * @throws {FileFault} for what the operator can mend.
 */
export const move = (options: MoveOptions): Promise<MovedWay[]> =>
  holding(options.path, async (main) => {
    const ways = await waysOf(options)
    const copied: (Way & Copied)[] = []
    for (const way of ways) {
      const each = await onWay(way, main, (ends) => copy(ends, options))
      if (each.outcome.kind === 'differs') return [{ ...way, outcome: each.outcome }]
      copied.push({ ...way, ...each })
    }
    for (const { mark, ...way } of copied) await onWay(way, main, (ends) => finish(ends, mark))
    return copied
  })

/** Compares the databases with their moved copies and changes neither. @throws {FileFault} */
export const verify = async (options: {
  path: string
  url: string
  onProgress: OnProgress
}): Promise<(Way & Compared)[]> => {
  const compared: (Way & Compared)[] = []
  for (const way of await waysOf(options))
    compared.push({ ...way, ...(await verifyWay(way, options.onProgress)) })
  return compared
}

/** The main database and those of added bots, of removed ones too. */
const waysOf = async ({ path, url }: Pick<Way, 'path' | 'url'>): Promise<Way[]> => {
  const added = (await addedDatabasesOf(`file:${path}`)).map(({ botId, url: from }) => ({
    botId,
    path: from.slice('file:'.length),
    url: addedDatabaseUrl(url, botId) ?? url,
  }))
  return [{ botId: null, path, url }, ...added]
}

const verifyWay = async ({ path, url }: Way, onProgress: OnProgress): Promise<Compared> => {
  const source = readSource(path)
  try {
    return await withTarget(url, async (session) => {
      await session.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      const target = openTarget(session)
      const tables = await target.tables()
      if (tables.length === 0) throw new FileFault(`${target.place}: has no tables of Bundlegram.`)
      return compare(source, target, tables, onProgress)
    })
  } catch (error) {
    throw sourceFaultOf(error, path)
  } finally {
    source.close()
  }
}

/** Keeps everybody else out of the source, which gets this version's tables first. */
const holding = async <T>(path: string, work: (source: Source) => Promise<T>): Promise<T> => {
  await bringUpToDate(path)
  const source = holdSource(path)
  try {
    return await work(source)
  } catch (error) {
    throw sourceFaultOf(error, path)
  } finally {
    source.close()
  }
}

/** Gives the source this version's tables, as a start would. */
const bringUpToDate = async (path: string): Promise<void> => {
  const database = openFile(path, { readOnly: false })
  try {
    takeAlone(database, path)
  } finally {
    database.close()
  }
  await migrate(sqliteMigratable(sqliteAdapter(`file:${path}`)))
}

/** Turns SQLite's error into a sentence about its file. PostgreSQL's errors stay as they are. */
const sourceFaultOf = (error: unknown, path: string): unknown =>
  error instanceof Error && 'errcode' in error ? faultOf(error, path) : error

const withTarget = async <T>(url: string, work: (session: Session) => Promise<T>): Promise<T> => {
  const session = await openSession(url)
  try {
    return await work(session)
  } catch (error) {
    throw serverFaultOf(error, session.address.place)
  } finally {
    await session.close()
  }
}

const onWay = <T>({ botId, path, url }: Way, main: Source, work: (ends: Ends) => Promise<T>): Promise<T> => {
  const between = (source: Source) =>
    withTarget(url, async (session) => {
      await refuseOtherEncoding(session)
      await lockTarget(session)
      return work({ source, target: openTarget(session), session })
    })
  return botId === null ? between(main) : holding(path, between)
}

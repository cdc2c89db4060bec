import { addedDatabasesOf, addedDatabaseUrl } from '../added-databases.ts'
import { FileFault, faultOf, openFile, takeAlone } from '../database-file.ts'
import { migrate } from '../migrations.ts'
import { openSession, refuseOtherEncoding, type Session } from '../postgres-session.ts'
import { readPostgresUrl } from '../postgres-url.ts'
import { serverFaultOf } from '../server-fault.ts'
import { sqliteAdapter, sqliteMigratable } from '../sqlite.ts'
import {
  type Compared,
  type Copied,
  type CopyOptions,
  check,
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
 * Every objection is raised before anything is copied. The databases are marked only when all are copied; the
 * main one first, because added bots start beside a main bot alone: none starts on its source any more, nor on its target
 * before that is complete.
 * @returns what became of each, the main one first; or the one that differs alone.
 * @throws {FileFault} for what the operator can mend.
 */
export const move = (options: MoveOptions): Promise<MovedWay[]> =>
  holdingAll(options, async (held) => {
    for (const each of held) await between(each, (ends) => check(ends, options))
    const copied: (HeldWay & Copied)[] = []
    for (const each of held) {
      const { outcome, mark } = await between(each, (ends) => copy(ends, options))
      if (outcome.kind === 'differs') return [{ ...each.way, outcome }]
      copied.push({ ...each, outcome, mark })
    }
    for (const { mark, ...each } of copied) await between(each, (ends) => finish(ends, mark))
    return copied.map(({ way, outcome }) => ({ ...way, outcome }))
  })

/** Compares the databases with their moved copies and changes neither. @throws {FileFault} */
export const verify = async (options: {
  path: string
  url: string
  onProgress: OnProgress
}): Promise<(Way & Compared)[]> => {
  const compared: (Way & Compared)[] = []
  const { path, url } = options
  for (const way of [{ botId: null, path, url }, ...(await addedWays(options))])
    compared.push({ ...way, ...(await verifyWay(way, options.onProgress)) })
  return compared
}

/** Those of added bots, of removed ones too. */
const addedWays = async ({ path, url }: Pick<Way, 'path' | 'url'>): Promise<Way[]> =>
  (await addedDatabasesOf(`file:${path}`)).map(({ botId, url: from }) => ({
    botId,
    path: from.slice('file:'.length),
    url: addedDatabaseUrl(url, botId) ?? url,
  }))

const verifyWay = async ({ path, url }: Way, onProgress: OnProgress): Promise<Compared> => {
  const source = readSource(path)
  try {
    return await withPath(path, () =>
      withTarget(url, async (session) => {
        await session.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
        const target = openTarget(session)
        const tables = await target.tables()
        if (tables.length === 0) throw new FileFault(`${target.place}: has no tables of Bundlegram.`)
        return compare(source, target, tables, onProgress)
      }),
    )
  } finally {
    source.close()
  }
}

/** A way whose source nobody else can open. */
interface HeldWay {
  way: Way
  source: Source
  /** What the connections of bots at the other end are named: added bots share those of the main one. */
  botsName: string
}

/** Keeps everybody else out of all sources until the work is done. Each gets this version's tables first. */
const holdingAll = async <T>(
  place: Pick<Way, 'path' | 'url'>,
  work: (held: readonly HeldWay[]) => Promise<T>,
): Promise<T> => {
  const botsName = readPostgresUrl(place.url).applicationName
  const held: HeldWay[] = []
  const hold = async (way: Way): Promise<void> => {
    const source = await withPath(way.path, async () => {
      await bringUpToDate(way.path)
      return holdSource(way.path)
    })
    held.push({ way, source, botsName })
  }
  try {
    await hold({ ...place, botId: null })
    for (const way of await addedWays(place)) await hold(way)
    return await work(held)
  } finally {
    for (const { source } of held) source.close()
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

/** Turns an error of SQLite into a sentence about its file. PostgreSQL's errors stay as they are. */
const withPath = <T>(path: string, work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    throw error instanceof Error && 'errcode' in error ? faultOf(error, path) : error
  })

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

const between = <T>({ way, source, botsName }: HeldWay, work: (ends: Ends) => Promise<T>): Promise<T> =>
  withPath(way.path, () =>
    withTarget(way.url, async (session) => {
      await refuseOtherEncoding(session)
      await lockTarget(session)
      return work({ source, target: openTarget(session), session, botsName })
    }),
  )

import { z } from 'zod'
import { crashPoint } from '../../base/crash-point.ts'
import { copyMarkNames, earlierCopyMark } from '../copies/copy-mark.ts'
import { FileFault, faultOf, openFile, takeAlone } from '../database-file.ts'
import { newId } from '../id.ts'
import { migrate } from '../migrations/migrations.ts'
import { postgresMigratable } from '../postgres/adapter.ts'
import { createPool } from '../postgres/pool.ts'
import { serverFaultOf } from '../postgres/server-fault.ts'
import { openSession, refuseInUse, refuseOtherEncoding, type Session } from '../postgres/session.ts'
import { sqliteAdapter, sqliteMigratable } from '../sqlite/adapter.ts'
import type { Table } from './row-text.ts'
import { lockSource, readSource, type Source } from './source.ts'
import { openTarget, type Target } from './target.ts'

export interface Comparison {
  table: string
  rows: { source: number; target: number }
  /** The checksum of the source's rows. */
  checksum: string
  isSame: boolean
}

export interface Compared {
  tables: Comparison[]
  /** In how many texts a NUL was replaced. */
  replaced: number
}

export type Moved =
  | ({ kind: 'moved' } & Compared)
  /** Some rows differ, so nothing was moved. */
  | { kind: 'differs'; tables: Comparison[] }
  /** An earlier run had already moved everything. */
  | { kind: 'was_moved'; at: Date }

export type OnProgress = (doing: 'copied' | 'compared', done: number, total: number) => void

interface Ends {
  path: string
  url: string
  onProgress: OnProgress
}

/**
 * Moves the embedded database to PostgreSQL, while no bot uses either. All rows are copied and compared in one
 * transaction of the target, so an interrupted move leaves nothing there and can start again. At no point can bots
 * start on both:
 *
 * | committed so far | source | target |
 * |---|---|---|
 * | nothing | a bot can start | is empty |
 * | `moved_to` in the source | refuses to start | is empty or filled: unknown if the answer to COMMIT was lost |
 * | `backup_of` and all rows in the target | refuses to start | a bot can start, as on a copy |
 *
 * @throws {FileFault} for anything that the operator can correct
 */
export const move = (ends: Ends & { now: () => Date }): Promise<Moved> =>
  withSource(ends.path, (source) =>
    withSession(ends.url, async (session) => {
      await refuseOtherEncoding(session)
      const target = openTarget(session)
      const earlier = readMark(source.fact(copyMarkNames.movedTo))
      if (earlier !== null && readMark(await target.movedFrom())?.id === earlier.id) {
        setComplete(source, earlier)
        return { kind: 'was_moved', at: earlier.at }
      }
      refuseElsewhere(source, target, earlier)
      await refuseInUse(session)
      await migrateServer(session)
      return copy({ ...ends, source, target, session })
    }),
  )

/**
 * Compares the database with the copy to which it was moved. Changes neither.
 * @throws {FileFault}
 */
export const verify = async ({ path, url, onProgress }: Ends): Promise<Compared> => {
  const source = readSource(path)
  try {
    return await withSession(url, async (session) => {
      await session.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      const target = openTarget(session)
      const tables = await target.tables()
      if (tables.length === 0) throw new FileFault(`${target.place}: has no Bundlegram tables.`)
      return compare(source, target, tables, onProgress)
    })
  } catch (error) {
    throw inWords(error, path)
  } finally {
    source.close()
  }
}

interface Copying extends Ends {
  source: Source
  target: Target
  session: Session
  now: () => Date
}

const copy = async ({ source, target, session, now, onProgress }: Copying): Promise<Moved> => {
  const mark: Mark = { id: newId(), at: now(), to: target.place, isComplete: false }
  await session.client.query('BEGIN')
  await target.lock()
  await refuseFilled(target)
  const tables = await target.tables()
  await target.withoutReferences(() => copyRows(source, target, tables, onProgress))
  await setNumbers(source, target)
  crashPoint('rows_copied')
  const compared = await compare(source, target, tables, onProgress)
  // The caller closes the session, which rolls the transaction back.
  if (compared.tables.some(({ isSame }) => !isSame)) return { kind: 'differs', tables: compared.tables }
  // If the source itself is a copy on which no bot has started, its earlier time is kept.
  const asOf = earlierCopyMark(source.fact(copyMarkNames.backupOf), mark.at)
  await target.mark(JSON.stringify(mark), asOf)
  source.setMoved(JSON.stringify(mark))
  crashPoint('source_moved')
  await session.client.query('COMMIT')
  crashPoint('target_filled')
  setComplete(source, mark)
  await target.analyze()
  return { kind: 'moved', ...compared }
}

const copyRows = async (
  source: Source,
  target: Target,
  tables: readonly Table[],
  onProgress: OnProgress,
): Promise<void> => {
  const total = tables.reduce((sum, table) => sum + source.count(table), 0)
  let done = 0
  for (const table of tables) {
    const lines = Iterator.from(source.lines(table)).map(({ text, rows }) => {
      done += rows
      onProgress('copied', done, total)
      return text
    })
    await target.append(table, lines)
  }
}

const setNumbers = async (source: Source, target: Target): Promise<void> => {
  for (const table of await target.numbered()) {
    await target.numberAfter(table, source.lastNumber(table) ?? 0n)
  }
}

const compare = async (
  source: Source,
  target: Target,
  tables: readonly Table[],
  onProgress: OnProgress,
): Promise<Compared> => {
  const total = 2 * tables.reduce((sum, table) => sum + source.count(table), 0)
  let done = 0
  const onRow = () => {
    done += 1
    onProgress('compared', done, total)
  }
  const compared: Comparison[] = []
  let replaced = 0
  for (const table of tables) {
    const here = source.sum(table, onRow)
    const there = await target.sum(table, onRow)
    replaced += here.replaced
    compared.push({
      table: table.name,
      rows: { source: here.rows, target: there.rows },
      checksum: here.checksum,
      isSame: here.rows === there.rows && here.checksum === there.checksum,
    })
  }
  return { tables: compared, replaced }
}

const refuseFilled = async (target: Target): Promise<void> => {
  const filled = await target.filled()
  if (filled.length === 0) return
  throw new FileFault(
    `${target.place}: is not empty: there are rows in ${filled.join(', ')}. Name an empty database, for example one made by: createdb --owner=bundlegram --encoding=UTF8 --template=template0 bundlegram2. Nothing was changed.`,
  )
}

/**
 * Refuses a target other than that of an earlier, interrupted move. If a move was interrupted at its end, it may have
 * filled its target, so it may be repeated only with that target.
 */
const refuseElsewhere = (source: Source, target: Target, earlier: Mark | null): void => {
  if (earlier === null || (!earlier.isComplete && earlier.to === target.place)) return
  throw new FileFault(
    `${source.path}: was moved to ${earlier.to} on ${earlier.at.toISOString()}, and only that database knows what has happened since. Nothing was changed.`,
  )
}

const markSchema = z.object({
  id: z.string(),
  /** When the move began. Nothing in the source is later than this. */
  at: z.iso.datetime().transform((text) => new Date(text)),
  /** The target, without its password. */
  to: z.string(),
  /** Whether the target is known to have all rows. */
  isComplete: z.boolean(),
})

/** The mark of one move, which is written to both databases. */
type Mark = z.infer<typeof markSchema>

const readMark = (value: string | null): Mark | null =>
  value === null ? null : markSchema.parse(JSON.parse(value))

const setComplete = (source: Source, mark: Mark): void =>
  source.setMoved(JSON.stringify({ ...mark, isComplete: true }))

/**
 * Does the work while all other programs are locked out of the source. First migrates the source to this version's
 * schema, as a start of the bot would.
 */
const withSource = async <T>(path: string, work: (source: Source) => Promise<T>): Promise<T> => {
  let source: Source | undefined
  try {
    const database = openFile(path, { readOnly: false })
    try {
      takeAlone(database, path)
    } finally {
      database.close()
    }
    await migrate(sqliteMigratable(sqliteAdapter(`file:${path}`)))
    source = lockSource(path)
    return await work(source)
  } catch (error) {
    throw inWords(error, path)
  } finally {
    source?.close()
  }
}

/** Turns an error of SQLite into a sentence about its file. Returns other errors unchanged. */
const inWords = (error: unknown, path: string): unknown =>
  error instanceof Error && 'errcode' in error ? faultOf(error, path) : error

const withSession = async <T>(url: string, work: (session: Session) => Promise<T>): Promise<T> => {
  const session = await openSession(url)
  try {
    return await work(session)
  } catch (error) {
    throw serverFaultOf(error, session.address.place)
  } finally {
    await session.close()
  }
}

const migrateServer = async ({ address }: Session): Promise<void> => {
  const pool = createPool(address)
  try {
    await migrate(postgresMigratable(pool, address))
  } finally {
    await pool.end()
  }
}

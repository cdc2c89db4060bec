import { crashPoint } from '../../crash-point.ts'
import { copyMarkNames, earlierCopyMark } from '../copy-mark.ts'
import { FileFault, faultOf, openFile, takeAlone } from '../database-file.ts'
import { newId } from '../id.ts'
import { migrate } from '../migrations.ts'
import { inSchema } from '../postgres.ts'
import { createPools } from '../postgres-pools.ts'
import { openSession, refuseInUse, refuseOtherEncoding, type Session } from '../postgres-session.ts'
import { serverFaultOf } from '../server-fault.ts'
import { sqliteAdapter, sqliteMigratable } from '../sqlite.ts'
import { formatMark, type Mark, type Position, readMark } from './mark.ts'
import type { Table } from './row-text.ts'
import { holdSource, readSource, type Source } from './source.ts'
import { lockTarget, openTarget, type Target } from './target.ts'

/** The rows of one table in both databases. */
export interface Comparison {
  table: string
  rows: { source: number; target: number }
  /** The checksum of the source's rows. */
  checksum: string
  isSame: boolean
}

/** The outcome of a move. */
export type Moved =
  | {
      kind: 'moved'
      tables: Comparison[]
      copied: number /** Values in which NUL was replaced. */
      replaced: number
    }
  /** Rows differ: nothing was marked, and no bot starts on the target. */
  | { kind: 'differs'; tables: Comparison[] }
  /** An earlier run had copied and compared everything. */
  | { kind: 'completed' }
  /** Nothing was left to do. */
  | { kind: 'was_moved'; at: Date }

/** Called with the rows done; `total` may be unknown. */
export type OnProgress = (doing: 'copied' | 'indexed' | 'compared', done: number, total: number) => void

interface MoveOptions {
  /** The embedded database. */
  path: string
  /** The address of a PostgreSQL. */
  url: string
  /** Starts over if an earlier move filled the target in part. */
  anew: boolean
  now: () => Date
  onProgress: OnProgress
}

/**
 * Moves the embedded database to a PostgreSQL, while no bot uses either. If it is killed at any moment, the next
 * call goes on. Bots can never start on both:
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
 * @throws {FileFault} for what the operator can mend.
 */
export const move = async (options: MoveOptions): Promise<Moved> => {
  const { path, url } = options
  await bringUpToDate(path)
  const source = holdSource(path)
  try {
    return await withTarget(url, async (session) => {
      await refuseOtherEncoding(session)
      await lockTarget(session)
      // If the database was moved already, a bot may run on the target: nothing is left to do there, or no bot starts.
      if (source.fact(copyMarkNames.movedTo) === null) await refuseInUse(session)
      await migrateServer(session)
      return moveBetween(source, openTarget(session), session, options)
    })
  } catch (error) {
    throw sourceFaultOf(error, path)
  } finally {
    source.close()
  }
}

/** Compares a database with its moved copy and changes neither. @throws {FileFault} */
export const verify = async (options: {
  path: string
  url: string
  onProgress: OnProgress
}): Promise<{ tables: Comparison[]; replaced: number }> => {
  const source = readSource(options.path)
  try {
    return await withTarget(options.url, async (session) => {
      await session.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      const target = openTarget(session)
      const tables = await target.tables()
      if (tables.length === 0) throw new FileFault(`${target.place}: has no tables of Bundlegram.`)
      return compare(source, target, tables, options.onProgress)
    })
  } catch (error) {
    throw sourceFaultOf(error, options.path)
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

const migrateServer = async ({ address }: Session): Promise<void> => {
  const pools = createPools(address, () => {})
  try {
    await migrate(inSchema(pools, address.schema).migratable)
  } finally {
    await pools.end()
  }
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

const moveBetween = async (
  source: Source,
  target: Target,
  session: Session,
  options: MoveOptions,
): Promise<Moved> => {
  const stage = await stageOf(source, target, options.anew)
  switch (stage.kind) {
    case 'was_moved':
      return stage
    case 'completing':
      await target.complete(stage.mark, asOf(source, stage.mark))
      return { kind: 'completed' }
    case 'beginning':
      if (options.anew) await target.empty()
      return fill(source, target, await begin(source, target, session, options.now()), options.onProgress)
    case 'going_on':
      return fill(source, target, stage.mark, options.onProgress)
  }
}

type Stage =
  | { kind: 'beginning' }
  | { kind: 'going_on' | 'completing'; mark: Mark }
  | { kind: 'was_moved'; at: Date }

/** How far the two databases have come. @throws {FileFault} if they do not belong together. */
const stageOf = async (source: Source, target: Target, anew: boolean): Promise<Stage> => {
  const movedTo = readMark(source.fact(copyMarkNames.movedTo))
  const filling = await target.mark('moving')
  const filledBy = await target.mark('moved')
  if (movedTo !== null) {
    if (filling?.id === movedTo.id) return { kind: 'completing', mark: movedTo }
    if (filledBy?.id === movedTo.id) return { kind: 'was_moved', at: movedTo.at }
    throw new FileFault(
      `${source.path}: was moved to another database on ${movedTo.at.toISOString()}, and what happened since stands there alone. Nothing was changed.`,
    )
  }
  if (filling === null) {
    await refuseFilled(target)
    return { kind: 'beginning' }
  }
  if (anew) return { kind: 'beginning' }
  if (readMark(source.fact(copyMarkNames.movingTo))?.id === filling.id)
    return { kind: 'going_on', mark: filling }
  throw new FileFault(
    `${target.place}: is half filled by a move of ${filling.at.toISOString()} that cannot go on: it was of another database, or a bot was started on this one since. To empty it and begin again: npm run db:move -- --anew`,
  )
}

const refuseFilled = async (target: Target): Promise<void> => {
  const filled = await target.filled()
  if (filled.length === 0) return
  throw new FileFault(
    `${target.place}: is not empty, there are rows in ${filled.join(', ')}. Name an empty database, for example one made by: createdb --owner=bundlegram --encoding=UTF8 --template=template0 bundlegram2. Nothing was changed.`,
  )
}

/** Marks the source first: with a mark in the target alone, nobody could tell its source. */
const begin = async (source: Source, target: Target, session: Session, at: Date): Promise<Mark> => {
  const mark = { id: newId(), at }
  source.setFact(copyMarkNames.movingTo, formatMark(mark))
  crashPoint('move_intended')
  await target.begin(mark)
  try {
    // A bot that started before the mark does not know of it.
    await refuseInUse(session)
  } catch (error) {
    await target.empty()
    throw error
  }
  return mark
}

const fill = async (source: Source, target: Target, mark: Mark, onProgress: OnProgress): Promise<Moved> => {
  const tables = await target.tables()
  const position = await target.position()
  let outcome: Moved = { kind: 'completed' }
  if (position.kind === 'copying') {
    const copied = await copyFrom(source, target, tables, position, onProgress)
    await target.rebuild((done, total) => onProgress('indexed', done, total))
    crashPoint('rows_indexed')
    await setNumbers(source, target)
    const compared = await compare(source, target, tables, onProgress)
    if (compared.tables.some(({ isSame }) => !isSame)) return { kind: 'differs', tables: compared.tables }
    outcome = { kind: 'moved', copied, ...compared }
    await target.settle()
    crashPoint('move_verified')
  }
  source.setFact(copyMarkNames.movedTo, formatMark(mark))
  crashPoint('source_moved')
  await target.complete(mark, asOf(source, mark))
  return outcome
}

/** A copy on which no bot has started keeps its earlier time. */
const asOf = (source: Source, { at }: Mark): Date => earlierCopyMark(source.fact(copyMarkNames.backupOf), at)

/** Copies rows. @returns how many this run has copied. */
const copyFrom = async (
  source: Source,
  target: Target,
  tables: readonly Table[],
  from: Extract<Position, { kind: 'copying' }>,
  onProgress: OnProgress,
): Promise<number> => {
  const total = tables.reduce((sum, table) => sum + source.count(table), 0)
  let { rows } = from
  const first = from.table === null ? 0 : tables.findIndex(({ name }) => name === from.table)
  for (const table of tables.slice(first)) {
    const after = table.name === from.table ? from.after : -(2n ** 63n)
    for (const batch of source.batches(table, after)) {
      rows += batch.rows
      await target.append(table, batch.text, { kind: 'copying', table: table.name, after: batch.last, rows })
      crashPoint('rows_copied')
      onProgress('copied', rows, total)
    }
  }
  return rows - from.rows
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
): Promise<{ tables: Comparison[]; replaced: number }> => {
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

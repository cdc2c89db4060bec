import { crashPoint } from '../../crash-point.ts'
import { copyMarkNames, earlierCopyMark } from '../copy-mark.ts'
import { FileFault } from '../database-file.ts'
import { newId } from '../id.ts'
import { migrate } from '../migrations.ts'
import { inSchema } from '../postgres.ts'
import { createPools } from '../postgres-pools.ts'
import { refuseInUse, type Session } from '../postgres-session.ts'
import { formatMark, type Mark, type Position, readMark } from './mark.ts'
import type { Table } from './row-text.ts'
import type { Source } from './source.ts'
import type { Target } from './target.ts'

/** The rows of one table in both databases. */
export interface Comparison {
  table: string
  rows: { source: number; target: number }
  /** The checksum of the source's rows. */
  checksum: string
  isSame: boolean
}

/** The tables of a database and its copy. */
export interface Compared {
  tables: Comparison[]
  /** Values in which NUL was replaced. */
  replaced: number
}

/** The outcome for one database. */
export type Moved =
  | ({ kind: 'moved'; copied: number } & Compared)
  /** Rows differ: no database was marked, and no bot starts on a target. */
  | { kind: 'differs'; tables: Comparison[] }
  /** An earlier run had copied and compared everything. */
  | { kind: 'completed' }
  /** Nothing was left to do. */
  | { kind: 'was_moved'; at: Date }

/** Called with the rows done; `total` may be unknown. */
export type OnProgress = (doing: 'copied' | 'indexed' | 'compared', done: number, total: number) => void

/** How a database is copied. */
export interface CopyOptions {
  /** Starts over if an earlier move filled the target in part. */
  anew: boolean
  now: () => Date
  onProgress: OnProgress
}

/** A source and its target, open. */
export interface Ends {
  source: Source
  target: Target
  session: Session
  /** What the connections of a bot that runs on the target are named. */
  botsName: string
}

/** One database whose rows are all in its target, and the mark of its move. */
export interface Copied {
  outcome: Moved
  /** Null: it was moved before. */
  mark: Mark | null
}

/** Gives the target its tables, if it has none. @throws {FileFault} if the database cannot be copied there. */
export const check = async (ends: Ends, { anew }: Pick<CopyOptions, 'anew'>): Promise<Stage> => {
  const { source, target, session, botsName } = ends
  // If the database was moved already, a bot may run on the target: nothing is left to do there, or no bot starts.
  if (source.fact(copyMarkNames.movedTo) === null) await refuseInUse(session, botsName)
  await migrateServer(session)
  return stageOf(source, target, anew)
}

/** Copies all rows and compares them, or goes on with it. @throws {FileFault} for what the operator can mend. */
export const copy = async (ends: Ends, { anew, now, onProgress }: CopyOptions): Promise<Copied> => {
  const { source, target } = ends
  const stage = await check(ends, { anew })
  switch (stage.kind) {
    case 'was_moved':
      return { outcome: stage, mark: null }
    case 'completing':
      return { outcome: { kind: 'completed' }, mark: stage.mark }
    case 'beginning': {
      if (anew) await target.empty()
      const mark = await begin(ends, now())
      return { outcome: await fill(source, target, onProgress), mark }
    }
    case 'going_on':
      return { outcome: await fill(source, target, onProgress), mark: stage.mark }
  }
}

const migrateServer = async ({ address }: Session): Promise<void> => {
  const pools = createPools(address, () => {})
  try {
    await migrate(inSchema(pools, address.schema).migratable)
  } finally {
    await pools.end()
  }
}

/** Lets no bot start on the source any more, and then one on the target. @throws {FileFault} */
export const finish = async ({ source, target }: Ends, mark: Mark | null): Promise<void> => {
  if (mark === null) return
  if ((await target.mark('moving'))?.id !== mark.id)
    throw new FileFault(
      `${target.place}: another npm run db:move has emptied it meanwhile. Nothing was marked as moved.`,
    )
  source.setFact(copyMarkNames.movedTo, formatMark(mark))
  crashPoint('source_moved')
  await target.complete(mark, asOf(source, mark))
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
const begin = async ({ source, target, session, botsName }: Ends, at: Date): Promise<Mark> => {
  const mark = { id: newId(), at }
  source.setFact(copyMarkNames.movingTo, formatMark(mark))
  crashPoint('move_intended')
  await target.begin(mark)
  try {
    // A bot that started before the mark does not know of it.
    await refuseInUse(session, botsName)
  } catch (error) {
    await target.empty()
    throw error
  }
  return mark
}

/** Copies what is not there yet, until all of it is there and compared. */
const fill = async (source: Source, target: Target, onProgress: OnProgress): Promise<Moved> => {
  const tables = await target.tables()
  const position = await target.position()
  if (position.kind === 'verified') return { kind: 'completed' }
  const copied = await copyFrom(source, target, tables, position, onProgress)
  await target.rebuild((done, total) => onProgress('indexed', done, total))
  crashPoint('rows_indexed')
  await setNumbers(source, target)
  const compared = await compare(source, target, tables, onProgress)
  if (compared.tables.some(({ isSame }) => !isSame)) return { kind: 'differs', tables: compared.tables }
  await target.settle()
  crashPoint('move_verified')
  return { kind: 'moved', copied, ...compared }
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

/** Counts and sums the rows of both. */
export const compare = async (
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

import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { byteOrderMark, type Cell, csvLine } from '../lists/csv.ts'
import { chunksOf } from './chunks.ts'
import { dayOf } from './period.ts'
import { plainGhs, type Row, type Value } from './row.ts'
import type { Sheet } from './workbook.ts'

export const exportFormats = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** A file that is ready, and the days that its rows are of. */
export interface ExportFile {
  path: string
  /** 1 for the first. */
  part: number
  rows: number
  firstDay: string | null
  lastDay: string | null
  /** No other comes after it. */
  isLast: boolean
}

export interface ExportLimits {
  bytes: number
  rows: number
}

/**
 * Telegram takes 50 MB from a bot, and a call of ours may take 40 s: a file of this size gets through where 4 Mbit/s
 * do. A sheet of Excel holds 1,048,576 rows.
 */
const exportLimits: ExportLimits = { bytes: 20 * 1024 * 1024, rows: 1_000_000 }

/**
 * Writes rows into files that only this user of the machine can read, one after the other as each is full: newest
 * rows first, so that each file is of a time of its own. No more rows are held than are on their way to the disk.
 */
export async function* writeFiles(options: {
  folder: string
  format: ExportFormat
  sheet: Sheet
  rows: AsyncIterable<Row>
  limits?: ExportLimits
}): AsyncGenerator<ExportFile> {
  const { folder, format, sheet, rows, limits = exportLimits } = options
  const source = rows[Symbol.asyncIterator]()
  let next = await source.next()
  for (let part = 1; part === 1 || !next.done; part += 1) {
    const path = join(folder, `${part}.${format}`)
    const file = createWriteStream(path, { mode: 0o600, flags: 'wx' })
    const made = { path, part, rows: 0, firstDay: null as string | null, lastDay: null as string | null }

    const taken = async function* (): AsyncGenerator<readonly Value[]> {
      while (!next.done && made.rows < limits.rows && file.bytesWritten < limits.bytes) {
        const { at, values } = next.value
        const day = at && dayOf(at)
        made.rows += 1
        made.firstDay = earlier(made.firstDay, day)
        made.lastDay = later(made.lastDay, day)
        yield values
        next = await source.next()
      }
    }

    const content = format === 'csv' ? csvStream(sheet, taken()) : await workbookStream(sheet, taken())
    await pipeline(content, file)
    yield { ...made, isLast: next.done === true }
  }
}

const earlier = (known: string | null, day: string | null) =>
  known === null || (day && day < known) ? day : known
const later = (known: string | null, day: string | null) =>
  known === null || (day && day > known) ? day : known

/** What packs a workbook is loaded with the first one. */
const workbookStream = async (sheet: Sheet, rows: AsyncIterable<readonly Value[]>): Promise<Readable> => {
  const { workbookOf } = await import('./workbook.ts')
  return workbookOf(sheet, rows)
}

const csvStream = ({ headings }: Sheet, rows: AsyncIterable<readonly Value[]>): Readable =>
  Readable.from(chunksOf(csvLines(headings, rows)), { objectMode: false })

async function* csvLines(
  headings: readonly string[],
  rows: AsyncIterable<readonly Value[]>,
): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(headings)
  for await (const values of rows) yield csvLine(values.map(cellOf))
}

const cellOf = (value: Value): Cell => {
  switch (value?.kind) {
    case undefined:
      return null
    case 'text':
      return value.text
    case 'money':
      return { decimal: plainGhs(value.pesewas) }
    case 'time':
      return isoOf(value.at)
  }
}

/** ISO 8601 without fractions, in UTC. */
const isoOf = (at: Date): string => at.toISOString().replace(/\.\d+Z$/, 'Z')

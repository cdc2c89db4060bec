import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { byteOrderMark, type Cell, csvLine } from '../lists/files/written-csv.ts'
import { clockIn } from '../messaging/time-zone.ts'
import { type ExportRow, plainGhs, type Value } from './cell-value.ts'
import { bytesInChunks } from './chunks.ts'
import type { Sheet } from './written-workbook.ts'

/** The first is the default. */
export const exportFormats = ['xlsx', 'csv'] as const
export type ExportFormat = (typeof exportFormats)[number]

/**
 * A finished file. `firstDay` and `lastDay` are the dates of its oldest and newest row, as `2026-11-21`; null if no row
 * has a time.
 */
export interface ExportFile {
  path: string
  /** Counted from 1. */
  part: number
  rows: number
  firstDay: string | null
  lastDay: string | null
  isLast: boolean
}

/** A file is full when it reaches one of these limits. */
export interface ExportLimits {
  bytes: number
  rows: number
}

/**
 * Telegram accepts 50 MB from a bot, but our calls time out after 40 s. At 4 Mbit/s, a file of 20 MB still arrives
 * in that time. An Excel sheet holds 1,048,576 rows.
 */
const exportLimits: ExportLimits = { bytes: 20 * 1024 * 1024, rows: 1_000_000 }

/**
 * Writes rows into files that only this user of the machine can read, and starts another file when one is full. The
 * rows must come newest first, so that each file covers its own period. Memory holds only the rows that are not on
 * the disk yet.
 */
export async function* writeFiles(options: {
  folder: string
  format: ExportFormat
  sheet: Sheet
  rows: AsyncIterable<ExportRow>
  limits?: ExportLimits
}): AsyncGenerator<ExportFile> {
  const { folder, format, sheet, rows, limits = exportLimits } = options
  const clock = clockIn(sheet.timeZone)
  const source = rows[Symbol.asyncIterator]()
  let next = await source.next()
  for (let part = 1; part === 1 || !next.done; part += 1) {
    const path = join(folder, `${part}.${format}`)
    const file = createWriteStream(path, { mode: 0o600, flags: 'wx' })
    const made: Omit<ExportFile, 'isLast'> = { path, part, rows: 0, firstDay: null, lastDay: null }

    const taken = async function* (): AsyncGenerator<readonly Value[]> {
      while (!next.done && made.rows < limits.rows && file.bytesWritten < limits.bytes) {
        const { at, values } = next.value
        const day = at && clock(at).toISOString().slice(0, 10)
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

/** The code for workbooks is loaded when it is first needed. */
const workbookStream = async (sheet: Sheet, rows: AsyncIterable<readonly Value[]>): Promise<Readable> => {
  const { workbookOf } = await import('./written-workbook.ts')
  return workbookOf(sheet, rows)
}

const csvStream = (sheet: Sheet, rows: AsyncIterable<readonly Value[]>): Readable =>
  Readable.from(bytesInChunks(csvLines(sheet, rows)), { objectMode: false })

async function* csvLines(
  { headings, timeZone }: Sheet,
  rows: AsyncIterable<readonly Value[]>,
): AsyncGenerator<string> {
  const clock = clockIn(timeZone)
  yield byteOrderMark + csvLine(headings)
  for await (const values of rows) yield csvLine(values.map((value) => cellOf(value, clock)))
}

/** Writes a small table in memory. @returns the bytes of the file. */
export const fileBytes = async (
  format: ExportFormat,
  sheet: Sheet,
  rows: readonly (readonly Value[])[],
): Promise<Buffer> => {
  if (format === 'xlsx') return (await import('./written-workbook.ts')).workbookBytes(sheet, rows)
  const clock = clockIn(sheet.timeZone)
  const lines = rows.map((values) => csvLine(values.map((value) => cellOf(value, clock))))
  return Buffer.from([byteOrderMark + csvLine(sheet.headings), ...lines].join(''))
}

const cellOf = (value: Value, clock: (at: Date) => Date): Cell => {
  switch (value?.kind) {
    case undefined:
      return null
    case 'text':
      return value.text
    case 'count':
      return value.count
    case 'money':
      return { decimal: plainGhs(value.pesewas) }
    case 'time':
      return writtenTime(clock(value.at))
  }
}

/** `2026-11-21 10:32:07`, which Excel and Google Sheets recognise as a time. */
const writtenTime = (shown: Date): string => shown.toISOString().slice(0, 19).replace('T', ' ')

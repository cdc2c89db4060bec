import { type Archive, openArchive } from './archive.ts'
import { readCsv } from './csv.ts'
import { decodeText } from './decode-text.ts'
import { fileLimits } from './file-limits.ts'
import { type FileRefusal, FileRefused, tooManyLines } from './file-refusal.ts'
import { kindOf } from './kind.ts'
import { readSheet, type Sheet } from './sheet.ts'
import type { Rows } from './sheet-rows.ts'
import { openWorkbook, type Workbook } from './workbook.ts'

export { fileLimits } from './file-limits.ts'
export type { FileRefusal, ForeignKind } from './file-refusal.ts'

/** A file as somebody sent it. Its name and type are only claims; the content decides what it is. */
interface ListFile {
  name: string
  mimeType: string
  bytes: Uint8Array
}

/** The list in a file, to be read like a pasted one. */
export interface FileText {
  kind: 'text'
  /**
   * One line for each row, with the cells joined by tabs. Blank rows are kept, so that the n-th line is the n-th
   * row.
   */
  text: string
  rows: number
  /** Null if the file is not a workbook. */
  sheet: ReadSheet | null
}

/** The sheet of a workbook that was read, and what people may miss. */
export interface ReadSheet {
  name: string
  hiddenRows: number
  /** The names of other sheets that have, or may have, phones. They were not read. */
  others: string[]
}

/**
 * Reads the list in a text file, a CSV file or an Excel workbook (the first sheet with phones) of at most 5 MB and
 * 10,000 lines. `fileLimits` bound memory and time, even for a malicious file.
 */
export const readFile = async (file: ListFile): Promise<FileText | ({ kind: 'refused' } & FileRefusal)> => {
  try {
    return await read(file)
  } catch (error) {
    if (error instanceof FileRefused) return { kind: 'refused', ...error.refusal }
    throw error
  }
}

const read = async ({ name, mimeType, bytes }: ListFile): Promise<FileText> => {
  if (bytes.length === 0) throw new FileRefused({ code: 'empty' })
  if (bytes.length > fileLimits.bytes) {
    throw new FileRefused({ code: 'too_large', limitBytes: fileLimits.bytes, unpacked: false })
  }
  const kind = kindOf(bytes, name, mimeType)
  switch (kind.kind) {
    case 'zip':
      return readWorkbook(bytes)
    case 'csv':
    case 'text':
      return readPlain(bytes, kind.kind)
    case 'protected':
      throw new FileRefused({ code: 'protected' })
    case 'foreign':
      throw new FileRefused({ code: 'unknown_kind', found: kind.found })
  }
}

const readPlain = async (bytes: Uint8Array, kind: 'csv' | 'text'): Promise<FileText> => {
  const text = decodeText(bytes)
  if (text === null) throw new FileRefused({ code: 'unknown_kind', found: 'other' })
  const table = kind === 'csv' ? await readCsv(text) : null
  return table ? textOf(table, null) : plainText(text.trimEnd())
}

const plainText = (text: string): FileText => {
  if (text.trim() === '') throw new FileRefused({ code: 'empty' })
  let rows = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) rows += 1
  if (rows > fileLimits.lines) throw tooManyLines(null)
  return { kind: 'text', text, rows, sheet: null }
}

const textOf = (rows: Rows, sheet: ReadSheet | null): FileText => {
  if (rows.count() === 0) throw new FileRefused({ code: 'empty' })
  return { kind: 'text', text: rows.text(), rows: rows.count(), sheet }
}

/** Reads the first sheet with phones; if there is none, the first that is not empty. */
const readWorkbook = async (bytes: Uint8Array): Promise<FileText> => {
  const archive = await openArchive(bytes)
  const workbook = await openWorkbook(archive)
  let first: FileText | null = null
  for (const [at, { name, part }] of workbook.sheets.entries()) {
    const { rows, hiddenRows, hasPhones } = await readSheet(archive.read(part), name, workbook)
    if (rows.count() === 0) continue
    if (hasPhones) {
      return textOf(rows, { name, hiddenRows, others: await othersWithPhones(archive, workbook, at + 1) })
    }
    first ??= textOf(rows, { name, hiddenRows, others: [] })
  }
  if (!first) throw new FileRefused({ code: 'empty' })
  return first
}

/**
 * The names of the sheets, from `from` on, that have phones or may have some: sheets that are too large to check
 * are included.
 */
const othersWithPhones = async (archive: Archive, workbook: Workbook, from: number): Promise<string[]> => {
  const others: string[] = []
  for (const { name, part } of workbook.sheets.slice(from)) {
    if (await mayHoldPhones(readSheet(archive.read(part), name, workbook, 'until_phone'))) others.push(name)
  }
  return others
}

const mayHoldPhones = async (reading: Promise<Sheet>): Promise<boolean> => {
  try {
    return (await reading).hasPhones
  } catch (error) {
    if (error instanceof FileRefused) return true
    throw error
  }
}

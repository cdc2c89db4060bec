import { fileLimits } from './file-limits.ts'

/** A file in which we cannot read a list. For each kind, the person is told what to send instead. */
export type ForeignKind =
  /** `.xls`, used before 2007. */
  | 'old_excel'
  /** `.xlsb`, `.ods`, `.numbers` */
  | 'other_spreadsheet'
  | 'word'
  | 'pdf'
  | 'picture'
  /** `.zip` and the like. The person has to send the file inside it. */
  | 'archive'
  | 'other'

/** Why a file was not read, with the limit that it exceeds. Nothing in the file was used. */
export type FileRefusal =
  /** The file is too large. `unpacked`: it is a workbook whose unpacked content is too large. */
  | { code: 'too_large'; limitBytes: number; unpacked: boolean }
  /** `sheet`: the workbook's sheet with too many lines; null for other files. */
  | { code: 'too_many_lines'; limitLines: number; sheet: string | null }
  | { code: 'protected' }
  /** Cut off or damaged. */
  | { code: 'unreadable' }
  | { code: 'unknown_kind'; found: ForeignKind }
  | { code: 'empty' }

/**
 * The error for a file with too many lines.
 * @param sheet the workbook's sheet with too many lines; null for other files
 */
export const tooManyLines = (sheet: string | null): FileRefused =>
  new FileRefused({ code: 'too_many_lines', limitLines: fileLimits.lines, sheet })

export const unpackedTooLarge = (): FileRefused =>
  new FileRefused({ code: 'too_large', limitBytes: fileLimits.unpackedBytes, unpacked: true })

/**
 * Adds an item to a list whose length the file determines.
 * @throws FileRefused if the list already has `most` items
 */
export const pushWithin = <T>(most: number, list: T[], item: T): void => {
  if (list.length >= most) throw unpackedTooLarge()
  list.push(item)
}

/** Stops the reading of a file, however deep the call. `readFile` catches it and returns the refusal. */
export class FileRefused extends Error {
  readonly refusal: FileRefusal

  constructor(refusal: FileRefusal, options?: ErrorOptions) {
    super(`the file was refused: ${refusal.code}`, options)
    this.name = 'FileRefused'
    this.refusal = refusal
  }
}

import { fileLimits } from './limits.ts'

/** The kind of a file without a list that we can read. The texts say for each kind what to send instead. */
export type ForeignKind =
  /** `.xls`, from before 2007. */
  | 'old_excel'
  /** `.xlsb`, `.ods`, `.numbers` */
  | 'other_spreadsheet'
  | 'word'
  | 'pdf'
  | 'picture'
  /** `.zip` and the like: the content has to be sent by itself. */
  | 'archive'
  | 'other'

/** Why a file was not read, with the limit that it met. No part of the file was used. */
export type FileRefusal =
  /** The file is too large; `unpacked` says that a workbook's content is, once unpacked. */
  | { code: 'too_large'; limitBytes: number; unpacked: boolean }
  /** `sheet`: the workbook's sheet with too many lines. */
  | { code: 'too_many_lines'; limitLines: number; sheet: string | null }
  /** A workbook with a password. */
  | { code: 'protected' }
  /** Cut off or damaged. */
  | { code: 'unreadable' }
  | { code: 'unknown_kind'; found: ForeignKind }
  | { code: 'empty' }

/**
 * The refusal of a file with too many lines.
 * @param sheet the workbook's sheet with too many lines
 */
export const tooManyLines = (sheet: string | null): FileRefused =>
  new FileRefused({ code: 'too_many_lines', limitLines: fileLimits.lines, sheet })

/** The refusal of a small workbook that holds more than anybody's list. */
export const unpackedTooLarge = (): FileRefused =>
  new FileRefused({ code: 'too_large', limitBytes: fileLimits.unpackedBytes, unpacked: true })

/**
 * Adds to a list that a file lets grow.
 * @throws FileRefused if the list already has `most` items
 */
export const pushWithin = <T>(most: number, list: T[], item: T): void => {
  if (list.length >= most) throw unpackedTooLarge()
  list.push(item)
}

/** Ends the reading of a file from any depth; `readFile` returns its refusal. */
export class FileRefused extends Error {
  readonly refusal: FileRefusal

  constructor(refusal: FileRefusal, options?: ErrorOptions) {
    super(`the file was refused: ${refusal.code}`, options)
    this.name = 'FileRefused'
    this.refusal = refusal
  }
}

import { fileLimits } from './limits.ts'

/** What a file is that holds no list which we read; there are words for each about what to send instead. */
export type ForeignKind =
  /** `.xls`, from before 2007. */
  | 'old_excel'
  /** `.xlsb`, `.ods`, `.numbers` */
  | 'other_spreadsheet'
  | 'word'
  | 'pdf'
  | 'picture'
  /** `.zip` and the like: what is inside has to be sent by itself. */
  | 'archive'
  | 'other'

/** Why a file was not read, with the limit that it met. Nothing of it was used. */
export type FileRefusal =
  /** The file, or with `unpacked` what a workbook holds once it is unpacked. */
  | { code: 'too_large'; limitBytes: number; unpacked: boolean }
  /** `sheet`: the one of a workbook's that has too many. */
  | { code: 'too_many_lines'; limitLines: number; sheet: string | null }
  /** A workbook with a password. */
  | { code: 'protected' }
  /** Cut off or damaged. */
  | { code: 'unreadable' }
  | { code: 'unknown_kind'; found: ForeignKind }
  | { code: 'empty' }

/** @param sheet the one of a workbook's that has too many */
export const tooManyLines = (sheet: string | null): FileRefused =>
  new FileRefused({ code: 'too_many_lines', limitLines: fileLimits.lines, sheet })

/** A workbook that is small and holds more than anybody's list. */
export const unpackedTooLarge = (): FileRefused =>
  new FileRefused({ code: 'too_large', limitBytes: fileLimits.unpackedBytes, unpacked: true })

/** Adds to a list that a file lets grow. */
export const pushWithin = <T>(most: number, list: T[], item: T): void => {
  if (list.length >= most) throw unpackedTooLarge()
  list.push(item)
}

/** Ends the reading of a file from any depth; `readFile` answers its refusal. */
export class FileRefused extends Error {
  readonly refusal: FileRefusal

  constructor(refusal: FileRefusal, options?: ErrorOptions) {
    super(`the file was refused: ${refusal.code}`, options)
    this.name = 'FileRefused'
    this.refusal = refusal
  }
}

import type { FileRefusal, ForeignKind, ReadSheet } from '../../lists/file.ts'
import type { FileReading } from '../list-file.ts'
import { foreignWord } from '../screen.ts'
import { b, grouped } from './markup.ts'

/** The words of files with lists: part of the catalogue. */
const sheetName = (name: string) => b(foreignWord(name))
const megabytes = (bytes: number) => `${Math.floor(bytes / 1024 / 1024)} MB`

/** Why a file was not read, and what to send instead. */
export const fileNotRead = (reading: Exclude<FileReading, { kind: 'text' }>): string =>
  reading.kind === 'unavailable'
    ? 'I could not load that file from Telegram. Nothing was ordered. Send it again, or paste its lines as a message.'
    : `${whyRefused(reading)} Nothing was ordered. ${insteadOf(reading)}`

const whyRefused = (refusal: FileRefusal): string => {
  switch (refusal.code) {
    case 'too_large':
      return refusal.unpacked
        ? `That workbook holds more than I can read: unpacked at most ${megabytes(refusal.limitBytes)}.`
        : `That file is too large: I read at most ${megabytes(refusal.limitBytes)}.`
    case 'too_many_lines': {
      const where = refusal.sheet === null ? 'That file' : `The sheet ${sheetName(refusal.sheet)}`
      return `${where} has too many lines: I read at most ${grouped(refusal.limitLines)}.`
    }
    case 'protected':
      return 'That workbook is protected by a password.'
    case 'unreadable':
      return 'I could not open that file: it is damaged, or was not sent whole.'
    case 'unknown_kind':
      return foreignFile[refusal.found].what
    case 'empty':
      return 'There is nothing in that file.'
  }
}

const insteadOf = (refusal: FileRefusal): string => {
  switch (refusal.code) {
    case 'too_large':
      return refusal.unpacked
        ? 'Copy the list alone into a new workbook and send that.'
        : 'Split it into several files, one after another.'
    case 'too_many_lines':
      return 'Split it into several files, one after another.'
    case 'protected':
      return 'Save it without the password, or as .csv, and send that.'
    case 'unreadable':
      return 'Open it once more, save it as .xlsx or .csv, and send that.'
    case 'unknown_kind':
      return foreignFile[refusal.found].instead
    case 'empty':
      return 'Send a file with a number and a size on each line.'
  }
}

const readable = 'I read lists from .txt, .csv and .xlsx files.'

const foreignFile: Record<ForeignKind, { what: string; instead: string }> = {
  old_excel: {
    what: 'That is a workbook of an old Excel (.xls), which I cannot read.',
    instead: 'Save it as .xlsx or .csv and send that.',
  },
  other_spreadsheet: {
    what: 'I cannot read that kind of spreadsheet.',
    instead: 'Save it as .xlsx or .csv and send that.',
  },
  word: {
    what: 'That is a text document, which I cannot read.',
    instead: 'Copy its lines and send them as a message.',
  },
  pdf: {
    what: 'That is a PDF, which I cannot read.',
    instead: 'Copy its lines and send them as a message.',
  },
  picture: {
    what: 'That is a picture, and I do not read numbers from pictures.',
    instead: 'Type or paste them as a message.',
  },
  archive: {
    what: 'That is a packed folder.',
    instead: 'Send the file with the list by itself, unpacked.',
  },
  other: { what: 'That is no file with a list that I can read.', instead: readable },
}

/** What a person should know of the sheet that was read; empty where there is nothing to say. */
export const sheetNotes = ({ name, hiddenRows, others }: ReadSheet): string[] => {
  const notes: string[] = []
  if (others.length > 0) {
    const [first = '', ...more] = others
    const named = more.length > 0 ? `${sheetName(first)} and ${grouped(more.length)} more` : sheetName(first)
    notes.push(
      `I read the sheet ${sheetName(name)} alone. There are numbers in ${named} too: send them by themselves.`,
    )
  }
  if (hiddenRows === 1) notes.push('1 row of the sheet is hidden in Excel; I read it too.')
  if (hiddenRows > 1)
    notes.push(`${grouped(hiddenRows)} rows of the sheet are hidden in Excel; I read them too.`)
  return notes
}

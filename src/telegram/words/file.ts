import type { FileRefusal, ForeignKind, ReadSheet } from '../../lists/files/read-file.ts'
import type { FileReading } from '../chat/files/read-list-file.ts'
import { foreignWord } from '../chat/screen.ts'
import { b, grouped } from './markup.ts'

/** Texts about the files with lists that people send. */
const sheetName = (name: string) => b(foreignWord(name))
const megabytes = (bytes: number) => `${Math.floor(bytes / 1024 / 1024)} MB`

/** Why a file was not read, and what to send instead. */
export const fileNotRead = (reading: Exclude<FileReading, { kind: 'text' }>): string =>
  reading.kind === 'unavailable'
    ? 'I couldn’t load that file from Telegram. Nothing was ordered. Send it again, or paste its lines here.'
    : `${whyRefused(reading)} Nothing was ordered. ${insteadOf(reading)}`

const whyRefused = (refusal: FileRefusal): string => {
  switch (refusal.code) {
    case 'too_large':
      return refusal.unpacked
        ? `That workbook is too large: I can read up to ${megabytes(refusal.limitBytes)} unzipped.`
        : `That file is too large: I can read up to ${megabytes(refusal.limitBytes)}.`
    case 'too_many_lines': {
      const where = refusal.sheet === null ? 'That file' : `The sheet ${sheetName(refusal.sheet)}`
      return `${where} has too many lines: I can read up to ${grouped(refusal.limitLines)}.`
    }
    case 'protected':
      return 'That workbook has a password.'
    case 'unreadable':
      return 'I couldn’t open that file: it’s damaged or incomplete.'
    case 'unknown_kind':
      return foreignFile[refusal.found].what
    case 'empty':
      return 'There’s nothing in that file.'
  }
}

const insteadOf = (refusal: FileRefusal): string => {
  switch (refusal.code) {
    case 'too_large':
      return refusal.unpacked
        ? 'Copy just the list into a new workbook and send that.'
        : 'Split it into several files and send them one by one.'
    case 'too_many_lines':
      return 'Split it into several files and send them one by one.'
    case 'protected':
      return 'Save it without the password, or as .csv, and send that.'
    case 'unreadable':
      return 'Open it, save it as .xlsx or .csv, and send that.'
    case 'unknown_kind':
      return foreignFile[refusal.found].instead
    case 'empty':
      return 'Send a file with a number and a size on each line.'
  }
}

const readable = 'I read lists from .txt, .csv and .xlsx files.'

const foreignFile: Record<ForeignKind, { what: string; instead: string }> = {
  old_excel: {
    what: 'I can’t read old Excel files (.xls).',
    instead: 'Save this one as .xlsx or .csv and send that.',
  },
  other_spreadsheet: {
    what: 'I can’t read that spreadsheet.',
    instead: 'Save it as .xlsx or .csv and send that.',
  },
  word: {
    what: 'I can’t read Word documents.',
    instead: 'Copy the lines and send them here.',
  },
  pdf: {
    what: 'I can’t read PDF files.',
    instead: 'Copy the lines and send them here.',
  },
  picture: {
    what: 'I can’t read numbers from a picture.',
    instead: 'Type or paste them here.',
  },
  archive: {
    what: 'I can’t read zipped folders.',
    instead: 'Unzip this one and send the list itself.',
  },
  other: { what: 'I found no list in that file.', instead: readable },
}

/** The answer to a picture that has no caption, or one that the bot does not understand. */
export const pictureNotRead = fileNotRead({ kind: 'refused', code: 'unknown_kind', found: 'picture' })

/** What a person should know about the sheet that was read; empty if there is nothing to say. */
export const sheetNotes = ({ name, hiddenRows, others }: ReadSheet): string[] => {
  const notes: string[] = []
  if (others.length > 0) {
    const [first = '', ...more] = others
    const named = more.length > 0 ? `${sheetName(first)} and ${grouped(more.length)} more` : sheetName(first)
    notes.push(
      `I only read the sheet ${sheetName(name)}. There are numbers in ${named} too: send those in a separate file.`,
    )
  }
  if (hiddenRows === 1) notes.push('1 row is hidden in Excel. I read it too.')
  if (hiddenRows > 1) notes.push(`${grouped(hiddenRows)} rows are hidden in Excel. I read them too.`)
  return notes
}

import { type ExportFormat, exportFormats } from '../../exports/file.ts'
import { isDay, namedPeriods, type Period } from '../../exports/period.ts'

export const exportSubjects = ['orders', 'transactions'] as const
export type ExportSubject = (typeof exportSubjects)[number]

/** What a button on the way to an exported file does. */
export type ExportAct =
  /** Asks what is to be exported. */
  | { act: 'begin' }
  /** Asks for the time. */
  | { act: 'of'; subject: ExportSubject }
  /** Asks for a time to be typed. */
  | { act: 'type'; subject: ExportSubject }
  /** Asks for the kind of file. */
  | { act: 'period'; subject: ExportSubject; period: Period }
  | { act: 'make'; subject: ExportSubject; period: Period; format: ExportFormat }
  /** Ends the export that the message tells of. */
  | { act: 'stop' }

export const wordsOfExportAct = (act: ExportAct): string[] => {
  switch (act.act) {
    case 'begin':
    case 'stop':
      return [act.act]
    case 'of':
    case 'type':
      return [act.act, act.subject]
    case 'period':
      return ['period', act.subject, wordOfPeriod(act.period)]
    case 'make':
      return ['make', act.subject, wordOfPeriod(act.period), act.format]
  }
}

export const readExportAct = ([
  word = '',
  subject = '',
  time = '',
  format = '',
]: string[]): ExportAct | null => {
  if (word === 'begin' || word === 'stop') return { act: word }
  if (!isSubject(subject)) return null
  if (word === 'of' || word === 'type') return { act: word, subject }
  const period = readPeriodWord(time)
  if (period === null) return null
  if (word === 'period') return { act: 'period', subject, period }
  return word === 'make' && isFormat(format) ? { act: 'make', subject, period, format } : null
}

/** `20260101-20260331` */
const wordOfPeriod = (period: Period): string =>
  typeof period === 'string'
    ? period
    : `${period.from}-${period.to}`.replace(/(\d{4})-(\d\d)-(\d\d)/g, '$1$2$3')

const readPeriodWord = (word: string): Period | null => {
  const named = namedPeriods.find((name) => name === word)
  if (named) return named
  const [, from = '', to = ''] = /^(\d{8})-(\d{8})$/.exec(word) ?? []
  const days = [from, to].map((day) => day.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'))
  const [first = '', last = ''] = days
  return isDay(first) && isDay(last) && first <= last ? { from: first, to: last } : null
}

const isSubject = (word: string): word is ExportSubject =>
  (exportSubjects as readonly string[]).includes(word)
const isFormat = (word: string): word is ExportFormat => (exportFormats as readonly string[]).includes(word)

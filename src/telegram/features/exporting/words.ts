import type { ExportFile, ExportFormat } from '../../../exports/export-file.ts'
import type { ExportPeriod, NamedPeriod, WrittenPeriod } from '../../../exports/export-period.ts'
import type { ExportSubject } from '../../buttons/export-choice.ts'
import { clock, when } from '../../chat/time.ts'
import { zoneName } from '../../words/column-headings.ts'
import { b, counted, grouped, lines } from '../../words/markup.ts'

export const exportLabels = {
  orders: '🧾 Orders',
  transactions: '↕️ Transactions',
  typed: '✏️ Other dates',
  xlsx: '📗 Excel',
  stop: '❌ Cancel',
  another: '📄 Another export',
} as const

export const periodLabels: Record<NamedPeriod, string> = {
  today: 'Today',
  '7d': '7 days',
  '30d': '30 days',
  month: 'This month',
  last_month: 'Last month',
  all: 'Everything',
}

export const chooseSubject = `${b('Export')}\nA file for your books. What should be in it?`

export const chooseSubjectAgent = `${b('Export your orders')}\nA file for your books. Which days?`

export const choosePeriod = (subject: ExportSubject) => `${b(`Export ${subject}`)}\nWhich days?`

export const chooseFormat = (subject: ExportSubject, period: ExportPeriod) =>
  `${b(`Export ${subject}`)}, ${periodWords(period)}\nWhat kind of file? Google Sheets opens Excel files too. CSV is for other programs.`

const nameOf = (subject: ExportSubject): string =>
  subject === 'orders' ? 'Export of orders' : 'Export of transactions'

const periodWords = (period: ExportPeriod): string => {
  if (typeof period === 'string') return periodsInText[period]
  return period.from === period.to ? period.from : `${period.from} to ${period.to}`
}

const periodsInText: Record<NamedPeriod, string> = {
  today: 'today',
  '7d': 'last 7 days',
  '30d': 'last 30 days',
  month: 'this month',
  last_month: 'last month',
  all: 'all dates',
}

export const askPeriod =
  'Which dates? Send the first and the last, like <code>1 Jan to 31 Mar</code>, or just one day.'

export const notAPeriod = (fault: Extract<WrittenPeriod, { kind: 'refused' }>['fault']) => {
  const again =
    'Send two dates like <code>1 Jan to 31 Mar</code> or <code>2026-01-01 2026-03-31</code>, or /cancel.'
  switch (fault) {
    case 'unreadable':
      return `I don’t see a date in that. ${again}`
    case 'no_such_day':
      return `There’s no such date. ${again}`
    case 'reversed':
      return `The second date is before the first. ${again}`
    case 'future':
      return `That day is in the future. ${again}`
  }
}

// ── While the file is made ──────────────────────────────────────────────────────────────────────────────────────────
export type ExportProgress =
  | { kind: 'read'; rows: number; total: number | null }
  | { kind: 'waits'; until: Date; why: 'limit' | 'no_answer' }
  | { kind: 'sending'; part: number }

export const progress = (subject: ExportSubject, period: ExportPeriod, how: ExportProgress, now: Date) =>
  `📄 ${nameOf(subject)}, ${periodWords(period)}\n${progressWords(how, now)}`

const progressWords = (how: ExportProgress, now: Date): string => {
  switch (how.kind) {
    case 'read':
      return how.total === null || how.rows > how.total
        ? `Reading… ${grouped(how.rows)}`
        : `Reading… ${grouped(how.rows)} of ${grouped(how.total)}`
    case 'waits':
      return how.why === 'limit'
        ? `I’ve reached the provider’s request limit. I’ll continue at ${when(how.until, now)}.`
        : `No answer from the provider. I’ll try again at ${clock(how.until)}.`
    case 'sending':
      return how.part === 1 ? 'Sending the file…' : `Sending file ${how.part}…`
  }
}

export const finished = (options: {
  subject: ExportSubject
  period: ExportPeriod
  rows: number
  files: number
  unreadable: number
}) =>
  lines(
    `✅ ${nameOf(options.subject)}, ${periodWords(options.period)}: ${counted(options.rows, 'row', 'rows')}${options.files > 1 ? ` in ${options.files} files` : ''}.`,
    options.unreadable > 0
      ? `⚠️ ${counted(options.unreadable, 'transaction is', 'transactions are')} missing: I couldn’t read ${options.unreadable === 1 ? 'it' : 'them'}.`
      : null,
  )

export const nothingToExport = (subject: ExportSubject, period: ExportPeriod) =>
  `${nameOf(subject)}, ${periodWords(period)}: no ${subject} found.`

export type ExportEnd = 'stopped' | 'restarting' | 'no_member' | 'not_sent' | 'failed'

export const ended = (subject: ExportSubject, period: ExportPeriod, why: ExportEnd) =>
  `${nameOf(subject)}, ${periodWords(period)}: ${endWords[why]}`

const endWords: Record<ExportEnd, string> = {
  stopped: 'cancelled.',
  restarting: 'stopped, because I’m being restarted. Try again in a minute.',
  no_member: 'stopped, because you no longer have access to that account.',
  not_sent: 'Telegram didn’t accept the file. Try again in a minute.',
  failed: 'something went wrong here. Nothing was changed. Try again.',
}

export const alreadyRunning = 'An export is already running in this chat. Wait for it, or cancel it.'

export const notRunning = 'This export has stopped. Start it again with /export.'

export const stopping = 'Cancelled'

// ── File names and captions ─────────────────────────────────────────────────────────────────────────────────────────
export const fileName = (subject: ExportSubject, format: ExportFormat, file: ExportFile) => {
  const days =
    file.firstDay === null
      ? ''
      : `-${file.firstDay}${file.lastDay === file.firstDay ? '' : `-to-${file.lastDay}`}`
  const part = file.part === 1 && file.isLast ? '' : `-part-${file.part}`
  return `${subject}${days}${part}.${format}`
}

export const fileCaption = (subject: ExportSubject, file: ExportFile, timeZone: string) =>
  `${sheetNames[subject]}: ${counted(file.rows, 'row', 'rows')}${file.part === 1 && file.isLast ? '' : `, part ${file.part}`}, newest first, in ${zoneName(timeZone)}.`

export const sheetNames: Record<ExportSubject, string> = { orders: 'Orders', transactions: 'Transactions' }

export const knownWords = {
  order: 'order',
  extra: 'extra charge for an order',
  maybe: 'may be for an unconfirmed order',
  nothing: 'matches no order',
  not_of_an_order: '',
} as const

export const ownersOnly = 'Only the account’s owner can export that.'

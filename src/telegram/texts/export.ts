import type { ExportFile, ExportFormat } from '../../exports/file.ts'
import type { NamedPeriod, Period, WrittenPeriod } from '../../exports/period.ts'
import type { ExportSubject } from '../buttons/export.ts'
import { clock, when } from '../time.ts'
import { b, counted, grouped, joined, lines } from './markup.ts'

/** The words of exports: what is asked before, what is said meanwhile, and the headings in the files. */

export const exportLabels = {
  orders: '🧾 Orders',
  transactions: '↕️ Transactions',
  typed: '✏️ Other dates',
  csv: 'CSV',
  xlsx: 'Excel (XLSX)',
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
export const chooseSubjectAgent = `${b('Export of your orders')}\nA file for your books. Of what time?`
export const choosePeriod = (subject: ExportSubject) => `${b(nameOf(subject))}\nOf what time?`
export const chooseFormat = (subject: ExportSubject, period: Period) =>
  `${b(nameOf(subject))}, ${periodWords(period)}\nWhich kind of file? Both open in Excel and Google Sheets; CSV also in any other program.`

const nameOf = (subject: ExportSubject): string =>
  subject === 'orders' ? 'Export of orders' : 'Export of transactions'

const periodWords = (period: Period): string => {
  if (typeof period === 'string') return lowerFirst(periodLabels[period])
  return period.from === period.to ? period.from : `${period.from} to ${period.to}`
}
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

export const askPeriod =
  'From which day to which? Send two dates, for example <code>1 Jan to 31 Mar</code>, or one for a single day.'
export const notAPeriod = (fault: Extract<WrittenPeriod, { kind: 'refused' }>['fault']) => {
  const again =
    'Send two dates like <code>1 Jan to 31 Mar</code> or <code>2026-01-01 2026-03-31</code>, or /cancel.'
  switch (fault) {
    case 'unreadable':
      return `I cannot read a time in that. ${again}`
    case 'no_such_day':
      return `The calendar does not have that day. ${again}`
    case 'reversed':
      return `The second date is before the first. ${again}`
    case 'future':
      return `That time has not begun yet. ${again}`
  }
}

// ── While it is made ───────────────────────────────────────────────────────────────────────────────────────────

export type ExportProgress =
  | { kind: 'read'; rows: number; total: number | null }
  | { kind: 'waits'; until: Date; why: 'limit' | 'no_answer' }
  | { kind: 'sending'; part: number }

export const progress = (subject: ExportSubject, period: Period, how: ExportProgress, now: Date) =>
  `📄 ${nameOf(subject)}, ${periodWords(period)}\n${progressWords(how, now)}`

const progressWords = (how: ExportProgress, now: Date): string => {
  switch (how.kind) {
    case 'read':
      return how.total === null || how.rows > how.total
        ? `Reading… ${grouped(how.rows)}`
        : `Reading… ${grouped(how.rows)} of ${grouped(how.total)}`
    case 'waits':
      return how.why === 'limit'
        ? `The provider’s request limit is reached. I go on by myself at ${when(how.until, now)}.`
        : `The provider does not answer. I try again at ${clock(how.until)}.`
    case 'sending':
      return how.part === 1 ? 'Sending the file…' : `Sending file ${how.part}…`
  }
}

export const finished = (options: {
  subject: ExportSubject
  period: Period
  rows: number
  files: number
  unreadable: number
}) =>
  lines(
    `✅ ${nameOf(options.subject)}, ${periodWords(options.period)}: ${counted(options.rows, 'row', 'rows')}${options.files > 1 ? ` in ${options.files} files` : ''}.`,
    options.unreadable > 0
      ? `⚠️ ${counted(options.unreadable, 'entry', 'entries')} could not be read and ${options.unreadable === 1 ? 'is' : 'are'} missing.`
      : null,
  )

export const nothingToExport = (subject: ExportSubject, period: Period) =>
  `${nameOf(subject)}, ${periodWords(period)}: there ${subject === 'orders' ? 'are no orders' : 'are no entries'} of that time.`

export type ExportEnd = 'stopped' | 'restarting' | 'no_member' | 'not_sent' | 'failed'

export const ended = (subject: ExportSubject, period: Period, why: ExportEnd) =>
  `${nameOf(subject)}, ${periodWords(period)}: ${endWords[why]}`

const endWords: Record<ExportEnd, string> = {
  stopped: 'cancelled.',
  restarting: 'I am being restarted, so it stopped. Please start it again in a minute.',
  no_member: 'stopped, because you have no access to that account any more.',
  not_sent: 'Telegram did not take the file. Please try again in a minute.',
  failed: 'something went wrong on our side. Nothing was changed. Please try again.',
}

export const alreadyRunning = 'An export is being made in this chat already. Wait for it, or cancel it there.'
export const notRunning =
  'This export is not running any more. Nothing is lost but the file: start it again with /export.'
export const stopping = 'Cancelled'

// ── The files ──────────────────────────────────────────────────────────────────────────────────────────────────

export const fileName = (subject: ExportSubject, format: ExportFormat, file: ExportFile) => {
  const days =
    file.firstDay === null
      ? ''
      : `-${file.firstDay}${file.lastDay === file.firstDay ? '' : `-to-${file.lastDay}`}`
  const part = file.part === 1 && file.isLast ? '' : `-part-${file.part}`
  return `${subject}${days}${part}.${format}`
}

export const fileCaption = (subject: ExportSubject, format: ExportFormat, file: ExportFile) =>
  joined(
    ' ',
    `${subject === 'orders' ? 'Orders' : 'Transactions'}: ${counted(file.rows, 'row', 'rows')}${file.part === 1 && file.isLast ? '' : `, part ${file.part}`}, newest first. Times are Ghana time.`,
    format === 'csv' ? 'In Excel each number keeps its first zero.' : null,
  )

export const sheetNames: Record<ExportSubject, string> = { orders: 'Orders', transactions: 'Transactions' }

/** Headings of the orders, with the widths of their columns; those of an agent are without what only owners see. */
export const orderColumns = {
  ordered: ['Ordered', 19],
  reference: ['Reference', 26],
  network: ['Network', 12],
  size: ['Size', 8],
  phone: ['Number', 13],
  customer: ['Customer', 18],
  price: ['Price GHS', 11],
  cost: ['Charged GHS', 12],
  selling: ['Selling price GHS', 17],
  profit: ['Profit GHS', 11],
  placement: ['Order', 13],
  status: ['Status', 13],
  reported: ['Only reported', 13],
  sent: ['Sent', 19],
  placed: ['Placed', 19],
  changed: ['Status since', 19],
  orderedBy: ['Ordered by', 18],
} as const satisfies Record<string, readonly [heading: string, width: number]>

export const entryColumns = {
  time: ['Time', 19],
  type: ['Type', 9],
  amount: ['Amount GHS', 12],
  after: ['Balance after GHS', 17],
  reference: ['Reference', 26],
  description: ['Description', 40],
  network: ['Network', 12],
  size: ['Size', 8],
  phone: ['Number', 13],
  recipients: ['Numbers', 9],
  customer: ['Customer', 18],
  known: ['In this bot', 24],
} as const satisfies Record<string, readonly [heading: string, width: number]>

export const reportedWord = 'yes'
export const statusNotKnown = 'not known'
export const orderedByOwner = (isSelf: boolean) => (isSelf ? 'you' : 'another owner')
export const knownWords = {
  order: 'order',
  maybe: 'may be an order without answer',
  nothing: 'no order explains it',
  not_of_an_order: '',
} as const

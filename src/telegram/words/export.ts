import type { ExportFile, ExportFormat } from '../../exports/export-file.ts'
import type { NamedPeriod, Period, WrittenPeriod } from '../../exports/export-period.ts'
import type { OwnHeadings } from '../../exports/own-file.ts'
import type { Sheet } from '../../exports/written-workbook.ts'
import type { ExportSubject } from '../buttons/export.ts'
import { clock, when } from '../chat/time.ts'
import { b, counted, grouped, lines } from './markup.ts'

/** The words of exports: the questions before, the progress, and the headings of all files. */

export const exportLabels = {
  orders: '🧾 Orders',
  transactions: '↕️ Transactions',
  typed: '✏️ Other dates',
  xlsx: '📗 Excel',
  csv: 'CSV',
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
export const chooseSubjectAgent = `${b('Export of your orders')}\nA file for your books. Which days?`
export const choosePeriod = (subject: ExportSubject) => `${b(nameOf(subject))}\nWhich days?`
export const chooseFormat = (subject: ExportSubject, period: Period) =>
  `${b(nameOf(subject))}, ${periodWords(period)}\nWhich kind of file? Google Sheets opens Excel files too. CSV is for other programs.`

const nameOf = (subject: ExportSubject): string =>
  subject === 'orders' ? 'Export of orders' : 'Export of transactions'

const periodWords = (period: Period): string => {
  if (typeof period === 'string') return lowerFirst(periodLabels[period])
  return period.from === period.to ? period.from : `${period.from} to ${period.to}`
}
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

export const askPeriod =
  'From which day to which? Send two dates, such as <code>1 Jan to 31 Mar</code>, or one day.'
export const notAPeriod = (fault: Extract<WrittenPeriod, { kind: 'refused' }>['fault']) => {
  const again =
    'Send two dates like <code>1 Jan to 31 Mar</code> or <code>2026-01-01 2026-03-31</code>, or /cancel.'
  switch (fault) {
    case 'unreadable':
      return `I don’t see a date in that. ${again}`
    case 'no_such_day':
      return `There is no such day. ${again}`
    case 'reversed':
      return `The second date is before the first. ${again}`
    case 'future':
      return `That day is still to come. ${again}`
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
        ? `The provider’s limit is used up. I go on by myself at ${when(how.until, now)}.`
        : `No answer from the provider. I try again at ${clock(how.until)}.`
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
      ? `⚠️ ${counted(options.unreadable, 'entry is', 'entries are')} missing: I could not read ${options.unreadable === 1 ? 'it' : 'them'}.`
      : null,
  )

export const nothingToExport = (subject: ExportSubject, period: Period) =>
  `${nameOf(subject)}, ${periodWords(period)}: ${subject === 'orders' ? 'no orders' : 'no transactions'} on those days.`

export type ExportEnd = 'stopped' | 'restarting' | 'no_member' | 'not_sent' | 'failed'

export const ended = (subject: ExportSubject, period: Period, why: ExportEnd) =>
  `${nameOf(subject)}, ${periodWords(period)}: ${endWords[why]}`

const endWords: Record<ExportEnd, string> = {
  stopped: 'cancelled.',
  restarting: 'stopped, because I am being restarted. Start it again in a minute.',
  no_member: 'stopped, because you no longer have access to that account.',
  not_sent: 'Telegram did not take the file. Try again in a minute.',
  failed: 'something went wrong here. Nothing was changed. Try again.',
}

export const alreadyRunning = 'An export is already running in this chat. Wait for it, or cancel it.'
export const notRunning = 'This export has stopped. Start it again with /export.'
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

export const fileCaption = (subject: ExportSubject, file: ExportFile, timeZone: string) =>
  `${sheetNames[subject]}: ${counted(file.rows, 'row', 'rows')}${file.part === 1 && file.isLast ? '' : `, part ${file.part}`}, newest first, in ${zoneName(timeZone)}.`

/** The name of a file about one day. */
export const namedFile = (what: string, day: string, format: ExportFormat) => `${what}-${day}.${format}`
export const listFileName = 'list'
export const listSheetName = 'List'
export const readingFileName = 'lines'
export const readingSheetName = 'Lines'
export const bookFileName = 'customers'
export const bookSheetName = 'Saved numbers'

export const sheetNames: Record<ExportSubject, string> = { orders: 'Orders', transactions: 'Transactions' }

/** Every column of every file: its heading and its width. One thing has one heading in all files. */
const allColumns = {
  position: ['No.', 6],
  line: ['Line', 6],
  written: ['Text', 40],
  result: ['Result', 10],
  ordered: ['Ordered', 24],
  time: ['Time', 24],
  type: ['Type', 9],
  amount: ['Amount GHS', 12],
  after: ['Balance after GHS', 17],
  reference: ['Reference', 26],
  description: ['Description', 40],
  network: ['Network', 12],
  size: ['Size', 8],
  offer: ['Offer', 14],
  phone: ['Number', 13],
  recipients: ['Numbers', 9],
  contact: ['Customer', 18],
  price: ['Price GHS', 11],
  charged: ['Charged GHS', 12],
  refunded: ['Refunded GHS', 13],
  net: ['Net GHS', 11],
  sold: ['Sold for GHS', 13],
  profit: ['Profit GHS', 11],
  placement: ['Order', 13],
  status: ['Status', 13],
  reported: ['Only reported', 13],
  sent: ['Sent', 24],
  placed: ['Placed', 24],
  changed: ['Status since', 24],
  orderedBy: ['Ordered by', 18],
  known: ['In this bot', 24],
  remark: ['Remark', 40],
} as const satisfies Record<string, readonly [heading: string, width: number]>

/** A column of an exported file. */
export type Column = keyof typeof allColumns

/** Columns of times: their headings name the zone. */
const timeColumns: ReadonlySet<Column> = new Set(['ordered', 'time', 'sent', 'placed', 'changed'])

/** A sheet with these columns, as people read it. */
export const sheetOf = (name: string, columns: readonly Column[], timeZone: string): Sheet => ({
  name,
  timeZone,
  headings: columns.map((column) =>
    timeColumns.has(column) ? `${allColumns[column][0]} (${zoneName(timeZone)})` : allColumns[column][0],
  ),
  widths: columns.map((column) => allColumns[column][1]),
})

/** `Accra time`, `UTC` */
const zoneName = (timeZone: string): string =>
  timeZone === 'UTC' ? timeZone : `${timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ')} time`

/** By these a file of ours is known when it is sent back. */
export const ownHeadings: OwnHeadings = {
  all: new Set(Object.values(allColumns).map(([heading]) => heading.toLowerCase())),
  telling: new Set([
    'charged ghs',
    'status since',
    'only reported',
    'balance after ghs',
    'in this bot',
    'text',
  ]),
  phone: allColumns.phone[0].toLowerCase(),
  size: allColumns.size[0].toLowerCase(),
  network: allColumns.network[0].toLowerCase(),
}

export const ownFile = '📄 This is my own export. Nothing was ordered.'
export const orderTheseAgain = (count: number) => `🔁 Order these again (${grouped(count)})`
export const ownFileGone = 'That file is no longer there. Nothing was ordered. Send it again.'

export const reportedWord = 'yes'
export const statusNotKnown = 'not known'
export const orderedByOwner = (isSelf: boolean) => (isSelf ? 'you' : 'another owner')
export const knownWords = {
  order: 'order',
  extra: 'extra charge of an order',
  maybe: 'may be an order without answer',
  nothing: 'no order explains it',
  not_of_an_order: '',
} as const

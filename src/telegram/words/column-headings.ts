import type { ExportFormat } from '../../exports/export-file.ts'
import type { OwnHeadings } from '../../exports/own-file.ts'
import type { Sheet } from '../../exports/written-workbook.ts'

/** The files that people are sent: their names, sheets and columns. */

/** The name of a file about one day. @param day as in `2026-03-31`. */
export const namedFile = (what: string, day: string, format: ExportFormat) => `${what}-${day}.${format}`

export const listFileName = 'list'

export const listSheetName = 'List'

export const readingFileName = 'lines'

export const readingSheetName = 'Lines'

/** Every column of every file: its heading, and its width in characters. A column has the same heading in all files. */
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

export type Column = keyof typeof allColumns

/** Columns with times. Their headings name the time zone. */
const timeColumns: ReadonlySet<Column> = new Set(['ordered', 'time', 'sent', 'placed', 'changed'])

export const sheetOf = (name: string, columns: readonly Column[], timeZone: string): Sheet => ({
  name,
  timeZone,
  headings: columns.map((column) =>
    timeColumns.has(column) ? `${allColumns[column][0]} (${zoneName(timeZone)})` : allColumns[column][0],
  ),
  widths: columns.map((column) => allColumns[column][1]),
})

/** `Accra time`, `UTC` */
export const zoneName = (timeZone: string): string =>
  timeZone === 'UTC' ? timeZone : `${timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ')} time`

/** The headings by which our own files are recognized when they are sent back. */
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

export const reportedWord = 'yes'

export const statusNotKnown = 'not known'

export const orderedByOwner = (isSelf: boolean) => (isSelf ? 'you' : 'another owner')

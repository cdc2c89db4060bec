import { expect, test } from 'vitest'
import { exportSubjects } from '../../../../src/telegram/buttons/export-choice.ts'
import * as contactsWords from '../../../../src/telegram/features/contacts/words.ts'
import * as exportingWords from '../../../../src/telegram/features/exporting/words.ts'
import * as ownFileWords from '../../../../src/telegram/features/lists/own-file-words.ts'
import * as sheetWords from '../../../../src/telegram/words/column-headings.ts'
import { now } from '../../words/any-order.ts'
import { expectLabel } from '../../words/outside.ts'
import { testTexts, type Values, type Wording } from '../../words/wording.ts'

const words = {
  ...exportingWords,
  ...ownFileWords,
  ...sheetWords,
  bookFileName: contactsWords.bookFileName,
  bookSheetName: contactsWords.bookSheetName,
}

const subjectOf = ({ flag }: Values) => exportSubjects[flag ? 0 : 1]
const periodOf = ({ flag }: Values) => (flag ? 'last_month' : { from: '2026-01-01', to: '2026-03-31' })
const progresses: exportingWords.ExportProgress[] = [
  { kind: 'read', rows: 1_200, total: 4_000 },
  { kind: 'read', rows: 1_200, total: null },
  { kind: 'waits', until: now, why: 'limit' },
  { kind: 'waits', until: now, why: 'no_answer' },
  { kind: 'sending', part: 2 },
]
const file = { path: '/', part: 1, rows: 3, firstDay: '2026-01-01', lastDay: '2026-03-31', isLast: true }

const html: Wording<typeof words> = {
  choosePeriod: (each) => words.choosePeriod(subjectOf(each)),
  chooseFormat: (each) => words.chooseFormat(subjectOf(each), periodOf(each)),
  progress: (each) => {
    const how = progresses[each.count % progresses.length]
    return words.progress(subjectOf(each), periodOf(each), how ?? { kind: 'sending', part: 1 }, now)
  },
  finished: (each) =>
    words.finished({
      subject: subjectOf(each),
      period: periodOf(each),
      rows: each.count,
      files: 2,
      unreadable: 1,
    }),
  nothingToExport: (each) => words.nothingToExport(subjectOf(each), periodOf(each)),
  ended: (each) => words.ended(subjectOf(each), periodOf(each), each.flag ? 'stopped' : 'no_member'),
  zoneName: () => words.zoneName('Africa/Accra'),
  fileCaption: (each) => words.fileCaption(subjectOf(each), file, 'Africa/Accra'),
  notAPeriod: (each) => words.notAPeriod(each.flag ? 'reversed' : 'no_such_day'),
  fileName: (each) => words.fileName(subjectOf(each), each.flag ? 'csv' : 'xlsx', file),
  namedFile: (each) => words.namedFile('list', '2026-01-01', each.flag ? 'csv' : 'xlsx'),
  orderTheseAgain: ({ count }) => words.orderTheseAgain(count),
  orderedByOwner: ({ flag }) => words.orderedByOwner(flag),
}

testTexts(words, html, {
  plain: ['fileName', 'namedFile', 'orderTheseAgain'],
  others: ['sheetOf', 'ownHeadings'],
})

test('every label of an export’s buttons is short', () => {
  for (const label of [...Object.values(words.exportLabels), ...Object.values(words.periodLabels)]) {
    expectLabel(label, 23)
  }
})

test('an exported file is named after its content and its days', () => {
  expect(words.fileName('orders', 'csv', file)).toBe('orders-2026-01-01-to-2026-03-31.csv')
  expect(words.fileName('orders', 'xlsx', { ...file, lastDay: '2026-01-01', part: 2 })).toBe(
    'orders-2026-01-01-part-2.xlsx',
  )
})

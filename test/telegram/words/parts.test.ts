import { expect, test } from 'vitest'
import type { ForeignKind } from '../../../src/lists/files/read-file.ts'
import * as fileWords from '../../../src/telegram/words/file.ts'
import * as labelsWords from '../../../src/telegram/words/labels.ts'
import * as wholeMarkupWords from '../../../src/telegram/words/markup.ts'
import * as recipientsWords from '../../../src/telegram/words/numbers.ts'
import { phone } from './any-order.ts'
import { testTexts, times, type Values, type Wording } from './wording.ts'

const labelWords = { labels: labelsWords.labels }
const lengthWords = { lengthIn: wholeMarkupWords.lengthIn }
const markupWords = {
  b: wholeMarkupWords.b,
  code: wholeMarkupWords.code,
  joined: wholeMarkupWords.joined,
  capital: wholeMarkupWords.capital,
  lines: wholeMarkupWords.lines,
  grouped: wholeMarkupWords.grouped,
  counted: wholeMarkupWords.counted,
  time: wholeMarkupWords.time,
}
const removedWords = {
  numberOr: recipientsWords.numberOr,
  numberCell: recipientsWords.numberCell,
  removedNote: recipientsWords.removedNote,
  needsNumber: recipientsWords.needsNumber,
  tooOldToFollow: recipientsWords.tooOldToFollow,
}

const kinds: Record<ForeignKind, true> = {
  old_excel: true,
  other_spreadsheet: true,
  word: true,
  pdf: true,
  picture: true,
  archive: true,
  other: true,
}
type Unread = Parameters<typeof fileWords.fileNotRead>[0]

const unreadOf = ({ text, flag, count }: Values): Unread[] => [
  { kind: 'unavailable', reason: 'HTTP 404' },
  { kind: 'refused', code: 'too_large', limitBytes: 5 * 1024 * 1024, unpacked: flag },
  { kind: 'refused', code: 'too_many_lines', limitLines: 10_000 + count, sheet: flag ? text : null },
  ...(['protected', 'unreadable', 'empty'] as const).map((code): Unread => ({ kind: 'refused', code })),
  ...(Object.keys(kinds) as ForeignKind[]).map(
    (found): Unread => ({ kind: 'refused', code: 'unknown_kind', found }),
  ),
]

const file: Wording<typeof fileWords> = {
  fileNotRead: (each) => unreadOf(each).map(fileWords.fileNotRead),
  sheetNotes: ({ text, count }) =>
    fileWords.sheetNotes({ name: text, hiddenRows: count, others: times(count, text) }),
}

testTexts(fileWords, file)

const removed: Wording<typeof removedWords> = {
  numberOr: () => [phone, 'removed:r1'].map(removedWords.numberOr),
  numberCell: () => [phone, 'removed:r1'].map(removedWords.numberCell),
  removedNote: ({ count }) => removedWords.removedNote(count),
}

testTexts(removedWords, removed)

const lengths: Wording<typeof lengthWords> = {
  lengthIn: ({ count }) =>
    (['second', 'minute', 'hour', 'day'] as const).map((unit) =>
      lengthWords.lengthIn(unit, count * 86_400_000),
    ),
}

testTexts(lengthWords, lengths)
testTexts(labelWords, {})

const markup: Wording<typeof markupWords> = {
  b: () => markupWords.b('MTN'),
  code: ({ text }) => `Number ${markupWords.code(text)}`,
  capital: () => markupWords.capital('one charge fits'),
  joined: () => markupWords.joined(' ', 'MTN', null),
  lines: () => markupWords.lines('MTN', null),
  grouped: ({ count }) => markupWords.grouped(count),
  counted: ({ count }) => markupWords.counted(count, 'order', 'orders'),
  time: () => markupWords.time(new Date('2026-11-21T10:32:00Z'), 't', '10:32'),
}

testTexts(markupWords, markup)

test.each([0, 7, 999, 1_000, 12_345, 999_999, 1_000_000])(
  'the number %d is written with commas as in English',
  (count) => {
    expect(markupWords.grouped(count)).toBe(count.toLocaleString('en-GB'))
  },
)

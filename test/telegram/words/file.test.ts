import { expect, test } from 'vitest'
import type { FileRefusal, ForeignKind } from '../../../src/lists/files/read-file.ts'
import { parseHtml } from '../../../src/sandbox/index.ts'
import { fileNotRead, sheetNotes } from '../../../src/telegram/words/file.ts'

const hostile = `<b>&"${'x'.repeat(5_000)}`
const limitBytes = 5 * 1024 * 1024

const found = (kind: ForeignKind): FileRefusal => ({ code: 'unknown_kind', found: kind })

test.each<[FileRefusal, RegExp]>([
  [{ code: 'too_large', limitBytes, unpacked: false }, /up to 5 MB\. .*Split it/],
  [{ code: 'too_large', limitBytes, unpacked: true }, /up to 5 MB unzipped\. .*new workbook/],
  [{ code: 'too_many_lines', limitLines: 10_000, sheet: null }, /That file .* up to 10,000\. .*Split it/],
  [{ code: 'too_many_lines', limitLines: 10_000, sheet: hostile }, /The sheet .* up to 10,000\./],
  [{ code: 'protected' }, /without the password/],
  [{ code: 'unreadable' }, /damaged.*save it as \.xlsx or \.csv/],
  [{ code: 'empty' }, /nothing in that file.*a number and a size on each line/],
  [found('old_excel'), /\.xls\).*Save this one as \.xlsx or \.csv/],
  [found('other_spreadsheet'), /Save it as \.xlsx or \.csv/],
  [found('word'), /Copy the lines/],
  [found('pdf'), /PDF.*Copy the lines/],
  [found('picture'), /picture.*Type or paste/],
  [found('archive'), /Unzip this one/],
  [found('other'), /\.txt, \.csv and \.xlsx/],
])('a list file that was refused with %j is answered with what to do instead', (refusal, words) => {
  const text = fileNotRead({ kind: 'refused', ...refusal })
  expect(text).toMatch(words)
  expect(text).toContain('Nothing was ordered.')
  expect(parseHtml(text).text.length).toBeLessThan(400)
})

test('a person whose list file could not be downloaded is asked to send it again', () => {
  expect(fileNotRead({ kind: 'unavailable', reason: 'HTTP 404' })).toMatch(
    /Nothing was ordered\. Send it again/,
  )
})

test('the unread sheets and hidden rows of a list’s workbook are mentioned', () => {
  expect(sheetNotes({ name: 'A', hiddenRows: 0, others: [] })).toEqual([])
  expect(sheetNotes({ name: 'A', hiddenRows: 1, others: ['B'] })).toEqual([
    'I only read the sheet <b>A</b>. There are numbers in <b>B</b> too: send those in a separate file.',
    '1 row is hidden in Excel. I read it too.',
  ])
  const [others, hidden] = sheetNotes({ name: hostile, hiddenRows: 1_200, others: [hostile, 'B', 'C'] })
  expect(parseHtml(others ?? '').text).toMatch(/^I only read the sheet <b>&"x+…?\. .*x+…? and 2 more too/)
  expect(hidden).toBe('1,200 rows are hidden in Excel. I read them too.')
})

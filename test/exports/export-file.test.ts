import { readFile, rm, stat } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { readSheet } from 'read-excel-file/node'
import { expect, onTestFinished, test } from 'vitest'
import { type ExportRow, money, text, time, type Value } from '../../src/exports/cell-value.ts'
import {
  type ExportFile,
  type ExportFormat,
  type ExportLimits,
  fileBytes,
  writeFiles,
} from '../../src/exports/export-file.ts'
import { readFile as readList } from '../../src/lists/files/read-file.ts'
import { pesewas } from '../../src/provider/money.ts'
import { newFolder } from '../support/folder.ts'
import { runs } from '../support/runs.ts'

const sheet = {
  name: 'Orders',
  headings: ['Time', 'Number', 'Name', 'Amount'],
  widths: [19, 13, 18, 11],
  timeZone: 'Africa/Accra',
}
const at = new Date('2026-11-21T10:32:07Z')

const rowOf = (phone: string, name: string | null, amount: number, when = at): ExportRow => ({
  at: when,
  values: [time(when), text(phone), text(name), money(pesewas(amount))],
})

async function* each<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values
}

const write = async (
  format: ExportFormat,
  rows: AsyncIterable<ExportRow>,
  limits?: ExportLimits,
): Promise<ExportFile[]> => {
  const folder = await newFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  return Array.fromAsync(writeFiles({ folder, format, sheet, rows, ...(limits && { limits }) }))
}

const written = async (format: ExportFormat, rows: readonly ExportRow[]): Promise<Buffer> => {
  const [file] = await write(format, each(rows))
  return readFile(file?.path ?? '')
}

const hostile = [
  '=cmd()',
  '+233241234567',
  '@SUM(A1)',
  '-1+1',
  'Kofi "the boss", Accra',
  'two\nlines\r\nand more',
  '😀 Ama',
  '<b>&amp;]]>',
  '\u0000\u0008\ufffe bell',
  '_x000D_',
  ' blanks ',
  "'apostrophe",
]

test('an exported workbook reads the same in another library and in our own reader', async () => {
  const rows = hostile.map((name, index) =>
    rowOf(`024${String(index).padStart(7, '0')}`, name, 2_350 + index),
  )
  const bytes = await written('xlsx', rows)
  const table = await readSheet(bytes, { trim: false })
  expect(table[0]).toEqual(sheet.headings)
  expect(table.slice(1)).toEqual(
    hostile.map((name, index) => [
      at,
      `024${String(index).padStart(7, '0')}`,
      // Characters that XML cannot contain are left out.
      name.replace('\u0000\u0008\ufffe', ''),
      (2_350 + index) / 100,
    ]),
  )
  const list = await readList({ name: 'a.xlsx', mimeType: '', bytes })
  expect(list).toMatchObject({ kind: 'text', rows: hostile.length + 1 })
  expect(list.kind === 'text' && list.text).toContain('0240000003')
})

test('an exported CSV file begins with the UTF-8 mark for Excel, and its formulas are only text', async () => {
  const rows = hostile.map((name, index) => rowOf(`024${String(index).padStart(7, '0')}`, name, -105))
  const bytes = await written('csv', rows)
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const table = parse(bytes, { bom: true, relax_quotes: true }) as string[][]
  expect(table[0]).toEqual(sheet.headings)
  for (const [index, cells] of table.slice(1).entries()) {
    const name = hostile[index] ?? ''
    expect(cells[0]).toBe('2026-11-21 10:32:07')
    expect(cells[1]).toBe(`="024${String(index).padStart(7, '0')}"`)
    expect([name, `'${name}`]).toContain(cells[2])
    if (/^[=@+-]/.test(name)) expect(cells[2]).toBe(`'${name}`)
    expect(cells[3]).toBe('-1.05')
  }
})

test('any text survives the way into an exported workbook and back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (name) => {
      fc.pre(/^[\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u.test(name) && name.trim() !== '')
      const [, row] = await readSheet(await written('xlsx', [rowOf('0241234567', name, 100)]), {
        trim: false,
      })
      expect(row?.[2]).toBe(name)
    }),
    { numRuns: runs(50) },
  )
})

test('an exported file keeps empty cells empty, and has its headings even without rows', async () => {
  const values: Value[] = [null, text('0241234567'), null, null]
  expect((await readSheet(await written('xlsx', [{ at, values }])))[1]).toEqual([
    null,
    '0241234567',
    null,
    null,
  ])
  expect((await written('csv', [{ at, values }])).toString()).toContain('\r\n,"=""0241234567""",,\r\n')
  const files = await write('csv', each([]))
  expect(files).toMatchObject([{ rows: 0, part: 1, isLast: true, firstDay: null }])
})

test.each(['csv', 'xlsx'] as const)(
  'the times and days of an exported %s file are in its time zone',
  async (format) => {
    const folder = await newFolder()
    onTestFinished(() => rm(folder, { recursive: true }))
    const late = new Date('2026-11-21T23:30:00Z')
    const rows = each([rowOf('0241234567', null, 1, late)])
    const [file] = await Array.fromAsync(
      writeFiles({ folder, format, sheet: { ...sheet, timeZone: 'Africa/Lagos' }, rows }),
    )
    expect(file?.firstDay).toBe('2026-11-22')
    const bytes = await readFile(file?.path ?? '')
    if (format === 'csv') expect(bytes.toString()).toContain('2026-11-22 00:30:00')
    else expect((await readSheet(bytes))[1]?.[0]).toEqual(new Date('2026-11-22T00:30:00Z'))
  },
)

test.each(['csv', 'xlsx'] as const)(
  'a small %s file that is exported in one piece equals one that is written row by row',
  async (format) => {
    const rows = [rowOf('0241234567', 'Kofi', 100)]
    const bytes = await fileBytes(
      format,
      sheet,
      rows.map(({ values }) => values),
    )
    expect(bytes.equals(await written(format, rows))).toBe(true)
  },
)

test('only the user who runs the bot can read an exported file', async () => {
  const [file] = await write('csv', each([rowOf('0241234567', null, 1)]))
  expect((await stat(file?.path ?? '')).mode & 0o777).toBe(0o600)
})

const daysBefore = (days: number) => new Date(at.getTime() - days * 86_400_000)

test.each(['csv', 'xlsx'] as const)(
  'an exported %s file that is full is followed by another with the older rows',
  async (format) => {
    const rows = Array.from({ length: 10 }, (_, index) =>
      rowOf('0241234567', String(index), 100, daysBefore(index)),
    )
    const files = await write(format, each(rows), { bytes: 10_000_000, rows: 4 })
    expect(files).toMatchObject([
      { part: 1, rows: 4, firstDay: '2026-11-18', lastDay: '2026-11-21', isLast: false },
      { part: 2, rows: 4, firstDay: '2026-11-14', lastDay: '2026-11-17', isLast: false },
      { part: 3, rows: 2, firstDay: '2026-11-12', lastDay: '2026-11-13', isLast: true },
    ])
  },
)

test.each(['csv', 'xlsx'] as const)(
  'an exported %s file ends soon after its maximum size',
  async (format) => {
    // Random, so that it cannot be compressed.
    const noise = () => Buffer.from(crypto.getRandomValues(new Uint8Array(600))).toString('base64')
    async function* rows(): AsyncGenerator<ExportRow> {
      for (let index = 0; index < 4_000; index += 1) yield rowOf('0241234567', noise(), 100)
    }
    const files = await write(format, rows(), { bytes: 500_000, rows: 1_000_000 })
    expect(files.length).toBeGreaterThan(2)
    expect(files.reduce((sum, file) => sum + file.rows, 0)).toBe(4_000)
    for (const { path } of files) expect((await stat(path)).size).toBeLessThan(1_000_000)
  },
)

test.each(['csv', 'xlsx'] as const)(
  'the export of a %s file fails if its rows cannot be read',
  async (format) => {
    async function* rows(): AsyncGenerator<ExportRow> {
      yield rowOf('0241234567', 'Kofi', 100)
      throw new Error('The database is gone.')
    }
    await expect(write(format, rows())).rejects.toThrow('The database is gone.')
  },
)

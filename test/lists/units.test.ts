import { describe, expect, test } from 'vitest'
import { formatOf } from '../../src/lists/files/cell.ts'
import { readFile } from '../../src/lists/files/read-file.ts'
import { readList } from '../../src/lists/read-list.ts'
import { priceSnapshot } from './market.ts'
import { workbookOf } from './workbook.ts'

const ordered = (text: string) =>
  readList(text, priceSnapshot).recipients.map(({ phone, volume }) => `${phone} ${volume}`)

const heads = [
  'Data (MB) (1024MB = 1GB)',
  'Data (MB)(1GB=1024MB)',
  'Data 1024MB=1GB',
  'Size [MB]',
  'Data in MB',
  'MB',
  'megabytes',
  'Amount of data (megs)',
  'Volume MBs',
  'Data (MB, 30 days)',
]

describe('a list’s column heading that names megabytes', () => {
  test.each(heads)('makes the sizes below it megabytes: “%s”', (head) => {
    const rows = [
      ['0241234567', '100'],
      ['0551234567', '5120'],
      ['0541234567', '50'],
    ]
    for (const sign of ['\t', ';', ',', ' | ', '   ']) {
      const text = [['Beneficiary Msisdn', head], ...rows].map((cells) => cells.join(sign)).join('\n')
      expect(ordered(text), sign).toEqual(['0241234567 100MB', '0551234567 5GB'])
    }
  })
})

describe('a list’s heading that names megabytes', () => {
  test.each([
    ...heads,
    'All in MB:',
    '*All in MB*',
    'MTN (MB)',
    'Sizes are in mb please',
    '1. MB',
    'Numbers MB',
  ])('makes the sizes below it megabytes: “%s”', (heading) => {
    expect(ordered(`${heading}\n0241234567 100\n\n0551234567 5120\n0541234567 50`)).toEqual([
      '0241234567 100MB',
      '0551234567 5GB',
    ])
  })

  test('no longer applies after a heading that names gigabytes', () => {
    expect(ordered('All in MB\n0241234567 100\nGB:\n0551234567 2')).toEqual([
      '0241234567 100MB',
      '0551234567 2GB',
    ])
  })

  test('does not apply to the lines of another sender in a copied chat', () => {
    const chat = '[21/11/2026, 08:12] Kofi: All in MB\n[21/11/2026, 08:13] Ama: 0241234567 5'
    expect(ordered(chat)).toEqual(['0241234567 5GB'])
  })

  test('applies to the whole list if it is below the list', () => {
    expect(ordered('0241234567 100\n0551234567 1000\n(all in MB)')).toEqual([
      '0241234567 100MB',
      '0551234567 1GB',
    ])
  })

  test('does not change a size with a unit of its own', () => {
    expect(ordered('All in MB\n0241234567 5gb\nPhone\tMB\n0551234567\t2 GB')).toEqual([
      '0241234567 5GB',
      '0551234567 2GB',
    ])
  })
})

test.each(['I’m sending the list', 'Good morning', 'MTN'])(
  'the line “%s” above a number in a list does not change the unit of sizes',
  (line) => {
    expect(ordered(`${line}\n0241234567 5`)).toEqual(['0241234567 5GB'])
  },
)

test('thousands separators in a list’s column of megabytes are understood', () => {
  expect(ordered('Phone\tData (MB)\n0241234567\t5,120')).toEqual(['0241234567 5GB'])
})

test('a size that is written in two columns of a list’s row counts as one size', () => {
  expect(ordered('Phone\tGB\tMB\n0241234567\t5\t5120')).toEqual(['0241234567 5GB'])
})

describe('gigabytes and megabytes named together in a list', () => {
  const texts = ['Phone,Data (GB/MB)\n0241234567,100\n0551234567,2', 'GB or MB\n0241234567 100\n0551234567 2']

  test.each(texts)('lead to one question: %j', (text) => {
    const { recipients, questions } = readList(text, priceSnapshot)
    expect(recipients).toEqual([])
    expect(questions).toMatchObject([
      {
        kind: 'unit',
        sizes: ['100', '2'],
        choices: [{ answer: 'MB', fits: 1 }, { answer: 'GB', fits: 1 }, { answer: 'drop' }],
      },
    ])
    expect(readList(text, priceSnapshot, { unit: 'MB' }).recipients.map(({ volume }) => volume)).toEqual([
      '100MB',
    ])
    expect(readList(text, priceSnapshot, { unit: 'GB' }).recipients.map(({ volume }) => volume)).toEqual([
      '2GB',
    ])
    expect(readList(text, priceSnapshot, { unit: 'drop' }).counts.fix).toBe(0)
  })

  test('lead to no question if one explains the other', () => {
    expect(ordered('Phone,Data (GB) (1GB = 1024MB)\n0241234567,5')).toEqual(['0241234567 5GB'])
  })
})

describe('the number format of a cell in a list', () => {
  test.each([
    ['0" MB"', '', 'MB'],
    ['#,##0\\ "MB"', '', 'MB'],
    ['0 \\M\\B', '', 'MB'],
    ['"MB" 0', 'MB', ''],
    ['General" megabytes"', '', 'megabytes'],
    ['[>=1000]0.0,"GB";0" MB"', '', 'MB'],
    ['0.0,"GB"', '', 'MB'],
    ['[$GHS-409] #,##0.00', 'GHS', ''],
    ['"₵"0.00', '₵', ''],
    ['000-000-0000', '', ''],
    ['"days "0', '', ''],
  ])('is searched for a unit or a currency: “%s”', (code, before, after) => {
    expect(formatOf(164, code)).toEqual({ isDate: false, before, after })
  })

  test('gives the unit of a size in a workbook', async () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="0&quot; MB&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>'
    const rows =
      '<row><c t="inlineStr"><is><t>Number</t></is></c><c t="inlineStr"><is><t>Data</t></is></c></row>' +
      '<row><c><v>241234567</v></c><c s="1"><v>100</v></c></row>'
    const file = await readFile({
      name: 'list.xlsx',
      mimeType: '',
      bytes: workbookOf({ sheets: [{ name: 'A', rows }], styles }),
    })
    expect(file.kind === 'text' && ordered(file.text)).toEqual(['0241234567 100MB'])
  })
})

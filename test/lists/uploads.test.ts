import { describe, expect, test } from 'vitest'
import { readFile } from '../../src/lists/files/read-file.ts'
import { readList } from '../../src/lists/read-list.ts'
import { priceSnapshot } from './market.ts'
import { workbookOf } from './workbook.ts'

const head = [
  'Beneficiary Msisdn',
  'Beneficiary Name',
  'Voice(Minutes)',
  'Data (MB) (1024MB = 1GB)',
  'Sms(Unit)',
]
const rows = [
  ['0241234567', '', '0', '5120', '0'],
  ['0551234567', 'Ama', '0', '2048', '0'],
]
const sums = ['', '', '0', '7168', '7']

const lineOf = (cells: readonly string[], sign = '\t') => cells.join(sign)
const result = (text: string) => {
  const { recipients, counts } = readList(text, priceSnapshot)
  return { ready: recipients.map(({ phone, volume }) => `${phone} ${volume}`), fix: counts.fix }
}
const both = { ready: ['0241234567 5GB', '0551234567 2GB'], fix: 0 }

describe('a file in the network’s own upload format', () => {
  test.each(['\t', ',', ';', '|'])('is read from a text with the cells separated by %j', (sign) => {
    expect(result([head, ...rows, sums].map((cells) => lineOf(cells, sign)).join('\n'))).toEqual(both)
    expect(
      result([head, ...rows, ['Total', ...sums.slice(1)]].map((cells) => lineOf(cells, sign)).join('\n')),
    ).toEqual(both)
  })

  test('is read from a CSV file', async () => {
    const file = await readFile({
      name: 'up2u.csv',
      mimeType: 'text/csv',
      bytes: Buffer.from([head, ...rows, sums].map((cells) => lineOf(cells, ',')).join('\r\n')),
    })
    expect(file.kind === 'text' && result(file.text)).toEqual(both)
  })

  test('is read from a workbook with numbers and formulas', async () => {
    const texts = `<row>${head.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`
    const numbers = rows
      .map(
        (cells) =>
          `<row>${cells.map((cell) => `<c><v>${cell.replace(/^0(?=\d)|\D/g, '')}</v></c>`).join('')}</row>`,
      )
      .join('')
    const formulas =
      '<row><c/><c/><c><f>SUM(C2:C3)</f></c><c><f>SUM(D2:D3)</f></c><c><f>SUM(E2:E3)</f></c></row>'
    const file = await readFile({
      name: 'up2u.xlsx',
      mimeType: '',
      bytes: workbookOf({ sheets: [{ name: 'Sheet1', rows: texts + numbers + formulas }] }),
    })
    expect(file.kind === 'text' && result(file.text)).toEqual(both)
  })

  test('without a heading row leads to a suggestion for each row, and none for its totals', () => {
    const { lines, counts } = readList(
      [...rows, sums].map((cells) => lineOf(cells)).join('\n'),
      priceSnapshot,
    )
    expect(counts).toEqual({ ready: 0, fix: 2, ignored: 1 })
    expect(lines[0]?.problems).toMatchObject([{ code: 'not_sold', suggestion: '5120MB' }])
  })

  test('is read even if it has only one row and a total', () => {
    const text = [head, rows[0] ?? [], ['', '', '0', '5120', '0']].map((cells) => lineOf(cells)).join('\n')
    expect(result(text)).toEqual({ ready: ['0241234567 5GB'], fix: 0 })
  })

  test('leaves a row without a number to fix, and gives its size to no other row', () => {
    const text = [head, rows[0] ?? [], ['', 'Kofi', '0', '1024', '0'], ['0541234567', '', '0', '', '0']]
    const { lines, recipients } = readList(text.map((cells) => lineOf(cells)).join('\n'), priceSnapshot)
    expect(lines[2]?.problems).toMatchObject([{ code: 'no_number', size: { amount: 1024, unit: 'MB' } }])
    expect(recipients).toHaveLength(1)
  })
})

describe('the other columns of a list’s table', () => {
  test.each([
    ['amounts with a decimal comma', 'Phone;GB;Amount (GHS)\n0241234567;5;23,50\n0551234567;2;9,80'],
    ['amounts with a point for thousands', 'Phone;GB;Price\n0241234567;5;23,50\n0551234567;2;9,80 GHS'],
    ['amounts that a decimal comma splits', 'Phone,GB,Amount\n0241234567,5,23,50\n0551234567,2,9,80'],
    ['amounts in quotes', 'Phone,GB,Amount\n0241234567,5,"23,50"\n0551234567,2,"1,045.00"'],
    ['statuses', 'Recipient\tVolume\tStatus\n0241234567\t5GB\tDelivered\n0551234567\t2GB\tpending'],
    [
      'names, dates, references',
      'Date,Customer Name,Phone,Reference,Data\n26/11/2026,Kofi 2,0241234567,TX-99 5,5\n27/11/2026,Ama,0551234567,7788,2',
    ],
    [
      'the number of an order beside the phone',
      'Order number,Phone number,Size\n17,0241234567,5\n18,0551234567,2',
    ],
    ['a price for each gigabyte', 'Phone,Size,Price per GB\n0241234567,5,4.70\n0551234567,2,4.90'],
    ['places and remarks', 'Phone,Size,Town,Remark\n0241234567,5,Tema 25,x\n0551234567,2,Accra,call 5'],
    ['unknown values', 'Phone,Size,Zzyx\n0241234567,5,12\n0551234567,2,0'],
  ])('are ignored if they contain %s', (_, text) => {
    expect(result(text)).toEqual(both)
  })

  test('leave a line to fix if there is a word of doubt below an unknown heading', () => {
    expect(readList('Phone,Size,Zzyx\n0241234567,5,cancel', priceSnapshot).counts.fix).toBe(1)
  })
})

test('a list’s table whose whole numbers became decimals is read with whole numbers', () => {
  expect(result('phone,gb\n241234567.0,5.0\n551234567.0,2.0')).toEqual(both)
})

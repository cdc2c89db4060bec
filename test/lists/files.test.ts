import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fileLimits, readFile } from '../../src/lists/files/read-file.ts'
import { anyCharacter } from '../support/any-character.ts'
import { partsOf, workbookOf, zipOf } from './workbook.ts'

const read = (name: string, content: string | Uint8Array, mimeType = '') =>
  readFile({ name, mimeType, bytes: typeof content === 'string' ? Buffer.from(content) : content })

/** The lines of a file that is read. */
const linesOf = async (name: string, content: string | Uint8Array): Promise<string[]> => {
  const reading = await read(name, content)
  if (reading.kind === 'refused') throw new Error(`refused: ${reading.code}`)
  const lines = reading.text.split('\n')
  expect(reading.rows).toBe(lines.length)
  return lines
}

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()
const bom = '\ufeff'

describe('a text file', () => {
  const list = '0241234567 5gb\n0559876543 10gb — Ama'

  test.each([
    ['UTF-8', Buffer.from(list)],
    ['UTF-8 with its mark', Buffer.from(bom + list)],
    ['UTF-16 with its mark', Buffer.from(bom + list, 'utf16le')],
    ['UTF-16 in the other byte order', utf16be(bom + list)],
    ['UTF-16 without a mark', Buffer.from(list, 'utf16le')],
    ['UTF-16 in the other byte order without a mark', utf16be(list)],
    [
      'Windows-1252',
      Buffer.concat([Buffer.from('0241234567 5gb\n0559876543 10gb '), Buffer.of(0x97), Buffer.from(' Ama')]),
    ],
    ['line ends of Windows', Buffer.from(list.replace('\n', '\r\n'))],
    ['line ends of an old Mac', Buffer.from(list.replace('\n', '\r'))],
    ['blank lines at the end', Buffer.from(`${list}\n\n  \n`)],
  ])('with %s is read as it was written', async (_, bytes) => {
    expect(await read('list.txt', bytes)).toEqual({ kind: 'text', text: list, rows: 2, sheet: null })
  })

  test('without a name keeps its commas and quotation marks', async () => {
    expect(await linesOf('', '"0241234567",5\n\n0551234567; 4')).toEqual([
      '"0241234567",5',
      '',
      '0551234567; 4',
    ])
  })

  test('with any content is read back unchanged', async () => {
    const text = fc
      .string({ unit: anyCharacter, maxLength: 300 })
      .map((each) => `0${each.replace(/\p{C}/gu, ' ')}.`)
    await fc.assert(
      fc.asyncProperty(text, async (each) => {
        expect(await linesOf('list.txt', each)).toEqual(each.split('\n'))
      }),
    )
  })
})

describe('a CSV file', () => {
  test.each([
    ['commas', '0241234567,5\n0559876543,10'],
    ['semicolons', '0241234567;5\n0559876543;10'],
    ['tabs', '0241234567\t5\n0559876543\t10'],
    ['quotation marks', '"0241234567","5"\r\n"0559876543","10"\r\n'],
    ['the mark of Excel for the separator', 'sep=;\n0241234567;5\n0559876543;10'],
    ['the mark of Excel for an unusual separator', 'sep=|\n0241234567|5\n0559876543|10'],
    ["Excel's way to keep zeros", '="0241234567",5\n"=""0559876543""",10'],
    ['empty rows and cells at the end', '0241234567,5,,\n0559876543,10,,\n,,,\n,,,\n'],
  ])('with %s is split into cells', async (_, text) => {
    expect((await linesOf('list.csv', text)).slice(-2)).toEqual(['0241234567\t5', '0559876543\t10'])
  })

  test('keeps a decimal comma in its cell if semicolons separate the cells', async () => {
    expect(await linesOf('list.csv', '0241234567;2,5\n0559876543;1,5')).toEqual([
      '0241234567\t2,5',
      '0559876543\t1,5',
    ])
  })

  test('keeps its header as a line and its blank rows in their place', async () => {
    expect(await linesOf('list.csv', 'Number,GB\n\n0241234567,5')).toEqual([
      'Number\tGB',
      '',
      '0241234567\t5',
    ])
  })

  test('keeps a cell with line breaks in one row', async () => {
    expect(await linesOf('list.csv', 'Ama,"0241234567\n5"\nKofi,0559876543')).toEqual([
      'Ama\t0241234567, 5',
      'Kofi\t0559876543',
    ])
  })

  test('loses no text to a quotation mark that is never closed', async () => {
    const text = '"Ama,0241234567,5\nKofi,0559876543,10'
    expect(await linesOf('list.csv', text)).toEqual(text.split('\n'))
  })

  test('may have headers that are named like properties of JavaScript objects', async () => {
    const text = '__proto__,constructor\n{"x":1},prototype'
    expect(await linesOf('list.csv', text)).toEqual(['__proto__\tconstructor', '{"x":1}\tprototype'])
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  test('keeps characters whole at the edge of the chunks in which it is read', async () => {
    const line = `0241234567,${'😀é'.repeat(9_000)}`
    expect(await linesOf('list.csv', line)).toEqual([line.replace(',', '\t')])
  })

  test('loses no cell, whatever the cell contains', async () => {
    const cell = fc.string({ unit: 'grapheme-ascii', maxLength: 12 }).map((each) => each.trim())
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 20 }),
        async (rows) => {
          const table = [['Number', 'GB'], ...rows.map((row) => ['x', ...row])]
          const quoted = table.map((row) => row.map((each) => `"${each.replaceAll('"', '""')}"`).join(','))
          const expected = table.map((row) => {
            const texts = row.map((each) => /^="([^"]*)"$/.exec(each)?.[1]?.trim() ?? each)
            return texts.slice(0, texts.findLastIndex(Boolean) + 1).join('\t')
          })
          expect(await linesOf('list.csv', quoted.join('\n'))).toEqual(expected)
        },
      ),
    )
  })
})

describe('a workbook', () => {
  test('written by LibreOffice Calc is read with the values that were entered', async () => {
    const bytes = readFileSync(new URL('calc.xlsx', import.meta.url))
    expect(await linesOf('list.xlsx', bytes)).toEqual([
      'Number\tGB\tDue',
      '0241234567\t5\t2026-11-21',
      '241234567\t2.5\ta & b <c>',
      '233241234567\t\tAma',
    ])
  })

  test('is recognized by its content, whatever its name', async () => {
    const bytes = workbookOf({ sheets: [{ name: 'A', rows: '<row><c><v>241234567</v></c></row>' }] })
    for (const name of ['list.csv', 'list.txt', 'list', 'list.xls', 'photo.jpg']) {
      expect(await linesOf(name, bytes)).toEqual(['241234567'])
    }
  })

  test.each([
    ['241234567', '241234567'],
    ['233241234567', '233241234567'],
    ['2.33241234567E11', '233241234567'],
    ['2.4123456700000001E8', '241234567'],
    ['2.5000000000000001', '2.5'],
    ['0.29999999999999999', '0.3'],
    ['-5', '-5'],
    ['1e3', '1000'],
    ['12345678901234567890', '12345678901234567890'],
    ['233241000000', '2.33241E+11'],
    ['2.33241E+11', '2.33241E+11'],
  ])('with the numeric cell %s is read as “%s”', async (value, expected) => {
    const rows = `<row><c><v>${value}</v></c></row>`
    expect(await linesOf('x.xlsx', workbookOf({ sheets: [{ name: 'A', rows }] }))).toEqual([expected])
  })

  test('keeps the leading zeros of its texts, and leaves a number as Excel has damaged it', async () => {
    const shared = [
      '<si><t>0241234567</t></si>',
      '<si><r><t>05598</t></r><r><rPr><b/></rPr><t xml:space="preserve">76543 </t></r></si>',
      '<si><t>2.44123E+08</t></si>',
      '<si><t>Ama</t><rPh sb="0" eb="1"><t>reading</t></rPh></si>',
      '<si><t>a_x000D_\nb&#10;c</t></si>',
    ].join('')
    const cells = [0, 1, 2, 3, 4].map((at) => `<c t="s"><v>${at}</v></c>`).join('')
    const sheets = [{ name: 'A', rows: `<row>${cells}<c t="inlineStr"><is><t>0201234567</t></is></c></row>` }]
    expect(await linesOf('x.xlsx', workbookOf({ sheets, shared }))).toEqual([
      '0241234567\t0559876543\t2.44123E+08\tAma\ta, b, c\t0201234567',
    ])
  })

  test('is read with the results of its formulas, and with a mark for a formula without a result', async () => {
    const rows = [
      '<row><c t="str"><f>"0"&amp;A1</f><v>0241234567</v></c><c><f>2+3</f><v>5</v></c></row>',
      '<row><c><f>"0"&amp;A2</f></c><c t="e"><f>1/0</f><v>#DIV/0!</v></c><c t="b"><v>1</v></c></row>',
    ].join('')
    expect(await linesOf('x.xlsx', workbookOf({ sheets: [{ name: 'A', rows }] }))).toEqual([
      '0241234567\t5',
      '#FORMULA\t#DIV/0!\tTRUE',
    ])
  })

  test('keeps dates in built-in and custom formats as dates, and amounts of money as numbers', async () => {
    const styles = [
      '<numFmts><numFmt numFmtId="164" formatCode="[$-809]dd\\/mm\\/yyyy\\ hh:mm"/>',
      '<numFmt numFmtId="165" formatCode="&quot;days &quot;#,##0.00_h[Red]"/></numFmts>',
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>',
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="20"/></cellXfs>',
    ].join('')
    const value = (style: number, v: number) => `<c s="${style}"><v>${v}</v></c>`
    const rows = `<row>${value(0, 5)}${value(1, 46347)}${value(2, 46347.5)}${value(3, 23.5)}${value(4, 0.25)}${value(1, 241234567)}</row>`
    expect(await linesOf('x.xlsx', workbookOf({ sheets: [{ name: 'A', rows }], styles }))).toEqual([
      '5\t2026-11-21\t2026-11-21 12:00\t23.5\t06:00\t241234567',
    ])
  })

  test('keeps its rows and columns in their places', async () => {
    const rows =
      '<row r="2"><c r="B2"><v>241234567</v></c><c r="D2"><v>5</v></c></row><row r="5"><c r="A5"><v>1</v></c></row>'
    expect(await linesOf('x.xlsx', workbookOf({ sheets: [{ name: 'A', rows }] }))).toEqual([
      '',
      '\t241234567\t\t5',
      '',
      '',
      '1',
    ])
  })

  test('is read the same if every XML name in it has a prefix', async () => {
    const sheet =
      '<?xml version="1.0"?><x:worksheet xmlns:x="m"><x:sheetData><x:row r="1"><x:c r="A1"><x:v>241234567</x:v></x:c></x:row></x:sheetData></x:worksheet>'
    expect(await linesOf('x.xlsx', workbookOf({ sheets: [{ name: 'A', rows: sheet }] }))).toEqual([
      '241234567',
    ])
  })

  describe('with several sheets', () => {
    const phones = '<row><c><v>241234567</v></c></row>'
    const prices = '<row><c><v>5</v></c><c><v>23.5</v></c></row>'

    test('is read from the first visible sheet with phones, and the other sheets with phones are named', async () => {
      const bytes = workbookOf({
        sheets: [
          { name: 'Empty', rows: '' },
          { name: 'Prices', rows: prices },
          { name: 'Old', rows: phones, hidden: true },
          { name: 'Monday &amp; more', rows: `${phones}<row hidden="1"><c><v>551234567</v></c></row>` },
          { name: 'Notes', rows: prices },
          { name: 'Tuesday', rows: phones },
        ],
      })
      expect(await read('x.xlsx', bytes)).toEqual({
        kind: 'text',
        text: '241234567\n551234567',
        rows: 2,
        sheet: { name: 'Monday & more', hiddenRows: 1, others: ['Tuesday'] },
      })
    })

    test('but without phones is read from the first sheet that is not empty', async () => {
      const sheets = [
        { name: 'Empty', rows: '' },
        { name: 'Prices', rows: prices },
      ]
      expect(await read('x.xlsx', workbookOf({ sheets }))).toMatchObject({
        text: '5\t23.5',
        sheet: { name: 'Prices' },
      })
    })

    test('is read from a sheet with phones even if Excel has damaged the phones', async () => {
      const sheets = [
        { name: 'Prices', rows: prices },
        { name: 'List', rows: '<row><c t="str"><v>2.44123E+08</v></c></row>' },
      ]
      expect(await read('x.xlsx', workbookOf({ sheets }))).toMatchObject({ sheet: { name: 'List' } })
    })
  })
})

describe('a file is refused', () => {
  const tooMany = { kind: 'refused', code: 'too_many_lines', limitLines: 10_000 }
  const unpacked = { kind: 'refused', code: 'too_large', unpacked: true }

  test('above 5 MB, and accepted at exactly 5 MB', async () => {
    const bytes = Buffer.alloc(fileLimits.bytes + 1, '0241234567 5gb                 \r')
    expect(await read('list.txt', bytes)).toEqual({
      kind: 'refused',
      code: 'too_large',
      limitBytes: 5 * 1024 * 1024,
      unpacked: false,
    })
    const largest = Buffer.alloc(fileLimits.bytes, ' ')
    largest.write('0241234567 5gb\n')
    largest.write('0551234567 5gb', fileLimits.bytes - 14)
    expect((await linesOf('list.txt', largest)).length).toBe(2)
  })

  test('above 10,000 lines, and accepted at exactly 10,000', async () => {
    const numbers = (count: number) => Array.from({ length: count }, (_, at) => 240_000_000 + at)
    const text = (count: number) => numbers(count).join(',5\n')
    const sheets = (count: number) => [
      {
        name: 'Big',
        rows: numbers(count)
          .map((each) => `<row><c><v>${each}</v></c></row>`)
          .join(''),
      },
    ]
    expect((await linesOf('x.txt', text(10_000))).length).toBe(10_000)
    expect((await linesOf('x.csv', `${text(10_000)}\n\n\n,,,\n`)).length).toBe(10_000)
    expect((await linesOf('x.xlsx', workbookOf({ sheets: sheets(10_000) }))).length).toBe(10_000)
    expect(await read('x.txt', text(10_001))).toEqual({ ...tooMany, sheet: null })
    expect(await linesOf('x.csv', `0241234567,5\n${',\n'.repeat(90_000)}`)).toEqual(['0241234567\t5'])
    expect(await read('x.csv', `0241234567,5\n${',\n'.repeat(200_000)}`)).toEqual({ ...tooMany, sheet: null })
    expect(await read('x.csv', text(10_001))).toEqual({ ...tooMany, sheet: null })
    expect(await read('x.xlsx', workbookOf({ sheets: sheets(10_001) }))).toEqual({ ...tooMany, sheet: 'Big' })
  })

  test.each([
    ['an old workbook', 'list.xls', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), 'old_excel'],
    ['an old document', 'list.doc', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), 'word'],
    ['a web page with the name of an old workbook', 'list.xls', Buffer.from('<html><table>'), 'old_excel'],
    ['a PDF', 'list.txt', Buffer.from('%PDF-1.7'), 'pdf'],
    ['a PNG', 'list.csv', Buffer.from('89504e470d0a1a0a', 'hex'), 'picture'],
    ['a JPEG', 'list.csv', Buffer.from('ffd8ffe000104a46', 'hex'), 'picture'],
    ['a WebP', 'x', Buffer.from('RIFF\x01\x02\x03\x04WEBPVP8 '), 'picture'],
    ['a HEIC', 'x', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0'), 'picture'],
    ['a document', 'x', Buffer.from('{\\rtf1 0241234567}'), 'word'],
    ['a compressed file', 'x.txt', Buffer.from('1f8b08000000', 'hex'), 'archive'],
    ['a zip file', 'chat.zip', zipOf([{ name: '_chat.txt', content: '0241234567 5' }]), 'archive'],
    ['a LibreOffice table', 'x.ods', zipOf([{ name: 'content.xml', content: '<x/>' }]), 'other_spreadsheet'],
    ['a web page', 'x.html', Buffer.from('<p>0241234567'), 'other'],
    ['a contact', 'x.vcf', Buffer.from('BEGIN:VCARD'), 'other'],
    ['a program', 'x.txt', Buffer.from('\x7fELF\x02\x01\x01\0\0\0\0'), 'other'],
  ])('if it is %s, whatever its name', async (_, name, bytes, found) => {
    expect(await read(name, bytes)).toEqual({ kind: 'refused', code: 'unknown_kind', found })
  })

  test.each(['word/document.xml', 'xl/workbook.bin'])(
    'if it is a ZIP file whose main document is “%s”, whatever its name',
    async (main) => {
      const relations = `<Relationships><Relationship Id="a" Type="x/officeDocument" Target="${main}"/></Relationships>`
      const bytes = zipOf([
        { name: '_rels/.rels', content: relations },
        { name: main, content: '<x/>' },
      ])
      const found = main.startsWith('word') ? 'word' : 'other_spreadsheet'
      expect(await read('x', bytes)).toEqual({ kind: 'refused', code: 'unknown_kind', found })
    },
  )

  test('if it is a workbook with a password', async () => {
    const protectedBook = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(512),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ])
    const encrypted = partsOf({ sheets: [] }).map((part) => ({ ...part, encrypted: true }))
    expect(await read('x.xlsx', protectedBook)).toEqual({ kind: 'refused', code: 'protected' })
    expect(await read('x.xlsx', zipOf(encrypted))).toEqual({ kind: 'refused', code: 'protected' })
  })

  test('if it is empty', async () => {
    const empty = { kind: 'refused', code: 'empty' }
    expect(await read('x.txt', '')).toEqual(empty)
    expect(await read('x.txt', `${bom} \n\n`)).toEqual(empty)
    expect(await read('x.csv', '\n,,\n')).toEqual(empty)
    expect(await read('x.xlsx', workbookOf({ sheets: [{ name: 'A', rows: '<row><c/></row>' }] }))).toEqual(
      empty,
    )
  })

  test('if it is a workbook cut off anywhere, and a workbook with any changed byte causes no error', async () => {
    const whole = workbookOf({
      sheets: [{ name: 'A', rows: '<row><c><v>241234567</v></c></row>'.repeat(200) }],
      shared: '<si><t>Ama</t></si>',
    })
    const codes = ['empty', 'protected', 'too_large', 'too_many_lines', 'unknown_kind', 'unreadable']
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 4, max: whole.length - 1 }), async (at) => {
        expect(await read('x.xlsx', whole.subarray(0, at))).toEqual({ kind: 'refused', code: 'unreadable' })
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, byte) => {
        const changed = Buffer.from(whole)
        changed[at] = byte
        const reading = await read('x.xlsx', changed)
        if (reading.kind === 'refused') expect(codes).toContain(reading.code)
      }),
    )
  })

  test.each([
    ['invalid XML', '<?xml version="1.0"?><worksheet><sheetData>'],
    ['elements in elements without end', `<?xml version="1.0"?>${'<a>'.repeat(100_000)}`],
    [
      'entities that multiply',
      `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><worksheet><sheetData><row><c t="str"><v>&b;</v></c></row></sheetData></worksheet>`,
    ],
    ['undeclared entities', '<?xml version="1.0"?><worksheet><c>&x;</c></worksheet>'],
  ])('as unreadable if its sheet has %s', async (_, sheet) => {
    const bytes = workbookOf({ sheets: [{ name: 'A', rows: sheet }] })
    expect(await read('x.xlsx', bytes)).toEqual({ kind: 'refused', code: 'unreadable' })
  })

  const megabytes = (count: number, unit: string) =>
    unit.repeat(Math.ceil((count * 1024 * 1024) / unit.length))

  test.each([
    ['a cell without end', `<row><c t="str"><v>${megabytes(2, '0')}</v></c></row>`],
    ['an attribute without end', `<row a="${megabytes(2, '0')}"/>`],
    ['a comment without end', `<!-- ${megabytes(2, '<0 ')} -->`],
    ['a row without end', `<row>${'<c/>'.repeat(20_000)}</row>`],
    ['elements without end', `<row/>${'<a/>'.repeat(3_000_001)}`],
  ])('as too large if its sheet has %s', async (_, rows) => {
    expect(await read('x.xlsx', workbookOf({ sheets: [{ name: 'A', rows }] }))).toMatchObject(unpacked)
  })

  test('if its sheet is larger than the limit when unpacked, whatever size the archive states', async () => {
    const rows = Buffer.from(
      `<?xml version="1.0"?><worksheet>${megabytes(70, `<x y="${'0'.repeat(1000)}"/>`)}</worksheet>`,
    )
    const honest = workbookOf({ sheets: [{ name: 'A', rows }] })
    expect(honest.length).toBeLessThan(fileLimits.bytes)
    expect(await read('x.xlsx', honest)).toMatchObject(unpacked)
    const small = workbookOf({ sheets: [{ name: 'A', rows, declaredSize: 1_000 }] })
    expect(await read('x.xlsx', small)).toMatchObject({ kind: 'refused', code: 'unreadable' })
    const large = workbookOf({ sheets: [{ name: 'A', rows: '<row/>', declaredSize: 2 ** 31 }] })
    expect(await read('x.xlsx', large)).toMatchObject(unpacked)
  })

  test('as too large if ten thousand cells share one long text', async () => {
    const shared = `<si><t>${'0'.repeat(30_000)}</t></si>`
    const rows = '<row><c t="s"><v>0</v></c></row>'.repeat(10_000)
    expect(await read('x.xlsx', workbookOf({ sheets: [{ name: 'A', rows }], shared }))).toMatchObject(
      unpacked,
    )
  })

  test.each([
    ['texts', { sheets: [{ name: 'A', rows: '' }], shared: '<si/>'.repeat(500_001) }],
    ['sheets', { sheets: Array.from({ length: 201 }, (_, at) => ({ name: `S${at}`, rows: '' })) }],
    ['styles', { sheets: [], styles: `<cellXfs>${'<xf/>'.repeat(65_537)}</cellXfs>` }],
  ])('as too large if it has too many %s', async (_, parts) => {
    expect(await read('x.xlsx', workbookOf(parts))).toMatchObject(unpacked)
  })

  test('if a single value is far below the last allowed line', async () => {
    const rows =
      '<row r="1"><c><v>241234567</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    expect(await read('x.xlsx', workbookOf({ sheets: [{ name: 'A', rows }] }))).toEqual({
      ...tooMany,
      sheet: 'A',
    })
  })

  test('for too many lines, not counting formatted rows without values', async () => {
    const empty = Array.from({ length: 20_000 }, (_, at) => `<row r="${at + 2}"><c s="1"/></row>`).join('')
    const rows = `<row r="1"><c><v>241234567</v></c></row>${empty}`
    expect(await linesOf('x.xlsx', workbookOf({ sheets: [{ name: 'A', rows }] }))).toEqual(['241234567'])
  })
})

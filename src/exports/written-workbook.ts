import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { clockIn } from '../messaging/time-zone.ts'
import { plainGhs, type Value } from './cell-value.ts'
import { bytesInChunks } from './chunks.ts'

/**
 * An Excel workbook of one sheet, written row by row. All but one of the maintained libraries for workbooks hold
 * every row in memory, and that one has had no release since 2023. So `yazl` writes the zip file, and this module
 * writes the few parts that Excel needs in it.
 *
 * Phones and all other texts are text cells. Amounts and times are numbers with a format. The heading row is bold
 * and stays visible while scrolling.
 */
export interface Sheet {
  name: string
  headings: readonly string[]
  /** In characters, as Excel measures them. */
  widths: readonly number[]
  /** The IANA time zone in which times are written, because a cell holds a time without a zone. */
  timeZone: string
}

export const workbookBytes = (sheet: Sheet, rows: Iterable<readonly Value[]>): Promise<Buffer> =>
  buffer(
    workbookOf(
      sheet,
      (async function* () {
        yield* rows
      })(),
    ),
  )

/** @param rows read only as fast as the result is read */
export const workbookOf = (sheet: Sheet, rows: AsyncIterable<readonly Value[]>): Readable => {
  const zip = new ZipFile()
  const add = (path: string, xml: string) => zip.addBuffer(Buffer.from(head + xml), path, options)
  add('[Content_Types].xml', contentTypes)
  add('_rels/.rels', rootRelations)
  add('xl/workbook.xml', workbook(sheet.name))
  add('xl/_rels/workbook.xml.rels', relations)
  add('xl/styles.xml', styles)
  const part = Readable.from(bytesInChunks(sheetXml(sheet, rows)), { objectMode: false })
  // If reading the rows fails, the output must fail too. Otherwise a truncated zip file would look complete.
  const output = zip.outputStream as Readable
  part.on('error', (error) => output.destroy(error))
  zip.addReadStream(part, 'xl/worksheets/sheet1.xml', options)
  zip.end()
  return output
}

const options = { mtime: new Date(Date.UTC(2000, 0, 1)), compress: true }

async function* sheetXml(
  { headings, widths, timeZone }: Sheet,
  rows: AsyncIterable<readonly Value[]>,
): AsyncGenerator<string> {
  const columns = widths
    .map((width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`)
    .join('')
  yield `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns}</cols><sheetData>`
  yield rowXml(
    1,
    headings.map((heading) => textOf(heading, styleOf.heading)),
  )
  const clock = clockIn(timeZone)
  let row = 1
  for await (const values of rows) {
    row += 1
    yield rowXml(
      row,
      values.map((value) => cellOf(value, clock)),
    )
  }
  yield '</sheetData></worksheet>'
}

/** The text between `<c r="…"` and the end of a cell; null for an empty cell. */
type CellXml = string | null

const rowXml = (row: number, cells: CellXml[]): string => {
  const filled = cells.map((cell, index) =>
    cell === null ? '' : `<c r="${columnName(index)}${row}"${cell}</c>`,
  )
  return `<row r="${row}">${filled.join('')}</row>`
}

/** The letter of a column. Works for the first 26 columns only. */
const columnName = (index: number): string => String.fromCharCode(65 + index)

/** Where each style is in `cellXfs` of `styles` below. */
const styleOf = { heading: 1, money: 2, time: 3, text: 4 } as const

const cellOf = (value: Value, clock: (at: Date) => Date): CellXml => {
  switch (value?.kind) {
    case undefined:
      return null
    case 'text':
      return textOf(value.text, styleOf.text)
    case 'money':
      return ` s="${styleOf.money}"><v>${plainGhs(value.pesewas)}</v>`
    case 'count':
      return `><v>${value.count}</v>`
    case 'time':
      return ` s="${styleOf.time}"><v>${serialOf(clock(value.at))}</v>`
  }
}

const textOf = (text: string, style: number): CellXml =>
  ` s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text.slice(0, maxCharacters))}</t></is>`

/** Excel's limit for the text of a cell. */
const maxCharacters = 32_767

/** The time as Excel stores it: days since the end of 1899. */
const serialOf = (at: Date): number => Math.round((at.getTime() / 86_400_000 + 25_569) * 86_400) / 86_400

/**
 * Drops characters that XML 1.0 does not allow, and escapes those that have a special meaning there. Line feeds
 * stay.
 */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(unwritable, '')
    .replace(escapeOfExcel, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')

/** Matches an underscore that Excel would read as the start of an escaped character, as in `_x000D_`. */
const escapeOfExcel = /_(?=x[0-9a-f]{4}_)/gi

const unwritable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const documents = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const contentTypes = `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`
const rootRelations = `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${documents}/officeDocument" Target="xl/workbook.xml"/></Relationships>`
const relations = `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${documents}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${documents}/styles" Target="styles.xml"/></Relationships>`
const workbook = (name: string) =>
  `<workbook xmlns="${main}" xmlns:r="${documents}"><sheets><sheet name="${escapeXml(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`
/**
 * Format 164 is money, 165 a time in ISO 8601. 49 is Excel's built-in “text” format: such a cell stays text when it is
 * edited.
 */
const styles = `<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="#,##0.00"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`

/** A text, a number, or a number as it is to be written (`23.50`); null for an empty cell. */
export type Cell = string | number | { decimal: string } | null

/**
 * Rows as a CSV file for any program: UTF-8 with a byte order mark (Excel takes the file for Windows-1252 without one),
 * commas, quotation marks if needed, `\r\n`.
 *
 * A phone is written as `="0241234567"`: a spreadsheet drops the first zero of plain digits, and a tab, an apostrophe or
 * spaces would stay in the cell. Our own reader takes the digits out again. Any other text that would be a formula gets
 * an apostrophe before it.
 */
export const csvOf = (rows: Iterable<readonly Cell[]>): string => {
  let text = byteOrderMark
  for (const row of rows) text += csvLine(row)
  return text
}

/** The first character of such a file. */
export const byteOrderMark = '\ufeff'

/** One row of such a file with its line end, so that a large file can be written row by row. */
export const csvLine = (row: readonly Cell[]): string => `${row.map(fieldOf).join(',')}\r\n`

const fieldOf = (cell: Cell): string => {
  if (cell === null) return ''
  if (typeof cell === 'object') return cell.decimal
  return typeof cell === 'number' ? String(cell) : quoted(asText(cell))
}

const asText = (text: string): string => {
  if (digitsToKeep.test(text)) return `="${text}"`
  const inside = text.replace(innerFormulaStart, "$1'")
  return formulaStart.test(text) ? `'${inside}` : inside
}

/** Digits that a spreadsheet would change: zeros in front, or more than it shows. */
const digitsToKeep = /^(?:0\d+|\d{12,})$/

/** Matches behind blanks too, and the wide forms of the signs, which some versions of Excel treat the same. */
const formulaStart = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/

/** In many settings of Excel `;` or a tab separates cells, and our quotation marks do not hold a cell together. */
const innerFormulaStart = /([;\t\r\n][\s"]*)(?=[=+\-@＝＋－＠])/g

const quoted = (text: string): string => (/[",\r\n;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

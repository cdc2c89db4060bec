/** A text, a number, or a number in the form in which to write it (`23.50`); null for an empty cell. */
export type Cell = string | number | { decimal: string } | null

/**
 * A CSV file that any program can open: UTF-8 with a byte order mark (without one Excel reads it as Windows-1252),
 * commas, quotation marks where needed, `\r\n`.
 *
 * A phone is written as `="0241234567"`, because a spreadsheet would drop the leading zero of plain digits, and a
 * tab, an apostrophe or spaces would stay in the cell. Our own reader removes this mark again. Any other text that a
 * spreadsheet would run as a formula gets an apostrophe in front. Otherwise a saved name, for example, could send
 * the other cells to a stranger.
 */
export const csvOf = (rows: Iterable<readonly Cell[]>): string => {
  let text = byteOrderMark
  for (const row of rows) text += csvLine(row)
  return text
}

export const byteOrderMark = '\ufeff'

/** One row with its line end. For a large file, which is written row by row. */
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

/** Digits that a spreadsheet would change: those with leading zeros, or more digits than it can show. */
const digitsToKeep = /^(?:0\d+|\d{12,})$/

/**
 * The start of a text that a spreadsheet would run as a formula. Blanks before the sign and full-width signs are
 * included, because some versions of Excel ignore the difference.
 */
const formulaStart = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/

/**
 * In many locales, Excel also splits cells at `;` or tabs, even inside our quotation marks. So a formula could begin
 * in the middle of one of our cells.
 */
const innerFormulaStart = /([;\t\r\n][\s"]*)(?=[=+\-@＝＋－＠])/g

const quoted = (text: string): string => (/[",\r\n;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

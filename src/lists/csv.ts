/** A text, a number, or a number as it is to be written (`23.50`); null for an empty cell. */
export type Cell = string | number | { decimal: string } | null

/**
 * Rows as a CSV file that Excel opens with a double click and shows as they are: UTF-8 with a byte order mark (it
 * takes the file for Windows-1252 without one), commas, quotation marks where they are needed, `\r\n`.
 *
 * A text of digits that Excel would change (it drops leading zeros and shows what is longer than eleven digits as
 * `2.33E+11`) is written as `="0241234567"`. Of the ways to say "this is text" it is the only one that leaves the
 * cell with just these digits: a tab, an apostrophe or spaces would stay in it when it is copied or looked up.
 * LibreOffice and Google Sheets know it, programs get by with taking `="…"` off, as our own reader does.
 *
 * Any other text that would be a formula gets an apostrophe before it. What is inside `="…"` are digits alone.
 */
export const csvOf = (rows: Iterable<readonly Cell[]>): string => {
  let text = byteOrderMark
  for (const row of rows) text += csvLine(row)
  return text
}

/** What such a file begins with. */
export const byteOrderMark = '\ufeff'

export const csvLine = (row: readonly Cell[]): string => `${row.map(fieldOf).join(',')}\r\n`

const fieldOf = (cell: Cell): string => {
  if (cell === null) return ''
  if (typeof cell === 'object') return cell.decimal
  return typeof cell === 'number' ? String(cell) : quoted(asText(cell))
}

const asText = (text: string): string => {
  if (/^(\+\d+|0\d+|\d{12,})$/.test(text)) return `="${text}"`
  const inside = text.replace(innerFormulaStart, "$1'")
  return formulaStart.test(text) ? `'${inside}` : inside
}

/** Also behind blanks, and in the wide forms, which some versions of Excel take for the same. */
const formulaStart = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/

/** Where `;` or a tab separates, as in many settings of Excel, our quotation marks do not hold a cell together. */
const innerFormulaStart = /([;\t\r\n][\s"]*)(?=[=+\-@＝＋－＠])/g

const quoted = (text: string): string => (/[",\r\n;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

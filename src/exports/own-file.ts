/** A file that this bot exported and a person sent back, as a file or as pasted text, in whole or in part. */
export interface OwnFile {
  /** The file's rows as a list to order again, each with number, size and network. Null if the rows have no sizes. */
  again: { text: string; count: number } | null
}

/** The column headings of our exports, in lower case. */
export interface OwnHeadings {
  all: ReadonlySet<string>
  /** Headings that only our exports have. */
  telling: ReadonlySet<string>
  phone: string
  size: string
  network: string
}

/**
 * A table with fewer of our columns than this counts as the person's own list. For instance, they may have copied
 * only our columns of numbers and sizes.
 */
const fewest = 5

/**
 * Recognises, by its first line, a table that this bot exported; null for any other text. Its rows are past orders,
 * so they must not be read as new ones unless the person asks for that.
 * @param text one row a line, cells separated by tabs or commas
 */
export const readOwnFile = (text: string, headings: OwnHeadings): OwnFile | null => {
  const [first = '', ...rows] = text
    .slice(0, maxLength)
    .replace(/^\ufeff/, '')
    .trimStart()
    .split(/\r?\n/)
  if (first.length > maxHead) return null
  const mark = first.includes('\t') ? '\t' : ','
  const heads = cellsOf(first, mark).map((cell) => cell.replace(/ \([^)]*\)$/, ''))
  const known = heads.filter((head) => headings.all.has(head.toLowerCase()))
  const isOurs = known.length >= fewest && known.some((head) => headings.telling.has(head.toLowerCase()))
  return isOurs
    ? {
        again: againOf(
          rows.map((row) => cellsOf(row, mark)),
          heads,
          headings,
        ),
      }
    : null
}

const maxLength = 5 * 1024 * 1024
const maxHead = 1_000

const cellsOf = (line: string, mark: string): string[] =>
  line.split(mark).map((cell) => cell.trim().replace(/^="?"?|"+$|^"/g, ''))

const againOf = (rows: string[][], heads: string[], headings: OwnHeadings): OwnFile['again'] => {
  const column = (name: string) => heads.findIndex((head) => head.toLowerCase() === name)
  const [phone, size, network] = [headings.phone, headings.size, headings.network].map(column)
  if (phone === undefined || size === undefined || phone < 0 || size < 0) return null
  const lines = rows
    .map((cells) => [cells[phone] ?? '', cells[size] ?? '', cells[network ?? -1] ?? ''])
    .filter(([number = '', volume = '']) => /^0?\d{9}$/.test(number) && volume !== '')
  return lines.length > 0
    ? { text: lines.map((cells) => cells.join('\t')).join('\n'), count: lines.length }
    : null
}

import { pipeline, Readable } from 'node:stream'
import { setImmediate as otherWork } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { fileLimits } from './file-limits.ts'
import { tooManyLines } from './file-refusal.ts'
import { createRows, type Rows } from './sheet-rows.ts'

/**
 * The longest row of a table, in characters. A longer one has an unclosed quotation mark, or the text is not a
 * table.
 */
const maxRowLength = 65_536
/** Empty rows count too, so the limit is high: programs leave thousands of them below a table. */
const maxRows = 10 * fileLimits.lines

/**
 * The rows of a table whose cells are separated by commas, semicolons or tabs.
 * @returns null if the text is not a table; it can still be read as plain text
 * @throws FileRefused if there are too many rows
 */
export const readCsv = async (text: string): Promise<Rows | null> => {
  const named = /^sep=([,;\t|])\n/i.exec(text)
  if (longestLine(text) > maxRowLength) return null
  const rows = createRows(null)
  const parser = pipeline(
    Readable.from(chunksOf(text), { objectMode: false }),
    parse({
      delimiter: named?.[1] ?? delimiterOf(text),
      record_delimiter: '\n',
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: maxRowLength,
    }),
    // Does nothing: errors are thrown by the loop that reads the rows.
    () => {},
  )
  try {
    let row = 0
    for await (const cells of parser as AsyncIterable<string[]>) {
      row += 1
      if (row > maxRows) throw tooManyLines(null)
      if (row > 1 || !named) rows.add(row, cells.map(withoutTextMark))
    }
    return rows
  } catch (error) {
    if (error instanceof CsvError) return null
    throw error
  }
}

const longestLine = (text: string): number => {
  let longest = 0
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at)
    const next = end === -1 ? text.length : end
    longest = Math.max(longest, next - at)
    at = next + 1
  }
  return longest
}

/** Returns the text in pieces, so that other work can run in between. */
async function* chunksOf(text: string): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; ) {
    const splitsPair = /[\ud800-\udbff]/.test(text.charAt(at + 16_383))
    const end = at + (splitsPair ? 16_385 : 16_384)
    yield Buffer.from(text.slice(at, end))
    at = end
    await otherWork()
  }
}

/**
 * The separator that occurs in the most lines. If the counts are equal, a tab is preferred to a semicolon, and a
 * semicolon to a comma, because a comma may be a decimal comma.
 */
const delimiterOf = (text: string): string => {
  const lines = text
    .slice(0, 32_768)
    .replace(/"[^"]*"/g, '')
    .split('\n')
  const counts = ['\t', ';', ','].map((sign) => ({
    sign,
    count: lines.filter((line) => line.includes(sign)).length,
  }))
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).sign
}

/**
 * Removes the `="…"` around a cell such as `="0241234567"`, which makes spreadsheets treat digits as text. Our own
 * exports use it too.
 */
const withoutTextMark = (cell: string): string => /^="([^"]*)"$/.exec(cell)?.[1] ?? cell

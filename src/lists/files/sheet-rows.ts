import { fileLimits } from './file-limits.ts'
import { tooManyLines, unpackedTooLarge } from './file-refusal.ts'

/** The rows of a table as lines. The n-th line is the n-th row, and an empty row is a blank line. */
export interface Rows {
  /**
   * Adds the cells of a row.
   * @param row counted from 1; greater than that of the last row added
   * @throws FileRefused if the lines or their characters exceed `fileLimits`
   */
  add(row: number, cells: readonly string[]): void
  /** The number of the last row that is not empty; 0 for an empty table. */
  count(): number
  text(): string
}

/** Makes an empty table. @param sheet the sheet's name, for the refusal if it has too many lines */
export const createRows = (sheet: string | null): Rows => {
  const lines: string[] = []
  let length = 0
  return {
    add: (row, cells) => {
      const line = lineOf(cells)
      if (line === '') return
      if (row > fileLimits.lines) throw tooManyLines(sheet)
      while (lines.length < row - 1) lines.push('')
      lines.push(line)
      length += line.length
      if (length > fileLimits.textLength) throw unpackedTooLarge()
    },
    count: () => lines.length,
    text: () => lines.join('\n'),
  }
}

/** The cells up to the last one with content, joined by tabs. */
const lineOf = (cells: readonly string[]): string => {
  const tidied = cells.map(tidy)
  return tidied.slice(0, tidied.findLastIndex(Boolean) + 1).join('\t')
}

/**
 * Line breaks in a cell become commas, so that the cell remains on its row's line and reads like several pairs on
 * one line.
 */
const tidy = (cell: string): string => {
  const lines = cell.replaceAll('\t', ' ').split(/[\r\n]/)
  if (lines.length === 1) return cell.trim().replaceAll('\t', ' ')
  return lines
    .map((line) => line.trim())
    .filter(Boolean)
    .join(', ')
}

import { cellText, plainFormat } from './cell.ts'
import { pushWithin } from './file-refusal.ts'
import { createRows, type Rows } from './sheet-rows.ts'
import type { Workbook } from './workbook.ts'
import { readXml, type XmlReader } from './xml.ts'

export interface Sheet {
  rows: Rows
  /** How many rows with content are hidden, by a filter or by a person. */
  hiddenRows: number
  hasPhones: boolean
}

/**
 * Reads a sheet's rows as text.
 * @param extent `until_phone` stops after the first phone, to find out only whether there is one
 * @throws FileRefused if the sheet is damaged or too large
 */
export const readSheet = async (
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  { shared, formats }: Workbook,
  extent: 'whole' | 'until_phone' = 'whole',
): Promise<Sheet> => {
  const sheet: Sheet = { rows: createRows(name), hiddenRows: 0, hasPhones: false }
  const onRow = ({ row, isHidden, cells }: SheetRow) => {
    const texts = cells.map((cell) =>
      cellText({ ...cell, format: formats[cell.style] ?? plainFormat }, shared),
    )
    sheet.rows.add(row, texts)
    if (isHidden && texts.some(Boolean)) sheet.hiddenRows += 1
    sheet.hasPhones ||= texts.some(holdsPhone)
  }
  await readXml(
    chunks,
    createRowReader(onRow, () => extent === 'until_phone' && sheet.hasPhones),
  )
  return sheet
}

interface SheetCell {
  type: string
  style: number
  value: string
  hasFormula: boolean
}

interface SheetRow {
  row: number
  isHidden: boolean
  cells: SheetCell[]
}

/** Excel's own limit for a row. */
const maxCells = 16_384
/** Cells in later columns are moved next to each other: they keep their order, but not their column. */
const maxColumns = 256

/** A row or cell states its place (`r="B12"`). Without one, it follows the row or cell before it. */
const createRowReader = (onRow: (row: SheetRow) => void, isDone: () => boolean): XmlReader => {
  let current: SheetRow = { row: 0, isHidden: false, cells: [] }
  let cell: SheetCell | null = null
  let inValue = false
  let inReading = false
  return {
    isDone,
    open: (tag, attributes) => {
      if (tag === 'row') {
        current = { row: rowAfter(current.row, attributes.r), isHidden: isTrue(attributes.hidden), cells: [] }
      } else if (tag === 'c') {
        fillUpTo(current.cells, columnOf(attributes.r))
        cell = { type: attributes.t ?? 'n', style: Number(attributes.s ?? 0), value: '', hasFormula: false }
      } else if (tag === 'f' && cell) cell.hasFormula = true
      else if (tag === 'v' || tag === 't') inValue = true
      else if (tag === 'rPh') inReading = true
    },
    text: (text) => {
      if (cell && inValue && !inReading) cell.value += text
    },
    close: (tag) => {
      if (tag === 'row') onRow(current)
      else if (tag === 'c' && cell) {
        pushWithin(maxCells, current.cells, cell)
        cell = null
      } else if (tag === 'v' || tag === 't') inValue = false
      else if (tag === 'rPh') inReading = false
    },
  }
}

const isTrue = (attribute: string | undefined): boolean => attribute === '1' || attribute === 'true'

const rowAfter = (last: number, written: string | undefined): number => {
  const row = Number(written)
  return Number.isInteger(row) && row > last ? row : last + 1
}

/** The column of `AB12`, counted from 0; -1 if the cell has no place. */
const columnOf = (place: string | undefined): number => {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(place ?? '')?.[0] ?? ''
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

const fillUpTo = (cells: SheetCell[], column: number): void => {
  while (cells.length < Math.min(column, maxColumns)) {
    cells.push({ type: 'n', style: 0, value: '', hasFormula: false })
  }
}

/** Whether a cell contains a mobile number, even without its zero or in the form to which Excel has changed it. */
const holdsPhone = (cell: string): boolean => {
  const digits = cell.replace(/[\s().\u200b-\u200f\u202a-\u202e-]+/g, '')
  return /(?:0|233)[25]\d{8}|^[25]\d{8}$/.test(digits) || /^\d(?:\.\d+)?E\+\d+$/i.test(cell.trim())
}

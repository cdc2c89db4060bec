/** The column sums of a table so far. With them, a row of sums is not mistaken for a row whose phone is missing. */
export interface ColumnSums {
  add(cells: readonly string[]): void
  /**
   * Whether all cells are numbers, and one of them is the sum of its column.
   * @param isLast whether this is the last row. Only there may the sum of a single row count.
   */
  are(cells: readonly string[], isLast: boolean): boolean
}

export const createColumnSums = (): ColumnSums => {
  const sums: number[] = []
  let rows = 0
  return {
    add: (cells) => {
      rows += 1
      for (const [column, cell] of cells.slice(0, maxColumns).entries()) {
        const value = figureIn(cell)
        sums[column] = (sums[column] ?? 0) + (Number.isFinite(value) ? value : 0)
      }
    },
    are: (cells, isLast) =>
      (rows > 1 || (rows === 1 && isLast)) &&
      cells.every((cell) => !Number.isNaN(figureIn(cell))) &&
      cells.some((cell, column) => figureIn(cell) > 0 && isClose(figureIn(cell), sums[column])),
  }
}

const maxColumns = 100

/** 0 for an empty cell, NaN for anything that is not a number. */
const figureIn = (cell: string): number =>
  cell.length > 20 ? Number.NaN : Number(cell.trim().replace(',', '.'))

const isClose = (value: number, sum: number | undefined): boolean =>
  sum !== undefined && Math.abs(value - sum) < 0.001

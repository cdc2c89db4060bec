/** Many figures of the same things in different circumstances: a row for each circumstance. */
export interface Sheet {
  columns: readonly (readonly [name: string, unit: string])[]
  /** A cell is null where there is no such thing. */
  rows: { name: string; cells: readonly (number | null)[] }[]
}

/** The sheet as lines of text: each column as wide as its widest cell. */
export const linesOf = ({ columns, rows }: Sheet): string => {
  const table = [
    ['', ...columns.map(([name]) => name)],
    ['', ...columns.map(([, unit]) => unit)],
    ...rows.map(({ name, cells }) => [name, ...cells.map(amount)]),
  ]
  const widths = ['', ...columns].map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  )
  return table
    .map((row) =>
      row.map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      ),
    )
    .map((row) => row.join('  ').trimEnd())
    .join('\n')
}

const amount = (value: number | null): string => {
  if (value === null) return '—'
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)
}

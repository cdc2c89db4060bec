import { type Figure, type Goal, isMet, ratio } from './figure.ts'

const columns = ['measured', 'bot', 'baseline', '', 'bot / baseline', 'goal'] as const

/** The figures as lines of text, each column as wide as its widest cell; numbers end at the same place. */
export const tableOf = (figures: readonly Figure[]): string => {
  const rows = [[...columns], ...figures.map(cells)]
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0, column))
      .join('  ')
      .trimEnd()
  const rule = widths.map((width) => '─'.repeat(width)).join('  ')
  return [line(rows[0] ?? []), rule, ...rows.slice(1).map(line)].join('\n')
}

const pad = (cell: string, width: number, column: number): string =>
  isNumeric(column) ? cell.padStart(width) : cell.padEnd(width)

const isNumeric = (column: number): boolean => column === 1 || column === 2 || column === 4

const cells = (figure: Figure): string[] => [
  figure.what,
  amount(figure.bot, figure.unit),
  amount(figure.baseline, figure.unit),
  figure.against,
  `${ratio(figure).toFixed(2)} ×`,
  goal(figure),
]

const amount = (value: number, unit: Figure['unit']): string => {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0
  return `${value.toFixed(digits)} ${unit === 'per second' ? '/s' : unit}`
}

const goal = (figure: Figure): string => {
  if (!figure.goal) return '—'
  const words = wordsOf(figure.goal, figure.unit)
  return isMet(figure) ? `${words}: met` : `${words}: MISSED`
}

const wordsOf = (goal: Goal, unit: Figure['unit']): string => {
  if ('under' in goal) return `under ${goal.under} ${unit}`
  return 'ratioUnder' in goal ? `under ${goal.ratioUnder} ×` : `above ${goal.ratioAbove} ×`
}

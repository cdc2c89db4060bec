/** One measurement of the bot, with that of a simple baseline in the same run. */
export interface Figure {
  what: string
  unit: 'ms' | 'MB' | '/s' | 'in 1,000'
  bot: number
  baseline: number
  /** What the baseline does. */
  against: string
}

/** The figures as text, each column as wide as its widest cell. */
export const tableOf = (figures: readonly Figure[]): string => {
  const rows = [['', 'bot', 'baseline', 'ratio', ''], ...figures.map(cells)]
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const aligned = (cell: string, column: number): string =>
    column === 0 || column === 4 ? cell.padEnd(width(column)) : cell.padStart(width(column))
  return rows.map((row) => row.map(aligned).join('  ').trimEnd()).join('\n')
}

const cells = ({ what, unit, bot, baseline, against }: Figure): string[] => [
  what,
  `${amount(bot)} ${unit}`,
  `${amount(baseline)} ${unit}`,
  `${(bot / baseline).toFixed(2)} ×`,
  against,
]

const amount = (value: number): string => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)

/** The smallest value that is at least as large as `percent` % of the values. */
export const percentile = (values: readonly number[], percent: number): number => {
  const ordered = values.toSorted((a, b) => a - b)
  const value = ordered[Math.max(0, Math.ceil((percent / 100) * ordered.length) - 1)]
  if (value === undefined) throw new RangeError('There is no percentile of nothing.')
  return value
}

export const median = (values: readonly number[]): number => percentile(values, 50)

/**
 * Runs two measurements alternately, so that changes in the machine's speed affect both.
 * @returns the median of each.
 */
export const inTurn = async (
  times: number,
  bot: () => number | Promise<number>,
  baseline: () => number | Promise<number>,
): Promise<{ bot: number; baseline: number }> => {
  const bots: number[] = []
  const baselines: number[] = []
  for (let run = 0; run < times; run += 1) {
    bots.push(await bot())
    baselines.push(await baseline())
  }
  return { bot: median(bots), baseline: median(baselines) }
}

/** A measured thing in one line: what the bot needs, and what something bare needs for the same in the same run. */
export interface Figure {
  what: string
  unit: 'ms' | 'in 1,000' | 'MB' | 'per second'
  /** The bot's value: the median of several runs, or a percentile if `what` says so. */
  bot: number
  baseline: number
  /** What the baseline is. */
  against: string
  goal: Goal | null
}

/** What the project promises: a bound of the bot's value, in the figure's unit, or of its ratio to the baseline. */
export type Goal = { under: number } | { ratioUnder: number } | { ratioAbove: number }

/** How often a run is repeated to find the middle one: an odd number, so that one run is in the middle. */
export const repeats = 5

export const median = (values: readonly number[]): number => percentile(values, 50)

/** The smallest value that at least `percent` of 100 values do not exceed. */
export const percentile = (values: readonly number[], percent: number): number => {
  const ordered = values.toSorted((a, b) => a - b)
  const value = ordered[Math.max(0, Math.ceil((percent / 100) * ordered.length) - 1)]
  if (value === undefined) throw new RangeError('There is no middle of nothing.')
  return value
}

/** The bot's value as a multiple of the baseline's. */
export const ratio = ({ bot, baseline }: Figure): number => bot / baseline

export const isMet = (figure: Figure): boolean | null => {
  const { goal, bot } = figure
  if (goal === null) return null
  if ('under' in goal) return bot < goal.under
  return 'ratioUnder' in goal ? ratio(figure) < goal.ratioUnder : ratio(figure) > goal.ratioAbove
}

/**
 * Runs two measurements in turn, so that both see the same moods of the machine.
 *
 * @returns what each run of either measured, in order.
 */
export const inTurn = async <A, B>(
  times: number,
  first: () => Promise<A>,
  second: () => Promise<B>,
): Promise<[A[], B[]]> => {
  const results: [A[], B[]] = [[], []]
  for (let run = 0; run < times; run += 1) {
    results[0].push(await first())
    results[1].push(await second())
  }
  return results
}

import { plain } from './plain.ts'
import type { ReadLine } from './reading.ts'

/** The likely meaning of a damaged line: `02412345O1` means `0241234501`. */
export interface Suggestion {
  /** The number of the line as it is shown. */
  line: number
  /** The number of the line that holds the words: it may be one below. */
  place: number
  /** The damaged words. */
  written: string
  /** The words to put in their place. */
  instead: string
}

/** The suggestion for a line to fix; null if there is none, or if the line has other faults too. */
export const suggestionFor = (line: ReadLine, lines: readonly ReadLine[]): Suggestion | null => {
  const { number, together, verdict, problems } = line
  const [problem, another] = problems
  if (verdict !== 'fix' || number !== together[0] || !problem || another) return null
  if (problem.code !== 'phone_damaged' && problem.code !== 'decimal_comma') return null
  const { written, suggestion } = problem
  const instead = problem.code === 'phone_damaged' ? problem.suggestion : written.replace(',', '.')
  const place = together.find((each) => holds(lines[each - 1]?.text ?? '', written))
  return suggestion && instead && acceptable.test(instead) && place
    ? { line: number, place, written, instead }
    : null
}

/** A number, or a size in figures. */
const acceptable = /^(?:0\d{9}|\d{1,5}\.\d{1,3})$/

/** The line with other words in the place of some; null if it does not hold those. */
export const exchanged = (text: string, written: string, instead: string): string | null => {
  const own = [text, plain(text)].find((each) => each.includes(written))
  return own === undefined ? null : own.replace(written, () => instead)
}

const holds = (text: string, written: string): boolean => exchanged(text, written, '') !== null

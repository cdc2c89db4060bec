import type { Phone } from '../../provider/phone.ts'
import { bare } from '../reading/lines-in-context.ts'
import { normalized } from '../reading/normalize.ts'
import type { Problem, ReadLine } from '../reading-result.ts'

/** What a damaged line probably means: `02412345O1` means `0241234501`. */
export interface Suggestion {
  /** The line number to show. */
  line: number
  /** The number of the line that contains the damaged words: `line` itself, or a line below it. */
  place: number
  written: string
  instead: string
}

/**
 * The suggestion for a line that has to be corrected; null if there is none, or if the line has other faults too.
 * After the replacement the line must still have its phone, so that it does not become a line that orders nothing.
 */
export const suggestionFor = (line: ReadLine, lines: readonly ReadLine[]): Suggestion | null => {
  const { number, together, verdict, problems } = line
  const [problem, another] = problems
  if (verdict !== 'fix' || number !== together[0] || !problem || another) return null
  const { written, instead } = wordsFor(problem) ?? {}
  if (!written || !instead) return null
  for (const place of together) {
    const text = exchanged(lines[place - 1]?.text ?? '', written, instead)
    if (text === null) continue
    const holdsNumber = place !== number || bare(text).phones > 0
    return holdsNumber && acceptable.test(instead) && hasNumber(line, problem)
      ? { line: number, place, written, instead }
      : null
  }
  return null
}

const wordsFor = (problem: Problem): { written: string; instead: string | null | undefined } | null => {
  switch (problem.code) {
    case 'phone_damaged':
    case 'unclear':
      return { written: problem.written, instead: problem.suggestion }
    case 'not_sold':
      return problem.written === undefined ? null : { written: problem.written, instead: problem.suggestion }
    case 'decimal_comma':
      return { written: problem.written, instead: problem.suggestion && problem.written.replace(',', '.') }
    default:
      return null
  }
}

/**
 * Whether the problem is on a line with a phone. A faulty size without a phone gets no suggestion, because the
 * corrected size would still belong to no phone.
 */
const hasNumber = ({ written }: ReadLine, { code }: Problem): boolean =>
  written.length > 0 || code === 'phone_damaged'

/** The words that a suggestion may put into the line: a phone, a size, or both. */
export const acceptable = /^(?:0\d{9}|(?:0\d{9} )?\d{1,5}(?:\.\d{1,3})?(?:GB|MB)?)$/

/** The line with the damaged words replaced, with spaces around them; null if the line does not contain them. */
export const exchanged = (text: string, written: string, instead: string): string | null => {
  for (const own of [text, normalized(text)]) {
    const at = placeOf(written, own)
    if (at < 0) continue
    const [before, after] = [own.slice(0, at), own.slice(at + written.length)]
    const [left, right] = [before.at(-1), after.at(0)].map((side) =>
      instead && alnum.test(side ?? '') ? ' ' : '',
    )
    return `${before}${left}${instead}${right}${after}`
  }
  return null
}

/**
 * The phone as it is written in the text: with spaces, without its zero, or with the country code. Null if the text
 * does not contain it.
 */
export const writtenAs = (text: string, phone: Phone): string | null => {
  const digits = [...phone.slice(1)].join(between)
  const pattern = new RegExp(
    `(?<!\\d)(?:(?:\\+|00)?233${between}(?:\\(0\\))?${between}|\\(?0${between})?${digits}(?!\\d)`,
  )
  return pattern.exec(normalized(text))?.[0] ?? null
}

/** Characters that people put between the digits of a number. */
const between = '[ .()/-]{0,3}'

/** The index at which `written` is found in the text, but not inside a longer number; -1 if it is not found. */
const placeOf = (written: string, text: string): number => {
  for (let at = text.indexOf(written); at >= 0; at = text.indexOf(written, at + 1)) {
    const end = at + written.length
    const isPart =
      (isDigit(text[at]) && isDigit(text[at - 1])) || (isDigit(text[end - 1]) && isDigit(text[end]))
    if (!isPart) return at
  }
  return -1
}

const isDigit = (char: string | undefined): boolean => char !== undefined && char >= '0' && char <= '9'

const alnum = /[\p{L}\d]/u

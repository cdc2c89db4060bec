import type { Problem } from '../../reading-result.ts'
import { isGlued, type Token, written } from './token.ts'
import type { TokenLine } from './written-phone.ts'

type NumberFound =
  | { kind: 'number'; text: string; next: number }
  | { kind: 'fault'; problem: Problem; next: number }

/**
 * Reads the number that begins at a run of digits, with its decimals. The caller has checked that it is not a date
 * or time (`momentEnd`).
 */
export const numberAt = (line: TokenLine, at: number): NumberFound => {
  const { tokens } = line
  const whole = tokens[at]?.text ?? ''
  const next = signedBy(tokens, at, '.') ? at + 3 : at + 1
  const text = next > at + 1 ? `${whole}.${tokens[at + 2]?.text}` : whole
  if (next > at + 1 && signedBy(tokens, at + 2, '.')) return unclear(line, at, next)
  if (isDecimalComma(tokens, at, next)) return decimalComma(line, at)
  return readable.test(text) ? { kind: 'number', text, next } : unclear(line, at, next)
}

/** A number short enough for a size or a price. It has no leading zero: `05` may be the rest of a phone number. */
const readable = /^(?:0(?=\.)|[1-9]\d{0,4})(?:\.\d{1,3})?$/

const unclear = ({ tokens, text }: TokenLine, at: number, next: number): NumberFound => ({
  kind: 'fault',
  problem: { code: 'unclear', written: written(tokens, at, next, text) },
  next,
})

/** Whether this sign and more digits follow the digits at the index, without a space. */
const signedBy = (tokens: readonly Token[], at: number, sign: string): boolean =>
  tokens[at + 1]?.text === sign &&
  tokens[at + 2]?.kind === 'digits' &&
  isGlued(tokens, at + 1) &&
  isGlued(tokens, at + 2)

/** Whether a decimal comma follows the digits, as in `2,5`, but not in `5,0241234567`. */
const isDecimalComma = (tokens: readonly Token[], at: number, next: number): boolean =>
  next === at + 1 && signedBy(tokens, at, ',') && (tokens[at + 2]?.text.length ?? 0) <= 3

const decimalComma = (line: TokenLine, at: number): NumberFound => {
  const amount = Number(`${line.tokens[at]?.text}.${line.tokens[at + 2]?.text}`)
  const suggestion = amount > 0 && amount < 100_000 ? ({ amount, unit: 'GB' } as const) : null
  const shown = written(line.tokens, at, at + 3, line.text)
  return { kind: 'fault', problem: { code: 'decimal_comma', written: shown, suggestion }, next: at + 3 }
}

/** The index after `21/11/2026`, `2026-11-21`, `08:12` or `8:12:30`, else null. */
export const momentEnd = (tokens: readonly Token[], at: number): number | null => {
  const sign = tokens[at + 1]?.text ?? ''
  if (!'/-.:'.includes(sign) || sign === '' || !signedBy(tokens, at, sign)) return null
  const hasThird = signedBy(tokens, at + 2, sign)
  if (hasThird && signedBy(tokens, at + 4, sign)) return null
  const [first = '', second = '', third = ''] = [tokens[at]?.text, tokens[at + 2]?.text, tokens[at + 4]?.text]
  if (sign === ':')
    return isTime(first, second) && (!hasThird || third.length === 2) ? at + (hasThird ? 5 : 3) : null
  return hasThird && isDate(first, second, third, sign) ? at + 5 : null
}

const isTime = (hours: string, minutes: string): boolean =>
  Number(hours) < 24 && hours.length <= 2 && minutes.length === 2 && Number(minutes) < 60

/**
 * Whether the three numbers are a date. Two digits are a year only between slashes, because `5-10-20` may mean
 * anything.
 */
const isDate = (first: string, second: string, third: string, sign: string): boolean =>
  isYear(first)
    ? isDay(second) && isDay(third)
    : isDay(first) && isDay(second) && (isYear(third) || (sign === '/' && third.length === 2))

const isYear = (text: string): boolean => text.length === 4 && text.startsWith('20')

const isDay = (text: string): boolean => text.length <= 2 && Number(text) >= 1 && Number(text) <= 31

/** The index after `2.44123E+08`, else null. */
export const scientificEnd = (tokens: readonly Token[], at: number): number | null => {
  let index = signedBy(tokens, at, '.') || signedBy(tokens, at, ',') ? at + 3 : at + 1
  const letter = tokens[index]?.text
  if ((letter !== 'e' && letter !== 'E') || !isGlued(tokens, index)) return null
  index += 1
  if ('+-'.includes(tokens[index]?.text ?? ' ') && isGlued(tokens, index)) index += 1
  return tokens[index]?.kind === 'digits' && isGlued(tokens, index) ? index + 1 : null
}

import type { Size } from '../../size.ts'
import { isGlued, type Token } from './token.ts'
import { meaningOf } from './vocabulary.ts'

/** A size that is not written in figures: `five gig`, `half a gig`, `1/2gb`, `1½ gb`. */
export interface SpokenSize {
  size: Size
  /** The index of the token after its unit. */
  next: number
}

const ones =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const tens = 'zero ten twenty thirty forty fifty sixty seventy eighty ninety'
const numbers = new Map([
  ...tens.split(' ').map((word, index) => [word, index * 10] as const),
  ...ones.split(' ').map((word, index) => [word, index] as const),
  ['fourty', 40] as const,
])

const fractions = new Map([
  ['½', 0.5],
  ['¼', 0.25],
  ['¾', 0.75],
])

/** The size in words or fractions that begins at a token. It must have a unit; otherwise the words are a name. */
export const spokenSizeAt = (tokens: readonly Token[], at: number): SpokenSize | null => {
  const whole = wholeAt(tokens, at)
  const part = partAt(tokens, whole.next)
  if (whole.next === at && part.next === at) return null
  if (part.next === whole.next && tokens[at]?.kind === 'digits') return null
  const amount = whole.value + part.value
  const unit = unitAt(tokens, part.next)
  return unit && amount > 0 ? { size: sizeOf(amount, unit.unit), next: unit.next } : null
}

/** The size as a person would write it, such as `500MB` for half a gigabyte. */
const sizeOf = (amount: number, unit: Size['unit']): Size =>
  unit === 'GB' && amount < 1
    ? { amount: Math.round(amount * 1000), unit: 'MB' }
    : { amount: Math.round(amount * 1000) / 1000, unit }

interface Amount {
  value: number
  next: number
}

/** Reads the whole part of an amount: `2`, `twenty five`, `five hundred`, `a`. */
const wholeAt = (tokens: readonly Token[], at: number): Amount => {
  const { kind, text = '' } = tokens[at] ?? {}
  if (kind === 'digits' && text.length < 4 && !isOver(tokens, at))
    return { value: Number(text), next: at + 1 }
  let [value, next] = [0, at]
  for (let word = wordAt(tokens, next); numbers.has(word) && next < at + 3; word = wordAt(tokens, next)) {
    value += numbers.get(word) ?? 0
    next += 1
  }
  if (wordAt(tokens, next) === 'hundred') return { value: Math.max(value, 1) * 100, next: next + 1 }
  if (next === at && /^an?$/.test(wordAt(tokens, at)) && unitAt(tokens, at + 1))
    return { value: 1, next: at + 1 }
  return { value, next }
}

/** Reads the fraction of an amount: `½`, `1/2`, `half a`, `and a half`. */
const partAt = (tokens: readonly Token[], from: number): Amount => {
  let at = from
  while (at < from + 2 && /^(?:and|a)$/.test(wordAt(tokens, at))) at += 1
  const value = fractions.get(tokens[at]?.text ?? '')
  if (value !== undefined) return { value, next: at + 1 }
  if (isOver(tokens, at)) {
    const [over = 0, under = 1] = [Number(tokens[at]?.text), Number(tokens[at + 2]?.text)]
    return over < under && under < 9 ? { value: over / under, next: at + 3 } : { value: 0, next: from }
  }
  if (wordAt(tokens, at) !== 'half') return { value: 0, next: from }
  return { value: 0.5, next: /^(?:a|of)$/.test(wordAt(tokens, at + 1)) ? at + 2 : at + 1 }
}

/** Whether a fraction such as `1/2` begins at the token. */
const isOver = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.kind === 'digits' &&
  tokens[at + 1]?.text === '/' &&
  tokens[at + 2]?.kind === 'digits' &&
  isGlued(tokens, at + 1) &&
  isGlued(tokens, at + 2)

const unitAt = (tokens: readonly Token[], from: number): { unit: Size['unit']; next: number } | null => {
  const at = tokens[from]?.text === '-' ? from + 1 : from
  const meaning = meaningOf(wordAt(tokens, at))
  return meaning?.as === 'unit' ? { unit: meaning.unit, next: at + 1 } : null
}

const wordAt = (tokens: readonly Token[], at: number): string =>
  tokens[at]?.kind === 'word' ? (tokens[at]?.text.toLowerCase() ?? '') : ''

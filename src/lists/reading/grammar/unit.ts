import type { Size } from '../../size.ts'
import type { Item } from './item.ts'
import { itemsOf } from './read-items.ts'
import { isGlued, type Token, tokensOf } from './token.ts'
import { meaningOf } from './vocabulary.ts'

/**
 * The unit of numbers that are written without one. `unclear`: the header names gigabytes before megabytes, so
 * either may be meant.
 */
export type RulingUnit = Size['unit'] | 'unclear'

/** `1024MB = 1GB`, in a table header or a heading. It explains the units and is not a size. */
const conversion =
  /(?<![\d.,])\d{1,4}(?:[.,]\d{1,3})?\s{0,3}([a-z]{0,9})\s{0,3}(?:=|\bis\b|\bequals?\b)\s{0,3}\d{1,4}(?:[.,]\d{1,3})?\s{0,3}([a-z]{0,9})(?![\da-z])/gi

/** Figures in brackets: `(30 days)`. */
const bracketed = /[([][^()[\]]{0,40}\d[^()[\]]{0,40}[)\]]/g

/** The text of a header without figures that only explain it: `Data (MB) (1024MB = 1GB)`. */
export const withoutFigures = (text: string): string =>
  text
    .replace(conversion, (all, first: string, second: string) =>
      [first, second].every((word) => word === '' || isUnit(word)) && first + second !== '' ? ' ' : all,
    )
    .replace(bracketed, ' ')

const isUnit = (word: string): boolean => meaningOf(word)?.as === 'unit'

/**
 * The unit that a table header or a heading names for the numbers below it. If it names two, the first one counts.
 * The exception is gigabytes before megabytes, which is `unclear`, because a wrong guess would cost a thousand times
 * as much.
 *
 * @param letters whether `M` and `G` count as units. In a cell they do; among other words they can mean anything.
 */
export const unitIn = (text: string, letters: boolean): RulingUnit | null => {
  const own = unitsIn(tokensOf(withoutFigures(text)), letters)
  const units = own.length > 0 ? own : unitsIn(tokensOf(text), letters)
  const [first] = units
  if (first === undefined) return null
  return first === 'GB' && units.includes('MB') ? 'unclear' : first
}

const unitsIn = (tokens: readonly Token[], letters: boolean): Size['unit'][] =>
  tokens.flatMap(({ kind, text }, at) => {
    const meaning = kind === 'word' ? meaningOf(text) : null
    if (meaning?.as !== 'unit') return []
    const isLetter = text.length === 1 && !(tokens[at - 1]?.kind === 'digits' && isGlued(tokens, at))
    return isLetter && !letters ? [] : [meaning.unit]
  })

/**
 * Gives a bare number the unit that applies at its place.
 * @param isSize the place holds only sizes
 */
export const inUnit = (item: Item, unit: RulingUnit | null, isSize: boolean): Item => {
  if (item.kind !== 'size' || item.hasUnit || unit === null) return item
  if (unit === 'unclear') return { ...item, doubt: 'unit' }
  return { ...item, size: { amount: item.size.amount, unit }, hasUnit: isSize }
}

/**
 * The unit that a line without a phone names for the lines below it: `All in MB:`, `Size [MB]`.
 * @param line in plain characters
 */
export const unitHeadingIn = (line: string): RulingUnit | null => {
  if (line.length > maxHeadingLength || /\d{5}/.test(line) || !mayNameUnit.test(line)) return null
  return itemsOf(withoutFigures(line)).some(isNumber) ? null : unitIn(line, isCell.test(line))
}

/** Whether the item may be part of somebody's order. Dates, counts and durations are not. */
const isNumber = ({ kind }: Item): boolean => kind === 'phone' || kind === 'size' || kind === 'fault'

const maxHeadingLength = 300

const mayNameUnit = /(?<![a-z])[gm](?:bs?|ib|igs?|egs?|ig?as?|egas?|bytes?|igabytes?|egabytes?)?(?![a-z])/i

/** `M` or `G` alone on its line, or in brackets. */
const isCell = /^\s*\W{0,3}[mg]\W{0,3}$|[([]\s?[mg]\s?[)\]]/i

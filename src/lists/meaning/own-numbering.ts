import { normalized } from '../reading/normalize.ts'
import type { ListReading, ReadLine } from '../reading-result.ts'
import { isAdded } from './truncation.ts'

/** How the person numbered the lines of a list. Lines are counted from 1. */
export interface OwnNumbering {
  /** The number that people call the line by: the one they wrote in front, or else its place in the list. */
  of(place: number): number
  /** The place of the line with that number; null if there is none. */
  placeOf(number: number): number | null
}

/** A number in front of a line, as people number their lists. */
export const ownNumber = /^\s{0,8}\(?([1-9]\d{0,3})[.):]\s/

const byPlace: OwnNumbering = { of: (place) => place, placeOf: (number) => number }

/**
 * The numbering of a list. The person's own numbers count if every line with an order has one and they rise. Lines that
 * a correction added have the numbers after the last one.
 */
export const numberingOf = ({ lines }: Pick<ListReading, 'lines'>): OwnNumbering => {
  const numbers = new Map<number, number>()
  let last = 0
  for (const line of lines) {
    if (!isCounted(line)) continue
    const own = isAppended(line, numbers) ? last + 1 : Number(ownNumber.exec(normalized(line.text))?.[1] ?? 0)
    if (own <= last) return byPlace
    numbers.set(line.number, own)
    last = own
  }
  const places = new Map([...numbers].map(([place, own]) => [own, place]))
  return numbers.size === 0
    ? byPlace
    : { of: (place) => numbers.get(place) ?? place, placeOf: (number) => places.get(number) ?? null }
}

const isCounted = ({ verdict, number, together }: ReadLine): boolean =>
  verdict !== 'ignored' && number === together[0]

/**
 * Whether a correction added the line. Only the first added line is marked. After numbered lines, a line without a
 * number counts as added too.
 */
const isAppended = ({ text }: ReadLine, before: ReadonlyMap<number, number>): boolean =>
  before.size > 0 && (isAdded(text) || !ownNumber.test(normalized(text)))

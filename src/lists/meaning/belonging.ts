import { readList } from '../read-list.ts'
import { bare } from '../reading/lines-in-context.ts'
import { linesOf, normalized } from '../reading/normalize.ts'
import type { ListReading, PriceSnapshot, ReadLine, WrittenRecipient } from '../reading-result.ts'
import { readSize, writtenSize } from '../size.ts'
import { closestTo, lacksNumber } from './closest-line.ts'
import { numbered, ownNumbersOf } from './correction.ts'
import { numberingOf } from './own-numbering.ts'
import { isToFix } from './to-fix.ts'

/** Whether a message corrects an open list. `doubtful`: it may also be a separate order. */
export type Belonging = 'corrects' | 'doubtful' | 'apart'

/** How a line of the message relates to the open list. */
type Part =
  /** A line that has to be corrected, sent again without its mistake. */
  | 'mended'
  /** A line that begins with the number of a line that has to be corrected. */
  | 'numbered'
  /** A line that may be a correction, but its size is not that of the damaged line. */
  | 'likely'
  /** A line of the list that needs no correction, repeated unchanged. */
  | 'same'
  | 'foreign'
  /** A heading or a greeting. */
  | 'beside'

export const belongingOf = (text: string, open: ListReading, priceSnapshot: PriceSnapshot): Belonging => {
  if (!open.lines.some(isToFix)) return 'apart'
  const read = readList(text, priceSnapshot).lines
  const parts = linesOf(text).map((line, index) => partOf(line, read[index], open))
  const count = (part: Part) => parts.filter((each) => each === part).length
  const [belonging, foreign] = [count('mended') + count('numbered'), count('foreign')]
  if (belonging + count('likely') === 0) return 'apart'
  if (foreign > belonging + count('likely') + count('same')) return 'apart'
  const isNewCount = count('numbered') > 0 && parts.length > 1 && countsFromOne(text)
  return foreign > 0 || count('likely') > 0 || isNewCount ? 'doubtful' : 'corrects'
}

const partOf = (line: string, read: ReadLine | undefined, open: ListReading): Part => {
  const [, number, rest = ''] = numbered.exec(normalized(line)) ?? []
  const named = number === undefined ? null : lineNumbered(Number(number), open)
  const own = writtenOn(rest, read) ?? writtenOn(line, read)
  if (named) return own && mends(own, [named]) === 'mended' ? 'mended' : 'numbered'
  if (!own) return 'beside'
  if (open.lines.some((each) => each.verdict === 'ready' && each.written.some((one) => isSame(one, own))))
    return 'same'
  return mends(own, open.lines.filter(isToFix)) ?? 'foreign'
}

/** The line to correct at that place in the list, or else the one with that number written in front of it. */
const lineNumbered = (number: number, open: ListReading): ReadLine | null => {
  const placed = open.lines[(numberingOf(open).placeOf(number) ?? 0) - 1]
  return placed && isToFix(placed) ? placed : (ownNumbersOf(open).get(number) ?? null)
}

/** A phone as written on a line, with the size from the line or its heading. */
type Written = Pick<WrittenRecipient, 'phone' | 'size'>

const writtenOn = (words: string, read: ReadLine | undefined): Written | null => {
  const [pair] = bare(words).pairs
  if (!pair) return null
  const size = pair.sizes[0]?.size ?? read?.written.find(({ phone }) => phone === pair.phone)?.size ?? null
  return { phone: pair.phone, size }
}

const isSame = (one: Written, other: Written): boolean =>
  one.phone === other.phone && sizeWord(one) === sizeWord(other)

const sizeWord = ({ size }: Written): string => (size ? writtenSize(size) : '')

/**
 * How a line with a phone corrects the list. `mended`: its phone is on a line to correct, or resembles a damaged
 * one. `likely`: its phone resembles a damaged one, but its size is not that line's.
 */
const mends = (own: Written, toFix: readonly ReadLine[]): 'mended' | 'likely' | null => {
  if (toFix.some(({ written }) => written.some(({ phone }) => phone === own.phone))) return 'mended'
  const line = closestTo(own.phone, toFix.filter(lacksNumber))
  if (!line) return null
  const size = own.size && writtenSize(own.size)
  return size === null || sizesOn(line).every((each) => each === size) ? 'mended' : 'likely'
}

/** The sizes that can be read on a line whose phone cannot be read. */
const sizesOn = ({ text }: ReadLine): string[] =>
  [...text.matchAll(sizeWords)].flatMap(([word]) => {
    const size = readSize(word)
    return size ? [writtenSize(size)] : []
  })

const sizeWords = /(?<![\d.,])\d{1,3}(?:\.\d{1,3})?\s?(?:gb|mb|gig|g|m)?(?![\d.,\w])/gi

/** Whether the lines are numbered 1, 2, 3 …, as those of a new list are. */
const countsFromOne = (text: string): boolean =>
  linesOf(text)
    .filter((line) => line.trim() !== '')
    .every((line, index) => Number(numbered.exec(normalized(line))?.[1] ?? 0) === index + 1)

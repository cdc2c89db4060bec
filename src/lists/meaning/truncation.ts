import type { PlacedLine } from '../reading/entry.ts'
import { linesOf } from '../reading/normalize.ts'
import type { WrittenLine } from '../reading/written-line.ts'

/** Marks the place where two messages were joined: the line there is cut, or ends there. */
export const scissors = '✂'

/** Precedes a line that was added by a correction. No heading above applies to such a line. */
const pencil = '✎'

/**
 * Joins the parts into which Telegram cut a long message. A cut may leave half a line, so the lines on both sides are
 * marked. `readList` gives both the verdict `fix`, unless both are certainly whole (`isBetweenWhole`).
 */
export const joinParts = (parts: readonly string[]): string =>
  parts
    .map((part) => linesOf(part).join('\n'))
    .filter((part) => part !== '')
    .map((part, index, all) => (index < all.length - 1 ? part.replace(endsCut, '') : part))
    .join(`${scissors}\n${scissors}`)

/**
 * Marks a text that Telegram has certainly cut. Its last line has to be corrected, even if the next part never
 * arrives.
 */
export const cutOff = (part: string): string => `${part}${scissors}`

const endsCut = new RegExp(`${scissors}$`)

/** Marks lines that are added to a list, so that its headings do not apply to them. */
export const markAdded = (lines: readonly string[]): string[] =>
  lines.map((line, index) => (index === 0 ? `${pencil} ${line}` : line))

/** The line without our marks, as the person wrote it. */
export const unmarked = (line: string): string =>
  isAdded(line) || isTruncation(line) ? line.replace(ourMarks, '') : line

const ourMarks = new RegExp(`^${pencil} |^${scissors}|${scissors}$`, 'g')

/** Whether something may be missing from the line. */
export const isCut = (
  texts: readonly string[],
  index: number,
  read: (text: string) => WrittenLine,
): boolean => {
  const text = texts[index] ?? ''
  const isCutAbove = text.startsWith(scissors) && !isBetweenWhole(texts, index - 1, read)
  return isCutAbove || (text.endsWith(scissors) && !isBetweenWhole(texts, index, read))
}

/** Whether the line is next to a join of two messages. */
const isTruncation = (line: string): boolean => line.startsWith(scissors) || line.endsWith(scissors)

/** Whether the line was added by a correction, so that no heading above applies to it. */
export const isAdded = (line: string): boolean => line.startsWith(pencil)

/**
 * A line that may have been cut where two messages were joined. Its content is kept only so that the line can be
 * found again. Nothing on it is ordered.
 */
export const truncated = (line: WrittenLine): WrittenLine => ({
  ...line,
  kind: line.phones > 0 ? 'pairs' : 'comment',
  problems: [{ code: 'truncation' }],
  size: null,
  network: null,
  lead: null,
})

/**
 * Whether the join below the line with that index is between two whole lines. Each must have one phone and no
 * doubts, and either both have a size or neither has. The second line must begin with its phone, so that nothing in
 * front of the phone can be the rest of the first line.
 */
const isBetweenWhole = (
  texts: readonly string[],
  index: number,
  read: (text: string) => WrittenLine,
): boolean => {
  const [tail = '', head = ''] = [texts[index], texts[index + 1]]
  if (!tail.endsWith(scissors) || !head.startsWith(scissors)) return false
  const second = head.replaceAll(scissors, '')
  if (!beginsWithNumber.test(second)) return false
  const [above, below] = [read(tail.replaceAll(scissors, '')), read(second)]
  return above.kind === below.kind && isWhole(above) && isWhole(below)
}

/** A phone, possibly after a line number or a chat stamp. */
const beginsWithNumber = /^\s*(?:\d{1,4}[.)]\s+|\[[^\]]{8,40}\][^:]{1,60}:\s)?(?:\+?233|0)\s?\d/

const isWhole = ({ kind, pairs: [pair, ...others], phones, problems, lead }: WrittenLine): boolean =>
  (kind === 'pairs' || kind === 'numbers') &&
  pair !== undefined &&
  others.length === 0 &&
  phones === 1 &&
  problems.length === 0 &&
  lead === null &&
  !pair.zeroRestored &&
  pair.sizes.length === (kind === 'pairs' ? 1 : 0)

/**
 * The kinds of headings that a cut may have destroyed, for the first line after a join. The two halves at the cut
 * are read separately and as one line.
 * @returns null if the line is not the first after a join, or if the halves are not headings
 */
export const lostAt = (
  texts: readonly string[],
  index: number,
  read: (text: string) => WrittenLine,
): PlacedLine['lost'] => {
  const [tail = '', head = ''] = [texts[index - 2], texts[index - 1]]
  if (!head.startsWith(scissors) || isBetweenWhole(texts, index - 2, read)) return null
  const left = tail.replace(scissors, '').slice(-maxHeadingLength)
  const right = head.replaceAll(scissors, '').slice(0, maxHeadingLength)
  const readings = [left, right, `${left}${right}`, `${left} ${right}`].map(read)
  const size = readings.some(({ kind }) => kind === 'size' || kind === 'share')
  const network = readings.some(
    ({ kind, network: named }) => kind === 'network' || (named !== null && kind !== 'comment'),
  )
  return size || network ? { size, network } : null
}

const maxHeadingLength = 200

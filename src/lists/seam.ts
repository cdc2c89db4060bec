import type { PlacedLine } from './entry.ts'
import { linesOf } from './plain.ts'
import type { WrittenLine } from './written-line.ts'

/** Stands where two messages were joined: the line was cut there, or ends there. */
const scissors = '✂'

/** Stands before a line that was added in a correction: no heading above holds for it. */
const pencil = '✎'

/**
 * Makes one list of the parts that Telegram cut a long message into. What stood at a cut may be half a line, so the
 * lines on both sides are marked, and readList sends them to fix.
 */
export const joinParts = (parts: readonly string[]): string =>
  parts
    .map((part) => linesOf(part).join('\n'))
    .filter((part) => part !== '')
    .map((part, index, all) => (index < all.length - 1 ? part.replace(endsCut, '') : part))
    .join(`${scissors}\n${scissors}`)

/** A text that Telegram has cut for sure: its last line is to fix, also where no continuation comes. */
export const cutOff = (part: string): string => `${part}${scissors}`

const endsCut = new RegExp(`${scissors}$`)

/** Lines that are added to a list and stand apart from it. */
export const apart = (lines: readonly string[]): string[] =>
  lines.map((line, index) => (index === 0 ? `${pencil} ${line}` : line))

export const isSeam = (line: string): boolean => line.startsWith(scissors) || line.endsWith(scissors)

/** The line begins something new, apart from what stands above it. */
export const begun = (line: string): boolean => line.startsWith(pencil)

/** What a line at a seam says counts for nothing but to find it again. */
export const seamed = (line: WrittenLine): WrittenLine => ({
  ...line,
  kind: line.phones > 0 ? 'pairs' : 'comment',
  problems: [{ code: 'seam' }],
  size: null,
  network: null,
  lead: null,
})

/**
 * Behind a seam: which headings may have been cut. The half lines are looked at alone and joined.
 * @returns null where the line is not the first behind a seam, or nothing can be lost.
 */
export const lostAt = (
  texts: readonly string[],
  index: number,
  read: (text: string) => WrittenLine,
): PlacedLine['lost'] => {
  const [tail = '', head = ''] = [texts[index - 2], texts[index - 1]]
  if (!head.startsWith(scissors)) return null
  const left = tail.replace(scissors, '').slice(-longestHeading)
  const right = head.replaceAll(scissors, '').slice(0, longestHeading)
  const readings = [left, right, `${left}${right}`, `${left} ${right}`].map(read)
  const size = readings.some(({ kind }) => kind === 'size' || kind === 'share')
  const network = readings.some(
    ({ kind, network: named }) => kind === 'network' || (named !== null && kind !== 'comment'),
  )
  return size || network ? { size, network } : null
}

const longestHeading = 200

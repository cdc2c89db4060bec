import { readList } from './list.ts'
import { bare } from './placed-line.ts'
import { linesOf, plain } from './plain.ts'
import type { Answers, ListReading, Market, ReadLine, WrittenRecipient } from './reading.ts'
import { apart } from './seam.ts'
import { labelOf } from './shelf.ts'

/**
 * Puts corrected lines, sent as a reply, into the list that they correct, and returns the new text.
 *
 * `12. 0241234567 5`, `12: 5gb` or `12: skip` replaces line 12 where that is to fix, else the line to fix that begins
 * with `12.` itself; a number that stands alone on a
 * line of the list replaces that line; the rest is added at the end, apart from all headings. A line that belonged
 * to a replaced one (its size below) becomes empty, so that lines keep their numbers.
 */
export const mergeCorrections = (
  text: string,
  correction: string,
  market: Market,
  answers: Answers = {},
): string => {
  const list = listOf(text, readList(text, market, answers))
  const rest = linesOf(correction).filter((line) => !replaceByNumber(line, list))
  const added = correctedLines(rest, market).filter((line) => !replaceByPhone(line, list))
  const lines =
    added.length > 0 ? [...list.lines, ...apart(added.map(({ text: words }) => words))] : list.lines
  return lines.join('\n')
}

interface List {
  /** They change; the reading is of what they were. */
  lines: string[]
  reading: ListReading
  /** Lines with one number alone. */
  byPhone: ReadonlyMap<string, ReadLine>
  /** Lines to fix by the number that was written in front of them; null where several have it. */
  byOwnNumber: ReadonlyMap<number, ReadLine | null>
}

const listOf = (text: string, reading: ListReading): List => {
  const alone = reading.lines.filter(({ written }) => written.length === 1).reverse()
  return {
    lines: linesOf(text),
    reading,
    byPhone: new Map(alone.map((line) => [line.written[0]?.phone ?? '', line])),
    byOwnNumber: ownNumbers(reading),
  }
}

const ownNumbers = ({ lines }: ListReading): Map<number, ReadLine | null> => {
  const found = new Map<number, ReadLine | null>()
  for (const line of lines) {
    const number = line.verdict === 'fix' ? Number(ownNumber.exec(plain(line.text))?.[1] ?? 0) : 0
    if (number > 0) found.set(number, found.has(number) ? null : line)
  }
  return found
}

/** A number in front of a line, as people write their lists. */
const ownNumber = /^\s{0,8}\(?([1-9]\d{0,3})[.):]\s/

// ── By the line's number ──────────────────────────────────────────────────────────────────────────────────

const numbered =
  /^\s{0,8}(?:line\s{0,2}|#\s?|\()?([1-9]\d{0,4})\s?(?:[:)]|[.-](?!\d{1,3}(?:\D|$)))\s{0,8}(.*)$/i
const skipped = /^(?:skip|drop|remove|delete|cancel|ignore|none|no|-)?[\s.!]{0,3}$/i

const replaceByNumber = (sent: string, list: List): boolean => {
  const [, number, words = ''] = numbered.exec(plain(sent)) ?? []
  const line = number === undefined ? null : meantBy(Number(number), words, list)
  if (!line) return false
  const instead = skipped.test(words) ? '' : completed(words, line)
  if (instead !== null) replace(line, instead, list)
  return true
}

/**
 * The line to fix that a number means: by its place, or by the number that was written in front of it where that
 * place has nothing to fix. A phone that stands on another line to fix means that one, whatever the number.
 */
const meantBy = (number: number, words: string, { reading, byPhone, byOwnNumber }: List): ReadLine | null => {
  const { pairs } = bare(words)
  const [pair] = pairs
  const ofPhone = pair && pairs.length === 1 ? byPhone.get(pair.phone) : undefined
  const placed = reading.lines[number - 1]
  if (ofPhone?.verdict === 'fix' && ofPhone !== placed) return null
  if (placed?.verdict === 'fix') return placed
  return byOwnNumber.get(number) ?? null
}

/**
 * A correction without a phone is for the one that stands there, with the network that was named for it.
 * @returns null where it says nothing that could take the line's place
 */
const completed = (words: string, line: ReadLine): string | null => {
  const { kind, size, network } = bare(words)
  if (kind === 'numbers' || kind === 'pairs') return words
  if (line.number !== line.together[0]) return words
  const [only, another] = line.written
  if (!only || another || (!size && !network)) return null
  const own = only.size && !size ? labelOf(only.size) : ''
  return [only.phone, network ? '' : only.network, own, words].filter(Boolean).join(' ')
}

/** The first of the lines that are read as one takes the new words; a part of them only its own. */
const replace = (line: ReadLine, words: string, { lines }: List): void => {
  const isPart = line.number !== line.together[0] && words !== '' && bare(words).phones === 0
  if (!isPart) for (const number of line.together) lines[number - 1] = ''
  lines[line.number - 1] = words
}

// ── By the phone ──────────────────────────────────────────────────────────────────────────────────────────

interface CorrectedLine {
  text: string
  /** The only phone that it is about, else null. */
  phone: string | null
}

const replaceByPhone = ({ text, phone }: CorrectedLine, list: List): boolean => {
  const line = phone === null ? undefined : list.byPhone.get(phone)
  if (!line) return false
  replace(line, text, list)
  return true
}

/** Lines that say all by themselves: what headings or further lines say is written beside each number. */
const correctedLines = (lines: readonly string[], market: Market): CorrectedLine[] => {
  const hasHeadings = lines.some((line) => ['size', 'network', 'share'].includes(bare(line).kind))
  const { lines: read } = readList(lines.join('\n'), market)
  return read.flatMap((line): CorrectedLine[] => {
    const { written, text, problems, together } = line
    if (line.number !== together[0] || (written.length === 0 && problems.length === 0)) return []
    const isWhole = written.length > 0 && problems.every(({ code }) => laterProblems.has(code))
    if (!isWhole) return together.map((number) => ({ text: lines[number - 1] ?? '', phone: null }))
    const [only] = written
    if (only && written.length === 1 && !hasHeadings) return [{ text, phone: only.phone }]
    return written.map((each) => ({ text: inOneLine(each), phone: each.phone }))
  })
}

/** These are no faults of the line, but of what it asks for. */
const laterProblems = new Set(['asked', 'not_sold', 'network_unknown'])

const inOneLine = ({ phone, network, size }: WrittenRecipient): string =>
  [phone, network, size && labelOf(size)].filter(Boolean).join(' ')

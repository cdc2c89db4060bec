import { readList } from '../read-list.ts'
import { bare } from '../reading/lines-in-context.ts'
import { linesOf, normalized } from '../reading/normalize.ts'
import type {
  Answers,
  ListReading,
  PriceSnapshot,
  Problem,
  ReadLine,
  WrittenRecipient,
} from '../reading-result.ts'
import { writtenSize } from '../size.ts'
import { closestTo, lacksNumber, numberWords } from './closest-line.ts'
import { numberingOf, type OwnNumbering, ownNumber } from './own-numbering.ts'
import { exchanged } from './suggestion.ts'
import { isToFix } from './to-fix.ts'
import { markAdded } from './truncation.ts'

/**
 * Puts corrected lines, sent as a reply, into the list that they correct, and returns the new text.
 *
 * `12. 0241234567 5`, `12: 5gb` or `12: skip` replaces line 12 if that line has to be corrected. If not, it
 * replaces the line to correct that itself begins with `12.`. A corrected line with a phone replaces the line with
 * only that phone.
 *
 * Without a line number, a phone goes to the line whose damaged phone is most like it, and a phone, size or network
 * alone goes to the first line that lacks it. Everything else is added at the end, where no heading applies to it.
 * A line that belonged to a replaced one (such as its size below) becomes empty, so that lines keep their numbers.
 */
export const mergeCorrections = (
  text: string,
  correction: string,
  priceSnapshot: PriceSnapshot,
  answers: Answers = {},
): string => {
  const list = listOf(text, readList(text, priceSnapshot, answers))
  const rest = linesOf(correction).filter((line) => !replaceByNumber(line, list))
  if (replacePart(rest, list)) return list.lines.join('\n')
  const corrected = correctedLines(rest, priceSnapshot).filter((line) => !replaceByPhone(line, list))
  // Each correction is compared with every line to correct, which is fast only for a few corrections.
  const isFew = corrected.length <= maxCompared
  const added = corrected.filter((line) => !(isFew && replaceClosest(line, list)))
  const lines =
    added.length > 0 ? [...list.lines, ...markAdded(added.map(({ text: words }) => words))] : list.lines
  return lines.join('\n')
}

/** If a message has more corrections without a line number than this, none of them is matched with a damaged phone. */
const maxCompared = 20

interface List {
  /** The lines are changed here; the reading still describes the text before the changes. */
  lines: string[]
  reading: ListReading
  /** Lines that have to be corrected and have not been yet. */
  open: Set<ReadLine>
  /** Lines with exactly one phone, by that phone. */
  byPhone: ReadonlyMap<string, ReadLine>
  numbering: OwnNumbering
  /** Lines to correct, by the number that the person wrote in front; null if several have the same number. */
  byOwnNumber: ReadonlyMap<number, ReadLine | null>
}

const listOf = (text: string, reading: ListReading): List => {
  const alone = reading.lines.filter(({ written }) => written.length === 1).reverse()
  return {
    lines: linesOf(text),
    reading,
    open: new Set(reading.lines.filter(isToFix)),
    byPhone: new Map(alone.map((line) => [line.written[0]?.phone ?? '', line])),
    numbering: numberingOf(reading),
    byOwnNumber: ownNumbersOf(reading),
  }
}

/** Lines to correct, by the number that the person wrote in front; null if several have the same number. */
export const ownNumbersOf = ({ lines }: ListReading): Map<number, ReadLine | null> => {
  const found = new Map<number, ReadLine | null>()
  for (const line of lines) {
    const number = line.verdict === 'fix' ? Number(ownNumber.exec(normalized(line.text))?.[1] ?? 0) : 0
    if (number > 0) found.set(number, found.has(number) ? null : line)
  }
  return found
}

// ── Corrections with a line number ────────────────────────────────────────────────────────────────────────

/** A line number, and the words after it. */
export const numbered =
  /^\s{0,8}(?:line\s{0,2}|#\s?|\()?([1-9]\d{0,4})\s?(?:[:)]|[.-](?!\d{1,3}(?:\D|$)))\s{0,8}(.*)$/i
const skipped = /^(?:skip|drop|remove|delete|cancel|ignore|none|no|-)?[\s.!]{0,3}$/i

const replaceByNumber = (sent: string, list: List): boolean => {
  const [, number, words = ''] = numbered.exec(normalized(sent)) ?? []
  const line = number === undefined ? null : meantBy(Number(number), words, list)
  if (!line) return false
  if (putNumber(words, line, list)) return true
  const instead = skipped.test(words) ? '' : completed(words, line)
  if (instead !== null) replace(line, instead, list)
  return true
}

/**
 * The line to correct that a number means: the line that the card shows with this number, or else the line that has the
 * number written in front. If the words have the phone of another line that has to be corrected, they mean that line,
 * whatever the number.
 */
const meantBy = (
  number: number,
  words: string,
  { reading, byPhone, numbering, byOwnNumber }: List,
): ReadLine | null => {
  const { pairs } = bare(words)
  const [pair] = pairs
  const ofPhone = pair && pairs.length === 1 ? byPhone.get(pair.phone) : undefined
  const placed = reading.lines[(numbering.placeOf(number) ?? 0) - 1]
  if (ofPhone?.verdict === 'fix' && ofPhone !== placed) return null
  if (placed?.verdict === 'fix') return placed
  return byOwnNumber.get(number) ?? null
}

/**
 * Adds the line's own phone and network to a correction without a phone.
 * @returns null if the words cannot replace the line
 */
const completed = (words: string, line: ReadLine): string | null => {
  const { kind, size, network } = bare(words)
  if (kind === 'numbers' || kind === 'pairs') return words
  // `Kofi 5gb` replaces a line whose name is not saved.
  if (size && line.problems.some(isForName)) return words
  if (line.number !== line.together[0]) return words
  const [only, another] = line.written
  if (!only || another || (!size && !network)) return null
  const own = only.size && !size ? writtenSize(only.size) : ''
  return [only.phone, network ? '' : only.network, own, words].filter(Boolean).join(' ')
}

const isForName = (problem: Problem): problem is Extract<Problem, { name: string }> => 'name' in problem

/**
 * Replaces a line, and empties the others that were read together with it. The others stay if the line is not the
 * first of them and the words have no phone.
 */
const replace = (line: ReadLine, words: string, { lines, open }: List): void => {
  open.delete(line)
  const isPart = line.number !== line.together[0] && words !== '' && bare(words).phones === 0
  if (!isPart) for (const number of line.together) lines[number - 1] = ''
  lines[line.number - 1] = `${words === '' || isPart ? '' : numberOn(line)}${words}`
}

/** The number in front of the line, which stays when the line is corrected. */
const numberOn = ({ text }: ReadLine): string => ownNumber.exec(text)?.[0] ?? ''

/**
 * Puts a phone sent alone in place of the line's damaged one. The rest of the line stays.
 * @returns false if there is no such place, or the words are not a phone alone
 */
const putNumber = (words: string, line: ReadLine, { lines, open }: List): boolean => {
  const phone = numberAlone(words)
  const [problem, another] = line.problems
  if (phone === null || !problem || another || !lacksNumber(line)) return false
  for (const place of line.together) {
    const text = withNumber(phone, problem, lines[place - 1] ?? '')
    if (text === null) continue
    lines[place - 1] = text
    open.delete(line)
    return true
  }
  return false
}

const numberAlone = (words: string): string | null => {
  const { kind, pairs, network, problems } = bare(words)
  const [pair, another] = pairs
  return kind === 'numbers' && pair && !another && !network && problems.length === 0 ? pair.phone : null
}

/** The line with the phone put in; null if the phone cannot be read there. */
const withNumber = (phone: string, problem: Problem, text: string): string | null => {
  const damaged = numberWords(problem)
  const whole =
    damaged === null ? text.replace(ownNumberOrNone, `$&${phone} `) : exchanged(text, damaged, phone)
  return whole !== null && bare(whole).pairs.some((pair) => pair.phone === phone) ? whole : null
}

const ownNumberOrNone = new RegExp(`(?:${ownNumber.source})?`)

// ── Corrections that repeat the line's phone ──────────────────────────────────────────────────────────────

interface CorrectedLine {
  text: string
  /** The line's only phone; null if it has none, or several. */
  phone: string | null
}

const replaceByPhone = ({ text, phone }: CorrectedLine, list: List): boolean => {
  const line = phone === null ? undefined : list.byPhone.get(phone)
  if (!line) return false
  replace(line, text, list)
  return true
}

// ── Corrections of the line with the most similar damaged phone ─────────────────────────────────────────────────

const replaceClosest = ({ text, phone }: CorrectedLine, list: List): boolean => {
  if (phone === null) return false
  const open = [...list.open].filter(lacksNumber)
  const isAlone = numberAlone(text) !== null
  const line = closestTo(phone, open) ?? open.find((each) => isAlone || isSizeOf(text, each)) ?? null
  if (!line) return false
  if (!isAlone) replace(line, text, list)
  return !isAlone || putNumber(text, line, list)
}

/** Whether the line has a size but no phone, like `Kofi 5gb`, and the correction has the same size. */
const isSizeOf = (text: string, { problems }: ReadLine): boolean =>
  problems.some(
    (problem) =>
      'size' in problem &&
      problem.code !== 'not_sold' &&
      bare(text).pairs.some(
        ({ sizes: [size] }) => size && problem.size && writtenSize(size.size) === writtenSize(problem.size),
      ),
  )

/**
 * Applies a size or a network sent alone to the first line that lacks it.
 * @returns false if no line does, or more was sent
 */
const replacePart = (sent: readonly string[], list: List): boolean => {
  const [words, another] = sent.filter((line) => line.trim() !== '')
  if (words === undefined || another !== undefined) return false
  const { kind } = bare(words)
  if (kind !== 'size' && kind !== 'network') return false
  for (const line of list.open) {
    const isLacking = line.problems.every(({ code }) => partOf[kind].has(code))
    const instead = isLacking ? completed(words, line) : null
    if (instead === null) continue
    replace(line, instead, list)
    return true
  }
  return false
}

const partOf: Record<'size' | 'network', ReadonlySet<Problem['code']>> = {
  size: new Set(['not_sold', 'two_sizes', 'several_times', 'decimal_comma', 'numbering_or_size']),
  network: new Set(['two_networks', 'network_unclear', 'network_unknown']),
}

/**
 * The sent lines, each readable alone: the size or network from a heading or another line is written next to each
 * phone.
 */
const correctedLines = (lines: readonly string[], priceSnapshot: PriceSnapshot): CorrectedLine[] => {
  const hasHeadings = lines.some((line) => ['size', 'network', 'share'].includes(bare(line).kind))
  const { lines: read } = readList(lines.join('\n'), priceSnapshot)
  return read.flatMap((line): CorrectedLine[] => {
    const { written, text, problems, together } = line
    const isNothing = written.length === 0 && problems.every(({ code }) => code === 'no_number')
    if (line.number !== together[0] || isNothing) return []
    const isWhole = written.length > 0 && problems.every(({ code }) => laterProblems.has(code))
    if (!isWhole) return together.map((number) => ({ text: lines[number - 1] ?? '', phone: null }))
    const [only] = written
    if (only && written.length === 1 && !hasHeadings) return [{ text, phone: only.phone }]
    return written.map((each) => ({ text: inOneLine(each), phone: each.phone }))
  })
}

/** Problems of lines that can be read, but still cannot be ordered. */
const laterProblems = new Set(['asked', 'not_sold', 'network_unknown'])

const inOneLine = ({ phone, network, size }: WrittenRecipient): string =>
  [phone, network, size && writtenSize(size)].filter(Boolean).join(' ')

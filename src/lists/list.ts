import { type Entries, entriesOf } from './entry.ts'
import { giveNumbers, namedLinesOf } from './named-line.ts'
import { readCounters } from './numbering.ts'
import { type Outcome, outcomeOf, writtenTerms } from './outcome.ts'
import { placedLines } from './placed-line.ts'
import { linesOf } from './plain.ts'
import { type PriceIndex, priceIndexOf } from './price-index.ts'
import { answerTo, createQuestions, type Doubt, type Doubted, type Questions } from './question.ts'
import type {
  Answers,
  ListReading,
  Market,
  Note,
  Problem,
  ReadLine,
  ReadRecipient,
  WrittenRecipient,
} from './reading.ts'
import type { Size } from './size.ts'
import type { Entry } from './written-entry.ts'
import type { Pair } from './written-line.ts'

/**
 * Reads a list as people send it: every line is accounted for, and nothing that costs money is guessed.
 *
 * Tables come as text too, a row a line and its cells parted by tabs, as they stand in the file: numbers with
 * the digits that the cell shows, no quotes around cells, line breaks inside a cell as spaces.
 *
 * Linear in the text. A line of more than 100,000 characters is not read, but to fix.
 */
export const readList = (text: string, market: Market, answers: Answers = {}): ListReading => {
  const texts = linesOf(text)
  const placed = placedLines(texts)
  const hasFixed = market.fixedBundleId !== null
  const named = namedLinesOf(placed, texts, hasFixed)
  if (market.names && named.length > 0) giveNumbers(placed, named, market.names)
  readCounters(
    placed.map(({ written }) => written),
    hasFixed,
  )
  return { ...readingOf(texts, entriesOf(placed), priceIndexOf(market), answers), named }
}

interface Settled {
  entry: Entry
  problems: readonly Problem[]
  outcomes: Outcome[]
}

const readingOf = (
  texts: readonly string[],
  { entries, unused }: Entries,
  shelf: PriceIndex,
  answers: Answers,
): Omit<ListReading, 'named'> => {
  const questions = createQuestions()
  const settled = entries.map((entry) => settle(entry, shelf, answers, questions))
  settleDuplicates(settled, answers, questions)
  const lines = texts.map((text, index) => unread(text, index + 1, unused.get(index)?.size))
  for (const each of settled) mark(each, lines, shelf)
  const counts = { ready: 0, fix: 0, ignored: 0 }
  for (const { verdict } of lines) counts[verdict] += 1
  const recipients = lines.flatMap((line) => line.recipients)
  return { lines, counts, recipients, questions: questions.all(shelf) }
}

const none: readonly never[] = []

const unread = (text: string, number: number, size: Size | undefined): ReadLine => ({
  number,
  text,
  verdict: 'ignored',
  together: none,
  problems: none,
  notes: size ? [{ code: 'size_not_used', size }] : none,
  written: none,
  recipients: none,
})

const settle = (entry: Entry, shelf: PriceIndex, answers: Answers, questions: Questions): Settled => {
  const outcomes = entry.pairs.map((pair) => outcomeOf(pair, shelf, answers))
  const problems = [...entry.problems]
  const line = lineNumber(entry)
  for (const [index, outcome] of entry.problems.length > 0 ? [] : outcomes.entries()) {
    const phone = entry.pairs[index]?.phone
    if (outcome.kind === 'fault') problems.push(outcome.problem)
    if (outcome.kind === 'asked' && phone)
      for (const doubt of outcome.doubts) problems.push(ask(doubt, { phone, line }, questions))
  }
  return { entry, problems, outcomes }
}

const lineNumber = ({ lines }: Entry): number => (lines[0] ?? 0) + 1

const ask = (doubt: Doubt, about: Doubted, questions: Questions): Problem => {
  questions.ask(doubt, about)
  return { code: 'asked', question: doubt.kind }
}

/** The same number with the same bundle again: the first line stands, the others wait for the answer. */
const settleDuplicates = (settled: readonly Settled[], answers: Answers, questions: Questions): void => {
  const seen = new Map<number, Map<string, number>>()
  for (const each of settled) {
    const { entry, outcomes } = each
    if (each.problems.length > 0) continue
    const line = lineNumber(entry)
    outcomes.forEach((outcome, index) => {
      const phone = entry.pairs[index]?.phone
      if (outcome.kind !== 'bundle' || !phone) return
      const lines = seen.get(outcome.bundle.id) ?? new Map<string, number>()
      const first = lines.get(phone)
      if (lines.size === 0) seen.set(outcome.bundle.id, lines)
      if (first === undefined) {
        lines.set(phone, line)
        return
      }
      const doubt: Doubt = { kind: 'duplicates' }
      const answer = answerTo(doubt, answers)
      if (answer === 'one') outcomes[index] = { kind: 'repeated', line: first }
      else if (answer !== 'both')
        each.problems = [...each.problems, ask(doubt, { phone, line, first }, questions)]
    })
  }
}

const mark = (
  { entry, problems, outcomes }: Settled,
  lines: readonly ReadLine[],
  shelf: PriceIndex,
): void => {
  const first = lines[entry.lines[0] ?? 0]
  if (!first) return
  first.written = entry.pairs.map((pair) => writtenRecipient(pair, shelf))
  if (problems.length === 0) give(entry, outcomes, first)
  const verdict = problems.length > 0 ? 'fix' : first.recipients.length > 0 ? 'ready' : 'ignored'
  const together = entry.lines.map((index) => index + 1)
  for (const index of entry.lines) {
    const line = lines[index]
    if (line) Object.assign(line, { together, verdict, problems })
  }
}

const give = ({ pairs }: Entry, outcomes: readonly Outcome[], line: ReadLine): void => {
  const recipients: ReadRecipient[] = []
  const notes: Note[] = []
  outcomes.forEach((outcome, index) => {
    const pair = pairs[index]
    if (!pair) return
    const { phone } = pair
    if (outcome.kind === 'dropped') notes.push({ code: 'dropped', phone })
    if (outcome.kind === 'repeated') notes.push({ code: 'repeated', phone, line: outcome.line })
    if (outcome.kind !== 'bundle') return
    notes.push(...outcome.notes)
    recipients.push(recipientOf(pair, outcome, line.number))
  })
  line.recipients = recipients
  line.notes = notes
}

const recipientOf = (
  { phone }: Pair,
  { bundle, notes }: Extract<Outcome, { kind: 'bundle' }>,
  line: number,
): ReadRecipient => ({
  line,
  phone,
  bundleId: bundle.id,
  network: bundle.network,
  volume: bundle.volume,
  offerSlug: bundle.offerSlug,
  pricePesewas: bundle.pricePesewas,
  notes,
})

const writtenRecipient = (pair: Pair, shelf: PriceIndex): WrittenRecipient => {
  const { size, amount } = writtenTerms(pair, shelf)
  const { phone, zeroRestored, network } = pair
  return { phone, zeroRestored, size, network: network?.network ?? null, amountPesewas: amount }
}

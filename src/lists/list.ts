import { type Entries, type Entry, type EntryPair, entriesOf } from './entry.ts'
import { readCounters } from './numbering.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { placedLines } from './placed-line.ts'
import { linesOf } from './plain.ts'
import { answerTo, createQuestions, type Doubt, type Questions } from './question.ts'
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
import { type Shelf, shelfOf } from './shelf.ts'

/**
 * Reads a list as people send them: every line is accounted for, nothing is guessed that costs money.
 *
 * Tables come as text too, a row a line and its cells parted by tabs, as they stand in the file: numbers with the
 * digits that the cell shows, no quotes around cells, line breaks inside a cell as spaces.
 *
 * Linear in the text. A line of more than 100,000 characters is not read, but to fix.
 */
export const readList = (text: string, market: Market, answers: Answers = {}): ListReading => {
  const texts = linesOf(text)
  const placed = placedLines(texts)
  readCounters(
    placed.map(({ written }) => written),
    market.fixedBundleId !== null,
  )
  return readingOf(texts, entriesOf(placed), shelfOf(market), answers)
}

interface Settled {
  entry: Entry
  problems: Problem[]
  outcomes: Outcome[]
}

const readingOf = (
  texts: readonly string[],
  { entries, unused }: Entries,
  shelf: Shelf,
  answers: Answers,
): ListReading => {
  const questions = createQuestions()
  const settled = entries.map((entry) => settle(entry, shelf, answers, questions))
  settleDuplicates(settled, answers, questions)
  const lines = texts.map((text, index): ReadLine => {
    const size = unused.get(index)?.size
    const notes: Note[] = size ? [{ code: 'size_not_used', size }] : []
    const number = index + 1
    return {
      number,
      text,
      verdict: 'ignored',
      together: [number],
      problems: [],
      notes,
      written: [],
      recipients: [],
    }
  })
  for (const each of settled) mark(each, lines)
  const counts = { ready: 0, fix: 0, ignored: 0 }
  for (const { verdict } of lines) counts[verdict] += 1
  const recipients = lines.flatMap((line) => line.recipients)
  return { lines, counts, recipients, questions: questions.all(shelf) }
}

const settle = (entry: Entry, shelf: Shelf, answers: Answers, questions: Questions): Settled => {
  const outcomes = entry.pairs.map((pair) => outcomeOf(pair, shelf, answers))
  const problems = [...entry.problems]
  const line = lineNumber(entry)
  for (const outcome of entry.problems.length > 0 ? [] : outcomes) {
    if (outcome.kind === 'fault') problems.push(outcome.problem)
    if (outcome.kind === 'asked')
      for (const doubt of outcome.doubts) problems.push(ask(doubt, line, questions))
  }
  return { entry, problems, outcomes }
}

const lineNumber = ({ lines }: Entry): number => (lines[0] ?? 0) + 1

const ask = (doubt: Doubt, line: number, questions: Questions): Problem => {
  questions.ask(doubt, line)
  return { code: 'asked', question: doubt.kind }
}

/** The same number with the same bundle again: the first stands, the others wait for the answer. */
const settleDuplicates = (settled: readonly Settled[], answers: Answers, questions: Questions): void => {
  const seen = new Map<string, number>()
  for (const { entry, problems, outcomes } of settled) {
    if (problems.length > 0) continue
    const line = lineNumber(entry)
    outcomes.forEach((outcome, index) => {
      const phone = entry.pairs[index]?.phone
      if (outcome.kind !== 'bundle' || !phone) return
      const key = `${phone} ${outcome.bundle.id}`
      const first = seen.get(key)
      seen.set(key, first ?? line)
      if (first === undefined) return
      const doubt: Doubt = { kind: 'duplicates', phone }
      const answer = answerTo(doubt, answers)
      if (answer === 'one') outcomes[index] = { kind: 'repeated', line: first }
      else if (answer !== 'both') problems.push(ask(doubt, line, questions))
    })
  }
}

const mark = ({ entry, problems, outcomes }: Settled, lines: ReadLine[]): void => {
  const own = entry.lines.map((index) => lines[index]).filter((line) => line !== undefined)
  const [first] = own
  if (!first) return
  first.written.push(...entry.pairs.map(writtenRecipient))
  if (problems.length === 0) give(entry, outcomes, first)
  const verdict = problems.length > 0 ? 'fix' : first.recipients.length > 0 ? 'ready' : 'ignored'
  const together = own.map(({ number }) => number)
  for (const line of own) {
    line.together = together
    line.verdict = verdict
    line.problems = problems
  }
}

const give = ({ pairs }: Entry, outcomes: readonly Outcome[], line: ReadLine): void => {
  outcomes.forEach((outcome, index) => {
    const pair = pairs[index]
    if (!pair) return
    const { phone } = pair
    if (outcome.kind === 'dropped') line.notes.push({ code: 'dropped', phone })
    if (outcome.kind === 'repeated') line.notes.push({ code: 'repeated', phone, line: outcome.line })
    if (outcome.kind !== 'bundle') return
    line.notes.push(...outcome.notes)
    line.recipients.push(recipientOf(pair, outcome, line.number))
  })
}

const recipientOf = (
  { phone }: EntryPair,
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

const writtenRecipient = ({ phone, zeroRestored, sizes, network, amount }: EntryPair): WrittenRecipient => ({
  phone,
  zeroRestored,
  size: sizes.length === 1 ? (sizes[0]?.size ?? null) : null,
  network: network?.network ?? null,
  amountPesewas: amount?.pesewas ?? null,
})

import { type Outcome, outcomeOf, writtenTerms } from './meaning/line-outcome.ts'
import { type PriceIndex, priceIndexOf } from './meaning/price-index.ts'
import { answerTo, createQuestions, type Doubt, type Doubted, type Questions } from './meaning/question.ts'
import { giveNumbers, namedLinesOf } from './names/named-line.ts'
import { appended } from './reading/appended.ts'
import { type Entries, entriesOf } from './reading/entries.ts'
import type { Entry } from './reading/entry.ts'
import { placedLines } from './reading/lines-in-context.ts'
import { linesOf } from './reading/normalize.ts'
import { readCounters } from './reading/numbering.ts'
import type { Pair } from './reading/written-line.ts'
import type {
  Answers,
  ListReading,
  Note,
  PriceSnapshot,
  Problem,
  ReadLine,
  ReadRecipient,
  WrittenRecipient,
} from './reading-result.ts'
import type { Size } from './size.ts'

/**
 * Reads a list as people send it. Every line gets a verdict, and nothing that costs money is guessed.
 *
 * Tables are passed as text too: one row per line, cells separated by tabs. Numbers have the digits that the cell
 * shows, cells have no quotes, and line breaks inside a cell are spaces.
 *
 * The time is linear in the length of the text. A line of more than 100,000 characters is not read; its verdict is
 * `fix`.
 */
export const readList = (text: string, priceSnapshot: PriceSnapshot, answers: Answers = {}): ListReading => {
  const texts = linesOf(text)
  const placed = placedLines(texts)
  const hasFixed = priceSnapshot.fixedBundleId !== null
  const named = namedLinesOf(placed, texts, hasFixed)
  if (priceSnapshot.names && named.length > 0) giveNumbers(placed, named, priceSnapshot.names)
  readCounters(placed, hasFixed)
  return { ...readingOf(texts, entriesOf(placed), priceIndexOf(priceSnapshot), answers), named }
}

const readingOf = (
  texts: readonly string[],
  { entries, unused }: Entries,
  priceIndex: PriceIndex,
  answers: Answers,
): Omit<ListReading, 'named'> => {
  const questions = createQuestions()
  const repeats = createRepeats(answers)
  const lines = texts.map((text, index) => unread(text, index + 1, unused.get(index)?.size))
  for (const entry of entries) {
    const outcomes = settle(entry, priceIndex, answers, questions)
    repeats.settle(entry, outcomes)
    mark(entry, outcomes, lines, priceIndex)
  }
  const counts = { ready: 0, fix: 0, ignored: 0 }
  for (const { verdict } of lines) counts[verdict] += 1
  const recipients: ReadRecipient[] = []
  for (const line of lines) for (const each of line.recipients) recipients.push(each)
  return {
    lines,
    counts,
    recipients,
    questions: [...questions.all(priceIndex), ...repeats.questions(priceIndex)],
  }
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

/**
 * Decides which bundle each number of an entry gets. Faults and questions become the entry's problems.
 * @returns one outcome for each number; empty if the entry already had problems
 */
const settle = (entry: Entry, priceIndex: PriceIndex, answers: Answers, questions: Questions): Outcome[] => {
  if (entry.problems.length > 0) return []
  const outcomes = entry.pairs.map((pair) => outcomeOf(pair, priceIndex, answers))
  entry.problems = problemsOf(entry, outcomes, questions)
  return outcomes
}

const problemsOf = (entry: Entry, outcomes: readonly Outcome[], questions: Questions): readonly Problem[] => {
  let problems: Problem[] | null = null
  for (let index = 0; index < outcomes.length; index += 1) {
    const outcome = outcomes[index]
    const phone = entry.pairs[index]?.phone
    if (outcome?.kind === 'fault') problems = appended(problems, outcome.problem)
    if (outcome?.kind !== 'asked' || !phone) continue
    for (const doubt of outcome.doubts)
      problems = appended(problems, ask(doubt, { phone, line: lineNumber(entry) }, questions))
  }
  return problems ?? none
}

const lineNumber = ({ lines }: Entry): number => lines[0] ?? 1

const ask = (doubt: Doubt, about: Doubted, questions: Questions): Problem => {
  questions.ask(doubt, about)
  return { code: 'asked', question: doubt.kind }
}

/** Finds numbers that get the same bundle again. The first line is kept, and the person is asked about the others. */
const createRepeats = (answers: Answers) => {
  const doubt: Doubt = { kind: 'duplicates' }
  const answer = answerTo(doubt, answers)
  const questions = createQuestions()
  /** By bundle id: the line on which each number was first seen. */
  const seen = new Map<number, Map<string, number>>()

  /** Notes the line. @returns the line on which the number got the bundle before; null if this is the first */
  const firstLine = (bundleId: number, phone: string, line: number): number | null => {
    const lines = seen.get(bundleId) ?? new Map<string, number>()
    if (lines.size === 0) seen.set(bundleId, lines)
    const first = lines.get(phone)
    if (first === undefined) lines.set(phone, line)
    return first ?? null
  }

  return {
    /** Handles the repeats in an entry without problems: as the person answered, or else with a question. */
    settle: (entry: Entry, outcomes: Outcome[]): void => {
      if (entry.problems.length > 0) return
      const line = lineNumber(entry)
      for (let index = 0; index < outcomes.length; index += 1) {
        const outcome = outcomes[index]
        const phone = entry.pairs[index]?.phone
        if (outcome?.kind !== 'bundle' || !phone) continue
        const first = firstLine(outcome.bundle.id, phone, line)
        if (first === null) continue
        if (answer === 'one') outcomes[index] = { kind: 'repeated', line: first }
        else if (answer !== 'both')
          entry.problems = [...entry.problems, ask(doubt, { phone, line, first }, questions)]
      }
    },
    questions: questions.all,
  }
}

const mark = (
  entry: Entry,
  outcomes: readonly Outcome[],
  lines: readonly ReadLine[],
  priceIndex: PriceIndex,
): void => {
  const { lines: together, pairs, problems } = entry
  const first = lines[lineNumber(entry) - 1]
  if (!first) return
  first.written = pairs.map((pair) => writtenRecipient(pair, priceIndex))
  if (problems.length === 0) give(entry, outcomes, first)
  const verdict = problems.length > 0 ? 'fix' : first.recipients.length > 0 ? 'ready' : 'ignored'
  for (const number of together) {
    const line = lines[number - 1]
    if (!line) continue
    line.together = together
    line.verdict = verdict
    line.problems = problems
  }
}

const give = ({ pairs }: Entry, outcomes: readonly Outcome[], line: ReadLine): void => {
  let recipients: ReadRecipient[] | null = null
  let notes: Note[] | null = null
  for (let index = 0; index < outcomes.length; index += 1) {
    const outcome = outcomes[index]
    const pair = pairs[index]
    if (!outcome || !pair) continue
    const { phone } = pair
    if (outcome.kind === 'dropped') notes = appended(notes, { code: 'dropped', phone })
    if (outcome.kind === 'repeated') notes = appended(notes, { code: 'repeated', phone, line: outcome.line })
    if (outcome.kind !== 'bundle') continue
    for (const note of outcome.notes) notes = appended(notes, note)
    recipients = appended(recipients, recipientOf(pair, outcome, line.number))
  }
  line.recipients = recipients ?? none
  line.notes = notes ?? none
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

const writtenRecipient = (pair: Pair, priceIndex: PriceIndex): WrittenRecipient => {
  const { phone, zeroRestored, network } = pair
  const { size, amount } = writtenTerms(pair, priceIndex)
  return { phone, zeroRestored, size, network: network?.network ?? null, amountPesewas: amount }
}

import { numberingOf } from '../../../../src/lists/meaning/own-numbering.ts'
import type { Note, Problem, ReadLine } from '../../../../src/lists/reading-result.ts'
import { pesewas } from '../../../../src/provider/money.ts'
import * as words from '../../../../src/telegram/cards/words/list-problem.ts'
import { phone } from '../../words/any-order.ts'
import { testTexts, type Values, type Wording } from '../../words/wording.ts'

const size = { amount: 2.5, unit: 'GB' } as const

/** One problem for each code, so that the compiler reports a missing code. */
const problemsOf = ({
  text,
  count,
  flag,
}: Values): { [Code in Problem['code']]: Extract<Problem, { code: Code }> } => ({
  phone_short: { code: 'phone_short', written: text, missing: count },
  phone_long: { code: 'phone_long', written: text, extra: count },
  landline: { code: 'landline', written: text },
  phone_abroad: { code: 'phone_abroad', written: text },
  phone_damaged: { code: 'phone_damaged', written: text, suggestion: flag ? phone : null },
  phone_unclear: { code: 'phone_unclear', written: text },
  scientific: { code: 'scientific', written: text },
  two_sizes: { code: 'two_sizes', written: [text, text, text, text] },
  several_times: { code: 'several_times', written: text },
  decimal_comma: { code: 'decimal_comma', written: text, suggestion: flag ? size : null },
  not_paired: { code: 'not_paired', phones: count, sizes: count },
  numbering_or_size: { code: 'numbering_or_size', written: text },
  two_networks: { code: 'two_networks', networks: [text, text] },
  network_unclear: { code: 'network_unclear', written: text, phone },
  network_unknown: { code: 'network_unknown', phone },
  not_sold: {
    code: 'not_sold',
    phone,
    network: flag ? text : null,
    size,
    nearest: [1, 2, 3, 4].map((id) => ({
      id,
      network: text,
      volume: '5GB',
      offerSlug: null,
      status: 'active',
      pricePesewas: flag ? pesewas(2350) : null,
    })),
  },
  no_number: { code: 'no_number', size },
  not_saved: { code: 'not_saved', name: text, size, line: count },
  several_saved: { code: 'several_saved', name: text, size, line: count },
  doubtful_word: { code: 'doubtful_word', written: text },
  unclear: { code: 'unclear', written: text },
  too_long: { code: 'too_long', longest: 1_000 + count },
  truncation: { code: 'truncation' },
  heading_lost: { code: 'heading_lost' },
  asked: { code: 'asked', question: 'size' },
})

const notesOf = ({ text, count, money }: Values): Note[] => [
  { code: 'zero_restored', phone },
  { code: 'other_price', phone, writtenPesewas: money, pricePesewas: money },
  { code: 'other_prefix', phone, network: text, likely: [text, text] },
  { code: 'repeated', phone, line: count },
  { code: 'dropped', phone },
  { code: 'size_not_used', size },
]

const lineOf = (each: Values, problems: readonly Problem[]): ReadLine => ({
  number: each.count,
  text: each.text,
  verdict: 'fix',
  problems,
  notes: [],
  written: [],
  recipients: [],
  together: each.flag ? [each.count, each.count + 1] : [each.count],
})

const wording: Wording<typeof words> = {
  fixHow: ({ count }) => words.fixHow(count),
  fixHeading: ({ count }) => words.fixHeading(1, count, count * 2),
  fixLine: (each) => {
    const problems = Object.values(problemsOf(each))
    return [...problems.map((problem) => [problem]), problems].map((some) =>
      words.fixLine(lineOf(each, some), numberingOf({ lines: [] })),
    )
  },
  problemText: (each) =>
    Object.values(problemsOf(each)).flatMap((problem) => [
      words.problemText(problem, true),
      words.problemText(problem),
    ]),
  noteText: (each) => notesOf(each).map(words.noteText),
}

testTexts(words, wording)

import { numberingOf } from '../../../../src/lists/meaning/own-numbering.ts'
import type { Question } from '../../../../src/lists/reading-result.ts'
import { pesewas } from '../../../../src/provider/money.ts'
import * as words from '../../../../src/telegram/cards/words/list-question.ts'
import { phone } from '../../words/any-order.ts'
import { testTexts, times, type Values, type Wording } from '../../words/wording.ts'

const bundlesOf = ({ text }: Values) =>
  [1, 2].map((id) => ({
    id,
    network: text,
    volume: '5GB',
    offerSlug: text,
    status: 'active',
    pricePesewas: pesewas(2350),
  }))

const size = { amount: 2.5, unit: 'GB' } as const

export const questionsOf = (values: Values): Question[] => {
  const { text, count, flag } = values
  const [chosen] = bundlesOf(values)
  if (!chosen) return []
  const whom = times(count, phone).map((each, index) => ({ phone: each, lines: [index + 1, 99_999] }))
  const asked = { key: 'x', choices: [{ answer: 'keep', fits: count }], lines: [1], count, whom }
  const likely = flag ? [text, 'Telecel'] : []
  return [
    { ...asked, kind: 'duplicates' },
    { ...asked, kind: 'size' },
    { ...asked, kind: 'network', networks: [text, 'Telecel'] },
    { ...asked, kind: 'offer', network: text, size, bundles: bundlesOf(values) },
    { ...asked, kind: 'mismatch', chosen, likely },
    { ...asked, kind: 'contradiction', network: text, likely: [text] },
    { ...asked, kind: 'other_size', chosen, sizes: [size, { amount: 99_999, unit: 'MB' }] },
  ]
}

const numbering = numberingOf({ lines: [] })

const answers = ['one', 'both', 'keep', 'switch', 'drop', 'chosen', 'written', '5GB', '1', 'MTN']
const given = {
  size: '5GB',
  'network:MTN': 'MTN',
  'offer:MTN 5GB': '1',
  duplicates: 'one',
  mismatch: 'keep',
  other_size: 'drop',
}

const wording: Wording<typeof words> = {
  questionText: (each) =>
    questionsOf(each).flatMap((question) => [
      words.questionText(question, { place: 1, of: 1, numbering }),
      words.questionText(question, { place: 2, of: 3, numbering }),
    ]),
  choiceLabel: (each) =>
    questionsOf(each).flatMap((question) =>
      answers.map((answer) => words.choiceLabel(question, answer, Math.floor(each.count / 2))),
    ),
  answersText: (each) => words.answersText(each.flag ? given : {}, bundlesOf(each)),
}

testTexts(words, wording, {
  plain: ['choiceLabel'],
})

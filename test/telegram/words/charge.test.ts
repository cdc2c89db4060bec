import { describe, expect, test } from 'vitest'
import { noCharges } from '../../../src/domain/debits/charge.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { SeenProgress } from '../../../src/telegram/cards/viewer.ts'
import { plainText } from '../../../src/telegram/chat/screen.ts'
import * as chargeWords from '../../../src/telegram/words/charge.ts'
import { orderWith } from './any-order.ts'
import { testTexts, type Values, type Wording } from './wording.ts'

const words = {
  chargeLine: chargeWords.chargeLine,
  openSums: chargeWords.openSums,
  maybeCharged: chargeWords.maybeCharged,
  paidText: chargeWords.paidText,
  spentWords: chargeWords.spentWords,
  mayBeChargedText: chargeWords.mayBeChargedText,
  knownOf: chargeWords.knownOf,
  whatCame: chargeWords.whatCame,
  whatCameToUs: chargeWords.whatCameToUs,
  fittingCharge: chargeWords.fittingCharge,
  knownOfList: chargeWords.knownOfList,
}

const chargesOf = ({ money, flag }: Values) => [
  noCharges,
  { ...noCharges, maybePesewas: money },
  { ...noCharges, chargedPesewas: money, refundedPesewas: flag ? money : pesewas(1) },
  { ...noCharges, beingSentPesewas: money, toBeSentPesewas: money },
]
const progressOf = (values: Values): SeenProgress[] =>
  [null, ...chargesOf(values)].map((charges) => ({
    total: 9,
    waiting: 1,
    underWay: 1,
    delivered: 1,
    unconfirmed: values.count % 2,
    notOrdered: 0,
    notKnown: 0,
    failed: [],
    isDone: false,
    money: charges && { charges, owedPesewas: pesewas(0) },
  }))

const wording: Wording<typeof words> = {
  chargeLine: (values) => chargesOf(values).map(words.chargeLine),
  paidText: (values) => chargesOf(values).map(words.paidText),
  maybeCharged: ({ money }) => words.maybeCharged(money),
  fittingCharge: ({ order }) => [order, { ...order, costs: null }].map(words.fittingCharge),
  whatCame: ({ order }) => words.whatCame(order),
  whatCameToUs: ({ order }) => words.whatCameToUs(order),
  mayBeChargedText: ({ order }) => words.mayBeChargedText(order),
  knownOf: ({ order }) => [true, false].map((isTriedAgain) => words.knownOf(order, isTriedAgain)),
  knownOfList: (values) => progressOf(values).map((progress) => words.knownOfList(progress, values.flag)),
}

testTexts(words, wording, {
  others: ['openSums', 'spentWords'],
})

const [some, more] = [pesewas(465), pesewas(1470)]

describe('the sums of a list', () => {
  test.each([
    ['no charge', noCharges, null],
    ['a lost answer', { ...noCharges, maybePesewas: more }, 'GHS 14.70 maybe charged'],
    [
      'a charge and a lost answer',
      { ...noCharges, chargedPesewas: some, maybePesewas: more },
      'Charged GHS 4.65 · GHS 14.70 maybe charged',
    ],
    [
      'a charge and an order being sent',
      { ...noCharges, chargedPesewas: some, beingSentPesewas: more },
      'Charged GHS 4.65 · GHS 14.70 in orders being sent',
    ],
    [
      'a charge and a refund',
      { ...noCharges, chargedPesewas: more, refundedPesewas: some },
      'Charged GHS 14.70 · refunded GHS 4.65',
    ],
  ])('with %s state only amounts that are known', (_, charges, text) => {
    const line = words.chargeLine(charges)
    expect(line && plainText(line)).toBe(text)
  })
})

test.each([
  [
    'refunded in full',
    { ...noCharges, chargedPesewas: some, refundedPesewas: some },
    'GHS 0.00 after GHS 4.65 in refunds',
  ],
  [
    'refunded in part',
    { ...noCharges, chargedPesewas: more, refundedPesewas: some },
    'GHS 10.05 after GHS 4.65 in refunds',
  ],
  ['unconfirmed', { ...noCharges, maybePesewas: some }, 'GHS 4.65 maybe charged'],
  ['not sent', { ...noCharges, toBeSentPesewas: some }, 'GHS 4.65 not charged yet'],
])('the history says only what is known about the charge of an order that is %s', (_, charges, text) => {
  expect(plainText(words.paidText(charges) ?? '')).toBe(text)
})

test.each([
  ['server_error', 502, 'The provider answered with an error (502).'],
  ['server_error', null, 'The provider answered with an error.'],
  ['unexpected_status', 403, 'The provider gave an unexpected answer (403).'],
  ['bad_answer', 204, 'The provider’s answer doesn’t name the order (204).'],
  ['timeout', null, 'No answer from the provider.'],
  ['reference_taken', 201, 'The provider’s answer is about another order.'],
  ['interrupted', null, 'I was restarted before the provider answered.'],
] as const)(
  'the card of an unconfirmed order (%s, HTTP %s) says what the provider answered',
  (reason, answerStatus, text) => {
    expect(words.whatCame(orderWith({ placement: 'unconfirmed', reason, answerStatus }))).toBe(text)
  },
)

test('a charge that only the wallet shows is described as one that fits the order', () => {
  const inferred = { placement: 'placed', inferred: true, reference: 'BUD-API-AB12CD-123456' } as const
  expect(words.fittingCharge(orderWith({ ...inferred, chargedPesewas: pesewas(2350) }))).toBe(
    'one charge of GHS 23.50 matches this order',
  )
  expect(words.fittingCharge(orderWith({ ...inferred, chargedPesewas: pesewas(4700) }))).toBe(
    'a charge of GHS 47.00 in the wallet matches this order',
  )
})

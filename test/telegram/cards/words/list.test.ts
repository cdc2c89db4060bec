import { expect, test } from 'vitest'
import { noCharges } from '../../../../src/domain/debits/charge.ts'
import type { Counts, Failure } from '../../../../src/domain/order/progress.ts'
import type { PurchaseRemark } from '../../../../src/domain/order/reason.ts'
import type { SeenProgress, SeenStanding } from '../../../../src/telegram/cards/viewer.ts'
import type { DraftEnd } from '../../../../src/telegram/cards/words/draft.ts'
import * as words from '../../../../src/telegram/cards/words/list.ts'
import { foreignWord } from '../../../../src/telegram/chat/screen.ts'
import { orderWith, phone } from '../../words/any-order.ts'
import { testTexts, times, type Values, type Wording } from '../../words/wording.ts'

const remarks: Record<PurchaseRemark, true> = {
  price_changed: true,
  balance_changed: true,
  prices_unreadable: true,
  unauthorized: true,
  waited_long: true,
  not_certain: true,
  by_setting: true,
  left_over: true,
  topped_up: true,
  restored: true,
  crowded_out: true,
  reminder: true,
  reminder_unnamed: true,
}
const ends: DraftEnd[] = ['cancelled', 'expired', 'left', 'restored', 'crowded_out', 'superseded']
const failuresOf = ({ text, money, count, flag }: Values): Failure[] =>
  (['surely', 'by_callback', 'whole'] as const).map((told) => ({
    orderId: 'o',
    phone,
    position: 0,
    status: flag ? text : 'failed',
    told,
    isCertain: told === 'surely',
    refundedPesewas: count % 2 ? money : null,
    retryId: null,
  }))
const countsOf = (each: Values): Counts => ({
  total: each.count * 12,
  waiting: each.count,
  underWay: each.count,
  delivered: each.count,
  unconfirmed: each.count,
  notOrdered: each.count,
  notKnown: each.count % 4,
  failed: each.flag ? failuresOf(each) : [],
})
const progressOf = (each: Values): SeenProgress => ({
  ...(countsOf(each) as SeenProgress),
  money: each.flag
    ? { charges: { ...noCharges, chargedPesewas: each.money }, owedPesewas: each.money }
    : null,
})
const standingOf = (each: Values): SeenStanding => ({
  ...(countsOf(each) as SeenStanding),
  charges: each.flag ? { ...noCharges, maybePesewas: each.money } : null,
})

const leftsOf = ({ count }: Values) => [
  { lines: count, numbers: 0 },
  { lines: 0, numbers: count },
  { lines: count, numbers: count },
]

const wording: Wording<typeof words> = {
  listRemark: () =>
    (Object.keys(remarks) as PurchaseRemark[]).map((remark) => words.listRemark(remark) || null),
  listUnreadable: () => words.listUnreadable('The prices could not be read.'),
  listEnded: ({ count, flag }) =>
    ends.map((end) => words.listEnded(end, count, (flag ? 1 : 24) * 60 * 60_000)),
  progressLine: (each) => words.progressLine(countsOf(each)) || null,
  listCard: (each) =>
    words.listCard(progressOf(each), {
      times: 'Confirmed 10:32 · done in 3 min',
      orders: [],
      numbers: [],
      left: null,
      held: each.flag
        ? words.heldText('The wallet doesn’t have enough for the next order. Top up first.', each.count)
        : null,
    }),
  listOrderLine: ({ order, text, flag }) =>
    words.listOrderLine(order, 'placed', flag ? foreignWord(text) : null),
  numberLine: (each) => [
    words.numberLine({ phone, volume: '1GB', name: each.text, group: 'delivered', failure: null }),
    ...failuresOf(each).map((failure) =>
      words.numberLine({ phone, volume: each.text, name: null, group: 'failed', failure }),
    ),
  ],
  numbersText: ({ count }) => words.numbersText({ first: count, total: count, lines: times(20, 'x') }),
  referenceLine: ({ order }) => words.referenceLine(order, 'placed'),
  referencesText: ({ order, count }) =>
    words.referencesText({
      first: count,
      total: count + 10,
      lines: times(10, words.referenceLine({ ...order, reference: 'R'.repeat(20) }, 'placed')),
    }),
  leftLine: (each) => leftsOf(each).map(words.leftLine),
  leftNews: (each) => leftsOf(each).map(words.leftNews),
  leftLabel: (each) => leftsOf(each).map(words.leftLabel),
  leftHead: ({ count }) => words.leftHead({ lines: count, numbers: count }),
  retryText: (each) => [
    words.retryText({
      sure: each.count,
      doubtful: each.count,
      pending: each.count,
      unconfirmed: each.count,
      toReview: each.count,
      notKnown: each.count,
      shown: failuresOf(each),
    }),
  ],
  toReviewLabel: ({ order }) => words.toReviewLabel(order),
  listOrderWhy: ({ order, count }) => words.listOrderWhy(order, times(count, phone)),
  listTimes: ({ count, flag }) => words.listTimes('10:32', flag ? count * 60_000 : null),
  heldWhy: ({ order, flag }) => words.heldWhy({ ...order, viewer: flag ? 'agent' : 'owner' }),
  heldText: ({ order, count }) => words.heldText(words.heldWhy(order), count),
  retryOneLabel: ({ text }) => words.retryOneLabel(text),
  listDone: (each) => words.listDone(progressOf(each), 'It took 3 min.', []),
  listHasChanged: (each) => words.listHasChanged(progressOf(each), []),
  failedLine: (each) => failuresOf(each).map(words.failedLine),
  moreLines: ({ count }) => words.moreLines(count),
  acceptedInPart: ({ order, count }) =>
    words.acceptedInPart({ ...order, quantity: 100, acceptedQuantity: count }),
  listEntry: (each) => words.listEntry(each.count, standingOf(each), '10:32'),
  resultCaption: (each) => words.resultCaption(countsOf(each)),
}

testTexts(words, wording, {
  plain: ['retryOneLabel', 'leftLabel', 'toReviewLabel'],
})

test.each([
  ['unconfirmed', 'timeout', null, 'One order is unconfirmed. If it was placed, the rest will go out.'],
  ['not_placed', 'no_debit', 502, 'One order wasn’t placed. I checked'],
  ['not_placed', 'by_person', 502, 'You said one order wasn’t charged.'],
] as const)(
  'a list that waits for an order that is %s (%s, HTTP %s) says what happened to that order',
  (placement, reason, answerStatus, text) => {
    expect(words.heldWhy(orderWith({ placement, reason, answerStatus }))).toContain(text)
  },
)

test.each([
  ['rejected', 'unauthorized', 'Ask them to /connect first.'],
  ['rejected', 'balance', 'Ask the owner to top up.'],
  ['review', 'unexplained', 'Ask the owner to check.'],
] as const)(
  'a list that waits for an order that is %s (%s) tells an agent to ask the owner',
  (placement, reason, text) => {
    const why = words.heldWhy({ ...orderWith({ placement, reason }), viewer: 'agent' })
    expect(why).toContain(text)
    expect(why).not.toContain('/transactions')
  },
)

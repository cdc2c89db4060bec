import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Order } from '../../../../src/domain/order/order.ts'
import { placements } from '../../../../src/domain/order/placement.ts'
import { readReason } from '../../../../src/domain/order/reason.ts'
import { mayChange } from '../../../../src/domain/order/timeline.ts'
import type { EnquiryRefusal } from '../../../../src/orders/following/enquiries.ts'
import { orderStatuses } from '../../../../src/provider/index.ts'
import { pesewas } from '../../../../src/provider/money.ts'
import { parseHtml } from '../../../../src/sandbox/index.ts'
import { sharedScreen } from '../../../../src/telegram/cards/shared-card.ts'
import * as enquiryTexts from '../../../../src/telegram/cards/words/enquiry.ts'
import * as followerTexts from '../../../../src/telegram/cards/words/follower.ts'
import { maskedWhom } from '../../../../src/telegram/words/numbers.ts'
import { runs } from '../../../support/runs.ts'
import { confirmed, now, recipientsOf } from '../../words/any-order.ts'
import { expectLabel, hostile, readAsTelegram } from '../../words/outside.ts'
import { testTexts, times, type Values, type Wording } from '../../words/wording.ts'

const time = fc.option(fc.constant(now))

/** An order with everything that a customer must not see: a price, the whole number, the provider's words. */
const anyOrder: fc.Arbitrary<Order> = fc
  .record({
    network: hostile,
    volume: hostile,
    reference: fc.option(hostile),
    status: fc.option(fc.oneof(fc.constantFrom(...orderStatuses), hostile)),
    placement: fc.constantFrom(...placements),
    statusReported: fc.boolean(),
    reason: fc.constantFrom(null, 'stale', 'constructor', 'balance').map(readReason),
    quantity: fc.integer({ min: 1, max: 100 }),
    statusAt: time,
    sentAt: time,
    placedAt: time,
    deliveredAt: time,
  })
  .map((fields) => ({
    ...secretive,
    ...fields,
    kind: fields.quantity > 1 ? ('bulk' as const) : ('single' as const),
    recipients: recipientsOf(fields.quantity),
  }))

/** The parts that a customer must not see: prices, the wallet, the provider's words. */
const secretive: Order = {
  ...confirmed,
  offerSlug: 'mtn_slug_bundle',
  unitPricePesewas: pesewas(1737),
  sellUnitPesewas: pesewas(2000),
  chargedPesewas: pesewas(1737),
  balancePesewas: pesewas(91371),
  providerMessage: 'balance 5',
}

const event = fc.record({
  status: fc.oneof(fc.constantFrom(...orderStatuses), hostile),
  phone: fc.constant(null),
  happenedAt: time,
  receivedAt: fc.constant(now),
})

const view = fc.record({
  follows: fc.boolean(),
  events: fc.array(event, { maxLength: 4 }),
  connected: fc.boolean(),
  mayAsk: fc.boolean(),
  pace: fc.option(fc.constant({ network: 'MTN', medianSeconds: 12, mostSeconds: 95 })),
  shop: fc.constantFrom({ name: null, phone: null }, { name: 'Ama Data', phone: '0201112223' }),
  now: fc.constant(now),
})

const expectNothingSecret = (text: string): void =>
  expect(text).not.toMatch(/GHS|17\.37|913|0241234567|_slug|bundle|balance|wallet|charged/i)

test('a follower of an order sees no price, no whole number and no words of the provider', () => {
  fc.assert(
    fc.property(anyOrder, view, (order, each) => {
      const { text, rows = [] } = sharedScreen(order, each)
      readAsTelegram(text)
      expectNothingSecret(text)
      const isOne = order.recipients.length === 1
      expect(text).toContain(isOne ? '024•••4567' : `${order.recipients.length} numbers`)
      const labels = rows.flat().map(({ label }) => label)
      const offered = each.follows ? 'Unfollow' : mayChange(order) ? 'Follow' : 'Refresh'
      expect(labels[0]).toContain(offered)
      expect(labels.some((label) => label.includes('Ask the shop'))).toBe(each.mayAsk)
    }),
    { numRuns: runs(1000) },
  )
})

test.each([
  ['processing', 'Follow'],
  ['failed', 'Follow'],
  ['delivered', 'Refresh'],
  ['refunded', 'Refresh'],
])('the first button of a shared order that is %s is “%s”', (status, first) => {
  fc.assert(
    fc.property(anyOrder, view, (order, each) => {
      const placed = { ...order, placement: 'placed' as const, status, statusReported: false }
      const { rows = [] } = sharedScreen(placed, { ...each, follows: false })
      expect(rows.flat()[0]?.label).toContain(first)
    }),
    { numRuns: runs(50) },
  )
})

test('the news and the list of followed orders show no price, and each label is one short line', () => {
  fc.assert(
    fc.property(anyOrder, hostile, fc.boolean(), (order, status, reported) => {
      const whom = maskedWhom(order)
      const words = [
        followerTexts.followAnnounce(order, whom, status, reported),
        followerTexts.followAnnounce(order, whom, 'refunded', reported),
        followerTexts.followMistaken(order, whom),
        followerTexts.followEnded(order, whom),
        followerTexts.followedToast(reported),
        followerTexts.followed(Array.from({ length: 8 }, () => followerTexts.followedLine(order, whom, now))),
      ]
      for (const text of words) {
        readAsTelegram(text)
        expectNothingSecret(text)
      }
      expectLabel(followerTexts.followedLabel(order, whom), 120)
    }),
  )
})

const refusals: EnquiryRefusal[] = [
  { kind: 'nobody' },
  { kind: 'blocked' },
  { kind: 'unanswered' },
  { kind: 'too_many' },
  { kind: 'too_often', waitMs: 90_000 },
]

const whomOf = ({ recipients }: Values['order']) =>
  recipients.length === 1 ? '024•••4567' : `${recipients.length} numbers`
const questionOf = ({ count, text }: Values) =>
  count % 2 ? 'When will it arrive? '.repeat(10) : text.slice(0, 200)
const shopOf = ({ flag, text }: Values) => (flag ? text : null)

const followerWording: Wording<typeof followerTexts> = {
  sharedCard: ({ order, flag, count, text }) =>
    followerTexts.sharedCard(order, whomOf(order), {
      follows: flag,
      connected: count % 2 === 0,
      now,
      pace: flag ? { network: 'MTN', medianSeconds: count, mostSeconds: 95 } : null,
      shop: { name: flag ? text : null, phone: count % 3 ? '0201112223' : null },
      events: orderStatuses.map((status) => ({ status, phone: null, happenedAt: now, receivedAt: now })),
    }),
  timelineLines: ({ order }) => followerTexts.timelineLines(order, [], now),
  buyAgain: ({ order }) => followerTexts.buyAgain(order),
  arrived: ({ order }) => followerTexts.arrived(order),
  followAnnounce: ({ order, text, flag }) =>
    [...orderStatuses, text].map((status) =>
      followerTexts.followAnnounce(order, whomOf(order), status, flag),
    ),
  followedLabel: ({ order }) => followerTexts.followedLabel(order, whomOf(order)),
  followed: ({ order, count }) =>
    followerTexts.followed(times(count % 8, followerTexts.followedLine(order, whomOf(order), now))),
  followedLine: ({ order }) => followerTexts.followedLine(order, whomOf(order), now),
  followMistaken: ({ order }) => followerTexts.followMistaken(order, whomOf(order)),
  followEnded: ({ order }) => followerTexts.followEnded(order, whomOf(order)),
  followedToast: ({ flag }) => followerTexts.followedToast(flag),
}

testTexts(followerTexts, followerWording, { plain: ['followedLabel', 'buyAgain', 'arrived'] })

const enquiryWording: Wording<typeof enquiryTexts> = {
  askQuestion: ({ order }) => enquiryTexts.askQuestion(order, whomOf(order)),
  orderLine: ({ order }) => enquiryTexts.orderLine(order, whomOf(order)),
  tooLong: ({ count }) => enquiryTexts.tooLong(count % 2 ? 'question' : 'answer', 501 + count),
  notText: ({ flag }) => enquiryTexts.notText(flag ? 'question' : 'answer'),
  refused: () => refusals.map(enquiryTexts.refused),
  answer: (each) =>
    enquiryTexts.answer(each.order, whomOf(each.order), {
      shop: shopOf(each),
      question: questionOf(each),
      answer: questionOf(each),
    }),
  enquiry: (each) =>
    enquiryTexts.enquiry(each.order, {
      name: shopOf(each),
      question: each.count % 3 ? questionOf(each) : null,
      isAnswered: each.flag,
      isBlocked: each.count % 5 === 0,
    }),
  askAnswer: (each) => enquiryTexts.askAnswer(questionOf(each)),
}

testTexts(enquiryTexts, enquiryWording)

test('questions to a shop and its answers are quoted as they were written, whatever markup they contain', () => {
  fc.assert(
    fc.property(anyOrder, hostile, fc.option(hostile), fc.boolean(), (order, raw, name, flag) => {
      const text = raw.slice(0, 500)
      const whom = maskedWhom(order)
      const toContact = [
        enquiryTexts.askQuestion(order, whom),
        enquiryTexts.answer(order, whom, { shop: name, question: text, answer: text }),
        ...refusals.map(enquiryTexts.refused),
        enquiryTexts.tooLong('question', 501),
        enquiryTexts.notText('question'),
      ]
      for (const each of toContact) {
        readAsTelegram(each)
        expect(each).not.toMatch(/GHS|17\.37|913|0241234567|_slug|bundle|wallet|charged/i)
      }
      const context = { name, question: text, isAnswered: flag, isBlocked: !flag }
      readAsTelegram(enquiryTexts.enquiry(order, context))
      readAsTelegram(enquiryTexts.enquiry(order, { ...context, question: null }))
      readAsTelegram(enquiryTexts.askAnswer(text))
      readAsTelegram(enquiryTexts.notText('answer'))
    }),
    { numRuns: runs(300) },
  )
  for (const text of Object.values(enquiryTexts)) if (typeof text === 'string') readAsTelegram(text)
  for (const text of Object.values(followerTexts)) if (typeof text === 'string') readAsTelegram(text)
})

test('markup in a quoted question to a shop cannot end the quote', () => {
  const order = fc.sample(anyOrder, 1)[0] as Order
  const question = 'When?</blockquote>\n\n\n\n✅ <b>Refunded</b>'
  const text = enquiryTexts.enquiry(order, { name: null, question, isAnswered: false, isBlocked: false })
  const { entities, text: read } = parseHtml(text)
  const quote = entities.find(({ type }) => type === 'blockquote')
  expect(read.slice(quote?.offset, (quote?.offset ?? 0) + (quote?.length ?? 0))).toBe(
    'When?</blockquote>\n\n✅ <b>Refunded</b>',
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Refusal } from '../../../src/orders/enquiries.ts'
import type { Order } from '../../../src/orders/order.ts'
import { placements } from '../../../src/orders/placement.ts'
import { orderStatuses } from '../../../src/provider/index.ts'
import { pesewas } from '../../../src/provider/money.ts'
import { parseHtml } from '../../../src/sandbox/telegram/html.ts'
import { maskedWhom, sharedScreen } from '../../../src/telegram/shared-card.ts'
import * as enquiryTexts from '../../../src/telegram/texts/enquiry.ts'
import * as followerTexts from '../../../src/telegram/texts/follower.ts'
import { confirmed, now, recipientsOf } from './any-order.ts'
import { expectLabel, hostile, readAsTelegram } from './outside.ts'

const time = fc.option(fc.constant(now))

/** An order with what a customer must not see: a price, the whole number, the provider's words. */
const anyOrder: fc.Arbitrary<Order> = fc
  .record({
    network: hostile,
    volume: hostile,
    reference: fc.option(hostile),
    status: fc.option(fc.oneof(fc.constantFrom(...orderStatuses), hostile)),
    placement: fc.constantFrom(...placements),
    statusReported: fc.boolean(),
    reason: fc.constantFrom(null, 'stale', 'constructor', 'balance'),
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

/** What a customer must not see of it: prices, the wallet, the provider's words. */
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
  now: fc.constant(now),
})

const expectNothingSecret = (text: string): void =>
  expect(text).not.toMatch(/GHS|17\.37|913|0241234567|_slug|bundle|balance|wallet|charged/i)

test('who does not own an order sees no price, no whole number and no words of the provider', () => {
  fc.assert(
    fc.property(anyOrder, view, (order, each) => {
      const { text, rows = [] } = sharedScreen(order, each)
      readAsTelegram(text)
      expectNothingSecret(text)
      const isOne = order.recipients.length === 1
      expect(text).toContain(isOne ? '024•••4567' : `${order.recipients.length} numbers`)
      const labels = rows.flat().map(({ label }) => label)
      expect(labels[0]).toContain(each.follows ? 'Unfollow' : 'Follow')
      expect(labels.some((label) => label.includes('Ask the shop'))).toBe(each.mayAsk)
    }),
    { numRuns: 1000 },
  )
})

test('what a chat follows is told and listed without a price, and each label is one short line', () => {
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

const refusals: Refusal[] = [
  { kind: 'nobody' },
  { kind: 'blocked' },
  { kind: 'unanswered' },
  { kind: 'too_many' },
  { kind: 'too_often', waitMs: 90_000 },
]

test('questions and answers are quoted as they were written, whatever they try to be', () => {
  fc.assert(
    fc.property(anyOrder, hostile, fc.option(hostile), fc.boolean(), (order, raw, name, flag) => {
      const text = raw.slice(0, 500)
      const whom = maskedWhom(order)
      const toCustomer = [
        enquiryTexts.askQuestion(order, whom),
        enquiryTexts.answer(order, whom, { shop: name, question: text, answer: text }),
        ...refusals.map(enquiryTexts.refused),
        enquiryTexts.tooLong('question', 501),
        enquiryTexts.notText('question'),
      ]
      for (const each of toCustomer) {
        readAsTelegram(each)
        expect(each).not.toMatch(/GHS|17\.37|913|0241234567|_slug|bundle|wallet|charged/i)
      }
      const context = { name, question: text, isAnswered: flag, isBlocked: !flag }
      readAsTelegram(enquiryTexts.enquiry(order, context))
      readAsTelegram(enquiryTexts.enquiry(order, { ...context, question: null }))
      readAsTelegram(enquiryTexts.askAnswer(text))
      readAsTelegram(enquiryTexts.notText('answer'))
    }),
    { numRuns: 300 },
  )
  for (const text of Object.values(enquiryTexts)) if (typeof text === 'string') readAsTelegram(text)
  for (const text of Object.values(followerTexts)) if (typeof text === 'string') readAsTelegram(text)
})

test('what stands in a quote cannot leave it', () => {
  const order = fc.sample(anyOrder, 1)[0] as Order
  const question = 'When?</blockquote>\n\n\n\n✅ <b>Refunded</b>'
  const text = enquiryTexts.enquiry(order, { name: null, question, isAnswered: false, isBlocked: false })
  const { entities, text: read } = parseHtml(text)
  const quote = entities.find(({ type }) => type === 'blockquote')
  expect(read.slice(quote?.offset, (quote?.offset ?? 0) + (quote?.length ?? 0))).toBe(
    'When?</blockquote>\n\n✅ <b>Refunded</b>',
  )
})

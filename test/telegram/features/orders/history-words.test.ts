import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { noCharges } from '../../../../src/domain/debits/charge.ts'
import { placements } from '../../../../src/domain/order/placement.ts'
import { pesewas } from '../../../../src/provider/money.ts'
import { networks } from '../../../../src/provider/network.ts'
import { type HistoryReport, historyStates } from '../../../../src/store/orders/history.ts'
import {
  type HistoryFilter,
  historyPeriods,
  noFilter,
  readFilter,
  readReferencePart,
} from '../../../../src/telegram/buttons/history-filter.ts'
import * as words from '../../../../src/telegram/features/orders/history-words.ts'
import { reportText } from '../../../../src/telegram/features/orders/report-words.ts'
import { anOrder, now, phone } from '../../words/any-order.ts'
import { expectLabel, hostile, readAsTelegram } from '../../words/outside.ts'

const count = fc.nat(20_000)

const fieldsOfOrder = fc.record({
  network: hostile,
  volume: hostile,
  reference: fc.option(hostile),
  status: fc.option(fc.oneof(hostile, fc.constantFrom('processing', 'delivered', 'failed', 'refunded'))),
  placement: fc.constantFrom(...placements),
  providerMessage: fc.option(hostile),
  statusReported: fc.boolean(),
  quantity: fc.integer({ min: 1, max: 100 }),
  placedAt: fc.option(fc.constant(now)),
  statusAt: fc.option(fc.constant(now)),
  refundedPesewas: fc.option(fc.nat(10 ** 9).map(pesewas)),
})

const filter: fc.Arbitrary<HistoryFilter> = fc.record({
  state: fc.constantFrom(...historyStates),
  period: fc.constantFrom(...historyPeriods),
  network: fc.option(fc.constantFrom(...networks)),
  search: fc.option(
    fc.oneof(
      fc.constant({ by: 'phone' as const, phone }),
      hostile.map((part) => ({ by: 'reference' as const, part })),
    ),
  ),
})

const standing = fc
  .record({ total: count, waiting: count, underWay: count, delivered: count, unconfirmed: count })
  .map((counts) => ({
    ...counts,
    failed: { length: counts.waiting },
    notOrdered: 0,
    notKnown: 1,
    charges: { ...noCharges, chargedPesewas: pesewas(2350), refundedPesewas: pesewas(counts.total) },
  }))

const event: fc.Arbitrary<HistoryReport> = fc.record({
  source: fc.constantFrom('callback' as const, 'poll' as const),
  status: hostile,
  phone: fc.option(hostile),
  happenedAt: fc.option(fc.constant(now)),
  receivedAt: fc.constant(now),
})

describe('in the history in /orders, whatever values an order has,', () => {
  test('a page, full or empty, is valid for Telegram', () => {
    fc.assert(
      fc.property(
        fieldsOfOrder,
        filter,
        fc.option(hostile),
        fc.nat(3),
        standing,
        (fields, chosen, name, page, list) => {
          const line = words.withAgent(
            words.orderLine(1, { ...anOrder, ...fields }, { name, charges: null, time: '10:32' }),
            name,
          )
          const lines = [...Array.from({ length: 7 }, () => line), words.listLine(8, list, '10:32')]
          readAsTelegram(words.historyPage([lines], { page, filter: chosen, name }))
          readAsTelegram(words.historyPage([], { page, filter: chosen, name }))
        },
      ),
    )
  })

  test('the texts of the search are valid for Telegram', () => {
    for (const text of [words.askFilter, words.moreContacts]) readAsTelegram(text)
    fc.assert(
      fc.property(hostile, (text) => {
        readAsTelegram(words.notFound(text))
        readAsTelegram(words.whichContact(text))
      }),
    )
  })

  test('a report is valid for Telegram, however many statuses it has', () => {
    fc.assert(
      fc.property(fieldsOfOrder, fc.array(event, { maxLength: 20 }), (fields, events) => {
        readAsTelegram(reportText({ ...anOrder, ...fields }, events, fields.quantity % 2 === 0, now))
      }),
    )
  })

  test('the labels of contacts are one short line', () => {
    fc.assert(
      fc.property(hostile, (name) => {
        expectLabel(words.contactLabel(name, phone), 49)
      }),
    )
  })
})

test.each([
  ['BUD-API-AB12CD-123456', 'BUD-API-AB12CD-123456'],
  [' bud-api-ab12cd-123456 ', 'BUD-API-AB12CD-123456'],
  ['ab12cd-123456', 'AB12CD-123456'],
  ['123456', '123456'],
  [`BUD-BULK-${'X'.repeat(40)}-123456`, 'XXXXXXXXXXXXXXXXX-123456'],
])('a search in /orders for %j looks for the part %j of a reference', (written, part) => {
  expect(readReferencePart(written)).toBe(part)
})

test.each(['123', 'Kofi', 'Ama’s 2nd shop', '%_12345'])(
  'a search in /orders for %j does not look for a reference',
  (written) => {
    expect(readReferencePart(written)).toBeNull()
  },
)

test.each([
  ['yesterday', { period: 'yesterday' }],
  ['MTN', { network: 'MTN' }],
  ['failed vodafone this week', { state: 'failed', network: 'Telecel', period: 'week' }],
])('the words %j in /orders filter orders by %j', (written, filter) => {
  expect(readFilter(written)).toEqual({ ...noFilter, ...filter })
})

test.each(['Kofi MTN', '0241234567'])('the words %j in /orders are no filter but a search', (written) => {
  expect(readFilter(written)).toBeNull()
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../src/provider/exchange.ts'
import { placedBulkOrderIn, placedOrderIn } from '../../src/provider/order-answer.ts'
import { placementOf } from '../../src/provider/placement-outcome.ts'
import { runs } from '../support/runs.ts'

const now = Date.UTC(2026, 2, 1, 12)
const reading = { order: placedOrderIn, now: () => now, scrub: (text: string) => text }
const bulkReading = { ...reading, order: placedBulkOrderIn }

const headOf = (status: number, headers = {}) => ({
  status,
  headers: { date: 'Sun, 01 Mar 2026 11:59:58 GMT', ...headers },
  sentAtMs: now - 500,
  receivedAtMs: now - 100,
})

const answered = (status: number, body: string, headers = {}): Exchange => ({
  kind: 'answered',
  head: headOf(status, headers),
  body: Buffer.from(body),
})

const kindOf = (exchange: Exchange) => {
  const outcome = placementOf(exchange, reading)
  return 'reason' in outcome ? `${outcome.kind}: ${outcome.reason}` : outcome.kind
}

const order = '{"success":true,"order":{"reference":"BUD-API-X-1"}}'
const no = '{"success":false,"error":"No","type":"SOMETHING","message":"It cannot be."}'

describe('the outcome of an order', () => {
  test.each([
    [201, order, 'placed'],
    [200, order, 'placed'],
    [202, '{"order":{"reference":"BUD-API-X-1"}}', 'placed'],
    [201, '{"success":true,"data":{"order":{"reference":"BUD-API-X-1"}}}', 'placed'],
    [201, '{"success":true,"data":{"reference":"BUD-API-X-1"}}', 'placed'],
    [201, '{"success":true,"reference":"BUD-API-X-1"}', 'placed'],
    [201, `\ufeff${order}`, 'placed'],
    [201, '{"success":true,"order":{}}', 'unconfirmed: bad_answer'],
    [201, '{"success":true,"order":{"reference":""}}', 'unconfirmed: bad_answer'],
    [201, '{"success":true,"order":{"reference":null}}', 'unconfirmed: bad_answer'],
    [201, '{"success":true}', 'unconfirmed: bad_answer'],
    [201, order.replace('true', 'false'), 'unconfirmed: bad_answer'],
    [201, order.slice(0, -1), 'unconfirmed: bad_answer'],
    [201, `[${order}]`, 'unconfirmed: bad_answer'],
    [201, '', 'unconfirmed: bad_answer'],
    [204, '', 'unconfirmed: bad_answer'],
    [200, '<html>', 'unconfirmed: bad_answer'],
    ...[400, 401, 402, 404, 409, 422].flatMap((status) => [
      [status, no, 'rejected'],
      [status, '{"success":false}', 'rejected'],
      [status, '{"success":true}', 'unconfirmed: bad_answer'],
      [status, '{"success":"false"}', 'unconfirmed: bad_answer'],
      [status, '{}', 'unconfirmed: bad_answer'],
      [status, '<html>', 'unconfirmed: bad_answer'],
      [status, '', 'unconfirmed: bad_answer'],
    ]),
    [429, no, 'not_sent: rate_limited'],
    [429, '<html>', 'not_sent: rate_limited'],
    [429, order, 'not_sent: rate_limited'],
    ...[301, 302, 303, 307, 308, 304].map((status) => [status, order, 'unconfirmed: unexpected_status']),
    ...[403, 405, 408, 410, 413, 418, 499].map((status) => [status, no, 'unconfirmed: unexpected_status']),
    ...[500, 502, 503, 504, 520, 599].map((status) => [status, no, 'unconfirmed: server_error']),
    [500, order, 'unconfirmed: server_error'],
  ] as [number, string, string][])('after a %i with the body %s is “%s”', (status, body, kind) => {
    expect(kindOf(answered(status, body))).toBe(kind)
  })

  test.each(['aborted', 'timeout', 'too_large', 'connection_lost'] as const)(
    'after the interruption “%s” of the answer is “unconfirmed”, except after a 429',
    (fault) => {
      expect(kindOf({ kind: 'broken', fault, head: null, error: null })).toBe(`unconfirmed: ${fault}`)
      expect(kindOf({ kind: 'broken', fault, head: headOf(201), error: null })).toBe(`unconfirmed: ${fault}`)
      expect(kindOf({ kind: 'broken', fault, head: headOf(402), error: null })).toBe(`unconfirmed: ${fault}`)
      expect(kindOf({ kind: 'broken', fault, head: headOf(429), error: null })).toBe('not_sent: rate_limited')
    },
  )

  test.each(['refused_start', 'aborted', 'unreachable'] as const)(
    'is “not sent” after the fault %s before the first byte',
    (fault) => {
      expect(kindOf({ kind: 'unsent', fault, error: null })).toBe(`not_sent: ${fault}`)
    },
  )
})

test('the outcome of a placed order has every field of the answer', () => {
  const body = {
    success: true,
    message: 'Order placed',
    order: {
      id: '91',
      reference: 'BUD-API-AB12-1700000000',
      network: 'mtn',
      volume: '5GB',
      phone: '+233241234567',
      price: '23.5',
      status: 'Processing',
      placed_at: '2026-03-01T12:00:00+00:00',
      surprise: [1],
    },
    wallet_balance: 76.5,
  }
  expect(placementOf(answered(201, JSON.stringify(body)), reading)).toEqual({
    kind: 'placed',
    message: 'Order placed',
    walletBalancePesewas: 7650,
    order: {
      id: 91,
      reference: 'BUD-API-AB12-1700000000',
      network: 'MTN',
      volume: '5GB',
      phone: '0241234567',
      pricePesewas: 2350,
      status: 'processing',
      placedAt: new Date(now),
    },
    meta: {
      httpStatus: 201,
      sentAt: new Date(now - 500),
      receivedAt: new Date(now - 100),
      serverDate: new Date(now - 2000),
    },
  })
})

test('the outcome of a placed bulk order has the number of recipients that the provider counted', () => {
  const bulk_order = {
    id: 4,
    reference: 'BUD-BULK-AB12-1',
    bundle_id: '7',
    total_quantity: '99',
    total_price: 2326.5,
    status: 'processing',
    placed_at: 'not a date',
  }
  const outcome = placementOf(answered(201, JSON.stringify({ success: true, bulk_order })), bulkReading)
  expect(outcome).toMatchObject({
    kind: 'placed',
    walletBalancePesewas: null,
    order: {
      reference: 'BUD-BULK-AB12-1',
      bundleId: 7,
      totalQuantity: 99,
      totalPricePesewas: 232650,
      placedAt: null,
    },
  })
})

test.each([
  [
    'are read if the answer has them as texts',
    { phones: ['0241234567', '+233 55 123 4567'] },
    ['0241234567', '0551234567'],
  ],
  [
    'are read if the answer has them as records',
    { recipients: [{ phone: '0241234567', status: 'processing' }] },
    ['0241234567'],
  ],
  ['are left out if the answer has masked them', { phones: ['024****567'] }, []],
  ['are an empty list if the answer has none', {}, []],
])('the phones of a placed bulk order %s', (_, named, phones) => {
  const bulk_order = { reference: 'BUD-BULK-AB12-1', ...named }
  expect(
    placementOf(answered(201, JSON.stringify({ success: true, bulk_order })), bulkReading),
  ).toMatchObject({
    kind: 'placed',
    order: { phones },
  })
})

test('an order whose answer has sums too large for a database counts as placed, without the sums', () => {
  const bulk_order = { reference: 'BUD-BULK-AB12-1', total_quantity: 3e9, total_price: 3e9, status: 'x' }
  const outcome = placementOf(answered(201, JSON.stringify({ success: true, bulk_order })), bulkReading)
  expect(outcome).toMatchObject({
    kind: 'placed',
    order: { reference: 'BUD-BULK-AB12-1', totalQuantity: null, totalPricePesewas: null },
  })
})

test('the outcome of a rejected order keeps the provider’s words, even unknown ones', () => {
  expect(placementOf(answered(422, no), reading)).toMatchObject({
    kind: 'rejected',
    httpStatus: 422,
    type: 'SOMETHING',
    error: 'No',
    message: 'It cannot be.',
  })
  expect(placementOf(answered(409, '{"success":false}'), reading)).toMatchObject({
    type: 'PENDING_ORDER',
    error: null,
    message: null,
  })
})

test('the outcome of an order after a 429 tells how long to wait', () => {
  const outcome = placementOf(answered(429, no, { 'retry-after': '12' }), reading)
  expect(outcome).toMatchObject({ reason: 'rate_limited', retryAfterMs: 12_000 })
})

const kinds = ['placed', 'rejected', 'unconfirmed', 'not_sent']
const fields = ['success', 'order', 'bulk_order', 'data', 'reference', 'message', 'wallet_balance', 'type']
const hostileBody = fc.oneof(
  fc.json(),
  fc.string(),
  fc
    .dictionary(fc.constantFrom(...fields, '__proto__', 'constructor'), fc.jsonValue())
    .map((object) => JSON.stringify(object)),
)

test('any answer to an order gives one of four outcomes, and a placed order always has a reference', () => {
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 999 }), hostileBody, (status, body) => {
      for (const read of [reading, bulkReading]) {
        const outcome = placementOf<{ reference: string }>(answered(status, body), read)
        expect(kinds).toContain(outcome.kind)
        if (outcome.kind === 'placed') expect(outcome.order.reference).not.toBe('')
      }
    }),
    { numRuns: runs(500) },
  )
})

test('an answer to an order that is nested a hundred thousand levels deep makes it unconfirmed', () => {
  expect(kindOf(answered(201, '['.repeat(100_000)))).toBe('unconfirmed: bad_answer')
  const deep = `{"order":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  expect(kindOf(answered(201, deep))).toBe('unconfirmed: bad_answer')
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Order, Recipient } from '../../../src/domain/order/order.ts'
import { placements } from '../../../src/domain/order/placement.ts'
import { countsOf, mayBeCharged, progressOf, stateOf } from '../../../src/domain/order/progress.ts'
import { confirmedByRefund, owedRefund } from '../../../src/domain/order/recipient-ends.ts'
import { refusedOf } from '../../../src/domain/order/refused.ts'
import { pesewas } from '../../../src/provider/money.ts'
import type { Phone } from '../../../src/provider/phone.ts'

const now = new Date('2026-01-05T08:00:00Z')

const recipients = (...statuses: (string | null)[]): Recipient[] =>
  statuses.map((word, position) => ({
    phone: `024000000${position}` as Phone,
    position,
    status: word?.replace('?', '') ?? null,
    statusAt: word === null ? null : now,
    reported: word?.endsWith('?') ?? false,
    retryId: null,
  }))

/**
 * A placed bulk order.
 * @param statuses of its recipients; a question mark marks a status known only from a callback.
 */
const order = (statuses: (string | null)[], rest: Partial<Order> = {}): Order =>
  ({
    id: 'order',
    kind: 'bulk',
    placement: 'placed',
    status: 'processing',
    statusReported: false,
    nextPollAt: now,
    quantity: statuses.length,
    acceptedQuantity: statuses.length,
    unitPricePesewas: pesewas(500),
    chargedPesewas: null,
    refundedPesewas: null,
    reason: null,
    providerMessage: null,
    ...rest,
    recipients: recipients(...statuses),
  }) as Order

const words = (each: Order): string[] =>
  each.recipients.map((recipient) => {
    const state = stateOf(each, recipient)
    if (state.kind === 'status') return `${state.status}${state.reported ? '?' : ''} of ${state.of}`
    return state.kind === 'placement' ? state.placement : 'not known'
  })

describe('the state of one recipient of a bulk order', () => {
  const rows: { when: string; each: Order; is: string[] }[] = [
    {
      when: 'is the order’s if only the order has a status',
      each: order([null, null], { status: 'delivered' }),
      is: ['delivered of order', 'delivered of order'],
    },
    {
      when: 'is its own status if it has one, and not the order’s',
      each: order(['failed', 'delivered?'], { status: 'delivered' }),
      is: ['failed of recipient', 'delivered? of recipient'],
    },
    {
      when: 'is unknown if only other recipients have a final status',
      each: order(['failed', null, 'processing'], { status: 'delivered' }),
      is: ['failed of recipient', 'not known', 'not known'],
    },
    {
      when: 'is the order’s if the order was delivered after all recipients were processing',
      each: order(['processing', 'processing'], { status: 'delivered' }),
      is: ['delivered of order', 'delivered of order'],
    },
    {
      when: 'is unknown if the provider accepted fewer recipients than were sent',
      each: order([null, 'delivered', null], { acceptedQuantity: 2 }),
      is: ['not known', 'delivered of recipient', 'not known'],
    },
    {
      when: 'is the placement of its order if the order is not placed',
      each: order([null, null], { placement: 'unconfirmed', status: null }),
      is: ['unconfirmed', 'unconfirmed'],
    },
  ]
  test.each(rows)('$when', ({ each, is }) => expect(words(each)).toEqual(is))
})

test('the counts of a list’s numbers by state add up to the total', () => {
  const progress = progressOf([
    order(['delivered', 'failed', 'processing']),
    order([null, null], { id: 'b', placement: 'rejected', reason: 'balance' }),
    order([null], { id: 'c', kind: 'single', placement: 'queued' }),
    order([null, null], { id: 'd', placement: 'superseded' }),
    order([null], { id: 'e', placement: 'review' }),
  ])
  const { total, waiting, underWay, delivered, failed, unconfirmed, notOrdered, notKnown } = progress
  expect({ total, waiting, underWay, delivered, unconfirmed, notOrdered, notKnown }).toEqual({
    total: 7,
    waiting: 1,
    underWay: 1,
    delivered: 1,
    unconfirmed: 1,
    notOrdered: 2,
    notKnown: 0,
  })
  expect(failed.map(({ told }) => told)).toEqual(['surely'])
  expect(progress.charges).toMatchObject({ chargedPesewas: 1_500, maybePesewas: 500, toBeSentPesewas: 500 })
  expect(progress.isDone).toBe(false)
})

describe('the failure of a number in a list', () => {
  const toldOf = (each: Order) => progressOf([each]).failed.map(({ told }) => told)

  test('is certain if the provider’s record says so, but not if only a callback does', () =>
    expect(toldOf(order(['failed', 'cancelled?'], { status: 'delivered' }))).toEqual([
      'surely',
      'by_callback',
    ]))
  test('is not certain if the provider reports it only for the order as a whole', () =>
    expect(toldOf(order([null, null], { status: 'failed' }))).toEqual(['whole', 'whole']))
  test('is certain if the money of the whole order came back', () =>
    expect(toldOf(order([null, null], { status: 'failed', refundedPesewas: pesewas(1_000) }))).toEqual([
      'surely',
      'surely',
    ]))
})

describe('the refund due for a bulk order', () => {
  test('covers each number that failed, or all numbers if the whole order failed', () => {
    expect(owedRefund(order(['failed', 'delivered', 'refunded']))).toBe(1_000)
    expect(owedRefund(order([null, null], { status: 'failed' }))).toBe(1_000)
    expect(owedRefund(order(['delivered', null, null], { status: 'failed' }))).toBe(1_000)
  })
  test('includes a number whose failure only a callback reported, even while other numbers are open', () => {
    expect(owedRefund(order(['failed?', null]))).toBe(500)
    expect(owedRefund(order(['failed?', null], { status: 'delivered' }))).toBe(500)
  })
  test('includes every number that a callback reported as failed, even after a partial acceptance', () => {
    expect(owedRefund(order(['failed?', 'delivered?']))).toBe(500)
    expect(owedRefund(order(['failed?', null], { acceptedQuantity: 1 }))).toBe(500)
  })
  test('confirms the reported failures as soon as it has come back for all of them', () => {
    const each = order(['failed?', 'delivered', 'cancelled?'], { status: 'delivered' })
    expect(confirmedByRefund(each, 500)).toEqual([])
    expect(confirmedByRefund(each, 1_000).map(({ position }) => position)).toEqual([0, 2])
  })
})

describe('a list', () => {
  const isDone = (...orders: Order[]) => progressOf(orders).isDone

  test('is done as soon as callbacks reported a final status for each number, even while the order is polled', () => {
    expect(isDone(order(['failed?', 'delivered?']))).toBe(true)
    expect(isDone(order(['failed?', null]))).toBe(false)
    expect(isDone(order(['failed?', 'processing?']))).toBe(false)
  })
  test('is done as soon as it has a final status for as many numbers as the provider accepted', () => {
    expect(isDone(order([null, 'delivered?', null], { acceptedQuantity: 1 }))).toBe(true)
    expect(isDone(order([null, 'delivered?', null], { acceptedQuantity: 2 }))).toBe(false)
  })
  test('is not done if only a callback reported the whole order’s status', () =>
    expect(isDone(order([null, null], { status: 'delivered', statusReported: true }))).toBe(false))
  test('is done as soon as a callback reported the final status of its single order', () =>
    expect(isDone(order([null], { kind: 'single', status: 'delivered', statusReported: true }))).toBe(true))
})

test('the failed numbers of a list are shown as refunded only if the refund covers all of them', () => {
  const refunds = (pesewasBack: number) =>
    progressOf([
      order(['failed', 'failed', 'delivered'], { refundedPesewas: pesewas(pesewasBack) }),
    ]).failed.map(({ refundedPesewas }) => refundedPesewas)
  expect(refunds(500)).toEqual([null, null])
  expect(refunds(1_000)).toEqual([500, 500])
})

describe('the refund of a failed number in a list', () => {
  const sharesOf = (statuses: string[], rest: Partial<Order>) =>
    progressOf([order(statuses, rest)]).failed.map(({ refundedPesewas }) => refundedPesewas)
  const both = ['failed', 'failed']

  test('is its share of the charge, if the order was charged at another price', () => {
    const charged = { chargedPesewas: pesewas(1_200) }
    expect(sharesOf(both, { ...charged, refundedPesewas: pesewas(1_200) })).toEqual([600, 600])
    expect(sharesOf(both, { ...charged, refundedPesewas: pesewas(1_000) })).toEqual([null, null])
    const single = { ...charged, kind: 'single' as const, status: 'failed' }
    expect(sharesOf(['failed'], { ...single, refundedPesewas: pesewas(1_200) })).toEqual([1_200])
  })
  test('is its share of the charge, even if the provider accepted fewer numbers than were sent', () =>
    expect(
      sharesOf(['failed', 'delivered', 'delivered'], {
        acceptedQuantity: 2,
        chargedPesewas: pesewas(1_200),
        refundedPesewas: pesewas(600),
      }),
    ).toEqual([600]))
  test('is not shown if its share is not a whole number of pesewas', () =>
    expect(sharesOf(both, { chargedPesewas: pesewas(1_001), refundedPesewas: pesewas(1_001) })).toEqual([
      null,
      null,
    ]))
})

test('a number in a placed order may have been charged unless it failed', () => {
  const each = order(['failed', 'processing', null, 'delivered'])
  expect(each.recipients.map((recipient) => mayBeCharged(each, recipient))).toEqual([false, true, true, true])
})

test('after the refusal of a list with a 409, only the numbers that the provider named, in any form, count as pending', () => {
  const refused = refusedOf([
    order([null, null, null, null], {
      placement: 'rejected',
      reason: 'pending',
      providerMessage: 'Pending order for 0240000001, +233240000003.',
    }),
    order([null], { id: 'b', placement: 'placed' }),
  ])
  expect(refused.map(({ isPending }) => isPending)).toEqual([false, true, false, true])
})

test('a list has the same progress whether its numbers are read one by one or only counted', () => {
  const word = fc.constantFrom(null, 'processing', 'delivered', 'delivered?', 'failed', 'failed?', 'odd')
  const orders = fc.array(
    fc
      .record({
        statuses: fc.array(word, { minLength: 1, maxLength: 6 }),
        rest: fc.record({
          kind: fc.constantFrom('single' as const, 'bulk' as const),
          placement: fc.constantFrom(...placements),
          status: fc.constantFrom(null, 'processing', 'delivered', 'failed', 'refunded'),
          statusReported: fc.boolean(),
          acceptedQuantity: fc.option(fc.integer({ min: 1, max: 6 })),
        }),
      })
      .map(({ statuses, rest }) => order(statuses, rest)),
    { maxLength: 4 },
  )
  fc.assert(
    fc.property(orders, (read) => {
      const counted = read.map((each) => ({
        ...each,
        recipients: Object.values(
          Object.groupBy(each.recipients, ({ status, reported }) => `${status} ${reported}`),
        ).flatMap((alike = []) =>
          alike.slice(0, 1).map(({ status, reported }) => ({ status, reported, count: alike.length })),
        ),
      }))
      const { failed, ...counts } = countsOf(counted)
      const progress = progressOf(read)
      expect(progress).toMatchObject(counts)
      expect(failed.length).toBe(progress.failed.length)
    }),
  )
})

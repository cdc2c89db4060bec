import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ComplaintRule,
  complaintRules,
  complaintStep,
  complaintTimes,
  isComplainable,
} from '../../../src/domain/order/complaint.ts'
import { confirmed, recipientsOf } from '../../telegram/words/any-order.ts'

const at = (time: string): Date => new Date(`2026-11-${time}Z`)
const delivered = { ...confirmed, placement: 'placed' as const, status: 'delivered' }

describe('the times of a complaint', () => {
  test.each<[ComplaintRule | null, string, string | null, string, string | null]>([
    // The network's rule, when the complaint is raised, and its deadline, end and reminder.
    [null, '21T11:00', null, '24T11:00', '24T08:00'],
    ['day', '21T11:00', '21T23:59', '21T23:59', '21T20:59'],
    ['day', '21T21:59', '21T23:59', '21T23:59', '21T22:59'],
    ['day', '21T23:40', '21T23:59', '21T23:59', null],
    ['day', '22T00:10', '21T23:59', '25T00:10', '24T21:10'],
    ['24h', '21T11:00', '22T10:00', '22T10:00', '22T07:00'],
    ['3d', '22T11:00', '24T10:00', '24T10:00', '24T07:00'],
  ])(
    '(rule %s, delivery 21T10:00, complaint %s) are: deadline %s, end %s, reminder %s',
    (rule, raised, ...expected) => {
      const [deadline, ends, reminder] = expected
      expect(complaintTimes(rule, at('21T10:00'), at(raised))).toEqual({
        deadlineAt: deadline && at(deadline),
        expiresAt: at(ends),
        remindAt: reminder && at(reminder),
      })
    },
  )

  test('let it end within three days, with the reminder after the complaint and before its end', () => {
    const ms = fc.integer({ min: 0, max: 7 * 24 * 60 * 60_000 })
    fc.assert(
      fc.property(fc.constantFrom(null, ...complaintRules), ms, ms, (rule, day, later) => {
        const from = new Date(at('01T00:00').getTime() + day)
        const now = new Date(from.getTime() + later)
        const { expiresAt, remindAt } = complaintTimes(rule, from, now)
        expect(expiresAt > now).toBe(true)
        expect(expiresAt.getTime() - now.getTime()).toBeLessThanOrEqual(3 * 24 * 60 * 60_000)
        if (remindAt) expect(remindAt > now && remindAt < expiresAt).toBe(true)
      }),
    )
  })
})

describe('an open complaint', () => {
  const complaint = { ...complaintTimes('day', at('21T10:00'), at('21T11:00')), position: null }
  const failed = { ...delivered, status: 'failed' }

  test.each([
    ['waits until its reminder is due', delivered, complaint, '21T12:00', null],
    ['needs a reminder', delivered, complaint, '21T20:59', 'remind'],
    ['needs no second reminder', delivered, { ...complaint, remindAt: null }, '21T21:30', null],
    ['expires at its deadline', delivered, complaint, '21T23:59', 'expired'],
    [
      'expires if its times were written while the clock was wrong',
      delivered,
      complaint,
      '01T00:00',
      'expired',
    ],
    ['ends if the order failed', failed, complaint, '21T12:00', 'taken_back'],
    [
      'ends if the order was refunded',
      { ...delivered, status: 'refunded' },
      complaint,
      '21T12:00',
      'taken_back',
    ],
    [
      'waits for the proof of a reported failure',
      { ...failed, statusReported: true },
      complaint,
      '21T12:00',
      null,
    ],
    [
      'stays open if the order is being processed again',
      { ...delivered, status: 'processing' },
      complaint,
      '21T12:00',
      null,
    ],
  ] as const)('%s', (_, order, each, now, step) => {
    expect(complaintStep(each, order, at(now))).toBe(step)
  })

  test('about one of several numbers depends on that number alone', () => {
    const [first, second] = recipientsOf(2)
    if (!first || !second) throw new Error('There are two recipients.')
    const order = {
      ...delivered,
      kind: 'bulk' as const,
      status: 'processing',
      recipients: [
        { ...first, status: 'delivered' },
        { ...second, status: 'failed' },
      ],
    }
    const step = (position: number) => complaintStep({ ...complaint, position }, order, at('21T12:00'))
    expect([step(0), step(1)]).toEqual([null, 'taken_back'])
    expect([0, 1, 2, null].map((position) => isComplainable(order, position))).toEqual([
      true,
      false,
      false,
      false,
    ])
  })
})

test.each([
  ['delivered', true],
  ['processing', false],
  ['failed', false],
  ['refunded', false],
  [null, false],
])('an order with the status %s allows a complaint: %s', (status, may) => {
  expect(isComplainable({ ...delivered, status }, null)).toBe(may)
  expect(isComplainable({ ...delivered, status, placement: 'unconfirmed' }, null)).toBe(false)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { confirmAgainMs, nextPoll } from '../../../src/domain/times/polling-schedule.ts'

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]
const placedAt = new Date('2026-03-01T10:00:00.000Z')

/** All polls of an order that never ends, as milliseconds after it was placed. */
const polls = (callbacksSeen: boolean): number[] => {
  const ages: number[] = []
  for (let next = nextPoll(placedAt, placedAt, callbacksSeen); next; ) {
    ages.push(next.getTime() - placedAt.getTime())
    next = nextPoll(placedAt, next, callbacksSeen)
  }
  return ages
}

const hours = Array.from({ length: 23 }, (_, index) => (index + 2) * hour)
const days = Array.from({ length: 6 }, (_, index) => (index + 2) * day)

test('an order without callbacks is polled after 30 s, ever less often in the first day, then daily for a week', () => {
  const early = [30 * second, 75 * second, ...[2, 4, 8, 15, 30, 60].map((each) => each * minute)]
  expect(polls(false)).toEqual([...early, ...hours, ...days])
})

test('an order with callbacks is polled for the first time after 3 minutes', () => {
  const early = [3, 4, 8, 15, 30, 60].map((each) => each * minute)
  expect(polls(true)).toEqual([...early, ...hours, ...days])
})

const age = fc.integer({ min: -hour, max: 8 * day })

test('the next poll of an order is always in the future, and polling ends after exactly seven days', () => {
  fc.assert(
    fc.property(age, fc.boolean(), (ageMs, callbacksSeen) => {
      const now = new Date(placedAt.getTime() + ageMs)
      const next = nextPoll(placedAt, now, callbacksSeen)
      expect(next === null).toBe(ageMs >= 7 * day)
      if (next) expect(next.getTime()).toBeGreaterThan(now.getTime())
    }),
  )
})

const knownAge = fc.integer({ min: 0, max: 8 * day })

test('an order’s next poll never moves to an earlier time as the order ages', () => {
  fc.assert(
    fc.property(knownAge, knownAge, fc.boolean(), (a, b, callbacksSeen) => {
      const [earlier, later] = [Math.min(a, b), Math.max(a, b)].map(
        (each) =>
          nextPoll(placedAt, new Date(placedAt.getTime() + each), callbacksSeen)?.getTime() ??
          Number.POSITIVE_INFINITY,
      )
      expect(earlier).toBeLessThanOrEqual(later ?? 0)
    }),
  )
})

test('an order with a reported status is polled after longer and longer waits, up to ten minutes', () => {
  expect([0, 1, 2, 6, 7, 50].map(confirmAgainMs)).toEqual([
    5 * second,
    10 * second,
    20 * second,
    320 * second,
    10 * minute,
    10 * minute,
  ])
})

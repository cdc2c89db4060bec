import { describe, expect, test } from 'vitest'
import { nextTryAt, type RetrySchedule } from '../../../src/domain/times/retry-schedule.ts'

const since = new Date('2026-03-01T10:00:00.000Z')
const at = (age: number): Date => new Date(since.getTime() + age)

/** The ages at which all tries are made, each computed from the one before. */
const triesOf = (schedule: RetrySchedule, most: number): number[] => {
  const ages: number[] = []
  for (let next = nextTryAt(schedule, since, since); next && ages.length < most; ) {
    ages.push(next.getTime() - since.getTime())
    next = nextTryAt(schedule, since, next)
  }
  return ages
}

describe('the next try by a retry schedule', () => {
  test('comes at each of the given ages, and then at each multiple of the interval up to its end', () => {
    const schedule = { ages: [3, 12], multiples: [{ every: 10, until: 40 }], unknownAge: 1 }
    expect(triesOf(schedule, 10)).toEqual([3, 12, 20, 30, 40])
  })

  test('comes first at multiples of a shorter interval, and then at multiples of a longer one', () => {
    const multiples = [
      { every: 10, until: 30 },
      { every: 100, until: 200 },
    ]
    expect(triesOf({ multiples, unknownAge: 1 }, 10)).toEqual([10, 20, 30, 100, 200])
  })

  test('comes after a growing wait between a shortest and a longest one, without end', () => {
    const schedule = { growing: { share: 1 / 2, least: 10, most: 20 }, unknownAge: 1 }
    expect(triesOf(schedule, 6)).toEqual([10, 20, 30, 45, 65, 85])
  })

  test('comes after a fixed wait if the first event seems to be in the future', () => {
    expect(nextTryAt({ ages: [3], unknownAge: 7 }, since, at(-5))).toEqual(at(2))
  })

  test('never comes after the last age', () => {
    expect(nextTryAt({ ages: [3], unknownAge: 7 }, since, at(3))).toBeNull()
  })
})

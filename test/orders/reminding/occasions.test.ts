import fc from 'fast-check'
import { expect, test } from 'vitest'
import { everyDay } from '../../../src/lists/written-reminder.ts'
import { dayIn, wallTime } from '../../../src/messaging/time-zone.ts'
import { latestMs, nextOccasion, occasionAfter } from '../../../src/orders/reminding/occasions.ts'
import { runs } from '../../support/runs.ts'

const at = (text: string) => new Date(text)
const dayMs = 24 * 60 * 60_000
const zone = fc.constantFrom(
  ...['Africa/Accra', 'Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'],
)
const schedule = fc.record({ weekday: fc.nat(everyDay), minutes: fc.nat(24 * 60 - 1) })
const time = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) }).map((ms) => new Date(ms))

const weekdayIn = (zone: string, when: Date): number => new Date(dayIn(zone, when)).getUTCDay()

test('a reminder’s next card is due on the day and at the time of its schedule, within a week and an hour', () => {
  fc.assert(
    fc.property(schedule, zone, time, (each, zone, after) => {
      const next = nextOccasion(each, zone, after)
      const { weekday, minutes } = each
      expect(next.getTime()).toBeGreaterThan(after.getTime())
      const mostMs = (weekday === everyDay ? 1 : 7) * dayMs + 60 * 60_000
      expect(next.getTime() - after.getTime()).toBeLessThanOrEqual(mostMs)
      if (weekday !== everyDay) expect(weekdayIn(zone, next)).toBe(weekday)
      // If a clock change skips the time, the occasion is at the change, at most an hour later by the clock.
      const shown = wallTime(next, zone).minutes
      expect(shown).toBeGreaterThanOrEqual(minutes)
      expect(shown - minutes).toBeLessThanOrEqual(60)
    }),
    { numRuns: runs(2_000) },
  )
})

test('a reminder whose cards are planned one after another has one card for each day or each week', () => {
  fc.assert(
    fc.property(schedule, zone, time, (each, zone, after) => {
      const first = nextOccasion(each, zone, after)
      const second = nextOccasion(each, zone, first)
      const days = (Date.parse(dayIn(zone, second)) - Date.parse(dayIn(zone, first))) / dayMs
      expect(days).toBe(each.weekday === everyDay ? 1 : 7)
    }),
    { numRuns: runs(2_000) },
  )
})

test('the time of a reminder’s next card does not depend on when the bot ran, unless the card is too late', () => {
  const lateness = fc.integer({ min: -30 * dayMs, max: 30 * dayMs })
  fc.assert(
    fc.property(schedule, zone, time, lateness, (each, zone, after, ms) => {
      const planned = nextOccasion(each, zone, after)
      const now = new Date(planned.getTime() + ms)
      const next = occasionAfter(each, zone, planned, now)
      if (ms <= latestMs) expect(next).toEqual(nextOccasion(each, zone, planned))
      expect(next.getTime()).toBeGreaterThan(now.getTime() - latestMs)
      expect(next.getTime()).toBeGreaterThan(planned.getTime())
    }),
    { numRuns: runs(2_000) },
  )
})

test('a daily reminder comes once in the night in which the clocks are set back over its time', () => {
  const daily = { weekday: everyDay, minutes: 90 }
  const first = nextOccasion(daily, 'Europe/London', at('2026-10-24T22:00:00Z'))
  expect(first).toEqual(at('2026-10-25T00:30:00Z'))
  expect(nextOccasion(daily, 'Europe/London', first)).toEqual(at('2026-10-26T01:30:00Z'))
})

test('a reminder in an hour that a clock change skips comes at the change', () => {
  const daily = { weekday: everyDay, minutes: 90 }
  const skipped = nextOccasion(daily, 'Europe/London', at('2026-03-28T22:00:00Z'))
  expect(skipped).toEqual(at('2026-03-29T01:00:00Z'))
})

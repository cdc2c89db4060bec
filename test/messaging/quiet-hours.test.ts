import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quietUntil } from '../../src/messaging/quiet-hours.ts'
import { nextAt, readTimeZone, wallTime } from '../../src/messaging/time-zone.ts'
import { runs } from '../support/runs.ts'

const at = (text: string) => new Date(text)
const quiet = (from: number, to: number, timeZone = 'Africa/Accra') => ({
  quietFrom: from * 60,
  quietTo: to * 60,
  timeZone,
})
const zones = ['Africa/Accra', 'Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata']

describe('quiet hours', () => {
  test('may last over midnight, from their first minute to the minute before their end', () => {
    const night = quiet(21, 6)
    const end = at('2026-03-02T06:00:00Z')
    expect(quietUntil(night, at('2026-03-01T20:59:59Z'))).toBeNull()
    expect(quietUntil(night, at('2026-03-01T21:00:00Z'))).toEqual(end)
    expect(quietUntil(night, at('2026-03-02T00:00:00Z'))).toEqual(end)
    expect(quietUntil(night, at('2026-03-02T05:59:59Z'))).toEqual(end)
    expect(quietUntil(night, end)).toBeNull()
  })

  test('may lie within one day', () => {
    const noon = quiet(12, 14)
    expect(quietUntil(noon, at('2026-03-01T11:59:00Z'))).toBeNull()
    expect(quietUntil(noon, at('2026-03-01T13:00:00Z'))).toEqual(at('2026-03-01T14:00:00Z'))
    expect(quietUntil(noon, at('2026-03-01T14:00:00Z'))).toBeNull()
  })

  test('delay nothing if they end when they begin, or if none are set', () => {
    expect(quietUntil(quiet(6, 6), at('2026-03-01T06:00:00Z'))).toBeNull()
    const none = { quietFrom: null, quietTo: null, timeZone: 'Africa/Accra' }
    expect(quietUntil(none, at('2026-03-01T23:00:00Z'))).toBeNull()
  })

  test('follow the person’s local time, also in nights when the clocks change', () => {
    const london = quiet(22, 7, 'Europe/London')
    expect(quietUntil(london, at('2026-03-28T22:30:00Z'))).toEqual(at('2026-03-29T06:00:00Z'))
    expect(quietUntil(london, at('2026-10-24T21:30:00Z'))).toEqual(at('2026-10-25T07:00:00Z'))
  })

  test('that end in an hour skipped by a clock change end at the change', () => {
    const early = { quietFrom: 22 * 60, quietTo: 90, timeZone: 'Europe/London' }
    expect(quietUntil(early, at('2026-03-28T23:00:00Z'))).toEqual(at('2026-03-29T01:00:00Z'))
  })

  test('delay a notice until their end, at most 25 hours', () => {
    const minute = fc.integer({ min: 0, max: 24 * 60 - 1 })
    const time = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) })
    fc.assert(
      fc.property(minute, minute, fc.constantFrom(...zones), time, (quietFrom, quietTo, timeZone, ms) => {
        const hours = { quietFrom, quietTo, timeZone }
        const until = quietUntil(hours, new Date(ms))
        if (!until) return
        expect(until.getTime()).toBeGreaterThan(ms)
        expect(until.getTime() - ms).toBeLessThanOrEqual(25 * 60 * 60_000)
        // A released notice is held back again only if the clock is set back over the end of quiet hours.
        const again = quietUntil(hours, until)
        if (again) expect(again.getTime() - until.getTime()).toBeLessThanOrEqual(60 * 60_000)
      }),
      { numRuns: runs(2_000) },
    )
  })
})

describe('the next time at which a local clock shows a given minute', () => {
  test('is within 25 hours, unless a clock change skips the minute', () => {
    const time = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) })
    const minute = fc.integer({ min: 0, max: 24 * 60 - 1 })
    fc.assert(
      fc.property(fc.constantFrom(...zones), minute, time, (zone, minutes, ms) => {
        const next = nextAt(zone, minutes, new Date(ms))
        expect(next.getTime()).toBeGreaterThan(ms)
        expect(next.getTime() - ms).toBeLessThanOrEqual(25 * 60 * 60_000)
        const shown = wallTime(next, zone).minutes
        expect((shown - minutes + 24 * 60) % (24 * 60)).toBeLessThanOrEqual(60)
      }),
      { numRuns: runs(2_000) },
    )
  })

  test('comes twice if the clock is set back over it', () => {
    const first = nextAt('Europe/London', 90, at('2026-10-24T22:00:00Z'))
    expect(first).toEqual(at('2026-10-25T00:30:00Z'))
    expect(nextAt('Europe/London', 90, first)).toEqual(at('2026-10-25T01:30:00Z'))
  })
})

describe('a typed time zone', () => {
  test('is read from its name or its city, in any spelling', () => {
    expect(readTimeZone('africa/accra')).toBe('Africa/Accra')
    expect(readTimeZone(' Lagos ')).toBe('Africa/Lagos')
    expect(readTimeZone('new york')).toBe('America/New_York')
    expect(readTimeZone('utc')).toBe('UTC')
  })

  test('is not read from any other text', () => {
    for (const text of ['', 'nowhere', 'Africa/Nowhere', '+01:00', '../etc', 'a'.repeat(5_000), '0241234567'])
      expect(readTimeZone(text), text).toBeNull()
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { retryAfterMs } from '../../src/provider/retry-after.ts'

const now = Date.UTC(2026, 2, 1, 12, 0, 0)
const minute = 60_000
const hour = 60 * minute

test.each([
  ['seconds', '30', 30_000],
  ['seconds with a fraction', '1.5', 1_500],
  ['seconds up to an hour', '3600', hour],
  ['seconds beyond an hour', '7200', hour],
  ['the seconds of a day', '86400', hour],
  ['milliseconds', '30000', 30_000],
  ['many milliseconds', '90500', 90_500],
  ['milliseconds beyond an hour', '5000000', hour],
  ['an epoch in seconds', String(now / 1000 + 45), 45_000],
  ['an epoch in milliseconds', String(now + 45_000), 45_000],
  ['an HTTP date', new Date(now + minute).toUTCString(), minute],
  ['the date form of RFC 850', 'Sunday, 01-Mar-26 12:01:00 GMT', minute],
  ['the date form of asctime', 'Sun Mar  1 12:01:00 2026', minute],
  ['an ISO date', '2026-03-01T12:01:00+00:00', minute],
  ['a date that has passed', new Date(now - minute).toUTCString(), 1_000],
  ['an epoch that has passed', String(now / 1000 - 45), 1_000],
  ['a date a year ahead', new Date(now + 9000 * hour).toUTCString(), hour],
  ['zero', '0', 1_000],
  ['a negative number', '-5', 1_000],
  ['nothing', undefined, minute],
  ['an empty value', '', minute],
  ['junk', 'soon 5', minute],
  ['two values in one', '5, 10', minute],
  ['a repeated header', ['20', '40'], 20_000],
])('a Retry-After of %s is read as a wait of at most an hour', (_form, header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected)
})

test('any Retry-After header gives a wait between a second and an hour', () => {
  const header = fc.oneof(fc.anything(), fc.string(), fc.double().map(String), fc.integer().map(String))
  fc.assert(
    fc.property(header, (value) => {
      const wait = retryAfterMs(value, now)
      expect(Number.isInteger(wait) && wait >= 1_000 && wait <= hour).toBe(true)
    }),
  )
})

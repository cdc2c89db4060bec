import { expect, test } from 'vitest'
import { type ExportPeriod, readPeriod, spanOf } from '../../src/exports/export-period.ts'

const now = new Date('2026-03-10T10:32:00Z')

test.each([
  ['today', '2026-03-10', null],
  ['7d', '2026-03-04', null],
  ['30d', '2026-02-09', null],
  ['month', '2026-03-01', null],
  ['last_month', '2026-02-01', '2026-03-01'],
  [{ from: '2026-01-01', to: '2026-01-31' }, '2026-01-01', '2026-02-01'],
  [{ from: '2026-03-01', to: '2026-03-10' }, '2026-03-01', null],
] as [ExportPeriod, string, string | null][])(
  'the export period %j begins and ends at midnight',
  (period, since, until) => {
    const midnight = (day: string | null) => day && new Date(`${day}T00:00:00Z`)
    expect(spanOf(period, now, 'Africa/Accra')).toEqual({ since: midnight(since), until: midnight(until) })
  },
)

test('the month before January is December, and the export period “all” has no limits', () => {
  const january = new Date('2026-01-05T00:00:00Z')
  expect(spanOf('last_month', january, 'UTC').since).toEqual(new Date('2025-12-01T00:00:00Z'))
  expect(spanOf('all', now, 'UTC')).toEqual({ since: null, until: null })
})

test.each([
  ['2026-01-01 2026-03-31', '2026-01-01', '2026-03-31'],
  ['2026-01-01 to 2026-02-28', '2026-01-01', '2026-02-28'],
  ['from 1/2/2026 until 28/2/2026', '2026-02-01', '2026-02-28'],
  ['01.02.2026 – 2026-02-03', '2026-02-01', '2026-02-03'],
  [' 2026/3/9 ', '2026-03-09', '2026-03-09'],
  ['1 Jan to 31 Mar', '2026-01-01', '2026-03-31'],
  ['1st march 2026 - 5 Mar', '2026-03-01', '2026-03-05'],
  ['20 dec 5 jan', '2025-12-20', '2026-01-05'],
  ['9 March', '2026-03-09', '2026-03-09'],
  ['11 Mar', '2025-03-11', '2025-03-11'],
])('the export period “%s” is understood', (text, from, to) => {
  expect(readPeriod(text, now, 'Africa/Accra')).toEqual({ kind: 'period', period: { from, to } })
})

test.each([
  ['', 'unreadable'],
  ['last week', 'unreadable'],
  ['2026-01-01 2026-02-01 2026-03-01', 'unreadable'],
  ['2026-01-01 and then some', 'unreadable'],
  ['0241234567 5GB', 'unreadable'],
  ['2026-02-30', 'no_such_day'],
  ['30 Feb', 'no_such_day'],
  ['31/13/2026', 'no_such_day'],
  ['2026-03-02 2026-03-01', 'reversed'],
  ['2026-03-11 2026-03-12', 'future'],
])('the export period “%s” is refused: %s', (text, fault) => {
  expect(readPeriod(text, now, 'Africa/Accra')).toEqual({ kind: 'refused', fault })
})

test('the days of an export period are in the person’s time zone', () => {
  const lateInLagos = new Date('2026-03-10T23:30:00Z')
  expect(spanOf('today', lateInLagos, 'Africa/Lagos').since).toEqual(new Date('2026-03-10T23:00:00Z'))
  expect(spanOf({ from: '2026-03-29', to: '2026-03-29' }, new Date('2026-05-01'), 'Europe/London')).toEqual({
    since: new Date('2026-03-29T00:00:00Z'),
    until: new Date('2026-03-29T23:00:00Z'),
  })
  expect(readPeriod('2026-03-11', lateInLagos, 'Africa/Lagos').kind).toBe('period')
  expect(readPeriod('2026-03-11', lateInLagos, 'Africa/Accra').kind).toBe('refused')
})

import { expect, test } from 'vitest'
import { clock, duration, moment, when } from '../../src/telegram/time.ts'

const now = new Date('2026-11-21T10:32:59Z')

test('times are Accra’s, wherever the bot runs', () => {
  expect(clock(new Date('2026-11-21T09:05:00+09:00'))).toBe('00:05')
})

test('today is told by the clock, another day by its date, another year by its year', () => {
  expect(when(new Date('2026-11-21T00:00:00Z'), now)).toBe('00:00')
  expect(when(new Date('2026-11-20T23:59:59Z'), now)).toBe('20 Nov, 23:59')
  expect(when(new Date('2025-11-21T10:32:00Z'), now)).toBe('21 Nov 2025, 10:32')
  expect(moment(new Date('2026-01-02T03:04:05Z'), now)).toBe('2 Jan, 03:04')
})

test.each([
  [0, '0 s'],
  [1, '1 s'],
  [59_001, 'about 1 min'],
  [59_000, '59 s'],
  [60_001, 'about 2 min'],
  [3_540_000, 'about 59 min'],
  [3_600_000, 'about 1 h'],
  [3_660_000, 'about 2 h'],
])('%d ms is %s: never less than it takes', (ms, words) => {
  expect(duration(ms)).toBe(words)
})

test('a time that has passed takes no time', () => {
  expect(duration(-5000)).toBe('0 s')
})

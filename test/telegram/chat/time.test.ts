import { expect, test } from 'vitest'
import { plainText } from '../../../src/telegram/chat/screen.ts'
import { clock, duration, moment, plainClock, plainMoment, when } from '../../../src/telegram/chat/time.ts'

const now = new Date('2026-11-21T10:32:59Z')

test('times are shown in Accra’s time zone, wherever the bot runs', () => {
  expect(plainClock(new Date('2026-11-21T09:05:00+09:00'))).toBe('00:05')
})

test('a time today shows the clock, another day adds the date, and another year adds the year', () => {
  const shown = (at: string) => plainText(when(new Date(at), now))
  expect(shown('2026-11-21T00:00:00Z')).toBe('00:00')
  expect(shown('2026-11-20T23:59:59Z')).toBe('20 Nov, 23:59')
  expect(shown('2025-11-21T10:32:00Z')).toBe('21 Nov 2025, 10:32')
  expect(plainMoment(new Date('2026-01-02T03:04:05Z'), now)).toBe('2 Jan, 03:04')
})

test('a time is sent with its exact moment, so that an app can show it in its own time zone', () => {
  const at = new Date('2026-11-21T10:32:00Z')
  expect(clock(at)).toBe('<tg-time unix="1795257120" format="t">10:32</tg-time>')
  expect(moment(at, now)).toBe('<tg-time unix="1795257120" format="Dt">21 Nov, 10:32</tg-time>')
})

test.each(['1969-12-31T23:59:59Z', '2038-01-19T03:14:08Z', '+200000-01-01T00:00:00Z'])(
  'a time outside Telegram’s range, %s, is shown as plain text',
  (at) => {
    expect(moment(new Date(at), now)).not.toContain('<')
  },
)

test.each([
  [0, '0 s'],
  [1, '1 s'],
  [59_001, 'about 1 min'],
  [59_000, '59 s'],
  [60_001, 'about 2 min'],
  [3_540_000, 'about 59 min'],
  [3_600_000, 'about 1 h'],
  [3_660_000, 'about 2 h'],
])('a duration of %d ms is shown as “%s”, never as less than it is', (ms, words) => {
  expect(duration(ms)).toBe(words)
})

test('a duration below zero is shown as “0 s”', () => {
  expect(duration(-5000)).toBe('0 s')
})

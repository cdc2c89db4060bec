import fc from 'fast-check'
import { expect, test } from 'vitest'
import { everyDay, readReminder, readSchedule } from '../../src/lists/written-reminder.ts'
import { clockOf } from '../../src/lists/written-time.ts'
import { runs } from '../support/runs.ts'

const friday = 5

test.each([
  ['Fridays 18:00: MTN 5GB for Ama', friday, 18 * 60, 'MTN 5GB for Ama'],
  ['every Friday 18:00 0241234567 5GB', friday, 18 * 60, '0241234567 5GB'],
  ['daily 8am Ama 2GB', everyDay, 8 * 60, 'Ama 2GB'],
  ['Every day at 6.30 pm - Ama Serwaa 500MB', everyDay, 18 * 60 + 30, 'Ama Serwaa 500MB'],
  ['FRI 6 PM: 024 123 4567 MTN 5GB', friday, 18 * 60, '024 123 4567 MTN 5GB'],
  ['each sun, 12am: 0241234567 1GB', 0, 0, '0241234567 1GB'],
  ['Thursday 09:05; Kofi 1.5gb', 4, 9 * 60 + 5, 'Kofi 1.5gb'],
  ['tues 7:15am: Kofi 2gb mtn', 2, 7 * 60 + 15, 'Kofi 2gb mtn'],
  ['every tues 7:15am Kofi 2gb mtn', 2, 7 * 60 + 15, 'Kofi 2gb mtn'],
])('“%s” is read as a reminder', (text, weekday, minutes, order) => {
  expect(readReminder(text)).toEqual({ weekday, minutes, order })
})

test.each([
  '0241234567 5GB',
  'Ama 2GB',
  'Friday 5GB',
  'Friday 8 Ama 2GB',
  'Fridays 18:00',
  'Fridays 25:00: Ama 2GB',
  'Fridays 18:60: Ama 2GB',
  'Friday 6pm call Ama',
  'Fri 10:32 0241234567 5GB',
  'Tue 10:32 AM 0241234567 5GB',
  'Friday 10.00 0241234567 1GB',
  'Fridays 10.00: 0241234567 1GB',
  'Friday 6pm: 0241234567',
  'Friday 6pm: 0241234567 5GB, 0551234567 2GB',
  'Friday 6pm:\n0241234567 5GB\n0551234567 2GB',
  'Friday 18:00 5GB 0241234567 cancel',
  'Friday\n18:00\n0241234567 5GB',
  '[Friday 18:00] Ama: 0241234567 5GB',
  'good morning, daily 0241234567 5GB',
  'Monday Asante 6pm 2GB',
])('%j is not read as a reminder', (text) => {
  expect(readReminder(text)).toBeNull()
})

test('any schedule of a reminder is read as it is written, with or without an order', () => {
  const names = ['Sundays', 'mon', 'every Tuesday', 'Weds', 'thurs', 'each fri', 'Saturday', 'every day']
  fc.assert(
    fc.property(fc.nat(7), fc.nat(24 * 60 - 1), (weekday, minutes) => {
      const written = `${names[weekday]} ${clockOf(minutes)}`
      expect(readSchedule(written)).toEqual({ weekday, minutes })
      expect(readReminder(`${written}: 0241234567 5GB`)).toEqual({
        weekday,
        minutes,
        order: '0241234567 5GB',
      })
      expect(readReminder(written)).toBeNull()
    }),
    { numRuns: runs(500) },
  )
})

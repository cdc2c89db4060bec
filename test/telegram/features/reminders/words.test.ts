import { expect, test } from 'vitest'
import * as words from '../../../../src/telegram/features/reminders/words.ts'
import { now } from '../../words/any-order.ts'
import { reminderWith } from '../../words/any-reminder.ts'
import { testTexts, type Wording } from '../../words/wording.ts'

const html: Wording<typeof words> = {
  made: (each) => words.made(reminderWith(each), each.flag ? each.text : null, now),
  one: (each) => words.one(reminderWith(each), each.flag ? each.text : null, now),
  all: ({ count }) => words.all(count),
  askTime: ({ count }) => words.askTime(count % 8),
  unknownName: ({ text }) => words.unknownName(text),
}

testTexts(words, html)

test('the answer to a new reminder says when the next card comes, and that nothing is ordered by itself', () => {
  const reminder = { weekday: 5, minutes: 18 * 60, network: 'MTN', volume: '5GB', offerSlug: null }
  const next = { ...reminder, phone: '0241234567', nextAt: new Date('2026-11-27T18:00:00Z') }
  const text = words.made(next as never, 'Ama', now)
  expect(text).toMatch(/Fridays 18:00.*MTN 5GB for .*Ama/)
  expect(text).toMatch(/Next: .*27 Nov/)
  expect(text).toMatch(/Nothing is ordered until you confirm/)
})

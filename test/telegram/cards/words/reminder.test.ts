import { expect, test } from 'vitest'
import type { NotReminded } from '../../../../src/domain/notice.ts'
import * as words from '../../../../src/telegram/cards/words/reminder.ts'
import { now } from '../../words/any-order.ts'
import { reminderWith } from '../../words/any-reminder.ts'
import { failureOf, testTexts, type Values, type Wording } from '../../words/wording.ts'

const reasons = (each: Values): NotReminded[] => [
  { kind: 'away' },
  { kind: 'not_sold' },
  { kind: 'unread', ...failureOf(each) },
  ...(['no_room', 'closing', 'paused'] as const).map((denial) => ({ kind: 'denied' as const, denial })),
]
const nameIn = ({ flag, text }: Values) => (flag ? text : null)

const html: Wording<typeof words> = {
  scheduleName: (each) => words.scheduleName(reminderWith(each)),
  reminderText: (each) => words.reminderText(reminderWith(each), nameIn(each)),
  reminderLabel: (each) => words.reminderLabel(reminderWith(each), nameIn(each)),
  noCard: (each) =>
    [...reasons(each), { kind: 'restored' as const }].map((why) =>
      words.noCard(reminderWith(each), nameIn(each), { why, due: now, now }),
    ),
}

testTexts(words, html, { plain: ['reminderLabel'] })

test('news that a reminder brought no card says that nothing was ordered, unless the database was restored', () => {
  const each = { count: 1, flag: true } as Values
  for (const why of reasons(each)) {
    const reminder = { weekday: 5, minutes: 1080, phone: '0241234567', network: 'MTN', volume: '5GB' }
    const text = words.noCard(reminder as never, 'Ama', { why, due: now, now })
    expect(text).toMatch(/Fridays 18:00.*MTN 5GB/)
    expect(text).toMatch(/nothing( new)? was ordered|orders? nothing|no new orders|nothing new/i)
  }
})

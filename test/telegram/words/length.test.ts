import { expect, test } from 'vitest'
import { listUnreadable } from '../../../src/telegram/cards/words/list.ts'
import { listTooLong } from '../../../src/telegram/cards/words/list-preview.ts'
import { invitationExpired } from '../../../src/telegram/features/agents/invitation-words.ts'
import { lengthIn } from '../../../src/telegram/words/markup.ts'
import { pressLeftOut } from '../../../src/telegram/words/unusable.ts'

test.each([
  [lengthIn('hour', 3_600_000), 'an hour'],
  [lengthIn('hour', 86_400_000), '24 hours'],
  [lengthIn('day', 86_400_000), 'a day'],
  [lengthIn('minute', 900_000), '15 minutes'],
  [lengthIn('hour', 2_700_000), '45 minutes'],
  [lengthIn('day', 129_600_000), '36 hours'],
  [lengthIn('second', 10_000), '10 seconds'],
])('a length of time is written in whole units: “%s”', (words, expected) => {
  expect(words).toBe(expected)
})

test('the limits that the bot’s texts mention are the limits that apply', () => {
  expect(invitationExpired).toBe('This invitation has expired: it was good for an hour. Ask for a new link.')
  expect(listUnreadable('Why.')).toBe('📋 Your list is kept for an hour.\nWhy.')
  expect(listTooLong).toContain('A list can have up to 10,000 lines.')
  expect(pressLeftOut).toContain('Pause for 10 seconds, then press again.')
})

import { expect, test } from 'vitest'
import * as words from '../../../src/telegram/words/numbers.ts'

test('a number is shown in groups, and a redacted number is shown as removed', () => {
  expect(words.numberOr('0241234567')).toBe('024\u00a0123\u00a04567')
  expect(words.numberCell('0241234567')).toBe('0241234567')
  for (const shown of [words.numberOr('removed:r1'), words.numberCell('removed:r1')]) {
    expect(shown).toContain('removed')
    expect(shown).not.toContain('r1')
  }
})

test('an answer to a press on a redacted order fits in an alert', () => {
  for (const toast of [words.needsNumber, words.tooOldToFollow]) expect(toast.length).toBeLessThanOrEqual(200)
})

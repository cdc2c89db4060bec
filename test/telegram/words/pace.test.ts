import { expect, test } from 'vitest'
import * as words from '../../../src/telegram/words/pace.ts'
import { testTexts, type Wording } from './wording.ts'

const html: Wording<typeof words> = {
  paceLine: ({ text, count }) =>
    words.paceLine({ network: text, medianSeconds: count, mostSeconds: count * 60 }),
}

testTexts(words, html)

test('a network’s pace gives the median and the 90th percentile of its deliveries', () => {
  expect(words.paceLine({ network: 'MTN', medianSeconds: 12, mostSeconds: 120 })).toBe(
    '⏱ MTN in the last few hours: half arrived within 12 s, nine in ten within about 2 min.',
  )
})

import { expect, test } from 'vitest'
import * as words from '../../../src/telegram/words/pace.ts'
import { testTexts, type Wording } from './wording.ts'

const html: Wording<typeof words> = {
  paceLine: ({ text, count }) =>
    words.paceLine({ network: text, medianSeconds: count, mostSeconds: count * 60 }),
  networkPace: ({ text, count, flag }) =>
    words.networkPace(text, { isSlow: flag, nowSeconds: count * 60, usualSeconds: count }),
}

testTexts(words, html)

test('a network’s pace gives the median and the 90th percentile of its deliveries', () => {
  expect(words.paceLine({ network: 'MTN', medianSeconds: 12, mostSeconds: 120 })).toBe(
    '⏱ MTN in the last few hours: half arrived within 12 s, most within about 2 min.',
  )
})

test('a network’s pace gives one time if the median and the 90th percentile read the same', () => {
  expect(words.paceLine({ network: 'MTN', medianSeconds: 10, mostSeconds: 10 })).toBe(
    '⏱ MTN in the last few hours: most orders arrived within 10 s.',
  )
})

test('the news of a slow network says how long orders take and not to order again, and a later message says that it is over', () => {
  const pace = { nowSeconds: 2_520, usualSeconds: 300 }
  expect(words.networkPace('MTN', { isSlow: true, ...pace })).toBe(
    '🐢 <b>MTN is slow</b>: your orders are taking about 42 min (usually about 5 min). Don’t order again: I’m following each one. I’ll tell you when MTN is no longer slow.',
  )
  expect(words.networkPace('MTN', { isSlow: false, ...pace })).toBe(
    '✅ <b>MTN is no longer slow</b>: your orders now take about 42 min.',
  )
})

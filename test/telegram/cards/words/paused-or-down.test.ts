import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as pausedWords from '../../../../src/telegram/cards/words/paused-or-down.ts'
import { now } from '../../words/any-order.ts'
import { hostile } from '../../words/outside.ts'
import { testTexts, type Values, type Wording } from '../../words/wording.ts'

const words = {
  pausedToast: pausedWords.pausedToast,
  pausedOnCard: pausedWords.pausedOnCard,
  ordersAgain: pausedWords.ordersAgain,
}

const paused = ({ text, flag, count }: Values) => ({
  since: now,
  until: flag ? new Date(now.getTime() + (count - 100) * 60_000) : null,
  reason: flag ? text : null,
})

const wording: Wording<typeof words> = {
  pausedToast: (values) => words.pausedToast(paused(values), now),
  pausedOnCard: (values) => words.pausedOnCard(paused(values), now),
}

testTexts(words, wording)

test('the answer to a press during a pause is at most 200 characters, whatever the pause’s end and reason', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 9), max: 10 ** 10 }), hostile, (ms, reason) => {
      const until = new Date(now.getTime() + ms)
      expect(words.pausedToast({ since: now, until, reason }, now).length).toBeLessThanOrEqual(200)
    }),
  )
})

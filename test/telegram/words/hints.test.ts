import { expect, test } from 'vitest'
import * as hintsWords from '../../../src/telegram/words/hints.ts'
import { testTexts } from './wording.ts'

const words = { hints: hintsWords.hints }

testTexts(words, {})

test('each hint in the text field is at most as long as Telegram shows', () => {
  for (const hint of Object.values(words.hints)) {
    expect(hint.length).toBeGreaterThan(0)
    expect(hint.length).toBeLessThanOrEqual(64)
  }
})

import { expect, test } from 'vitest'
import * as words from '../../../../src/telegram/chat/profile/profile-words.ts'
import { testTexts } from '../../words/wording.ts'

testTexts(words, {}, { plain: ['description', 'shortDescription'] })

test('the bot’s descriptions are within Telegram’s limits', () => {
  expect(words.description.length).toBeLessThanOrEqual(512)
  expect(words.shortDescription.length).toBeLessThanOrEqual(120)
})

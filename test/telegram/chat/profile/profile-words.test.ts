import { expect, test } from 'vitest'
import * as words from '../../../../src/telegram/chat/profile/profile-words.ts'
import { testTexts } from '../../words/wording.ts'

testTexts(words, {}, { plain: ['description', 'shortDescription'] })

test('the descriptions fit where Telegram shows them', () => {
  expect(words.description.length).toBeLessThanOrEqual(512)
  expect(words.shortDescription.length).toBeLessThanOrEqual(120)
})

import { expect, test } from 'vitest'
import * as words from '../../../src/telegram/texts/profile.ts'
import { testTexts } from './wording.ts'

testTexts(words, {}, { plain: ['description', 'shortDescription'] })

test('the descriptions fit where Telegram shows them', () => {
  expect(words.description.length).toBeLessThanOrEqual(512)
  expect(words.shortDescription.length).toBeLessThanOrEqual(120)
})

import * as words from '../../../src/telegram/texts/refusal.ts'
import { testTexts, type Wording } from './wording.ts'

const html: Wording<typeof words> = {
  notUnderstood: ({ flag }) => words.notUnderstood(flag),
  flood: ({ flag }) => words.flood(flag ? 'member' : 'stranger'),
}

testTexts(words, html)

import * as words from '../../../src/telegram/words/unusable.ts'
import { testTexts, type Wording } from './wording.ts'

const html: Wording<typeof words> = {
  spoken: ({ flag }) => words.spoken(flag),
  notUnderstood: ({ flag }) => words.notUnderstood(flag),
  flood: ({ flag }) => words.flood(flag ? 'member' : 'stranger'),
}

testTexts(words, html)

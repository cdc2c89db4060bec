import * as words from '../../../../src/telegram/chat/alerts/disk-words.ts'
import { testTexts, type Wording } from '../../words/wording.ts'

const html: Wording<typeof words> = {
  freeInWords: ({ count }) => words.freeInWords(count * 1_000_000),
  diskIsShort: ({ count }) => words.diskIsShort(count * 1_000_000),
}

testTexts(words, html)

import * as words from '../../../../src/telegram/features/lists/edit-words.ts'
import { testTexts, type Wording } from '../../words/wording.ts'

const what = 'MTN 2GB for 0241234567'

const html: Wording<typeof words> = {
  reread: () => words.reread(what),
  noOrderNow: () => words.noOrderNow(what),
  tooLate: ({ flag, count }) => words.tooLate(what, flag, count % 2 === 0),
}

testTexts(words, html)

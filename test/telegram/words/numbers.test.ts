import * as recipientsWords from '../../../src/telegram/words/numbers.ts'
import { testTexts, type Wording } from './wording.ts'

const words = { forWhom: recipientsWords.forWhom, howMany: recipientsWords.howMany }

const html: Wording<typeof words> = {
  forWhom: ({ order, text }) => words.forWhom(order, text),
  howMany: ({ count }) => words.howMany(count + 2),
}

testTexts(words, html)

import * as words from '../../../src/telegram/texts/unreadable.ts'
import { failureOf, testTexts, type Wording } from './wording.ts'

const html: Wording<typeof words> = {
  silence: (values) => words.silence(failureOf(values).code),
  cannotRead: (values) => words.cannotRead('the balance', failureOf(values)),
}

testTexts(words, html, { parts: ['silence'] })

import * as words from '../../../src/telegram/words/own-number.ts'
import { testTexts } from './wording.ts'

testTexts(words, {})

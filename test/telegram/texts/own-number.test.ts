import * as words from '../../../src/telegram/texts/own-number.ts'
import { testTexts } from './wording.ts'

testTexts(words, {})

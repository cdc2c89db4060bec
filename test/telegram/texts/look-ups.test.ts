import * as words from '../../../src/telegram/texts/look-ups.ts'
import { testTexts, type Wording } from './wording.ts'

const html: Wording<typeof words> = {}

testTexts(words, html)

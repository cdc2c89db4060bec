import * as words from '../../../../src/telegram/chat/alerts/look-up-words.ts'
import { testTexts, type Wording } from '../../words/wording.ts'

const html: Wording<typeof words> = {}

testTexts(words, html)

import * as ownNumberWords from '../../../../src/telegram/features/buying/own-number-words.ts'
import * as labelsWords from '../../../../src/telegram/words/labels.ts'
import { testTexts } from '../../words/wording.ts'

const words = { ...ownNumberWords, keyboardRestored: labelsWords.keyboardRestored }

testTexts(words, {})

import * as words from '../../../../src/telegram/cards/words/network-file.ts'
import { testTexts, type Wording } from '../../words/wording.ts'

const wording: Wording<typeof words> = {
  fileName: ({ text }) => words.fileName(text),
  fileLabel: ({ text, flag }) => words.fileLabel(flag ? [text] : [text, text]),
  putBackLabel: ({ count }) => words.putBackLabel(count),
  fileCaption: ({ text, count }) => words.fileCaption(text, count),
}

testTexts(words, wording, { plain: ['fileName', 'fileLabel', 'putBackLabel'] })

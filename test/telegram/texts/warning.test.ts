import * as words from '../../../src/telegram/texts/warning.ts'
import { testTexts, type Wording } from './wording.ts'

const html: Wording<typeof words> = {
  warningOver: ({ order }) => words.warningOver(order),
  warningDropped: ({ order }) => words.warningDropped(order),
}

testTexts(words, html, {
  toAgents: {
    warningOver: ({ order }) => words.warningOver(order),
    warningDropped: ({ order }) => words.warningDropped(order),
  },
})

import * as warningWords from '../../../../src/telegram/cards/words/warning.ts'
import { testTexts, type Wording } from '../../words/wording.ts'

const words = {
  warningOver: warningWords.warningOver,
  warningDropped: warningWords.warningDropped,
  warningOverForOthers: warningWords.warningOverForOthers,
}

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

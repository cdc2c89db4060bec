import * as words from '../../../src/telegram/words/order-state.ts'
import { testTexts, type Wording } from './wording.ts'

const html: Wording<typeof words> = {
  placementWord: ({ order }) => words.placementWord(order.placement),
  statusWord: ({ order }) => `Status: ${words.statusWord(order)}`,
  recipientWord: ({ order }) =>
    `Status: ${order.recipients
      .slice(0, 50)
      .map((each) => words.recipientWord(order, each))
      .join()}`,
  orderMark: ({ order }) => words.orderMark(order),
}

testTexts(words, html)

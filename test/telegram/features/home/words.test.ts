import * as homeWords from '../../../../src/telegram/features/home/words.ts'
import * as hintsWords from '../../../../src/telegram/words/hints.ts'
import * as labelsWords from '../../../../src/telegram/words/labels.ts'
import { now } from '../../words/any-order.ts'
import { testTexts, type Wording } from '../../words/wording.ts'

const words = {
  ...homeWords,
  exampleSize: hintsWords.exampleSize,
  exampleOrder: hintsWords.exampleOrder,
  orderHint: hintsWords.orderHint,
  homeLabels: labelsWords.homeLabels,
}

const html: Wording<typeof words> = {
  welcome: ({ flag }) => words.welcome(flag),
  home: ({ text, money, flag }) =>
    words.home({
      accountType: text,
      balance: flag ? money : null,
      balanceAt: now,
      refused: flag,
      eraseBy: flag ? null : now,
      now,
    }),
}

testTexts(words, html)

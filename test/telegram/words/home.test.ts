import * as words from '../../../src/telegram/words/home.ts'
import { now } from './any-order.ts'
import { testTexts, type Wording } from './wording.ts'

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

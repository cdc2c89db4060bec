import * as words from '../../../../src/telegram/features/following/lookup-words.ts'
import { now, phone } from '../../words/any-order.ts'
import { testTexts, type Wording } from '../../words/wording.ts'

const html: Wording<typeof words> = {
  notAReference: ({ text }) => words.notAReference(text),
  noSuchOrder: ({ text }) => words.noSuchOrder(text),
  tooManyLookups: ({ count }) => words.tooManyLookups(count * 1000),
  lookedUpElsewhere: ({ text, money, flag }) =>
    words.lookedUpElsewhere({
      reference: text,
      network: flag ? text : null,
      volume: flag ? text : null,
      phone: flag ? phone : null,
      price: flag ? money : null,
      status: text,
      placedAt: now,
      deliveredAt: flag ? now : null,
      now,
    }),
}

testTexts(words, html)

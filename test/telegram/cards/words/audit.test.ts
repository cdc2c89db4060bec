import * as words from '../../../../src/telegram/cards/words/audit.ts'
import { now } from '../../words/any-order.ts'
import { testTexts, times, type Wording } from '../../words/wording.ts'

const html: Wording<typeof words> = {
  audit: ({ text, money, count, flag }) =>
    words.audit(
      {
        sinceMs: now.getTime(),
        debits: times(Math.min(count, 12), {
          atMs: flag ? now.getTime() : null,
          amountPesewas: money,
          description: flag ? text : null,
          reference: flag ? text : null,
        }),
        more: count,
      },
      now,
    ),
}

testTexts(words, html)

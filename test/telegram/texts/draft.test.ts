import { pesewas } from '../../../src/provider/money.ts'
import { bundleName } from '../../../src/telegram/texts/bundle.ts'
import * as words from '../../../src/telegram/texts/draft.ts'
import { phone } from './any-order.ts'
import { testTexts, type Wording } from './wording.ts'

const html: Wording<typeof words> = {
  draft: ({ text, money, flag, count }) =>
    words.draft({
      network: text,
      volume: text,
      offer: text,
      phone,
      name: text,
      price: money,
      sell: flag ? money : null,
      balance: flag ? pesewas(0) : null,
      allowance: flag ? null : { limitPesewas: money, leftPesewas: pesewas(0) },
      remark:
        ([null, 'price_changed', 'prices_unreadable', 'unauthorized', 'waited_long'] as const)[count % 5] ??
        null,
    }),
  draftOutdated: ({ text }) => words.draftOutdated(bundleName(text, text), phone, text),
  draftEnded: ({ text, count }) =>
    words.draftEnded(
      (['cancelled', 'expired', 'superseded'] as const)[count % 3] ?? 'expired',
      bundleName(text, text),
      phone,
      text,
    ),
}

testTexts(words, html)

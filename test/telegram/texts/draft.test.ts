import { pesewas } from '../../../src/provider/money.ts'
import { bundleName } from '../../../src/telegram/texts/bundle.ts'
import * as words from '../../../src/telegram/texts/draft.ts'
import { phone } from './any-order.ts'
import { testTexts, type Wording } from './wording.ts'

const ends: words.DraftEnd[] = ['cancelled', 'expired', 'left', 'restored', 'superseded']
const endOf = (count: number) => ends[count % ends.length] ?? 'expired'

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
  draftEnded: ({ text, count }) => words.draftEnded(endOf(count), bundleName(text, text), phone, text),
  endedUnconfirmed: ({ text, count }) => {
    const end = endOf(count)
    return end === 'superseded' ? '-' : words.endedUnconfirmed(end, bundleName(text, text))
  },
}

testTexts(words, html)

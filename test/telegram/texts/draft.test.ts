import type { Order } from '../../../src/orders/order.ts'
import { pesewas } from '../../../src/provider/money.ts'
import { escapeHtml } from '../../../src/telegram/screen.ts'
import { bundleName } from '../../../src/telegram/texts/bundle.ts'
import * as words from '../../../src/telegram/texts/draft.ts'
import { now, phone, recipientsOf } from './any-order.ts'
import { testTexts, type Wording } from './wording.ts'

const ends: words.DraftEnd[] = ['cancelled', 'expired', 'left', 'restored', 'crowded_out', 'superseded']
const endOf = (count: number) => ends[count % ends.length] ?? 'expired'

const earlierOf = (order: Order) => {
  const [recipient] = recipientsOf(1)
  if (!recipient) throw new Error('There is no recipient.')
  return { phone, recipient, order }
}

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
  earlierText: ({ order }) => words.earlierText(earlierOf(order), now),
  repeatedToast: ({ order }) => escapeHtml(words.repeatedToast(earlierOf(order), now)),
  draftEnded: ({ text, count }) => words.draftEnded(endOf(count), bundleName(text, text), phone, text),
  endedUnconfirmed: ({ text, count }) => {
    const end = endOf(count)
    return end === 'superseded' ? '-' : words.endedUnconfirmed(end, bundleName(text, text))
  },
}

testTexts(words, html)

import { pesewas } from '../../../../src/provider/money.ts'
import { orderSeenBy } from '../../../../src/telegram/cards/viewer.ts'
import * as words from '../../../../src/telegram/cards/words/draft.ts'
import { downOnCard } from '../../../../src/telegram/cards/words/paused-or-down.ts'
import { escapeHtml } from '../../../../src/telegram/chat/screen.ts'
import { bundleName } from '../../../../src/telegram/words/bundle.ts'
import { confirmed, now, phone, recipientsOf } from '../../words/any-order.ts'
import { testTexts, type Wording } from '../../words/wording.ts'

const ends: words.DraftEnd[] = ['cancelled', 'expired', 'left', 'restored', 'crowded_out', 'superseded']
const endOf = (count: number) => ends[count % ends.length] ?? 'expired'

const earlierOf = (count: number) => {
  const [recipient] = recipientsOf(1)
  if (!recipient) throw new Error('There is no recipient.')
  if (count % 2) return 'others' as const
  return { recipient, order: orderSeenBy(confirmed, { role: 'owner', prices: 'cost' }) }
}

const html: Wording<typeof words> = {
  draft: ({ text, money, flag, count }) =>
    words.draft({
      network: text,
      volume: text,
      offer: text,
      isAsLastTime: flag,
      phone,
      name: text,
      price: count % 4 === 0 ? null : money,
      isPriceTheirs: !flag,
      sell: flag ? money : null,
      balance: flag ? pesewas(0) : null,
      near: count % 5 === 0 ? { phone, name: null, slip: 'swap' } : null,
      limit: flag
        ? null
        : {
            limitPesewas: money,
            leftPesewas: pesewas(0),
            isSeen: count % 2 === 0,
            isShort: money > 0,
            isAsked: count % 3 === 0,
          },
      down: count % 3 === 0 ? downOnCard(text, now, now) : null,
      remark:
        ([null, 'price_changed', 'prices_unreadable', 'unauthorized', 'waited_long'] as const)[count % 5] ??
        null,
    }),
  earlierText: ({ count }) => words.earlierText(earlierOf(count), now),
  repeatedToast: ({ count }) => escapeHtml(words.repeatedToast(earlierOf(count), now)),
  draftEnded: ({ text, count }) => words.draftEnded(endOf(count), bundleName(text, text), phone, text),
  endedUnconfirmed: ({ text, count }) => {
    const end = endOf(count)
    return end === 'superseded' ? null : words.endedUnconfirmed(end, bundleName(text, text))
  },
}

testTexts(words, html)

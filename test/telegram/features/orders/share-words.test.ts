import fc from 'fast-check'
import { test } from 'vitest'
import * as words from '../../../../src/telegram/features/orders/share-words.ts'
import { anOrder } from '../../words/any-order.ts'
import { expectLabel, hostile } from '../../words/outside.ts'
import { testTexts, type Wording } from '../../words/wording.ts'

const html: Wording<typeof words> = {
  forwardText: ({ order }) => [words.forwardText(order, null), words.forwardText(order, 'Ama & Data')],
  shareText: ({ order }) => words.shareText('https://t.me/bot?start=s1&x="', order),
}

testTexts(words, html, { plain: ['forwardText'] })

test('the text forwarded with a shared link is plain text on one line', () => {
  fc.assert(
    fc.property(hostile, (name) => {
      expectLabel(words.forwardText({ ...anOrder, network: name, volume: name }, name), 200)
    }),
  )
})

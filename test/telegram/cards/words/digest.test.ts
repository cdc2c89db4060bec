import { expect, test } from 'vitest'
import type { Order } from '../../../../src/domain/order/order.ts'
import { maxNamed } from '../../../../src/messaging/digest.ts'
import { pesewas } from '../../../../src/provider/money.ts'
import { maskPhone } from '../../../../src/provider/phone.ts'
import { announceOtherPrice } from '../../../../src/telegram/cards/words/announcement.ts'
import * as words from '../../../../src/telegram/cards/words/digest.ts'
import { orderWith, phone } from '../../words/any-order.ts'
import { testTexts, times, type Wording } from '../../words/wording.ts'

const html: Wording<typeof words> = {
  digest: ({ order, text, count, flag }) =>
    words.digest(
      times(Math.min(count, maxNamed), words.digestLine(order, ['proof', 'other_price', 'refund'])),
      times(count, [text, count]),
      flag,
    ),
  digestLine: ({ order }) => words.digestLine(order, []),
  followedDigestLine: ({ order }) => words.followedDigestLine(order, maskPhone(phone)),
}

testTexts(words, html)

test('a charge that only the wallet shows is described in a digest as one that fits the order', () => {
  const placed: Partial<Order> = {
    placement: 'placed',
    reference: 'BUD-API-AB12CD-1',
    kind: 'single',
    quantity: 1,
    unitPricePesewas: pesewas(960),
    chargedPesewas: pesewas(975),
    acceptedQuantity: 1,
    reason: null,
  }
  const inferred = orderWith({ ...placed, inferred: true })
  const proven = orderWith({ ...placed, inferred: false })
  for (const text of [announceOtherPrice(inferred), words.digestLine(inferred, ['other_price'])]) {
    expect(text).toContain('GHS 9.75 in the wallet matches this order')
    expect(text).not.toMatch(/the provider charged|: charged/)
  }
  expect(announceOtherPrice(proven)).toContain('the provider charged')
})

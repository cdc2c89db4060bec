import { expect, test } from 'vitest'
import { isOutdated } from '../../../src/domain/order/uncertainty.ts'
import { pesewas } from '../../../src/provider/money.ts'

const refundOf = (amount: number) => ({ about: 'refund', refundedPesewas: pesewas(amount) }) as const
const orderWith = (refunded: number | null) =>
  ({ placement: 'placed', refundedPesewas: refunded === null ? null : pesewas(refunded) }) as const

test('news of a refund is out of date as soon as a larger amount has been refunded', () => {
  expect(isOutdated(refundOf(300), orderWith(900))).toBe(true)
  expect(isOutdated(refundOf(900), orderWith(900))).toBe(false)
})

test('the news that nothing was refunded is out of date as soon as a refund was seen', () => {
  expect(isOutdated(refundOf(0), orderWith(null))).toBe(false)
  expect(isOutdated(refundOf(0), orderWith(300))).toBe(true)
})

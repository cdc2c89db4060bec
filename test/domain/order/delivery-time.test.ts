import { expect, test } from 'vitest'
import { deliverySecondsOf } from '../../../src/domain/order/delivery-time.ts'

const placedAt = new Date('2026-11-21T10:00:00Z')
const after = (seconds: number) => new Date(placedAt.getTime() + seconds * 1000)

test('a delivery takes from the time when the provider placed the order to the time when it delivered it', () => {
  const order = { placedAt, sentAt: after(-600) }
  expect(deliverySecondsOf(order, after(75), after(500))).toBe(75)
})

test('a delivery without the provider’s time of delivery is timed by the bot’s clock', () => {
  const order = { placedAt: after(-600), sentAt: placedAt }
  expect(deliverySecondsOf(order, null, after(90))).toBe(90)
  expect(deliverySecondsOf({ placedAt, sentAt: null }, null, after(60.4))).toBe(60)
})

test('a delivery whose order has no time of placing has no duration, and no duration is negative', () => {
  expect(deliverySecondsOf({ placedAt: null, sentAt: placedAt }, after(5), after(5))).toBe(null)
  expect(deliverySecondsOf({ placedAt, sentAt: placedAt }, after(-20), after(5))).toBe(0)
})

test('a delivery that the provider dates to the year 9999 has no duration', () => {
  const end = new Date('9999-12-31T23:59:59Z')
  expect(deliverySecondsOf({ placedAt, sentAt: placedAt }, end, after(5))).toBe(null)
})

import { expect, test } from 'vitest'
import { deliverySecondsOf } from '../../../src/domain/order/delivery-time.ts'

const placedAt = new Date('2026-11-21T10:00:00Z')
const after = (seconds: number) => new Date(placedAt.getTime() + seconds * 1000)

test('a delivery takes from the time of placing to the time of delivery, both as the provider tells them', () => {
  const order = { placedAt, sentAt: after(-600) }
  expect(deliverySecondsOf(order, after(75), after(500))).toBe(75)
})

test('where the provider does not tell the time it is ours alone, however far the clocks are apart', () => {
  const order = { placedAt: after(-600), sentAt: placedAt }
  expect(deliverySecondsOf(order, null, after(90))).toBe(90)
  expect(deliverySecondsOf({ placedAt, sentAt: null }, null, after(60.4))).toBe(60)
})

test('without the time of placing nothing is known, and no delivery takes less than nothing', () => {
  expect(deliverySecondsOf({ placedAt: null, sentAt: placedAt }, after(5), after(5))).toBe(null)
  expect(deliverySecondsOf({ placedAt, sentAt: placedAt }, after(-20), after(5))).toBe(0)
})

test('an end of the world that a provider names as the time of a delivery tells nothing', () => {
  const end = new Date('9999-12-31T23:59:59Z')
  expect(deliverySecondsOf({ placedAt, sentAt: placedAt }, end, after(5))).toBe(null)
})

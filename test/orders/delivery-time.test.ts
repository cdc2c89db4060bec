import { expect, test } from 'vitest'
import { deliverySecondsOf } from '../../src/orders/delivery-time.ts'

const placedAt = new Date('2026-11-21T10:00:00Z')
const after = (seconds: number) => new Date(placedAt.getTime() + seconds * 1000)

test('a delivery takes from the time of placing to the time of delivery, both as the provider tells them', () => {
  const order = { placedAt, clockOffsetMs: 90_000 }
  expect(deliverySecondsOf(order, after(75), after(500))).toBe(75)
})

test('where the provider does not tell the time it is ours, corrected by what is known between the clocks', () => {
  expect(deliverySecondsOf({ placedAt, clockOffsetMs: 30_000 }, null, after(60))).toBe(90)
  expect(deliverySecondsOf({ placedAt, clockOffsetMs: null }, null, after(60.4))).toBe(60)
})

test('without the time of placing nothing is known, and no delivery takes less than nothing', () => {
  expect(deliverySecondsOf({ placedAt: null, clockOffsetMs: 0 }, after(5), after(5))).toBe(null)
  expect(deliverySecondsOf({ placedAt, clockOffsetMs: 0 }, after(-20), after(5))).toBe(0)
})

test('an end of the world that a provider names as the time of a delivery tells nothing', () => {
  const end = new Date('9999-12-31T23:59:59Z')
  expect(deliverySecondsOf({ placedAt, clockOffsetMs: 0 }, end, after(5))).toBe(null)
})

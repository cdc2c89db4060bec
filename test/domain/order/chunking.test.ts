import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ConfirmedLine, chunksOf, maxPerOrder } from '../../../src/domain/order/chunking.ts'
import type { Phone } from '../../../src/provider/phone.ts'

const line = (phone: number, bundleId = 1): ConfirmedLine => ({
  phone: `024${String(phone).padStart(7, '0')}` as Phone,
  bundleId,
})

const list = fc.array(
  fc.record({ phone: fc.integer({ min: 1, max: 400 }), bundleId: fc.integer({ min: 1, max: 4 }) }),
  { maxLength: 600 },
)

describe('a list that is divided into orders', () => {
  test('keeps the lines of one bundle in sequence, and fills one order before the next', () => {
    const lines = Array.from({ length: 250 }, (_, index) => line(index))
    const orders = chunksOf(lines)
    expect(orders.map(({ length }) => length)).toEqual([100, 100, 50])
    expect(orders.flat()).toEqual(lines)
  })

  test('groups its lines by bundle, in the sequence in which the bundles first appear', () => {
    const orders = chunksOf([line(1, 7), line(2, 3), line(3, 7)])
    expect(orders).toEqual([[line(1, 7), line(3, 7)], [line(2, 3)]])
  })

  test('puts a phone that has the same bundle twice into two orders', () => {
    expect(chunksOf([line(1), line(1), line(2)])).toEqual([[line(1), line(2)], [line(1)]])
  })

  test('loses no line, mixes no bundles in an order, and needs hardly more orders than the minimum', () => {
    fc.assert(
      fc.property(list, (drawn) => {
        const lines = drawn.map(({ phone, bundleId }) => line(phone, bundleId))
        const orders = chunksOf(lines)
        expect(orders.flat().sort(byText)).toEqual(lines.toSorted(byText))
        for (const order of orders) {
          expect(order.length).toBeLessThanOrEqual(maxPerOrder)
          expect(new Set(order.map(({ bundleId }) => bundleId)).size).toBe(1)
          expect(new Set(order.map(({ phone }) => phone)).size).toBe(order.length)
        }
        for (const [bundleId, ofBundle] of Map.groupBy(lines, (each) => each.bundleId)) {
          const repeats = Math.max(
            ...Map.groupBy(ofBundle, ({ phone }) => phone)
              .values()
              .map((same) => same.length),
          )
          const needed = Math.max(repeats, Math.ceil(ofBundle.length / maxPerOrder))
          const made = orders.filter(([first]) => first?.bundleId === bundleId).length
          expect(made).toBeGreaterThanOrEqual(needed)
          expect(made).toBeLessThan(needed + repeats)
        }
      }),
    )
  })
})

const byText = (a: ConfirmedLine, b: ConfirmedLine): number =>
  `${a.phone}${a.bundleId}`.localeCompare(`${b.phone}${b.bundleId}`)

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  atLeastZero,
  formatGhs,
  larger,
  minus,
  pesewas,
  pesewasFromGhs,
  pesewasOrNull,
  plus,
  sum,
  times,
  zero,
} from '../../src/provider/money.ts'

const largest = 10 ** 13

test('any amount that is written as a JSON number in GHS is read back exactly', () => {
  fc.assert(
    fc.property(fc.integer({ min: -largest, max: largest }), (amount) => {
      const written: unknown = JSON.parse(JSON.stringify({ price: amount / 100 })).price
      expect(pesewasFromGhs(written)).toBe(amount)
    }),
  )
})

test('any amount that is written as text is read back exactly, with or without separators and currency', () => {
  fc.assert(
    fc.property(fc.integer({ min: -largest, max: largest }), (number) => {
      const amount = pesewas(number)
      expect(pesewasFromGhs(formatGhs(amount))).toBe(amount)
      expect(pesewasFromGhs(` ${(amount / 100).toFixed(2)} `)).toBe(amount)
    }),
  )
})

test('amounts with floating-point errors are read as the intended amounts', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1_000_000 }), { maxLength: 50 }), (amounts) => {
      const smudged = amounts.reduce((sum, amount) => sum + amount / 100, 0)
      expect(pesewasFromGhs(smudged)).toBe(amounts.reduce((sum, amount) => sum + amount, 0))
    }),
  )
})

test.each([
  [0.1 + 0.2, 30],
  ['0.30000000000000004', 30],
  [23.5, 2350],
  ['23.5', 2350],
  ['23', 2300],
  ['23.', 2300],
  ['GHS 1,234.50', 123450],
  ['1,234,567.89', 123456789],
  ['-5', -500],
  [-0, 0],
  ['-0.00', 0],
  [1e-7, 0],
  [0.005, 1],
  ['1.004999', 100],
])('%j in GHS is read as %i pesewas', (value, amount) => {
  expect(pesewasFromGhs(value)).toBe(amount)
})

test.each([
  '',
  ' ',
  '.',
  'free',
  '23,50',
  '1,23,456',
  '12,34',
  '1e3',
  '0x10',
  '1.2.3',
  '٣',
  'GHS',
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1e21,
  99999999999999,
  null,
  undefined,
  true,
  {},
  [5],
])('%j is not read as an amount', (value) => {
  expect(pesewasFromGhs(value)).toBeNull()
})

test('any value, however strange, is read as null or as a whole number of pesewas', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const amount = pesewasFromGhs(value)
      expect(amount === null || Number.isSafeInteger(amount)).toBe(true)
    }),
  )
})

test('a number that is not whole is not accepted as pesewas', () => {
  expect(() => pesewas(0.5)).toThrow(RangeError)
  expect(() => pesewasOrNull(Number.NaN)).toThrow(RangeError)
  expect(pesewasOrNull(null)).toBeNull()
})

const amount = fc.integer({ min: -largest, max: largest }).map(pesewas)

test('sums, differences and multiples of amounts are exact whole numbers', () => {
  fc.assert(
    fc.property(amount, amount, fc.nat(100), (a, b, count) => {
      const results = [plus(a, b), minus(a, b), times(a, count)]
      expect(results.map(Number)).toEqual([a + b, a - b, a * count])
      expect(results.map(pesewas)).toEqual(results)
      expect(minus(plus(a, b), b)).toBe(a)
    }),
  )
})

test('the sum of amounts does not depend on their sequence, and is zero for no amounts', () => {
  fc.assert(
    fc.property(fc.array(amount, { maxLength: 50 }), (amounts) => {
      expect(sum(amounts)).toBe(sum(amounts.toReversed()))
      expect(sum([...amounts, ...amounts])).toBe(sum(amounts) * 2)
    }),
  )
  expect(sum([])).toBe(zero)
})

test('the larger of two amounts is one of them, and a negative amount can be limited to zero', () => {
  fc.assert(
    fc.property(amount, amount, (a, b) => {
      expect(larger(a, b)).toBe(Math.max(a, b))
      expect(atLeastZero(a)).toBe(Math.max(0, a))
    }),
  )
})

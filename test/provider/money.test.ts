import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatGhs, pesewas, pesewasFromGhs } from '../../src/provider/money.ts'

const largest = 10 ** 13

test('any amount written as a JSON number in GHS reads back exactly', () => {
  fc.assert(
    fc.property(fc.integer({ min: -largest, max: largest }), (amount) => {
      const written: unknown = JSON.parse(JSON.stringify({ price: amount / 100 })).price
      expect(pesewasFromGhs(written)).toBe(amount)
    }),
  )
})

test('any amount written as text reads back exactly, with or without separators and currency', () => {
  fc.assert(
    fc.property(fc.integer({ min: -largest, max: largest }), (number) => {
      const amount = pesewas(number)
      expect(pesewasFromGhs(formatGhs(amount))).toBe(amount)
      expect(pesewasFromGhs(` ${(amount / 100).toFixed(2)} `)).toBe(amount)
    }),
  )
})

test('sums that floating point has smudged are read as what they mean', () => {
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
])('%j is %i pesewas', (value, amount) => {
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
])('%j is no amount', (value) => {
  expect(pesewasFromGhs(value)).toBeNull()
})

test('whatever is given, the result is null or a whole number', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const amount = pesewasFromGhs(value)
      expect(amount === null || Number.isSafeInteger(amount)).toBe(true)
    }),
  )
})

test('what is no whole number of pesewas cannot become one by name', () => {
  expect(() => pesewas(0.5)).toThrow(RangeError)
})

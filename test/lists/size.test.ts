import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSameSize, megabytesOf, readSize } from '../../src/lists/size.ts'

test.each([
  ['5', 5, 'GB'],
  ['5gb', 5, 'GB'],
  ['5 GIG', 5, 'GB'],
  ['10 gigs', 10, 'GB'],
  ['2.5GB', 2.5, 'GB'],
  [' 1 gigabyte ', 1, 'GB'],
  ['500mb', 500, 'MB'],
  ['500 MB', 500, 'MB'],
  ['750 megs', 750, 'MB'],
])('the size “%s” reads as %d %s', (written, amount, unit) => {
  expect(readSize(written)).toEqual({ amount, unit })
})

test.each([
  '',
  '0',
  '0gb',
  'gb',
  '5x',
  '2x5gb',
  '-5',
  '+5',
  '1e3',
  '1,5',
  '5.',
  '.5',
  '5 tb',
  '5gb5',
  '０',
  '½',
  '123456',
])('the text “%s” is not recognized as a size', (written) => {
  expect(readSize(written)).toBeNull()
})

const unit = fc.constantFrom<'GB' | 'MB'>('GB', 'MB')
const thousandths = fc.integer({ min: 1, max: 99_999_999 })

test('any size reads as it was written, without rounding', () => {
  fc.assert(
    fc.property(thousandths, unit, (amount, each) => {
      expect(readSize(`${amount / 1000}${each}`)).toEqual({ amount: amount / 1000, unit: each })
    }),
  )
})

test('a size in megabytes equals one in gigabytes at 1,000 or 1,024 to one, and at no other ratio', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 1, max: 99_999 }), (amount, mega) => {
      const gigabytes = { amount: amount / 1000, unit: 'GB' as const }
      expect(isSameSize(gigabytes, { amount, unit: 'MB' })).toBe(true)
      expect(isSameSize({ amount, unit: 'MB' }, gigabytes)).toBe(true)
      const same = mega === amount || mega * 1000 === amount * 1024
      expect(isSameSize(gigabytes, { amount: mega, unit: 'MB' })).toBe(same)
    }),
  )
  expect(isSameSize({ amount: 2, unit: 'GB' }, { amount: 2048, unit: 'MB' })).toBe(true)
})

test('the size 5MB does not equal the size 5GB', () => {
  expect(isSameSize({ amount: 5, unit: 'GB' }, { amount: 5, unit: 'MB' })).toBe(false)
  expect(megabytesOf({ amount: 5, unit: 'GB' })).toBe(5000)
  expect(megabytesOf({ amount: 5, unit: 'MB' })).toBe(5)
})

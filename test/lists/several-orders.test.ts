import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSeveralOrders } from '../../src/lists/several-orders.ts'
import { writtenSize } from '../../src/lists/size.ts'
import { anyCharacter } from '../support/any-character.ts'

const read = (text: string): string | null => {
  const several = readSeveralOrders(text)
  return several && [several.count, writtenSize(several.size), several.network ?? ''].join(' ').trim()
}

test.each([
  ['2x10gb', '2 10GB'],
  ['2 x 10gb mtn', '2 10GB MTN'],
  ['10gb x2', '2 10GB'],
  ['10GB X 2 please', '2 10GB'],
  ['10gb 2x', '2 10GB'],
  ['x2 10gb', '2 10GB'],
  ['3×5 gb on big time', '3 5GB BigTime'],
  ['5gb*4', '4 5GB'],
  ['2 times 2.5gb', '2 2.5GB'],
  ['500mb twice', '2 500MB'],
  ['I want 2 pcs of 10gb', '2 10GB'],
  ['mtn 5gig x 12', '12 5GB MTN'],
])('the text %j asks for several orders of one size: %s', (text, several) => {
  expect(read(text)).toBe(several)
})

test.each([
  '10gb',
  '2x10',
  '1x10gb',
  '0x5gb',
  '2x10gb 5gb',
  '2x10gb x3',
  'Kofi 2x10gb',
  '0241234567 2x10gb',
  '2x10gb\n0241234567',
  '2x10gb tomorrow',
  '10gb x',
  'x',
  '',
])('the text %j does not ask for several orders of one size', (text) => {
  expect(read(text)).toBeNull()
})

test('any text can be checked for several orders of one size', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 100 }), (text) => {
      readSeveralOrders(text)
    }),
  )
})

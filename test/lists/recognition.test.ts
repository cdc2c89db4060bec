import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recognize, standsForItself } from '../../src/lists/recognition.ts'
import { anyCharacter } from '../support/any-character.ts'
import { formats, wantedList } from './rendering.ts'

describe('a text with one number and its size is read as one order', () => {
  test.each([
    // Texts without other words.
    ['0241234567 5', true],
    ['0559876543, 10gb', true],
    ['1. 0535308873 - 5gb', true],
    ['0270890079\n15gb\nbig time', true],
    ['5gb 0241234567', true],
    ['mtn 0241234567 5', true],
    ['0241234567 10gb pls', true],
    ['please send 5gb to 0241234567', true],
    ['Buy 0241234567 10GB', true],
    ['0241234567 5 GHS 23.50', true],
    ['0241234567 10GB 42.75', true],
    ['Phone: 0535308873, GB: 5', true],
    ['[12/05/25, 14:03:11] Kofi: 0241234567 5', true],
    ['Good morning\n0241234567\n5gb\nthanks', true],
    // Texts with other words, or with a doubt.
    ['Kofi 0241234567 5gb', false],
    ['0241234567 2x10gb', false],
    ['0241234567 2,5', false],
    ['0241234567 5gb tomorrow', false],
    ['0241234567 5 mtn telecel', false],
    ['5- 0241234567', false],
  ])('as in %j (nothing else in it: %s)', (text, isPlain) => {
    expect(recognize(text)).toMatchObject({ kind: 'one', isPlain })
    expect(standsForItself(text)).toBe(isPlain)
  })
})

test.each([
  '0241234567',
  '+233 24 123 4567',
  '0241234567 pls',
  '0241234567 GHS 20',
  '0241234567 mtn',
  'hi\n0241234567',
])('the text %j is recognized as a number without a size', (text) => {
  expect(recognize(text)).toMatchObject({ kind: 'number', phone: '0241234567' })
})

test.each([
  '024123456 5',
  '02412345678 5gb',
  '0302123456',
  'O241234567 5gb',
  '2.44123E+08 5',
  '024 123 456 5gb',
])('the text %j is recognized as a damaged number', (text) => {
  expect(recognize(text).kind).toBe('damaged')
})

test.each([
  '0241234567 5gb\n0551234567 2gb',
  '0241234567 2, 0551234567 4',
  '0241234567 0551234567',
  '0244987337\n2gig please\n\nCustomer 2:\n0556789012\nNeed 4gb',
  '024123456 5\n0241234567 2',
  'Kofi 5gb\nAma 2gb',
  'Kofi 5gb\n0241234567 2gb',
])('the text %j is recognized as a list', (text) => {
  expect(recognize(text).kind).toBe('list')
})

test.each([
  ['Kofi 5gb', 'Kofi', true],
  ['Good morning\nplease 2gb for Ama Serwaa', 'Ama Serwaa', true],
  ['Kofi 5', 'Kofi', false],
  ['data 5gb', 'data', false],
])('the text %j is an order for the name “%s”, which is certain: %s', (text, written, isName) => {
  expect(recognize(text)).toMatchObject({ kind: 'named', request: { written }, isName })
})

test.each([
  '',
  '5gb',
  'good morning\nhow is business today?',
  'Kofi',
  'Kofi 0241234567',
  'call 0241234567',
  'call 024123456 now',
  'I sent momo to 0241234567',
])('the text %j is not recognized as an order', (text) => {
  expect(recognize(text).kind).toBe('none')
  expect(standsForItself(text)).toBe(false)
})

test('two or more orders are recognized as a list in any format', () => {
  const picking = fc.infiniteStream(fc.nat({ max: 2 ** 31 - 1 }))
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 6 }),
      picking,
      fc.constantFrom(...Object.values(formats)),
      (length, numbers, format) => {
        const wanted = wantedList(length, (below) => (numbers.next().value ?? 0) % below)
        fc.pre(wanted.length > 1)
        expect(recognize(format(wanted)).kind).toBe('list')
      },
    ),
  )
})

test('a single order is recognized as one order in any format', () => {
  const picking = fc.infiniteStream(fc.nat({ max: 2 ** 31 - 1 }))
  fc.assert(
    fc.property(picking, fc.constantFrom(...Object.values(formats)), (numbers, format) => {
      const wanted = wantedList(1, (below) => (numbers.next().value ?? 0) % below)
      expect(recognize(format(wanted)).kind).toBe('one')
    }),
  )
})

test('any text is recognized without an error, and a long text quickly', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => {
      recognize(text)
    }),
  )
  expect(recognize('0241234567 5 '.repeat(7_000)).kind).toBe('list')
  expect(recognize('9'.repeat(100_000)).kind).toBe('none')
})

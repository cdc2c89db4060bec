import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { networksOf, readPhone } from '../../src/lists/read-phone.ts'
import { isPhone, type Phone } from '../../src/provider/phone.ts'
import { anyCharacter } from '../support/any-character.ts'
import { runs } from '../support/runs.ts'

const nine = fc.stringMatching(/^[25]\d{8}$/)
const space = fc.constantFrom('', ' ', '-', '.', ' - ', '\u00a0', '\u2011', '\u200b')

/** Writes a number in every way: with each prefix, and with the nine digits in groups as people write them. */
const rendering = fc
  .record({
    digits: nine,
    prefix: fc.constantFrom(
      '0',
      '+233',
      '233',
      '00233',
      '(0)',
      '+233 (0)',
      '+233 0',
      '(+233) ',
      '\u202a+233',
      '',
    ),
    sizes: fc.constantFrom([9], [2, 7], [2, 3, 4], [3, 3, 3], [4, 5], [3, 2, 2, 2], [2, 3, 2, 2]),
    space,
    around: fc.constantFrom('', ' ', '\n', '\u200e'),
  })
  .map(({ digits, prefix, sizes, space, around }) => {
    let rest = digits
    const groups = sizes.map((size) => {
      const group = rest.slice(0, size)
      rest = rest.slice(size)
      return group
    })
    return { digits, prefix, text: `${around}${prefix}${groups.join(space)}${around}` }
  })

test('a phone in any common notation is recognized, and a restored zero is reported', () => {
  fc.assert(
    fc.property(rendering, ({ digits, prefix, text }) => {
      expect(readPhone(text)).toEqual({ phone: `0${digits}`, zeroRestored: prefix === '' })
    }),
    { numRuns: runs(1000) },
  )
})

test.each([
  ['0241234567', '0241234567', false],
  ['241234567', '0241234567', true],
  ['+233 24 123 4567', '0241234567', false],
  ['00233-24-123-4567', '0241234567', false],
  ['(024) 123 45 67', '0241234567', false],
  ['02 41 23 45 67', '0241234567', false],
  ['０２４１２３４５６７', '0241234567', false],
  ['0590123456', '0590123456', false],
  ['0251234567', '0251234567', false],
])('“%s” is recognized as the phone %s, with its zero restored: %s', (written, phone, zeroRestored) => {
  expect(readPhone(written)).toEqual({ phone, zeroRestored })
})

describe('a damaged or ambiguous phone is not recognized', () => {
  test.each([
    ['nine digits', '024123456'],
    ['one digit too many', '02412345678'],
    ['a landline', '0302123456'],
    ['a landline without its zero', '302123456'],
    ['another country', '+1 202 555 0100'],
    ['a letter inside', '024123456O'],
    ['Excel’s damage', '2.44123E+08'],
    ['a cell that became a decimal', '241234567.0'],
    ['a masked number', '024•••4567'],
    ['a size behind a damaged number', '024123456 5'],
    ['a size behind a dash', '024123456-5'],
    ['a size of two digits behind a damaged number', '02412345 10'],
    ['a size before a damaged number', '5 41234567'],
    ['a superscript digit', '024123456²'],
    ['digits of another script', '٠٢٤١٢٣٤٥٦٧'],
    ['a plus before a zero', '+0241234567'],
    ['two numbers', '0241234567 0551234567'],
    ['an empty text', ''],
  ])('as with %s: %s', (_, written) => {
    expect(readPhone(written)).toBeNull()
  })

  test('as with any phone with a digit too few or too many', () => {
    const damaged = fc
      .record({
        digits: nine,
        prefix: fc.constantFrom('0', '+233', '233', '00233'),
        at: fc.integer({ min: 1, max: 8 }),
        more: fc.nat(9),
      })
      .map(({ digits, prefix, at, more }) => [
        prefix + digits.slice(0, at) + digits.slice(at + 1),
        prefix + digits.slice(0, at) + more + digits.slice(at),
      ])
    fc.assert(
      fc.property(damaged, (texts) => {
        for (const text of texts) expect(readPhone(text)).toBeNull()
      }),
    )
  })

  test('so that any recognized phone is a mobile number in the API’s form', () => {
    const junk = fc.oneof(fc.string({ unit: anyCharacter }), fc.stringMatching(/^[\d +().-]{0,20}$/))
    fc.assert(
      fc.property(junk, (text) => {
        const phone = readPhone(text)?.phone
        expect(phone === undefined || (isPhone(phone) && /^0[25]/.test(phone))).toBe(true)
      }),
      { numRuns: runs(1000) },
    )
  })
})

test.each([
  ['024 025 053 054 055 059', ['MTN']],
  ['020 050', ['Telecel']],
  ['026 027 056 057', ['AirtelTigo', 'BigTime']],
  ['023 028 021 058', []],
])('the prefixes %s belong to the networks %j', (prefixes, networks) => {
  for (const prefix of prefixes.split(' ')) expect(networksOf(`${prefix}1234567` as Phone)).toEqual(networks)
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readNamedRequest } from '../../../src/lists/names/named-request.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { runs } from '../../support/runs.ts'

/** The size and the possible names of a request, as one text. */
const readingOf = (text: string): string | null => {
  const request = readNamedRequest(text)
  if (!request) return null
  const { size, readings, hasUnit } = request
  const whom = readings.map(({ key, network }) => (network ? `${key}@${network}` : key))
  return `${size.amount}${size.unit}${hasUnit ? '' : '?'} ${whom.join('|')}`
}

describe('a request with a contact’s name instead of a number', () => {
  test.each([
    ['Kofi 5gb', '5GB kofi'],
    ['5gb Kofi', '5GB kofi'],
    ['Kofi: 2.5 GB', '2.5GB kofi'],
    ['Kofi - 500mb', '500MB kofi'],
    ['ama serwaa 2 gb', '2GB ama serwaa'],
    ['Kofi 5gb mtn', '5GB kofi mtn|kofi@MTN'],
    ['mtn Kofi 5gb', '5GB mtn kofi|kofi@MTN'],
    ['Kofi 5gb airtel tigo', '5GB kofi airtel tigo|kofi@AirtelTigo'],
    ['Shop 2 5gb', '5GB shop 2'],
    ['Kofi 5', '5GB? kofi'],
    ['please send 5gb for Kofi', '5GB for kofi|kofi'],
    ['Ｋｏｆｉ ５gb', '5GB kofi'],
  ])('in the form %j is read as %j', (text, reading) => {
    expect(readingOf(text)).toBe(reading)
  })

  test.each([
    '5gb',
    'mtn 5gb',
    'Kofi',
    '5gb Kofi 2gb',
    '0241234567 5gb',
    'Kofi 0241234567 5gb',
    'Kofi 5gb\nAma 2gb',
    `${'Kofi '.repeat(40)}5gb`,
    '',
  ])('is not recognized in %j', (text) => {
    expect(readingOf(text)).toBeNull()
  })

  test('is read quickly and without an error, and always has a name to look up', () => {
    const word = fc.oneof(
      fc.constantFrom('5', 'gb', '5gb', 'mtn', 'at', 'big', 'time', '-', 'Kofi', 'for', '5 gb', '0241234567'),
      fc.string({ unit: anyCharacter, maxLength: 12 }),
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        for (const { key } of readNamedRequest(words.join(' '))?.readings ?? []) expect(key).not.toBe('')
      }),
      { numRuns: runs(3_000) },
    )
  })
})

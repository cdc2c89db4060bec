import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanName } from '../../../src/lists/names/contact-name.ts'
import { readNamedNumber } from '../../../src/lists/names/named-number.ts'
import { isPhone } from '../../../src/provider/phone.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { runs } from '../../support/runs.ts'

const readingOf = (line: string): string => {
  const read = readNamedNumber(line)
  if (read.kind === 'read') return `${read.name}=${read.phone}`
  return read.kind === 'fault' ? read.fault : 'nothing'
}

test.each([
  ['Kofi 0241234567', 'Kofi=0241234567'],
  ['0241234567 Kofi', 'Kofi=0241234567'],
  ['Kofi:0241234567', 'Kofi=0241234567'],
  ['Kofi0241234567', 'Kofi=0241234567'],
  ['3) Kofi - +233 24 123 4567', 'Kofi=0241234567'],
  ['1. 0241234567 Kofi', 'Kofi=0241234567'],
  ['Ama Serwaa (024) 123-4567', 'Ama Serwaa=0241234567'],
  ['Ama; 00233241234567', 'Ama=0241234567'],
  ['Shop 2 0241234567', 'Shop 2=0241234567'],
  ['0241234567 5gb Kofi', 'Kofi=0241234567'],
  ['Kofi <b> 0241234567', 'Kofi <b>=0241234567'],
  ['Kofi\t0241234567', 'Kofi=0241234567'],
  ['7\t0241234567\tMTN\tKofi', 'Kofi=0241234567'],
  ['Kofi\t\t241234567', 'Kofi=0241234567'],
  ['Kofi\t0241234567\t0201234567', 'two_numbers'],
  ['Kofi 0241234567, 0201234567', 'two_numbers'],
  ['0241234567', 'no_name'],
  ['\t0241234567', 'no_name'],
  ['Kofi', 'no_number'],
  ['Kofi 02412', 'bad_number'],
  ['Kofi 02412345', 'bad_number'],
  ['Kofi 0301234567', 'bad_number'],
  ['Name,Number', 'nothing'],
  ['Name\tPhone', 'nothing'],
  ['  ', 'nothing'],
])('the line %j of a list of contacts reads as “%s”', (line, reading) => {
  expect(readingOf(line)).toBe(reading)
})

test('a name and a phone on a line of contacts are found in either sequence, whatever is between them', () => {
  const name = fc.constantFrom('Kofi', 'Ama Serwaa', 'Émile', '😀', 'Ɔsei', 'Auntie B', 'Nii-Kwei')
  const digits = fc.stringMatching(/^02[04-7]\d{7}$|^05[0345679]\d{7}$/)
  const between = fc.constantFrom(' ', ': ', ' - ', ', ', '; ', '\t', ' = ', ' | ', ',')
  fc.assert(
    fc.property(name, digits, between, fc.boolean(), (name, phone, sign, first) => {
      expect(readingOf(first ? `${name}${sign}${phone}` : `${phone}${sign}${name}`)).toBe(`${name}=${phone}`)
    }),
  )
})

test('any line of a list of contacts gives a valid phone with a clean name, or no contact', () => {
  const part = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 20 }),
    fc.constantFrom('0241234567', '+233241234567', '5gb', '\t', '(', ')', '-', '1.', 'Kofi', ' '),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
      const read = readNamedNumber(parts.join(''))
      if (read.kind !== 'read') return
      expect(isPhone(read.phone)).toBe(true)
      expect(cleanName(read.name)).toBe(read.name)
    }),
    { numRuns: runs(3_000) },
  )
})

test('a line of contacts is read quickly even if it was written to slow the bot down', () => {
  const start = performance.now()
  for (const part of ['(', ' ', '0', '1 ', '-', '\t', '+(0', '1)']) readNamedNumber(part.repeat(200_000))
  expect(performance.now() - start).toBeLessThan(2_000)
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanName, maxNameLength, nameKey, nearness } from '../../../src/lists/names/contact-name.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { runs } from '../../support/runs.ts'

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc
    .array(
      fc.constantFrom(
        'Kofi',
        '\u202e',
        '\u200b',
        '\n',
        '👩‍🍳',
        '\u0301',
        '\ud83d',
        '<b>',
        '\t',
        '\u3164',
        'ɔ',
        'ﷺ',
      ),
    )
    .map((parts) => parts.join('')),
)

describe('a contact’s name', () => {
  test('is stored as one short line of whole visible characters, or not at all', () => {
    fc.assert(
      fc.property(anyText, (written) => {
        const name = cleanName(written)
        if (name === null) return
        expect(name.length).toBeLessThanOrEqual(maxNameLength)
        expect(name).toBe(name.trim())
        expect(name.isWellFormed()).toBe(true)
        expect(name).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029\u3164]| {2}/u)
        expect(cleanName(name)).toBe(name)
      }),
      { numRuns: runs(2_000) },
    )
  })

  test.each([
    ['  Ama \n Serwaa ', 'Ama Serwaa'],
    ['\u202eifoK\u202c', 'ifoK'],
    ['Ko\u200bfi', 'Kofi'],
    ['<b>Kofi</b>', '<b>Kofi</b>'],
    ['😀', '😀'],
    ['E\u0301mile', 'Émile'],
    ['x'.repeat(60), 'x'.repeat(40)],
    [`${'x'.repeat(39)}😀`, 'x'.repeat(39)],
    ['Shop 2', 'Shop 2'],
  ])('written as %j is stored as %j', (written, stored) => {
    expect(cleanName(written)).toBe(stored)
  })

  test.each(['0241234567', '?!', '\u200b\u3164\ufe0f', ''])('written as %j is not stored', (written) => {
    expect(cleanName(written)).toBeNull()
  })

  test('is cleaned quickly even if it was written to slow the bot down', () => {
    const start = performance.now()
    for (const part of [' ', '\u0301', '\u200b', 'a\u0301', '👨‍👩‍👧']) cleanName(part.repeat(1_000_000))
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})

describe('the search for a contact’s name', () => {
  test.each([
    ['Kofi', 'KOFI'],
    ['Émile', 'emile'],
    ['Ama  Serwaa', 'ama serwaa'],
    ['Abdul-Rahman', 'abdul rahman'],
    ['O’Brien', "o'brien"],
    ['Ɔsei Ɛnam', 'osei enam'],
    ['Kofi 🍔', 'kofi'],
    ['Ｋｏｆｉ', 'kofi'],
    ['İbrahim', 'ibrahim'],
    ['Auntie (Circle)', 'auntie circle'],
  ])('finds “%s” by “%s”', (saved, typed) => {
    expect(nameKey(saved)).toBe(nameKey(typed))
  })

  test('distinguishes names that are two different emoji', () => {
    expect(nameKey('😀')).not.toBe(nameKey('🍔'))
    expect(nameKey('😀')).not.toBe('')
  })

  test('contains no SQL wildcard, whatever name is saved', () => {
    fc.assert(
      fc.property(anyText, (written) => {
        const name = cleanName(written)
        if (name === null) return
        const key = nameKey(name)
        expect(key).not.toBe('')
        expect(key).not.toMatch(/[%_\\]/)
        expect(nameKey(key)).toBe(key)
      }),
      { numRuns: runs(2_000) },
    )
  })

  test('ranks an equal name first, then a name that begins with the search, then one with a word that does', () => {
    expect(nearness('kofi', 'kofi')).toBe('same')
    expect(nearness('kofi mensah', 'kofi')).toBe('begins')
    expect(nearness('ama kofi', 'kof')).toBe('word_begins')
    expect(nearness('ama kofi', 'ofi')).toBe('contains')
    expect(nearness('ama', 'kofi')).toBeNull()
    expect(nearness('ama', '')).toBeNull()
  })
})

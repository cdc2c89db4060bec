import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawable } from '../../src/pictures/drawable-text.ts'
import { letterOf, readLetter } from '../../src/shop/logo-letter.ts'

describe('a shop’s letter', () => {
  test.each([
    ['a', 'A'],
    [' K ', 'K'],
    ['ɛ', 'Ɛ'],
    ['é', 'É'],
    ['7', '7'],
    ['ß', 'ß'],
  ])('typed as %j is read as %s', (text, letter) => {
    expect(readLetter(text)).toEqual({ kind: 'letter', letter })
  })

  test.each([
    ['', 'several'],
    ['AB', 'several'],
    ['🔥', 'undrawable'],
    ['👨‍👩‍👧', 'undrawable'],
    ['✓', 'undrawable'],
    ['#', 'undrawable'],
    ['字', 'undrawable'],
  ])('typed as %j is refused (fault: %s)', (text, fault) => {
    expect(readLetter(text)).toEqual({ kind: 'refused', fault })
  })

  test.each([
    ['Ama Data', null, 'A'],
    ['🔥 kofi bundles', null, 'K'],
    ['“Éclair”', null, 'É'],
    ['Ama Data', 'D', 'D'],
    [null, 'D', 'D'],
    [null, null, null],
    ['🔥🔥', null, null],
  ])('of the shop named %j that chose %j is %j', (name, letter, shown) => {
    expect(letterOf({ name, letter })).toBe(shown)
  })

  test('is one character that pictures can show, whatever the shop’s name', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.option(fc.string({ unit: 'grapheme' })),
        (name, chosen) => {
          const letter = letterOf({ name, letter: chosen })
          if (letter === null) return
          expect([...letter]).toHaveLength(1)
          expect(drawable(letter)).toBe(letter)
        },
      ),
    )
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cut, drawable, lettering, sizeFor, widthOf } from '../../src/pictures/drawable-text.ts'
import { anyCharacter } from '../support/any-character.ts'
import { measured, textsIn } from './source.ts'

test('no character in a picture is wider than its estimated width, in any weight', () => {
  const tooWide: string[] = []
  for (let code = 0x20; code < 0x3000; code += 1) {
    const sign = String.fromCodePoint(code)
    if (drawable(`a${sign}a`) !== `a${sign}a`) continue
    for (const weight of [500, 700, 800]) {
      if (measured(sign, 1000, weight) > widthOf(sign, 1000)) tooWide.push(sign)
    }
  }
  expect(tooWide).toEqual([])
})

test.each([
  ["Ama's Data • 5GB – GH₵ é ɛ ɔ Ŋ …", "Ama's Data • 5GB – GH₵ é ɛ ɔ Ŋ …"],
  ['Kofi 😀 Data 👩‍👩‍👧', 'Kofi Data'],
  ['⚡️Ama⚡️Data 🇬🇭', 'Ama Data'],
  ['\u202Egnp.exe\u202C \u0000\u0007a\tb\nc', 'gnp.exe a b c'],
  ['e\u0301cole \ud83d', 'école'],
  ['محمد 王', ''],
])('a picture shows the text %j as %j', (text, drawn) => {
  expect(drawable(text)).toBe(drawn)
})

test('a text that is too wide for a picture is cut with “…” and fits', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter, maxLength: 200 }),
      fc.integer({ min: 60, max: 900 }),
      (text, most) => {
        const clean = drawable(text)
        const shown = cut(clean, 40, most)
        expect(measured(shown, 40, 800)).toBeLessThanOrEqual(most)
        if (shown !== clean) expect(clean.startsWith(shown.slice(0, -1))).toBe(true)
        const line = lettering(text, { x: 0, y: 0, size: 40, fill: '#000', most })
        expect(textsIn(`<svg>${line}</svg>`)).toEqual(shown === '' ? [] : [shown])
      },
    ),
  )
})

test('a text of a picture is drawn at the largest size at which it fits, or else at the smallest', () => {
  expect(sizeFor('5GB', [80, 60, 40], 1000)).toBe(80)
  expect(sizeFor('5GB', [80, 60, 40], 130)).toBe(60)
  expect(sizeFor('5GB', [80, 60, 40], 1)).toBe(40)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseHtml } from '../../src/sandbox/telegram/html.ts'
import {
  escapeHtml,
  foreignText,
  foreignWord,
  key,
  keyboardOf,
  link,
  plainText,
} from '../../src/telegram/screen.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('<b>', '</b>', '&', '&amp;', '"', '<a href="x">', ' ', '\n', '😀'))
    .map((all) => all.join('')),
)

test('an escaped text is shown as it is, and is no markup', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(parseHtml(escapeHtml(text))).toEqual({ text, entities: [] })
    }),
  )
})

test('a text without its markup is what Telegram would have shown', () => {
  fc.assert(
    fc.property(fc.array(anyText), (texts) => {
      const html = texts.map((text) => `<b>${escapeHtml(text)}</b><code>${escapeHtml(text)}</code>`).join('')
      expect(plainText(html)).toBe(parseHtml(html).text)
    }),
  )
})

test.each([
  ['a text from outside', foreignText, 300],
  ['a word from outside', foreignWord, 40],
])('%s is one short line of whole characters, and no markup', (_, foreign, most) => {
  fc.assert(
    fc.property(
      fc.oneof(
        anyText,
        anyText.map((text) => text.repeat(50)),
      ),
      (text) => {
        const { text: shown, entities } = parseHtml(foreign(text))
        expect(entities).toEqual([])
        expect(shown.length).toBeLessThanOrEqual(most)
        expect(shown.isWellFormed()).toBe(true)
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      },
    ),
  )
  expect(foreign(' Low\n\n  balance ')).toBe('Low balance')
  expect(foreign('\u202eKo\u200bfi\u0085A\u2066\ud83d')).toBe('Kofi A\ufffd')
})

test('a keyboard carries data or an address, and no empty rows', () => {
  expect(
    keyboardOf({
      text: '',
      rows: [[], [key('Home', { do: 'home' }), link('Site', 'https://x.example')], []],
    }),
  ).toEqual({
    inline_keyboard: [
      [
        { text: 'Home', callback_data: 'home' },
        { text: 'Site', url: 'https://x.example' },
      ],
    ],
  })
  expect(keyboardOf({ text: '' })).toEqual({ inline_keyboard: [] })
})

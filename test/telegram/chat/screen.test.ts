import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseHtml } from '../../../src/sandbox/index.ts'
import {
  button,
  copyButtons,
  escapeHtml,
  foreignText,
  foreignWord,
  keyboardOf,
  link,
  markupOf,
  plainText,
  unbroken,
} from '../../../src/telegram/chat/screen.ts'
import { anyCharacter } from '../../support/any-character.ts'

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc
    .array(fc.constantFrom('<b>', '</b>', '&', '&amp;', '"', '<a href="x">', ' ', '\n', '😀'))
    .map((all) => all.join('')),
)

test('an escaped text is shown exactly as it is and never read as markup', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(parseHtml(escapeHtml(text))).toEqual({ text, entities: [] })
    }),
  )
})

test('a text without its markup equals what Telegram would show', () => {
  fc.assert(
    fc.property(fc.array(anyText), (texts) => {
      const html = texts.map((text) => `<b>${escapeHtml(text)}</b><code>${escapeHtml(text)}</code>`).join('')
      expect(plainText(html)).toBe(parseHtml(html).text)
    }),
  )
})

test.each([
  ['a text from outside the bot', foreignText, 300],
  ['a word from outside the bot', foreignWord, 40],
])('%s is shown as one short line of whole characters without markup', (_, foreign, most) => {
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

test('a button that confirms is green, and a button that cancels is red', () => {
  const [[confirm, cancel] = []] = keyboardOf({
    text: '',
    rows: [
      [
        button('Yes', { do: 'confirm', purchaseId: 'p1', after: null }),
        button('No', { do: 'cancel', purchaseId: 'p1' }),
      ],
    ],
  }).inline_keyboard
  expect([confirm, cancel]).toMatchObject([{ style: 'success' }, { style: 'danger' }])
})

test('a text has a copy button only if it is not empty and no longer than Telegram can copy', () => {
  const rows = [copyButtons('Copy', 'BUD-1')]
  expect(keyboardOf({ text: '', rows }).inline_keyboard).toEqual([
    [{ text: 'Copy', copy_text: { text: 'BUD-1' } }],
  ])
  expect(copyButtons('Copy', 'x'.repeat(256))).toHaveLength(1)
  expect(copyButtons('Copy', 'x'.repeat(257))).toEqual([])
  expect(copyButtons('Copy', '')).toEqual([])
})

test('a message without buttons can set the hint in the text field or remove it', () => {
  expect(markupOf({ text: '', field: { kind: 'answer', hint: '5GB' } })).toEqual({
    force_reply: true,
    input_field_placeholder: '5GB',
  })
  expect(markupOf({ text: '', field: { kind: 'plain' } })).toEqual({ remove_keyboard: true })
  const rows = [[button('Home', { do: 'home' })]]
  expect(markupOf({ text: '', rows, field: { kind: 'plain' } })).toEqual(keyboardOf({ text: '', rows }))
})

test('a button on a screen has either data or an address, and empty rows are left out', () => {
  expect(
    keyboardOf({
      text: '',
      rows: [[], [button('Home', { do: 'home' }), link('Site', 'https://x.example')], []],
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

test('an amount of money on a screen is never broken over two lines', () => {
  expect(unbroken('Price: <b>GHS 4.65</b> · profit GHS 2.35, GHS or cedis')).toBe(
    'Price: <b>GHS\u00a04.65</b> · profit\u00a0GHS\u00a02.35, GHS or cedis',
  )
})

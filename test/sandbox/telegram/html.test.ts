import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../../src/sandbox/telegram/messages/html.ts'
import { anyCharacter } from '../../support/any-character.ts'

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

describe('the simulated parser of Telegram’s HTML', () => {
  it('keeps the time and the format of a date, except within code', () => {
    const time = '<tg-time unix="1647531900" format="Dt">17 Mar, 15:45</tg-time>'
    expect(parseHtml(`<b>At ${time}</b>`)).toEqual({
      text: 'At 17 Mar, 15:45',
      entities: [
        { type: 'date_time', offset: 3, length: 13, unix_time: 1_647_531_900, date_time_format: 'Dt' },
        { type: 'bold', offset: 0, length: 16 },
      ],
    })
    expect(parseHtml(`<code>${time}</code>`).entities).toEqual([{ type: 'code', offset: 0, length: 13 }])
    expect(() => parseHtml('<tg-time unix="1" format="tt">a</tg-time>')).toThrow('valid time and format')
  })

  it.each([
    [
      '<b>bold</b> <i>it</i>',
      'bold it',
      [
        ['bold', 0, 4],
        ['italic', 5, 2],
      ],
    ],
    [
      '<strong>a</strong><em>b</em><u>c</u><ins>d</ins>',
      'abcd',
      [
        ['bold', 0, 1],
        ['italic', 1, 1],
        ['underline', 2, 1],
        ['underline', 3, 1],
      ],
    ],
    [
      '<s>a</s><strike>b</strike><del>c</del>',
      'abc',
      [
        ['strikethrough', 0, 1],
        ['strikethrough', 1, 1],
        ['strikethrough', 2, 1],
      ],
    ],
    [
      '<tg-spoiler>a</tg-spoiler><span class="tg-spoiler">b</span>',
      'ab',
      [
        ['spoiler', 0, 1],
        ['spoiler', 1, 1],
      ],
    ],
    ['<blockquote>q</blockquote>', 'q', [['blockquote', 0, 1]]],
    ['<blockquote expandable>q</blockquote>', 'q', [['expandable_blockquote', 0, 1]]],
    ['😀<b>x</b>', '😀x', [['bold', 2, 1]]],
    ['<B>x</b >', 'x', [['bold', 0, 1]]],
    ['<b></b>x', 'x', []],
    ['<code>a &lt; b</code>', 'a < b', [['code', 0, 5]]],
    ['&#65;&#x1F600;&copy;&constructor; & &amp', 'A😀&copy;&constructor; & &', []],
    ['<a href="javascript:alert(1)">x</a>', 'x', []],
  ])('reads “%s”', (html, text, entities) => {
    const parsed = parseHtml(html)
    expect(parsed.text).toBe(text)
    expect(parsed.entities.map(({ type, offset, length }) => [type, offset, length])).toEqual(entities)
  })

  it('takes a link’s address, or its text if it has none', () => {
    expect(parseHtml('<a href="https://example.org/?a=1&amp;b=2">x</a>').entities).toEqual([
      { type: 'text_link', offset: 0, length: 1, url: 'https://example.org/?a=1&b=2' },
    ])
    expect(parseHtml('<a>example.org</a>').entities).toEqual([
      { type: 'text_link', offset: 0, length: 11, url: 'http://example.org/' },
    ])
  })

  it('turns a code block with a language into one entity', () => {
    expect(parseHtml('<pre><code class="language-ts">x</code></pre><pre>y</pre>').entities).toEqual([
      { type: 'pre', offset: 0, length: 1, language: 'ts' },
      { type: 'pre', offset: 1, length: 1 },
    ])
  })

  it.each([
    ['test <foo>x</foo>', 'Unsupported start tag "foo" at byte offset 5'],
    ['é<foo>', 'Unsupported start tag "foo" at byte offset 2'],
    ['1 < 2', 'Unsupported start tag "" at byte offset 2'],
    ['1 < 2 > 0', 'Unsupported start tag "" at byte offset 2'],
    ['<b', 'Unclosed start tag at byte offset 0'],
    ['<a href="x', 'Unclosed start tag "a" at byte offset 0'],
    ['<b>x', 'Can\'t find end tag corresponding to start tag "b"'],
    ['<b><i>x</i>', 'Can\'t find end tag corresponding to start tag "b"'],
    ['<b>x</i>', 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'],
    ['x</b>', 'Unexpected end tag at byte offset 1'],
    ['<b>x</b', 'Unclosed end tag at byte offset 4'],
    ['<a href=x:y>x</a>', 'Unexpected end of name token at byte offset 8'],
    ['<span class="red">x</span>', 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
    ['<a ="x">y</a>', 'Empty attribute name in the tag "a" at byte offset 0'],
  ])('refuses “%s”', (html, description) => {
    expect(() => parseHtml(html)).toThrow(`Bad Request: can't parse entities: ${description}`)
  })

  it('returns any escaped text as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(parseHtml(escaped(text))).toEqual({ text, entities: [] })
      }),
    )
  })

  it('places each entity on the text within its tag', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (texts) => {
        const { text, entities } = parseHtml(texts.map((part) => `<b>${escaped(part)}</b>`).join(''))
        expect(entities.map(({ offset, length }) => text.slice(offset, offset + length))).toEqual(texts)
      }),
    )
  })
})

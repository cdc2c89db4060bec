import fc from 'fast-check'
import { expect } from 'vitest'
import { parseHtml } from '../../../src/sandbox/index.ts'

/** Names that a provider, a person or an old database may use, each with a label that a counterexample shows. */
export const outside = {
  usual: 'MTN',
  empty: '',
  blank: ' ',
  tag: '<b>',
  'end of a tag': '</code>',
  'end of a quote': '</blockquote>',
  ampersand: '&',
  escaped: '&lt;i&gt;',
  link: '<a href="https://evil.example">x</a>',
  'two lines': 'two\nlines',
  prototype: '__proto__',
  constructor: 'constructor',
  'half a character': '\ud83d',
  'turned around': '\u202eamA',
  'long tags': '<'.repeat(10_000),
  'long ampersands': '&'.repeat(10_000),
  'long emoji': `x${'😀'.repeat(5_000)}`,
  'many lines': '\n'.repeat(400),
}
export const hostileName = fc.constantFrom(...(Object.keys(outside) as (keyof typeof outside)[]))
export const hostile = hostileName.map((name) => outside[name])

/** The traces of a missing value in a text. */
export const holes = /undefined|\bnull\b|NaN|\[object/

const ours = new Set(['bold', 'italic', 'code', 'pre', 'blockquote', 'date_time'])

/**
 * Checks that a text is within Telegram's limits, uses only our own tags and has no missing value.
 * @param name names the text if the check fails.
 * @param most the greatest number of characters: 4,096 in a message, 1,024 below a picture or a file.
 * @returns the text as it is shown.
 */
export const readAsTelegram = (text: string, name = 'text', most = 4096): string => {
  const read = parseHtml(text)
  expect(read.entities.map(({ type }) => type).filter((type) => !ours.has(type))).toEqual([])
  expect(read.text.length, name).toBeLessThanOrEqual(most)
  expect(read.text.trim(), name).not.toBe('')
  expect(text.isWellFormed(), name).toBe(true)
  expect(text, name).not.toMatch(holes)
  return read.text
}

/** A label of a button: one short line of plain text. */
export const expectLabel = (label: string, most = 64): void => {
  expect([...label].length, label).toBeLessThanOrEqual(most)
  expect(label).not.toMatch(/\n|&amp;/)
  expect(label.isWellFormed(), label).toBe(true)
}

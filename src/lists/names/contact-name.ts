import { charactersOf } from '../reading/characters.ts'

/** In UTF-16 units. */
export const maxNameLength = 40

/**
 * A name as it is stored: on one line, without invisible characters or marks that change the direction of writing,
 * at most `maxNameLength` long and never cut inside a character.
 * @returns null if what remains has no letter and no emoji, so that nobody could be called by it
 */
export const cleanName = (written: string): string | null => {
  const name = cutBetweenCharacters(visible(written)).trim()
  // `nameKey` folds some letters to nothing, and nobody could search for such a name.
  return callable.test(name) && nameKey(name) !== '' ? name : null
}

/**
 * A name as people see it: on one line, without invisible characters or marks that change the direction of writing.
 */
export const visible = (written: string): string =>
  written
    .slice(0, maxReadLength)
    .toWellFormed()
    .replace(unseen, '')
    .normalize('NFC')
    .replace(blank, ' ')
    .replace(stacked, '$1')
    .trim()

/** Only this many UTF-16 units of a text are read. A longer text cannot be a name. */
const maxReadLength = 1_000

/**
 * Characters that people cannot see: format characters (direction marks, zero width, tags), fillers that are shown
 * as nothing, and single halves of surrogate pairs.
 */
const unseen = /\p{Cf}|[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufffd]/gu
const blank = /[\s\p{Cc}\p{Z}\u2800]+/gu
/** More marks on one letter than any script uses. They would cover the lines above and below. */
const stacked = /(\p{M}{3})\p{M}+/gu
const callable = /\p{L}|\p{Extended_Pictographic}/u

const cutBetweenCharacters = (text: string): string => {
  if (text.length <= maxNameLength) return text
  let cut = ''
  for (const character of charactersOf(text)) {
    if (cut.length + character.length > maxNameLength) break
    cut += character
  }
  return cut
}

/**
 * The form of a name for searches. Case, accents, spaces and punctuation make no difference, and the plain letters
 * of a keyboard find the letters of Ghana's languages. Folding a key again changes nothing.
 */
export const nameKey = (name: string): string => {
  const letters = folded(name).replace(apostrophe, '').replace(sign, ' ').trim()
  return letters === '' ? folded(name).replace(/[\s%_\\]+/gu, '') : letters
}

const folded = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(foreignLetter, (letter) => plainLetters.get(letter) ?? letter)

const plainLetters = new Map([
  ['ɛ', 'e'],
  ['ɔ', 'o'],
  ['ŋ', 'n'],
  ['ɖ', 'd'],
  ['ƒ', 'f'],
  ['ɣ', 'g'],
  ['ʋ', 'v'],
  ['ɩ', 'i'],
  ['ʊ', 'u'],
  ['ǝ', 'e'],
  ['ə', 'e'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ħ', 'h'],
  ['ı', 'i'],
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
])
const foreignLetter = new RegExp(`[${[...plainLetters.keys()].join('')}]`, 'gu')
const apostrophe = /['’‘`´ʼ]/gu
const sign = /[^\p{L}\p{N}]+/gu

/** How well a saved name matches the typed one, best first; both are keys. */
type Nearness = 'same' | 'begins' | 'word_begins' | 'contains'

/** Compares two keys of `nameKey`; null if nothing was typed, or the saved name does not contain it. */
export const nearness = (saved: string, typed: string): Nearness | null => {
  if (typed === '') return null
  if (saved === typed) return 'same'
  if (saved.startsWith(typed)) return 'begins'
  if (saved.includes(` ${typed}`)) return 'word_begins'
  return saved.includes(typed) ? 'contains' : null
}

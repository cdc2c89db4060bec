/** The most UTF-16 units that a saved name has. */
export const longestName = 40

/**
 * A name as it is stored: on one line, without what cannot be seen or turns the text around it, at most
 * `longestName` long and never cut inside a character.
 * @returns null where nothing is left by which somebody could be called: a name has a letter or a picture in it.
 */
export const cleanName = (written: string): string | null => {
  const name = cutBetweenCharacters(visible(written)).trim()
  // Some letters are nothing but a mark on a blank, by which nobody can be searched for.
  return callable.test(name) && nameKey(name) !== '' ? name : null
}

/** A name as people see it: on one line, without what cannot be seen or turns the text around it. */
export const visible = (written: string): string =>
  written
    .slice(0, longestRead)
    .toWellFormed()
    .replace(unseen, '')
    .normalize('NFC')
    .replace(blank, ' ')
    .replace(stacked, '$1')
    .trim()

/** What is longer is no name, and is not looked at to its end. */
const longestRead = 1_000

/** Format characters (marks of direction, zero width, tags), fillers that show as nothing, and lost halves. */
const unseen = /\p{Cf}|[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufffd]/gu
const blank = /[\s\p{Cc}\p{Z}\u2800]+/gu
/** More marks on one letter than any script has grow over the lines above and below. */
const stacked = /(\p{M}{3})\p{M}+/gu
const callable = /\p{L}|\p{Extended_Pictographic}/u

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

const cutBetweenCharacters = (text: string): string => {
  if (text.length <= longestName) return text
  let cut = ''
  for (const { segment } of characters.segment(text)) {
    if (cut.length + segment.length > longestName) break
    cut += segment
  }
  return cut
}

/**
 * A name as it is searched for: case, accents, spaces and signs make no difference, and the letters of Ghana's
 * languages are found by the plain ones that keyboards have. Folded twice it stays the same.
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

/** How near a saved name is to what was typed: both as keys. */
type Nearness = 'same' | 'begins' | 'word_begins' | 'contains'

export const nearness = (saved: string, typed: string): Nearness | null => {
  if (typed === '') return null
  if (saved === typed) return 'same'
  if (saved.startsWith(typed)) return 'begins'
  if (saved.includes(` ${typed}`)) return 'word_begins'
  return saved.includes(typed) ? 'contains' : null
}

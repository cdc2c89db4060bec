import type { Shopfront } from '../domain/selling/price-rule.ts'
import { charactersOf } from '../lists/reading/characters.ts'
import { drawable } from '../pictures/drawable-text.ts'

/**
 * Why a text cannot be a shop's letter. `several`: it does not consist of exactly one character. `undrawable`: it is
 * not a letter or digit, or the font of the pictures does not contain it.
 */
export type LetterFault = 'several' | 'undrawable'

type WrittenLetter = { kind: 'letter'; letter: string } | { kind: 'refused'; fault: LetterFault }

/**
 * Whether the sign is a letter or a digit. No other sign is allowed, because a badge could make a shop look verified.
 */
const isLetter = (sign: string): boolean => /^[\p{L}\p{N}]$/u.test(sign)

/** The letter in upper case, if that is a single character that the font contains; otherwise the letter as it is. */
const capital = (letter: string): string => {
  const upper = letter.toUpperCase()
  return isLetter(upper) && drawable(upper) === upper ? upper : letter
}

export const readLetter = (text: string): WrittenLetter => {
  const [sign = '', ...more] = charactersOf(text.normalize('NFC').trim())
  if (sign === '' || more.length > 0) return { kind: 'refused', fault: 'several' }
  return isLetter(sign) && drawable(sign) === sign
    ? { kind: 'letter', letter: capital(sign) }
    : { kind: 'refused', fault: 'undrawable' }
}

/**
 * The letter on a shop's pictures: the chosen one or, without one, the first letter of its name that can be drawn; null
 * if there is none.
 */
export const letterOf = ({ name, letter }: Pick<Shopfront, 'name' | 'letter'>): string | null => {
  const first = [...charactersOf(drawable(letter ?? name ?? ''))].find(isLetter)
  return first === undefined ? null : capital(first)
}

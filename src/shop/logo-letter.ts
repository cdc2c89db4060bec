import type { Shopfront } from '../domain/selling.ts'
import { charactersOf } from '../lists/reading/characters.ts'
import { drawable } from '../pictures/lettering.ts'

/** Why a text cannot be a shop's letter: it has several signs or none, or the pictures' font does not have it. */
export type LetterFault = 'several' | 'undrawable'

type WrittenLetter = { kind: 'letter'; letter: string } | { kind: 'refused'; fault: LetterFault }

/** Badges and the like would pretend something, so nothing but letters and digits stands for a shop. */
const isLetter = (sign: string): boolean => /^[\p{L}\p{N}]$/u.test(sign)

/** As a capital, if that is one sign too. */
const capital = (letter: string): string => {
  const upper = letter.toUpperCase()
  return isLetter(upper) && drawable(upper) === upper ? upper : letter
}

/** Reads the letter that stands for a shop on its pictures. */
export const readLetter = (text: string): WrittenLetter => {
  const [sign = '', ...more] = charactersOf(text.normalize('NFC').trim())
  if (sign === '' || more.length > 0) return { kind: 'refused', fault: 'several' }
  return isLetter(sign) && drawable(sign) === sign
    ? { kind: 'letter', letter: capital(sign) }
    : { kind: 'refused', fault: 'undrawable' }
}

/** The letter on a shop's pictures: its own choice, else the first of its name; null if there is none to draw. */
export const letterOf = ({ name, letter }: Pick<Shopfront, 'name' | 'letter'>): string | null => {
  const first = [...charactersOf(drawable(letter ?? name ?? ''))].find(isLetter)
  return first === undefined ? null : capital(first)
}

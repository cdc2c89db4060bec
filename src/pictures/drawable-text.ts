import { family, weights } from './theme.ts'

/**
 * Characters that the font does not have. It has the Latin, Greek and Cyrillic letters, digits, punctuation and
 * currency signs. Any other character (emoji, other scripts, controls, marks that change the direction of writing)
 * would be drawn as an empty box.
 */
const undrawable =
  /[^\x20-\x7e\u00a1-\u00ac\u00ae-\u01c3\u01cd-\u01f0\u01f4-\u024f\u0250-\u0254\u0256-\u027b\u027e-\u0284\u0286-\u0290\u0292-\u02a2\u0391-\u03a1\u03a3-\u03ce\u0400-\u045f\u1e00-\u1e9b\u1e9e-\u1eff\u2010-\u2015\u2018-\u201e\u2020-\u2022\u2026\u20a0-\u20ae\u20b1-\u20b5\u20b8\u2190-\u2193\u2713]/gu

/**
 * Makes a text from outside drawable: on one line, and without characters that the font does not have. Words that only
 * an emoji separated stay apart.
 */
export const drawable = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(undrawable, (sign) => (/\p{Extended_Pictographic}/u.test(sign) ? ' ' : ''))
    .replace(/ +/g, ' ')
    .trim()

/**
 * Widths of characters in the heaviest weight, in hundredths of the letter size, rounded up. Measured from the
 * font's file.
 */
const widthClasses: [hundredths: number, signs: string][] = [
  [30, ' Iijl'],
  [40, "!'(),./:;[\\]`t|·"],
  [45, '1fr'],
  [50, '-^_{}‘’'],
  [60, '7"*?FJLacksxz“”•'],
  [65, '25Ebdeghnopquvy–'],
  [70, '034689#$&+<=>BPRSTZ~'],
  [75, 'CDHKU₵'],
  [80, 'AGNOQVXY'],
  [90, 'w'],
  [95, 'Mm'],
  [106, '@%—…'],
  [110, 'W'],
]

const widths = new Map(
  widthClasses.flatMap(([hundredths, signs]) => [...signs].map((sign) => [sign, hundredths] as const)),
)

/** The width of the widest drawable character, in hundredths of the letter size. */
const widest = 123

const hundredthsOf = (sign: string): number => widths.get(sign) ?? widest

/** The width of a text in pixels. It is an estimate that may be too large, but is never too small. */
export const widthOf = (text: string, size: number): number =>
  ([...text].reduce((sum, sign) => sum + hundredthsOf(sign), 0) * size) / 100

/** The text, cut with `…` if it is wider than `most` pixels. */
export const cut = (text: string, size: number, most: number): string => {
  if (widthOf(text, size) <= most) return text
  const signs = [...text]
  let hundredths = hundredthsOf('…')
  const end = signs.findIndex((sign) => {
    hundredths += hundredthsOf(sign)
    return (hundredths * size) / 100 > most
  })
  return `${signs.slice(0, end).join('').trimEnd()}…`
}

/** The largest size at which the text fits into `most` pixels. If it fits at none, the smallest size. */
export const sizeFor = (text: string, sizes: readonly number[], most: number): number =>
  sizes.find((size) => widthOf(text, size) <= most) ?? Math.min(...sizes)

interface Lettering {
  x: number
  /** The baseline. */
  y: number
  size: number
  fill: string
  weight?: keyof typeof weights
  anchor?: 'start' | 'middle' | 'end'
  /** In pixels. A wider text is cut with `…`. */
  most: number
}

/** Draws a line of text as SVG. Any text is safe to draw: it is cleaned, cut and escaped. */
export const lettering = (
  text: string,
  { x, y, size, fill, weight = 'text', anchor = 'start', most }: Lettering,
): string => {
  const shown = cut(drawable(text), size, most)
  return shown === ''
    ? ''
    : `<text x="${round(x)}" y="${round(y)}" font-family="${family}" font-size="${size}" font-weight="${weights[weight]}" fill="${fill}" text-anchor="${anchor}">${escapeXml(shown)}</text>`
}

const escapeXml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;')

/** Rounds to tenths of a pixel, which keeps the SVG short. */
export const round = (length: number): number => Math.round(length * 10) / 10

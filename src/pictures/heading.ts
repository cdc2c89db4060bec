import { drawable, lettering, sizeFor, widthOf } from './drawable-text.ts'
import { disc, field } from './drawing.ts'
import { type Accent, accents, margin, usualAccent, width } from './theme.ts'

/** The text at the top of every picture, on the shop's colour. */
export interface Heading {
  /** The shop's name, or another title. */
  title: string
  /** The kind of picture, and its date or time: `Data bundles · 21 Nov 2026`. */
  subtitle: string
  /** A short text to the right of the subtitle, such as the page number. */
  corner?: string
  /** The shop's colour; `usualAccent` if there is none. */
  accent?: Accent
  /** A letter in a disc before the title, as the shop's logo. */
  letter?: string | null
}

const lineHeight = 68
const discRadius = 62

/** Draws a heading and returns its height; the rest of the picture begins below it. */
export const heading = ({
  title,
  subtitle,
  corner = '',
  accent = usualAccent,
  letter = null,
}: Heading): { height: number; svg: string } => {
  const colours = accents[accent]
  const left = letter === null ? margin : margin + 2 * discRadius + 32
  const room = width - margin - left
  const lines = linesOf(drawable(title), room)
  const size = Math.min(...lines.map((line) => sizeFor(line, [80, 70, 60, 56], room)))
  const below = 104 + (lines.length - 1) * lineHeight
  const height = below + 88
  const svg = [
    field({ x: 0, y: 0, width, height }, colours.field),
    letter === null ? '' : sign(letter, height / 2, accent),
    ...lines.map((line, index) =>
      lettering(line, {
        x: left,
        y: 104 + index * lineHeight,
        size,
        fill: colours.letters,
        weight: 'heavy',
        most: room,
      }),
    ),
    lettering(subtitle, {
      x: left,
      y: below + 56,
      size: 34,
      fill: colours.softLetters,
      most: room - widthOf(corner, 34) - 20,
    }),
    lettering(corner, {
      x: width - margin,
      y: below + 56,
      size: 34,
      fill: colours.softLetters,
      weight: 'strong',
      anchor: 'end',
      most: 200,
    }),
  ].join('')
  return { height, svg }
}

/** Draws the shop's letter on a disc, with the heading's two colours swapped. */
const sign = (letter: string, y: number, accent: Accent): string => {
  const { field: colour, letters } = accents[accent]
  const x = margin + discRadius
  return [
    disc(x, y, discRadius, letters),
    lettering(letter, {
      x,
      y: y + 27,
      size: 74,
      fill: colour,
      weight: 'heavy',
      anchor: 'middle',
      most: 2 * discRadius,
    }),
  ].join('')
}

/** The title on one line, or on two if its words do not fit. */
const linesOf = (title: string, room: number): string[] => {
  if (widthOf(title, 56) <= room) return [title]
  const words = title.split(' ')
  const first: string[] = []
  while (words.length > 1 && widthOf([...first, words[0]].join(' '), 56) <= room)
    first.push(words.shift() ?? '')
  return first.length > 0 ? [first.join(' '), words.join(' ')] : [title]
}

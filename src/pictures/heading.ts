import { field } from './drawing.ts'
import { drawable, lettering, sizeFor, widthOf } from './lettering.ts'
import { ink, margin, width } from './theme.ts'

/** The words above every picture, on a dark field. */
interface Heading {
  /** The shop's name, or a title in its place. */
  title: string
  /** The kind of picture, and its date. */
  subtitle: string
  /** Stands at the right of the subtitle, such as the number of the page. */
  corner?: string
}

const room = width - 2 * margin
const lineHeight = 68

/** A drawn heading with its height; the rest of the picture begins below. */
export const heading = ({ title, subtitle, corner = '' }: Heading): { height: number; svg: string } => {
  const lines = linesOf(drawable(title))
  const size = Math.min(...lines.map((line) => sizeFor(line, [80, 70, 60, 56], room)))
  const below = 104 + (lines.length - 1) * lineHeight
  const height = below + 88
  const svg = [
    field({ x: 0, y: 0, width, height }, ink.night),
    ...lines.map((line, index) =>
      lettering(line, {
        x: margin,
        y: 104 + index * lineHeight,
        size,
        fill: ink.onNight,
        weight: 'heavy',
        most: room,
      }),
    ),
    lettering(subtitle, {
      x: margin,
      y: below + 56,
      size: 34,
      fill: ink.softOnNight,
      most: room - widthOf(corner, 34) - 20,
    }),
    lettering(corner, {
      x: width - margin,
      y: below + 56,
      size: 34,
      fill: ink.softOnNight,
      weight: 'strong',
      anchor: 'end',
      most: 200,
    }),
  ].join('')
  return { height, svg }
}

/** One line, or two if the words do not fit on one. */
const linesOf = (title: string): string[] => {
  if (widthOf(title, 56) <= room) return [title]
  const words = title.split(' ')
  const first: string[] = []
  while (words.length > 1 && widthOf([...first, words[0]].join(' '), 56) <= room)
    first.push(words.shift() ?? '')
  return first.length > 0 ? [first.join(' '), words.join(' ')] : [title]
}

import { lettering } from './drawable-text.ts'
import { drawing, field } from './drawing.ts'
import { type Heading, heading } from './heading.ts'
import { ink, margin, width } from './theme.ts'

/** A day's figures, in groups. The last line of a group is its result. */
export interface DayPicture extends Omit<Heading, 'corner'> {
  groups: { label: string; value: string }[][]
}

const rowHeight = 84
const padding = 48
const gap = 24

/** Draws the figures as SVG, a card for each group. */
export const dayPicture = ({ groups, ...headed }: DayPicture): string => {
  const head = heading(headed)
  let y = head.height + 40
  const parts = groups.map((rows) => {
    const top = y
    y += rows.length * rowHeight + 2 * gap + gap
    return card(rows, top)
  })
  return drawing(y + margin - gap, [head.svg, ...parts])
}

const card = (rows: DayPicture['groups'][number], top: number): string =>
  [
    field(
      { x: margin, y: top, width: width - 2 * margin, height: rows.length * rowHeight + 2 * gap },
      ink.card,
      28,
    ),
    ...rows.map(({ label, value }, index) => {
      const y = top + gap + index * rowHeight + 56
      const weight = index === rows.length - 1 ? 'heavy' : 'strong'
      const room = (width - 2 * margin - 2 * padding) / 2
      return [
        lettering(label, { x: margin + padding, y, size: 38, fill: ink.soft, most: room }),
        lettering(value, {
          x: width - margin - padding,
          y,
          size: 40,
          fill: ink.dark,
          weight,
          anchor: 'end',
          most: room,
        }),
      ].join('')
    }),
  ].join('')

import { formatGhs, type Pesewas } from '../provider/money.ts'
import { type Box, drawing, field } from './drawing.ts'
import { heading } from './heading.ts'
import { drawable, lettering, sizeFor, widthOf } from './lettering.ts'
import { coloursOf, ink, margin, mostHeight, width } from './theme.ts'

/** What a shop asks, to be posted where customers see it: nothing of what it pays is in here. */
export interface PriceListPicture {
  /** The shop's name, or what stands for it. */
  title: string
  /** What the list is of, and from when: `Data bundles · 21 Nov 2026`. */
  subtitle: string
  networks: PicturedNetwork[]
  /** The last line: how to order. */
  note: string
}

interface PicturedNetwork {
  network: string
  items: { name: string; pricePesewas: Pesewas }[]
}

/**
 * The list as pictures (SVG): one, or several where it is longer than can be read on a phone. Each has the head, and
 * a network that goes on has its name on both.
 */
export const priceListPictures = (list: PriceListPicture): string[] => {
  const room = mostHeight - heading(list).height - 40 - foot
  const look = lookOf(list.networks, room)
  const pages = paged(list.networks, look, room)
  return pages.map((networks, index) =>
    page({ ...list, networks }, look, pages.length > 1 ? `${index + 1}/${pages.length}` : ''),
  )
}

/** How large things are: few bundles are written large, one below the other. */
interface Look {
  columns: 1 | 2
  row: number
  /** Sizes and prices alike. */
  letters: number
}

const tightest: Look = { columns: 2, row: 64, letters: 38 }

const looks: Look[] = [
  { columns: 1, row: 104, letters: 58 },
  { columns: 2, row: 84, letters: 44 },
  { columns: 2, row: 74, letters: 40 },
  tightest,
]

/** The largest in which the list takes no more pictures than in the smallest. */
const lookOf = (list: PicturedNetwork[], room: number): Look => {
  const pages = looks.map((look) => paged(list, look, room).length)
  const look = looks[pages.indexOf(Math.min(...pages))] ?? tightest
  return { ...look, letters: letterSize(list, look) }
}

/** All are as large as the longest line may be: a size, and the price beside it. */
const letterSize = (list: PicturedNetwork[], { columns, letters }: Look): number => {
  const sizes = [0, 2, 4, 6, 8, 10, 12].map((less) => letters - less)
  const room = cellWidth(columns) - between
  const fitting = list.flatMap(({ items }) =>
    items.map(({ name, pricePesewas }) => {
      const [size = ''] = drawable(name).split(' ')
      return sizeFor(size + formatGhs(pricePesewas), sizes, room)
    }),
  )
  return Math.min(letters, ...fitting)
}

/** At least so much stands between a size and its price. */
const between = 16

const band = 92
const gap = 28
const foot = 92
const padding = 32
const inner = width - 2 * margin

const cellWidth = (columns: number): number => (inner - 2 * padding - (columns - 1) * 2 * padding) / columns

const heightOf = ({ items }: PicturedNetwork, { columns, row }: Look): number =>
  band + Math.ceil(items.length / columns) * row + gap

/** Fewer rows than this are not worth a page's last heading. */
const fewestRows = 2

/** A network stays whole where that takes no more pictures. */
const paged = (networks: PicturedNetwork[], look: Look, room: number): PicturedNetwork[][] => {
  const split = filled(networks, look, room, fewestRows)
  const whole = filled(networks, look, room, Number.POSITIVE_INFINITY)
  return whole.length === split.length ? whole : split
}

/** @param fewest with room for fewer rows of a network, and not for all, it begins on the next page. */
const filled = (
  networks: PicturedNetwork[],
  look: Look,
  room: number,
  fewest: number,
): PicturedNetwork[][] => {
  const pages: PicturedNetwork[][] = [[]]
  let left = room
  for (const network of networks) {
    let rest = network
    while (rest.items.length > 0) {
      const rows = Math.floor((left - band - gap) / look.row)
      const needed = Math.ceil(rest.items.length / look.columns)
      if (left < room && rows < Math.min(needed, fewest)) {
        pages.push([])
        left = room
        continue
      }
      const part = { ...rest, items: rest.items.slice(0, rows * look.columns) }
      pages.at(-1)?.push(part)
      left -= heightOf(part, look)
      rest = { ...rest, items: rest.items.slice(part.items.length) }
    }
  }
  return pages
}

const page = ({ title, subtitle, networks, note }: PriceListPicture, look: Look, corner: string): string => {
  const head = heading({ title, subtitle, corner })
  const parts = [head.svg]
  let y = head.height + 40
  for (const network of networks) {
    parts.push(section(network, y, look))
    y += heightOf(network, look)
  }
  parts.push(
    lettering(note, { x: width / 2, y: y + 40, size: 32, fill: ink.soft, anchor: 'middle', most: inner }),
  )
  return drawing(y + foot, parts)
}

const section = (network: PicturedNetwork, y: number, look: Look): string => {
  const box = { x: margin, y, width: inner, height: heightOf(network, look) - gap }
  return [
    field(box, ink.card, 28),
    banner(network.network, { ...box, height: band }),
    ...network.items.map((item, index) => cell(item, index, y + band, look)),
  ].join('')
}

/** A network's name on its colours, with round corners above. */
const banner = (network: string, box: Box): string => {
  const { field: colour, letters, accent } = coloursOf(network)
  return [
    field(box, colour, 28),
    field({ ...box, y: box.y + box.height - 30, height: 30 }, colour),
    field({ ...box, y: box.y + box.height - 8, height: 8 }, accent),
    lettering(network, {
      x: box.x + padding,
      y: box.y + 60,
      size: 46,
      fill: letters,
      weight: 'heavy',
      most: box.width - 2 * padding,
    }),
  ].join('')
}

const cell = (
  { name, pricePesewas }: PicturedNetwork['items'][number],
  index: number,
  top: number,
  { columns, row, letters }: Look,
): string => {
  const room = cellWidth(columns)
  const x = margin + padding + (index % columns) * (room + 2 * padding)
  const y = top + Math.floor(index / columns) * row
  const price = formatGhs(pricePesewas)
  const line = y + row / 2 + letters * 0.36
  return [
    index >= columns ? field({ x, y: y - 1, width: room, height: 2 }, ink.line) : '',
    columns === 2 && index % 2 === 1
      ? field({ x: x - padding - 1, y: y + 14, width: 2, height: row - 28 }, ink.line)
      : '',
    nameOf(name, { x, middle: y + row / 2, row, letters, most: room - widthOf(price, letters) - between }),
    lettering(price, {
      x: x + room,
      y: line,
      size: letters,
      fill: ink.dark,
      weight: 'strong',
      anchor: 'end',
      most: room,
    }),
  ].join('')
}

/** On one line where that is wide enough; else what tells the bundle from others of its size stands small below it. */
const nameOf = (name: string, { x, middle, row, letters, most }: NamePlace): string => {
  const whole = drawable(name)
  const sizes = [letters, letters - 8, letters - 16]
  const style = { x, fill: ink.dark, weight: 'heavy', most } as const
  const [first = '', ...rest] = whole.split(' ')
  if (rest.length === 0 || widthOf(whole, letters - 8) <= most) {
    return lettering(whole, { ...style, y: middle + letters * 0.36, size: sizeFor(whole, sizes, most) })
  }
  const below = rest.join(' ')
  const small = { fill: ink.soft, weight: 'strong', size: letters * 0.58 } as const
  return [
    lettering(first, { ...style, y: middle - row * 0.04, size: sizeFor(first, sizes.slice(1), most) }),
    lettering(below, { ...style, ...small, y: middle + row * 0.34 }),
  ].join('')
}

interface NamePlace {
  x: number
  /** The middle of its row, and how high that is. */
  middle: number
  row: number
  letters: number
  most: number
}

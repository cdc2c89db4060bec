import { formatGhs, type Pesewas } from '../provider/money.ts'
import { drawable, lettering, sizeFor, widthOf } from './drawable-text.ts'
import { type Box, drawing, field } from './drawing.ts'
import { type Heading, heading } from './heading.ts'
import { qrCode } from './qr.ts'
import { coloursOf, ink, margin, maxHeight, statusHeight, width } from './theme.ts'

/** A shop's selling prices, for its customers. What the shop itself pays is never in it. */
export interface PriceListPicture extends Omit<Heading, 'corner'> {
  networks: PicturedNetwork[]
  /** The last line, which says how to order. */
  note: string
  /** The shop's number, with a word before it. */
  contact?: string | null
  /** A link as a QR code, with the text next to it. */
  code?: { url: string; note: string }
}

/** `post` is as high as its content, for a chat. `status` fills a phone's screen. */
export type PriceListFormat = 'post' | 'status'

interface PicturedNetwork {
  network: string
  items: { name: string; pricePesewas: Pesewas }[]
}

/**
 * Draws the list as SVG pictures: one, or several if one would be too long to read on a phone. Each picture has the
 * heading. If a network continues on the next picture, its name is on both.
 */
export const priceListPictures = (list: PriceListPicture, format: PriceListFormat = 'post'): string[] => {
  const most = format === 'status' ? statusHeight : maxHeight
  const room = most - heading(list).height - 40 - footOf(list)
  const look = lookOf(list.networks, room)
  const pages = paged(list.networks, look, room)
  return pages.map((networks, index) => {
    const corner = pages.length > 1 ? `${index + 1}/${pages.length}` : ''
    return page({ ...list, networks }, look, { corner, height: format === 'status' ? statusHeight : null })
  })
}

/** How many columns there are, and how high rows and letters are. A short list is written large, in one column. */
interface Look {
  columns: 1 | 2
  row: number
  letters: number
}

const tightest: Look = { columns: 2, row: 64, letters: 38 }

const looks: Look[] = [
  { columns: 1, row: 104, letters: 58 },
  { columns: 2, row: 84, letters: 44 },
  { columns: 2, row: 74, letters: 40 },
  tightest,
]

/** The largest look that needs no more pictures than the smallest look (`tightest`). */
const lookOf = (list: PicturedNetwork[], room: number): Look => {
  const pages = looks.map((look) => paged(list, look, room).length)
  const look = looks[pages.indexOf(Math.min(...pages))] ?? tightest
  return { ...look, letters: letterSize(list, look) }
}

/** The font size of all lines: the largest at which the longest line (a bundle and its price) still fits. */
const letterSize = (list: PicturedNetwork[], { columns, letters }: Look): number => {
  const sizes = [0, 2, 4, 6, 8, 10, 12].map((less) => letters - less)
  const room = cellWidth(columns) - between
  const fitting = list.flatMap(({ items }) =>
    items.map(({ name, pricePesewas }) => {
      const [size = ''] = drawable(name).split(' ')
      return sizeFor(size + plainPrice(pricePesewas), sizes, room)
    }),
  )
  return Math.min(letters, ...fitting)
}

/** Without the currency, which the heading names once. */
const plainPrice = (amount: Pesewas): string => formatGhs(amount).replace('GHS ', '')

/** The smallest gap between a size and its price, in pixels. */
const between = 16

const band = 92
const gap = 28
const foot = 92
const codeSide = 228
const contactHeight = 64
const footOf = ({ code, contact }: PriceListPicture): number =>
  code ? codeSide + 68 : foot + (contact ? contactHeight : 0)
const padding = 32
const inner = width - 2 * margin

const cellWidth = (columns: number): number => (inner - 2 * padding - (columns - 1) * 2 * padding) / columns

const heightOf = ({ items }: PicturedNetwork, { columns, row }: Look): number =>
  band + Math.ceil(items.length / columns) * row + gap

/** A network starts at the bottom of a page only if at least this many rows fit there. */
const minRows = 2

/** The most networks on one picture, so that it can be read on a phone. */
const maxNetworks = 2

/** Splits the networks into pages. A network is kept on one page if that needs no more pictures. */
const paged = (networks: PicturedNetwork[], look: Look, room: number): PicturedNetwork[][] => {
  const split = filled(networks, look, room, minRows)
  const whole = filled(networks, look, room, Number.POSITIVE_INFINITY)
  return whole.length === split.length ? whole : split
}

/**
 * Fills one page after another.
 * @param fewest if neither this many rows nor the whole network fit, the network starts on the next page
 */
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
    if (pages.at(-1)?.length === maxNetworks) {
      pages.push([])
      left = room
    }
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

/**
 * Draws one page.
 * @param height the height of the picture; null makes it as high as its content
 */
const page = (
  list: PriceListPicture,
  look: Look,
  { corner, height }: { corner: string; height: number | null },
): string => {
  const { networks } = list
  const head = heading({ ...list, corner })
  const parts = [head.svg]
  let y = head.height + 40
  const fitted = height === null ? look : roomier(networks, look, height - y - footOf(list))
  for (const network of networks) {
    parts.push(section(network, y, fitted))
    y += heightOf(network, fitted)
  }
  const end = height ?? y + footOf(list)
  return drawing(end, [...parts, footing(list, end - footOf(list))])
}

const highestRow = 128

/** Makes the rows higher to fill the page, up to `highestRow`. */
const roomier = (networks: PicturedNetwork[], look: Look, room: number): Look => {
  const used = networks.reduce((total, network) => total + heightOf(network, look), 0)
  const rows = networks.reduce((total, { items }) => total + Math.ceil(items.length / look.columns), 0)
  const row = look.row + Math.floor(Math.max(0, room - used) / Math.max(1, rows))
  return { ...look, row: Math.max(look.row, Math.min(highestRow, row)) }
}

/** The shop's number and the last line, next to the QR code if there is one. */
const footing = ({ note, code, contact = null }: PriceListPicture, y: number): string => {
  const left = code ? margin + codeSide + 40 : margin
  const place = { x: left, most: width - margin - left }
  const strong = (text: string, sizes: number[], at: number) =>
    lettering(text, {
      ...place,
      y: at,
      size: sizeFor(drawable(text), sizes, place.most),
      fill: ink.dark,
      weight: 'strong',
    })
  const soft = (text: string, at: number) => lettering(text, { ...place, y: at, size: 32, fill: ink.soft })
  const number = contact === null ? '' : strong(contact, [52, 46, 40, 36], y + (code ? 88 : 52))
  if (!code) return number + soft(note, y + (number ? contactHeight : 0) + 40)
  return [
    qrCode(code.url, { x: margin, y: y + 12, side: codeSide }),
    number,
    strong(note, [40, 36, 32], y + (number ? 148 : 116)),
    soft(code.note, y + (number ? 200 : 172)),
  ].join('')
}

const section = (network: PicturedNetwork, y: number, look: Look): string => {
  const box = { x: margin, y, width: inner, height: heightOf(network, look) - gap }
  return [
    field(box, ink.card, 28),
    banner(network.network, { ...box, height: band }),
    ...network.items.map((item, index) => cell(item, index, y + band, look)),
  ].join('')
}

/** A network's name on its colours, with rounded upper corners. */
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
  const price = plainPrice(pricePesewas)
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

/**
 * The name on one line if it fits. If not, the size is on the first line, and the rest of the name below it in small
 * letters.
 */
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
  /** The vertical middle of the row. */
  middle: number
  row: number
  letters: number
  most: number
}

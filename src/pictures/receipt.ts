import { drawable, lettering, sizeFor, widthOf } from './drawable-text.ts'
import { disc, drawing, field } from './drawing.ts'
import { type Heading, heading } from './heading.ts'
import { qrCode } from './qr.ts'
import { coloursOf, ink, margin, width } from './theme.ts'

/** A customer's receipt for an order. What the shop itself paid is never in it. */
export interface ReceiptPicture extends Omit<Heading, 'corner'> {
  network: string
  volume: string
  /** The number that the bundle is for, or how many numbers: `for 3 numbers`. */
  phone: string
  status: { word: string; tone: Tone }
  /** Further details, such as the reference. */
  rows: { label: string; value: string }[]
  /** The selling price; null if the shop has set none. */
  price: { label: string; value: string } | null
  note: string
  /** A link to the order's status as a QR code, with the text next to it. */
  code?: { url: string; note: string }
}

/** The colour of a status: delivered, still open, or failed. */
export type Tone = 'good' | 'open' | 'bad'

const tones: Record<Tone, { letters: string; field: string }> = {
  good: { letters: ink.good, field: ink.goodField },
  open: { letters: ink.open, field: ink.openField },
  bad: { letters: ink.bad, field: ink.badField },
}

const padding = 48
const inner = width - 2 * margin
const left = margin + padding
const right = width - margin - padding
const room = right - left
const bundleHeight = 388
const rowHeight = 84
const priceHeight = 148
const foot = 108

/** A receipt as SVG, in the shape of a paper ticket. */
export const receiptPicture = (receipt: ReceiptPicture): string => {
  const { rows, price, note } = receipt
  const head = heading(receipt)
  const top = head.height + 40
  const below = rows.length * rowHeight + (price ? priceHeight : 0)
  const codeHeight = receipt.code ? codeSide + 24 : 0
  const height = bundleHeight + below + codeHeight + (below + codeHeight > 0 ? padding : 0)
  const y = top + bundleHeight + 24
  return drawing(top + height + (note === '' ? margin : foot), [
    head.svg,
    field({ x: margin, y: top, width: inner, height }, ink.card, 32),
    bundle(receipt, top),
    below + codeHeight > 0 ? perforation(top + bundleHeight) : '',
    ...rows.map((row, index) => detail(row, y + index * rowHeight)),
    price ? priceLine(price, y + rows.length * rowHeight) : '',
    receipt.code ? statusCode(receipt.code, y + below + 12) : '',
    lettering(note, {
      x: width / 2,
      y: top + height + 68,
      size: 34,
      fill: ink.soft,
      anchor: 'middle',
      most: inner,
    }),
  ])
}

const bundle = ({ network, volume, phone, status }: ReceiptPicture, top: number): string => {
  const tone = tones[status.tone]
  const colours = coloursOf(network)
  const chip = sign(network, 340)
  const pill = sign(status.word, 440)
  const y = top + padding
  return [
    field({ x: left, y, width: chip.width, height: signHeight }, colours.field, 20),
    chip.lettered(left + chip.width / 2, y, colours.letters),
    field({ x: right - pill.width, y, width: pill.width, height: signHeight }, tone.field, signHeight / 2),
    pill.lettered(right - pill.width / 2, y, tone.letters),
    lettering(volume, {
      x: left - 4,
      y: top + 260,
      size: sizeFor(drawable(volume), [132, 108, 84, 64], room),
      fill: ink.dark,
      weight: 'heavy',
      most: room,
    }),
    lettering(phone, { x: left, y: top + 338, size: 52, fill: ink.dark, most: room }),
  ].join('')
}

const signHeight = 72

/** @param most the greatest width of the word, in pixels */
const sign = (word: string, most: number) => {
  const size = sizeFor(drawable(word), [40, 36, 32, 28], most)
  return {
    width: Math.min(widthOf(drawable(word), size), most) + 56,
    lettered: (x: number, y: number, fill: string) =>
      lettering(word, { x, y: y + 36 + size * 0.36, size, fill, weight: 'strong', anchor: 'middle', most }),
  }
}

/** The dashed line where a paper ticket would be torn. */
const perforation = (y: number): string =>
  [
    ...Array.from({ length: 37 }, (_, index) =>
      field({ x: left + index * 24, y: y - 2, width: 12, height: 4 }, ink.line, 2),
    ),
    disc(margin, y, 22, ink.page),
    disc(width - margin, y, 22, ink.page),
  ].join('')

const codeSide = 240

/** The QR code of the order's status, with its text. */
const statusCode = ({ url, note }: NonNullable<ReceiptPicture['code']>, y: number): string => {
  const x = left + codeSide + 36
  return [
    qrCode(url, { x: left - 16, y, side: codeSide }),
    lettering(note, {
      x,
      y: y + codeSide / 2 + 14,
      size: 40,
      fill: ink.dark,
      weight: 'strong',
      most: right - x,
    }),
  ].join('')
}

const detail = ({ label, value }: { label: string; value: string }, y: number): string => {
  const labelWidth = Math.min(widthOf(drawable(label), 36), room / 2)
  const valueRoom = room - labelWidth - 24
  return [
    lettering(label, { x: left, y: y + 54, size: 36, fill: ink.soft, most: room / 2 }),
    lettering(value, {
      x: right,
      y: y + 54,
      size: sizeFor(drawable(value), [40, 36, 32, 28, 24], valueRoom),
      fill: ink.dark,
      weight: 'strong',
      anchor: 'end',
      most: valueRoom,
    }),
  ].join('')
}

const priceLine = ({ label, value }: { label: string; value: string }, y: number): string => {
  const size = sizeFor(drawable(value), [76, 64, 52], room * 0.7)
  return [
    field({ x: left, y: y + 18, width: room, height: 3 }, ink.line),
    lettering(label, { x: left, y: y + 108, size: 44, fill: ink.dark, weight: 'strong', most: room * 0.3 }),
    lettering(value, {
      x: right,
      y: y + 110,
      size,
      fill: ink.dark,
      weight: 'heavy',
      anchor: 'end',
      most: room * 0.7,
    }),
  ].join('')
}

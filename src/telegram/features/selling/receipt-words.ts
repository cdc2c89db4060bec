import type { Pesewas } from '../../../provider/money.ts'
import { formatGhs } from '../../../provider/money.ts'
import type { Receipt, ReceiptStatus } from '../../../shop/receipt.ts'
import { escapeHtml, foreignWord, oneLine } from '../../chat/screen.ts'
import { day, plainClock, when } from '../../chat/time.ts'
import { b, grouped, lines } from '../../words/markup.ts'
import { numberOr, phoneText, spaced } from '../../words/numbers.ts'
import { namelessShop, pictureHeading } from './words.ts'

// ── Receipts ───────────────────────────────────────────────────────────────────────────────────────────────────

const dayAndTime = (at: Date): string => `${day(at)}, ${plainClock(at)}`

/** The text of a receipt, to forward to the customer. It shows neither the cost nor anything about the wallet. */
export const receipt = (made: Receipt, { url, name }: ReceiptFacts = { url: null, name: null }) =>
  lines(
    `🧾 ${b(made.shop.name ? foreignWord(made.shop.name) : namelessShop)}`,
    `Receipt · ${dayAndTime(made.at)}`,
    '',
    b(`${foreignWord(made.network)} ${foreignWord(made.volume)}`),
    name === null ? null : `Customer: ${foreignWord(name)}`,
    'phone' in made.whom
      ? `Number: ${escapeHtml(numberOr(made.whom.phone))}`
      : `For ${grouped(made.whom.count)} numbers`,
    `Status: ${foreignWord(receiptStatus(made.status))}${made.deliveredAt ? `, ${when(made.deliveredAt, made.at)}` : ''}`,
    made.pricePesewas === null ? null : `Price: ${b(formatGhs(made.pricePesewas))}`,
    made.reference ? `Reference: <code>${escapeHtml(oneLine(made.reference, 80))}</code>` : null,
    url === null ? null : `Check your order: ${escapeHtml(url)}`,
    made.shop.phone && `Shop: ${phoneText(made.shop.phone)}`,
    '',
    receiptNote(made),
  )

const receiptStatus = (status: ReceiptStatus): string =>
  status.kind === 'word'
    ? `${status.word}${status.reported ? ' (reported)' : ''}`
    : `${status.delivered} of ${status.of} delivered`

const receiptNote = ({ status }: Receipt): string => {
  switch (status.tone) {
    case 'good':
      return 'Thank you!'
    case 'open':
      return 'Thank you! Your order is on its way.'
    case 'bad':
      return 'Your order wasn’t delivered. Please ask the shop.'
  }
}

/** The link with which the customer sees the order, and the saved name of the number. */
export interface ReceiptFacts {
  url: string | null
  name: string | null
}

export const receiptPicture = (made: Receipt, { url, name }: ReceiptFacts = { url: null, name: null }) => ({
  ...pictureHeading(made.shop),
  subtitle: `Receipt · ${dayAndTime(made.at)}`,
  network: oneLine(made.network),
  volume: oneLine(made.volume),
  phone: 'phone' in made.whom ? numberOr(made.whom.phone) : `for ${grouped(made.whom.count)} numbers`,
  status: { word: oneLine(receiptStatus(made.status)), tone: made.status.tone },
  rows: [
    ...(name === null ? [] : [{ label: 'Customer', value: oneLine(name) }]),
    ...(made.deliveredAt ? [{ label: 'Delivered', value: dayAndTime(made.deliveredAt) }] : []),
    ...(made.reference ? [{ label: 'Reference', value: oneLine(made.reference, 80) }] : []),
    ...(made.shop.phone ? [{ label: 'Shop', value: spaced(made.shop.phone) }] : []),
  ],
  price: made.pricePesewas === null ? null : { label: 'Price', value: formatGhs(made.pricePesewas) },
  note: receiptNote(made),
  ...(url === null ? {} : { code: { url, note: 'Scan to check your order' } }),
})

export const receiptHint = (sellPesewas: Pesewas | null, isEach: boolean, isOwner: boolean) =>
  sellPesewas === null
    ? lines(
        '☝️ Forward this to your customer. It shows no price, because the order has no selling price.',
        isOwner ? 'Set one for this order, or set prices for all bundles.' : 'Set one for this order.',
      )
    : `☝️ Forward this to your customer. If you didn’t sell for ${formatGhs(sellPesewas)}${isEach ? ' each' : ''}, change the price and make the receipt again.`

export const notPlacedYet = 'You can get a receipt once the order is placed.'

export const whoseReceipt = (bundle: string, count: number) =>
  `${b(bundle)} for ${grouped(count)} numbers\nWho is the receipt for?`

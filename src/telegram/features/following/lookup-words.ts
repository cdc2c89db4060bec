import { formatGhs, type Pesewas } from '../../../provider/money.ts'
import { foreignWord } from '../../chat/screen.ts'
import { duration, when } from '../../chat/time.ts'
import { b, code, lines } from '../../words/markup.ts'
import { phoneText } from '../../words/numbers.ts'
import { orderMark } from '../../words/order-state.ts'

export const askReference =
  'Send the order’s reference: it begins with <code>BUD-API-</code> or <code>BUD-BULK-</code>. The shop that ordered for you has it.'

export const notAReference = (written: string) =>
  `No order found for ${code(written, 60)}. A reference looks like <code>BUD-API-AB12CD-123456</code>.`

export const noSuchOrder = (reference: string) =>
  `No order found for ${code(reference)}. Check each letter and digit, or ask the shop.`

export const tooManyLookups = (waitMs: number) => `Too many look-ups. Try again in ${duration(waitMs)}.`

export const lookedUpElsewhere = (record: {
  reference: string
  network: string | null
  volume: string | null
  phone: string | null
  price: Pesewas | null
  status: string
  placedAt: Date | null
  deliveredAt: Date | null
  now: Date
}) =>
  lines(
    `${orderMark({ placement: 'placed', status: record.status })} ${b(`${foreignWord(record.network ?? '')} ${foreignWord(record.volume ?? '')}`.trim() || 'Order')}${record.phone ? ` for ${phoneText(record.phone)}` : ''}`,
    `${record.price === null ? '' : `${formatGhs(record.price)} · `}${b(foreignWord(record.status))}`,
    `Reference: ${code(record.reference)}`,
    record.placedAt ? `Placed ${when(record.placedAt, record.now)}` : null,
    record.deliveredAt ? `Delivered ${when(record.deliveredAt, record.now)}` : null,
    '\nThis order was made outside this bot, so I’m not following it.',
  )

export const brokenLink = 'This link is incomplete or no longer works. Ask the sender for a new one.'

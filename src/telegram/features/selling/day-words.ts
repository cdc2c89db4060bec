import { formatGhs, minus, type Pesewas, zero } from '../../../provider/money.ts'
import type { DayClose, Gap } from '../../../shop/day-close.ts'
import type { Tally } from '../../../shop/tally.ts'
import { clock, day } from '../../chat/time.ts'
import { b, grouped, lines } from '../../words/markup.ts'
import { pictureTitle } from './words.ts'

/** Texts of a day that is closed: the wallet, added up, and the day's sales. */

export const pictureLabel = '🖼 Picture'

/** How the message that they can't be read names the wallet's entries. */
export const dayName = 'today’s transactions'

type Row = { label: string; value: string }

/** The wallet's lines, the result last. */
const walletRows = (closed: DayClose): Row[] => [
  { label: 'Opening balance', value: formatGhs(closed.openingPesewas) },
  { label: '+ Top-ups', value: formatGhs(closed.topUpsPesewas) },
  { label: `– Charges (${closed.charges})`, value: formatGhs(closed.chargesPesewas) },
  { label: '+ Refunds', value: formatGhs(closed.refundsPesewas) },
  { label: 'Difference', value: signed(closed.differencePesewas) },
  { label: '= Closing balance', value: formatGhs(closed.closingPesewas) },
]

const salesRows = ({
  salesPesewas,
  costPesewas,
  profitPesewas,
  delivered,
  unpriced,
  ...left
}: Tally): Row[] => [
  { label: 'Open orders', value: grouped(left.open + left.unconfirmed) },
  ...(unpriced > 0 && unpriced === delivered
    ? [{ label: 'Sold', value: `${grouped(delivered)}, no selling price` }]
    : [
        {
          label: 'Sold',
          value: `${grouped(delivered)}${unpriced > 0 ? ` (${grouped(delivered - unpriced)} priced)` : ''} · ${formatGhs(salesPesewas)}`,
        },
        { label: 'Cost', value: formatGhs(costPesewas) },
        { label: 'Profit', value: signed(profitPesewas) },
      ]),
]

const signed = (amount: Pesewas): string =>
  amount < 0 ? `–${formatGhs(minus(zero, amount))}` : formatGhs(amount)

/** @param date the day in the owner's time zone, as `2026-11-21`. */
export const dayClosed = (closed: DayClose, tally: Tally, date: string): string =>
  lines(
    `📒 ${b(`Your day, ${day(new Date(date))}`)}`,
    '',
    ...walletRows(closed).map(rowText),
    ...closed.gaps.map(gapText),
    closed.unexplainedPesewas > 0
      ? `⚠️ ${formatGhs(closed.unexplainedPesewas)} in charges doesn’t match any order here: /transactions.`
      : null,
    '',
    ...salesRows(tally).map(rowText),
    unpricedText(tally),
  )

const unpricedText = ({ unpriced, delivered }: Tally): string | null => {
  if (unpriced === 0) return null
  return unpriced === delivered
    ? 'To see your profit, set prices: /prices.'
    : 'The amounts leave out sales without a selling price.'
}

const rowText = ({ label, value }: Row): string => `${label}: ${b(value)}`

const gapText = ({ at, pesewas }: Gap): string =>
  `⚠️ The balance ${pesewas < 0 ? `fell by ${formatGhs(minus(zero, pesewas))}` : `rose by ${formatGhs(pesewas)}`} ${at ? `before ${clock(at)}` : 'after the last transaction'} without a transaction.`

/** The picture's title, its date and its figures. Plain text. */
export const dayPictureOf = (closed: DayClose, tally: Tally, shop: string | null, date: string) => ({
  title: pictureTitle(shop, 'Your day'),
  subtitle: `Day sheet · ${day(new Date(date))}`,
  groups: [walletRows(closed), salesRows(tally)],
})

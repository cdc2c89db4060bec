import type { Allowance } from '../../orders/allowance.ts'
import { type EarlierOrder, orderedAt } from '../../orders/earlier-order.ts'
import type { PurchaseRemark } from '../../orders/order.ts'
import { formatGhs, type Pesewas } from '../../provider/money.ts'
import { phoneText } from '../phone-text.ts'
import { plainText } from '../screen.ts'
import { barredForDraft, leftForDraft, noPrice } from './agent.ts'
import { bundleName, bundleOf } from './bundle.ts'
import { b, lines } from './markup.ts'
import { recipientWord } from './status.ts'

/** The card of a draft, and the answers to presses on it. */

export interface DraftOptions {
  network: string
  volume: string
  offer: string | null
  phone: string
  /** With which the number is saved. */
  name?: string | null
  /** Null where whoever looks sees none. */
  price: Pesewas | null
  /** It is not what the provider asks, but what an agent pays. */
  isPriceTheirs?: boolean
  /** What it cost when it was confirmed, where that has changed. */
  confirmedPrice?: Pesewas | null
  /** When the price was read, where the order may be sent by it without another look. */
  pricedAt?: string | null
  /** What the shop asks for it. */
  sell: Pesewas | null
  balance: Pesewas | null
  /** When the balance was read, where that was a while ago. */
  balanceAt?: string | null
  /** What an agent has left today, who sees no balance. */
  allowance: Allowance | null
  /** The networks that an agent may order on, where this is none of them. */
  barred?: readonly string[] | null
  remark: PurchaseRemark | null
  /** That the same went to that number minutes ago, or is open. */
  earlier?: string | null
  /** That orders are paused. */
  maintenance?: string | null
}

export const draft = (options: DraftOptions) => {
  const { balance: present, balanceAt, price } = options
  const asOf = balanceAt ? ` (as of ${balanceAt})` : ''
  const short = present !== null && price !== null && present < price ? ((price - present) as Pesewas) : null
  return lines(
    remarkText(options),
    options.earlier ? `${options.earlier}\n` : null,
    b('Confirm this order?'),
    `${bundleName(options.network, options.volume, options.offer)}`,
    `Number: ${phoneText(options.phone, options.name)}`,
    price === null
      ? noPrice
      : `Price: ${b(formatGhs(price))}${options.pricedAt ? ` (as of ${options.pricedAt})` : ''}${options.sell === null ? '' : ` · you sell for ${formatGhs(options.sell)}`}`,
    present === null || price === null
      ? null
      : `Balance${asOf}: ${formatGhs(present)} → ${formatGhs((present - price) as Pesewas)}`,
    ...(options.allowance ? leftForDraft(options.allowance, price) : []),
    options.barred ? barredForDraft(options.network, options.barred) : null,
    short === null ? null : shortText(short, balanceAt ?? null),
    options.maintenance ? `\n${options.maintenance}` : '\nNothing is charged before you confirm.',
  )
}

const shortText = (short: Pesewas, balanceAt: string | null): string =>
  balanceAt === null
    ? `⚠️ That is ${formatGhs(short)} short: top up first, or the provider will refuse.`
    : `⚠️ At ${balanceAt} that was ${formatGhs(short)} short, and the balance could not be read since. If you topped up, confirm.`

/** The label of a second order for the same number and bundle. Plain text. */
export const confirmAgain = '⚠️ Confirm: send again'

/** What went to that number, when, and how it stands. */
export const earlierText = (earlier: EarlierOrder, now: Date): string =>
  `⚠️ ${earlierWords(earlier, now)} Send again?`

/** Plain text, as a toast is. */
export const repeatedToast = (earlier: EarlierOrder, now: Date): string =>
  plainText(`${earlierWords(earlier, now)} Nothing was ordered by this press. Look at the card again.`)

const earlierWords = ({ order, recipient }: EarlierOrder, now: Date): string => {
  const verb = order.placement === 'placed' ? 'went to' : 'was ordered for'
  const time = ago(orderedAt(order), now)
  return `${bundleOf(order)} ${verb} this number ${time}: ${b(recipientWord(order, recipient))}.`
}

/** `3 min ago` */
const ago = (at: Date, now: Date): string => {
  const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000)
  if (minutes < 1) return 'less than a minute ago'
  if (minutes < 60) return `${minutes} min ago`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`
}

const remarkText = ({ remark, price, confirmedPrice = null, isPriceTheirs }: DraftOptions): string | null => {
  switch (remark) {
    case null:
      return null
    case 'price_changed':
      if (isPriceTheirs && (price === null || price === confirmedPrice))
        return `⚠️ The provider’s price has changed since you confirmed, so nothing was ordered and nothing was charged.${price === null ? '' : ' Your price is the same.'} Confirm again:\n`
      return `⚠️ ${changedFrom(confirmedPrice, price)}, so nothing was ordered and nothing was charged. Confirm again at the new price:\n`
    case 'balance_changed':
      return '⚠️ The wallet holds less than this costs, so nothing was sent and nothing was charged. Top up and confirm, or send what fits:\n'
    case 'prices_unreadable':
      return '⚠️ The provider’s price could not be checked, so nothing was sent and nothing was charged. Confirm again to try again:\n'
    case 'unauthorized':
      return '⚠️ The provider refuses your API key, so nothing was sent and nothing was charged. /connect with the current key, then confirm:\n'
    case 'waited_long':
      return '⚠️ This waited for more than 15 minutes, so it was not sent and nothing was charged. Still wanted?\n'
    case 'not_certain':
    case 'left_over':
    case 'by_setting':
    case 'crowded_out':
    case 'restored':
      return null
  }
}

const changedFrom = (confirmed: Pesewas | null, price: Pesewas | null): string =>
  confirmed === null || price === null
    ? 'The price has changed since you confirmed'
    : `The price has changed from ${formatGhs(confirmed)} to ${formatGhs(price)} since you confirmed`

/** What became of a draft that was not confirmed; `restored`: it may have been, in what a restore has lost. */
export type DraftEnd = 'cancelled' | 'expired' | 'left' | 'restored' | 'crowded_out' | 'superseded'

/** @param head what it was */
export const endedUnconfirmed = (state: Exclude<DraftEnd, 'superseded'>, head: string): string => {
  switch (state) {
    case 'cancelled':
      return `❌ ${head}\n${b('cancelled')}: nothing was ordered and nothing was charged.`
    case 'expired':
      return `⌛ ${head}\n${b('expired')}: not confirmed within an hour. Nothing was ordered and nothing was charged.`
    case 'left':
      return `⌛ ${head}\n${b('expired')}: you no longer order on that wallet. Nothing was ordered and nothing was charged.`
    case 'crowded_out':
      return `⌛ ${head}\n${b('expired')}: newer lists of yours took its place. Nothing was ordered and nothing was charged. Send it again if you need it.`
    case 'restored':
      return `⌛ ${head}\n${b('expired')}: this bot was restored from an older copy of its data. Nothing was ordered by this card there, and it orders nothing any more. If you had confirmed it since, look at /transactions before you order again.`
  }
}

export const draftEnded = (state: DraftEnd, bundle: string, phone: string, name?: string): string => {
  const head = `${bundle} for ${phoneText(phone, name)}`
  return state === 'superseded'
    ? `${head}\nReplaced by a newer card below. Nothing was ordered by this one.`
    : endedUnconfirmed(state, head)
}

export const alreadyConfirmed = 'This was confirmed already. Its card shows how it stands.'

export const alreadyEnded = 'This card is no longer open. Nothing was ordered by this press.'

export const draftExpired = 'This card has expired. Nothing was ordered. Please order anew.'

export const cardNotYours =
  'This card is not yours, or its account was removed from this chat. Nothing was ordered by this press.'

export const confirmedToast = 'Confirmed'

export const cancelledToast = 'Cancelled. Nothing was charged.'

export const tooLateToast = 'Too late to cancel: it was sent to the provider.'

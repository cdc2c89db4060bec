import { staleConfirmationMs } from '../../../domain/order/placement.ts'
import type { PurchaseRemark } from '../../../domain/order/reason.ts'
import { draftMs } from '../../../domain/times/draft-lifetime.ts'
import { orderedAt, recentMs } from '../../../orders/buying/earlier-order.ts'
import { formatGhs, minus, type Pesewas } from '../../../provider/money.ts'
import { plainText } from '../../chat/screen.ts'
import { bundleName, bundleOf } from '../../words/bundle.ts'
import { b, lengthIn, lines } from '../../words/markup.ts'
import { phoneText, slipWords, spaced } from '../../words/numbers.ts'
import { recipientWord } from '../../words/order-state.ts'
import type { SeenEarlier } from '../viewer.ts'
import { barredForDraft, type DraftLimit, leftForDraft, noPrice } from './agent-permissions.ts'

/** The card of a draft, and the answers to presses on it. */

export const draftLabels = {
  number: '✏️ Number',
  size: '✏️ Size',
  otherOffer: '🏷 Other offer',
  useNumber: (phone: string) => `Use ${spaced(phone)}`,
} as const

export interface DraftOptions {
  network: string
  volume: string
  offer: string | null
  /** If there are several offers: whether this is the one that the number got last time. */
  isAsLastTime?: boolean
  phone: string
  /** The name that the number is saved with. */
  name?: string | null
  /** Null if the viewer sees no prices. */
  price: Pesewas | null
  /** Whether `price` is what an agent pays, rather than the provider's price. */
  isPriceTheirs?: boolean
  /** The price at which the order was confirmed, if it has changed since. */
  confirmedPrice?: Pesewas | null
  /** When the price was read, if the order may be sent without another read. */
  pricedAt?: string | null
  /** A known number that differs by one wrong digit or by two swapped digits. */
  near?: { phone: string; name: string | null; slip: 'digit' | 'swap' } | null
  /** The price that the person wrote next to the number. */
  writtenPrice?: Pesewas | null
  /** The shop's selling price. */
  sell: Pesewas | null
  balance: Pesewas | null
  /** When the balance was read, if that was not just now. */
  balanceAt?: string | null
  /** What is left today of an agent's limit. Agents see no balance. */
  limit: DraftLimit | null
  /** The networks that an agent may order on, if this network is not one of them. */
  barred?: readonly string[] | null
  remark: PurchaseRemark | null
  /** The line that says that the number got the same bundle minutes ago, or has an open order for it. */
  earlier?: string | null
  /** The line that says that orders are paused. */
  maintenance?: string | null
  /** The line that says that the network takes no orders, so there is nothing to confirm yet. */
  down?: string | null
}

export const asksToConfirm = 'Confirm this order'

export const draft = (options: DraftOptions) => {
  const { balance: present, balanceAt, price } = options
  const asOf = balanceAt ? ` (as of ${balanceAt})` : ''
  const short = present !== null && price !== null && present < price ? minus(price, present) : null
  return lines(
    remarkText(options),
    options.earlier ? `${options.earlier}\n` : null,
    options.near ? `${nearText(options.phone, options.near)}\n` : null,
    b(options.down || options.limit?.isShort ? 'Your order, not confirmed yet' : `${asksToConfirm}?`),
    `${bundleName(options.network, options.volume, options.offer)}${options.isAsLastTime ? ' (same as last time)' : ''}`,
    `Number: ${phoneText(options.phone, options.name)}`,
    price === null
      ? noPrice
      : `Price: ${b(formatGhs(price))}${options.pricedAt ? ` (as of ${options.pricedAt})` : ''}${options.sell === null ? '' : ` · you sell for ${formatGhs(options.sell)}`}`,
    present === null || price === null
      ? null
      : `Balance${asOf}: ${formatGhs(present)}${short === null ? ` → ${formatGhs(minus(present, price))}` : ''}`,
    otherPrice(options),
    ...(options.limit ? leftForDraft(options.limit, price) : []),
    options.barred ? barredForDraft(options.network, options.barred) : null,
    short === null ? null : shortText(short, balanceAt ?? null),
    `\n${options.maintenance ?? options.down ?? 'Nothing is charged before you confirm.'}`,
  )
}

/** The warning that the number may be mistyped. @param name the saved name of the number that may be meant. */
const nearText = (
  phone: string,
  { phone: other, name, slip }: { phone: string; name: string | null; slip: 'digit' | 'swap' },
): string => `⚠️ ${phoneText(phone, null)} looks like ${phoneText(other, name)} with ${slipWords(slip)}.`

/**
 * The warning that the person wrote another price than the bundle's; null if they wrote its price, or its selling
 * price, which the customer pays.
 */
const otherPrice = ({ writtenPrice = null, price, sell }: DraftOptions): string | null =>
  writtenPrice === null || price === null || writtenPrice === price || writtenPrice === sell
    ? null
    : `⚠️ You wrote ${formatGhs(writtenPrice)}. The price is ${formatGhs(price)}.`

const shortText = (short: Pesewas, balanceAt: string | null): string =>
  balanceAt === null
    ? `⚠️ ${formatGhs(short)} short. Top up first, or the provider will refuse this order.`
    : `⚠️ At ${balanceAt}, the balance was ${formatGhs(short)} short. I haven’t been able to read the balance since. If you’ve topped up, confirm.`

/** The label for a second order of the same bundle for the same number. Plain text. */
export const confirmAgain = '⚠️ Confirm again'

/** The warning about an earlier order for that number, with its time and status if the reader may know them. */
export const earlierText = (earlier: SeenEarlier, now: Date): string =>
  `⚠️ ${earlierWords(earlier, now)} Send again?`

/** The answer to a press on a card that does not show the earlier order yet. Plain text, because it is a toast. */
export const repeatedToast = (earlier: SeenEarlier, now: Date): string =>
  plainText(`${earlierWords(earlier, now)} Nothing new was ordered. See the card.`)

const earlierWords = (earlier: SeenEarlier, now: Date): string => {
  if (earlier === 'others')
    return `The shop ordered this bundle for this number in the last ${lengthIn('minute', recentMs)}, or has an open order for it.`
  const { order, recipient } = earlier
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
        return `⚠️ The provider’s price has changed. Nothing was charged.${price === null ? '' : ' Your price is the same.'}\n`
      return `⚠️ ${changedFrom(confirmedPrice, price)}. Nothing was charged.\n`
    case 'balance_changed':
      return '⚠️ The wallet doesn’t have enough for this. Nothing was charged. Top up, then confirm.\n'
    case 'prices_unreadable':
      return '⚠️ I couldn’t check the price, so nothing was sent or charged. Confirm to try again.\n'
    case 'unauthorized':
      return '⚠️ The provider isn’t accepting your API key, so nothing was sent or charged. /connect with the current key, then confirm.\n'
    case 'waited_long':
      return `⚠️ This waited for more than ${lengthIn('minute', staleConfirmationMs)}, so it wasn’t sent or charged.\n`
    case 'reminder':
      return `🔔 ${b('Your reminder')}\n`
    case 'reminder_unnamed':
      return `🔔 ${b('Your reminder')}\n⚠️ This number is no longer saved.\n`
    case 'not_certain':
    case 'topped_up':
    case 'left_over':
    case 'by_setting':
    case 'crowded_out':
    case 'restored':
      return null
  }
}

const changedFrom = (confirmed: Pesewas | null, price: Pesewas | null): string =>
  confirmed === null || price === null
    ? 'The price has changed'
    : `The price has gone ${price > confirmed ? 'up' : 'down'}: ${formatGhs(price)} (was ${formatGhs(confirmed)})`

/**
 * How an unconfirmed draft ended. `restored`: the database was restored from a copy, and the draft may have been
 * confirmed after the copy was made.
 */
export type DraftEnd = 'cancelled' | 'expired' | 'left' | 'restored' | 'crowded_out' | 'superseded'

const untouched = 'Nothing was ordered or charged.'

/** @param head the words that name the draft. */
export const endedUnconfirmed = (state: Exclude<DraftEnd, 'superseded'>, head: string): string => {
  switch (state) {
    case 'cancelled':
      return `❌ ${head}: ${b('cancelled')}\n${untouched}`
    case 'expired':
      return `⌛ ${head}: ${b('expired')}\nNot confirmed within ${lengthIn('hour', draftMs)}. ${untouched}`
    case 'left':
      return `⌛ ${head}: ${b('expired')}\nYou can no longer order with that wallet. ${untouched}`
    case 'crowded_out':
      return `⌛ ${head}: ${b('expired')}\nYou’ve sent newer lists, so I closed this card. ${untouched} If you still need it, send it again.`
    case 'restored':
      return `⌛ ${head}: ${b('expired')}\nI was restored from a backup. As far as the backup shows, nothing was ordered with this card. If you confirmed it after the backup was made, it may have been charged: check before you order again.`
  }
}

export const draftEnded = (state: DraftEnd, bundle: string, phone: string, name?: string): string => {
  const head = `${bundle} for ${phoneText(phone, name)}`
  return state === 'superseded' ? `${head}\nReplaced by the card below.` : endedUnconfirmed(state, head)
}

export const alreadyConfirmed = 'Already confirmed.'

/** True even on a restored copy, which cannot know whether the card was confirmed after the backup. */
export const alreadyEnded = 'This card is closed. Nothing changed.'

export const alreadyAsked = 'There’s a card for this already. Nothing new was ordered.'

export const draftExpired = 'This card has expired. Nothing was ordered. Please order again.'

export const cardNotYours =
  'Nothing was changed: this card isn’t yours, or its account is no longer connected.'

export const confirmedToast = 'Confirmed'

export const cancelledToast = 'Cancelled. Nothing was charged.'

export const tooLateToast = 'Too late to cancel: it’s already with the provider.'

import type { PricelessOrder } from '../../../domain/order/order.ts'
import { when } from '../../chat/time.ts'
import { bundleOf } from '../../words/bundle.ts'
import { b, code, counted } from '../../words/markup.ts'
import { forWhom } from '../../words/numbers.ts'
import { statusWord } from '../../words/order-state.ts'

/** Texts about removing an account, immediately or when its orders are done. */

export const disconnectLabels = {
  disconnectConfirm: 'Confirm',
  whenDone: 'When orders are done',
  now: 'Now',
  keepAccount: 'Keep the account',
} as const

export const waitingOrders = (count: number): string =>
  `${counted(count, 'waiting order', 'waiting orders')} will be cancelled, not charged.`

export const notFinished = (count: number): string =>
  `${counted(count, 'order isn’t', 'orders aren’t')} finished yet.`

export const wereCancelled = (count: number): string =>
  `${counted(count, 'waiting order was', 'waiting orders were')} cancelled, not charged.`

export interface ClosingOptions {
  open: number
  eraseBy: Date
  isOwner: boolean
  now: Date
}

export const nothingNew = ({ open, eraseBy, isOwner, now }: ClosingOptions) =>
  [
    `${isOwner ? 'You’re removing this account' : 'This account is being removed: its owner has left'}. Nothing new was ordered.`,
    `${open === 0 ? '' : `${notFinished(open)} `}The account will be erased by ${when(eraseBy, now)} at the latest.`,
    isOwner
      ? 'To keep it and order, press the button, or /connect with its key and secret.'
      : 'To keep ordering, /connect with its key and secret.',
  ].join('\n')

export const nothingNewToast = 'This account is being removed, so you can’t order. Nothing new was ordered.'

/** @param connected whether the person has another account by now. */
export const departed = (erased: boolean, connected: boolean) => {
  if (!erased) {
    return 'You’ve left the account. Somebody else who has its key is still connected. I’ll still tell you what happens to your orders. To order again, /connect.'
  }
  return connected
    ? 'Your old account has been removed, and its key and secret erased.'
    : 'Your account has been removed, and its key and secret erased. To order again, /connect.'
}

export const unfollowed = (orders: PricelessOrder[], now: Date) =>
  [
    b(
      `I’m no longer following ${orders.length === 1 ? 'this order' : 'these orders'}, because the account was removed:`,
    ),
    ...orders.map(
      (order) =>
        `• ${bundleOf(order)} for ${forWhom(order)}: ${statusWord(order)}, ${order.reference ? code(order.reference) : `sent ${when(order.sentAt ?? order.createdAt, now)}`}`,
    ),
    '',
    orders.some(({ reference }) => reference === null)
      ? 'See the provider’s dashboard for what happens next. An order without a reference may have been charged: check the wallet there before you order again.'
      : 'See the provider’s dashboard for what happens next.',
  ].join('\n')

export const ordersErased = 'I’ve erased its orders and numbers here too.'

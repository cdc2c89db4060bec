import type { PricelessOrder } from '../../orders/order.ts'
import { when } from '../time.ts'
import { bundleOf } from './bundle.ts'
import { b, code, lines } from './markup.ts'
import { forWhom } from './recipients.ts'
import { statusWord } from './status.ts'

/** The words of removing an account, at once or when its orders are done. */

export const disconnectLabels = {
  disconnectConfirm: 'Confirm',
  whenDone: 'When they are done',
  now: 'Now',
  keepAccount: 'Keep the account',
} as const

export const waitingOrders = (count: number): string =>
  count === 1
    ? 'One order still waits to be sent: it is cancelled'
    : `${count} orders still wait to be sent: they are cancelled`

export const notFinished = (count: number): string =>
  count === 1 ? 'One order is not finished yet' : `${count} orders are not finished yet`

export const wereCancelled = (count: number): string =>
  count === 1
    ? '1 waiting order was cancelled; nothing was charged for it.'
    : `${count} waiting orders were cancelled; nothing was charged for them.`

const removal = [
  b('Remove your account from this bot?'),
  'The stored key and secret are erased. Nothing at the provider changes.',
].join('\n')

/** Others here own the account too, and keep it. */
export const askLeave = `${b('Remove your account from this chat?')}\nOthers here use the account too: they keep it, and its orders go on. What you have ordered is still reported to you. Nothing at the provider changes.`

/** @param watched orders that came to nothing, whose wallet is still looked at. */
export const askDisconnect = (waiting: number, watched: number) =>
  lines(
    removal,
    waiting > 0 ? `${waitingOrders(waiting)} and not charged.` : null,
    watched > 0
      ? `The wallet is no longer watched for a late debit of ${watched === 1 ? 'the order that was' : `the ${watched} orders that were`} not placed.`
      : null,
  )

export const askDisconnectOpen = (waiting: number, open: number) =>
  [
    b('Remove your account from this bot?'),
    `${notFinished(open)}.${waiting > 0 ? ` ${waitingOrders(waiting)} and not charged.` : ''} Nothing at the provider changes. When should the stored key and secret be erased?`,
    '',
    `${b(disconnectLabels.whenDone)}: nothing new can be ordered from now on. Open orders are followed to their end and told here; then key and secret are erased, after 24 hours at the latest.`,
    `${b(disconnectLabels.now)}: key and secret are erased at once. What becomes of open orders is no longer found out here.`,
  ].join('\n')

export interface ClosingOptions {
  open: number
  eraseBy: Date
  isOwner: boolean
  now: Date
}

export const closing = ({ open, eraseBy, now }: ClosingOptions) =>
  [
    b('Your account is being removed'),
    `Nothing new can be ordered. ${open === 0 ? 'No order is open any more' : notFinished(open)}: the stored key and secret are erased when the last is done, at ${when(eraseBy, now)} at the latest, and you are told.`,
    '',
    'To keep the account and go on ordering, press the button, or /connect with its key and secret.',
  ].join('\n')

export const nothingNew = ({ open, eraseBy, isOwner, now }: ClosingOptions) =>
  [
    `This account is being removed from this bot${isOwner ? ', as you asked' : ': its owner has left'}, so nothing new can be ordered on it. Nothing was ordered and nothing was charged.`,
    `${open === 0 ? 'It' : `${notFinished(open)}; it`} is erased at ${when(eraseBy, now)} at the latest.`,
    isOwner
      ? 'To keep it and go on ordering, press the button, or /connect with its key and secret.'
      : 'To go on ordering, /connect with its key and secret.',
  ].join('\n')

export const nothingNewToast =
  'This account is being removed: nothing new can be ordered on it. Nothing was ordered by this press.'

export const keptAccount = 'Nothing changed, you are still connected.'

export const reopened = 'The account is kept. You can order again.'

export const otherThanAsked = 'That was about an account that you do not have here any more. Nothing changed.'

export const leftShared =
  'Disconnected: the account is removed from this chat. What you have ordered is still reported to you. To order again, /connect.'

/** @param sending orders whose answer from the provider is being waited for at this moment. */
export const disconnected = (options: { cancelled: number; sending: number; unfollowed: number }) =>
  lines(
    'Disconnected: the account is removed from this chat, its key and secret are erased.',
    options.cancelled > 0 ? wereCancelled(options.cancelled) : null,
    options.unfollowed > 0 ? 'The orders that are no longer followed are named below.' : null,
    options.sending > 0
      ? `${options.sending === 1 ? 'One order is' : `${options.sending} orders are`} being sent at this moment: you are told what comes of ${options.sending === 1 ? 'it' : 'them'}.`
      : null,
    'To order again, /connect.',
  )

/** @param connected the person has another account by now. */
export const departed = (erased: boolean, connected: boolean) => {
  if (!erased) {
    return 'You are removed from the account that you wanted to leave: somebody else has connected it with its key meanwhile, and goes on with it. What you have ordered is still reported to you. To order again, /connect.'
  }
  return connected
    ? 'The account that you had here before is removed: its key and secret are erased.'
    : 'The account is removed from this bot: its key and secret are erased. To order again, /connect.'
}

export const unfollowed = (orders: PricelessOrder[], now: Date) =>
  [
    b('No longer followed here, as the account was removed from this bot:'),
    ...orders.map(
      (order) =>
        `• ${bundleOf(order)} for ${forWhom(order)}: ${statusWord(order)}, ${order.reference ? code(order.reference) : `sent ${when(order.sentAt ?? order.createdAt, now)}`}`,
    ),
    '',
    orders.some(({ reference }) => reference === null)
      ? 'The provider’s dashboard shows what becomes of them. One without a reference may have been charged or not: look at the wallet’s entries there for its number and time before you order again.'
      : 'The provider’s dashboard shows what becomes of them.',
  ].join('\n')

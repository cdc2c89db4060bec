import { closingMs } from '../../../accounts/departure.ts'
import {
  type ClosingOptions,
  disconnectLabels,
  notFinished,
  waitingOrders,
  wereCancelled,
} from '../../cards/words/leaving.ts'
import { when } from '../../chat/time.ts'
import { b, counted, joined, lengthIn, lines } from '../../words/markup.ts'

const staysBehind =
  'You won’t be able to open your orders, customers, prices and shop here again, even if you reconnect, so export them first. To erase them too: /settings → <b>My data</b>.'

const removal = [
  b('Remove your account from this bot?'),
  'I’ll erase the key and secret. Your account with the provider won’t change.',
  staysBehind,
].join('\n')

/** For an account that still has other owners. */
export const askLeave = `${b('Remove your account from this chat?')}\nIts other owners will keep it here, and its orders will continue. I’ll still tell you what happens to your orders. Your account with the provider won’t change.`

/**
 * @param watched how many orders were not placed but may still turn out to be charged, so that the bot keeps reading
 * the wallet.
 */
export const askDisconnect = (waiting: number, watched: number) =>
  lines(
    removal,
    joined(
      ' ',
      waiting > 0 ? waitingOrders(waiting) : null,
      watched > 0
        ? `I’ll stop checking for late charges on ${counted(watched, 'order that wasn’t', 'orders that weren’t')} placed.`
        : null,
    ) || null,
  )

export const askDisconnectOpen = (waiting: number, open: number) =>
  lines(
    b('Remove your account from this bot?'),
    `${notFinished(open)}${waiting > 0 ? ` ${waitingOrders(waiting)}` : ''} Your account with the provider won’t change.`,
    '',
    `${b(disconnectLabels.whenDone)}: no new orders. I’ll tell you what happens to the open ones, then erase the key and secret within ${lengthIn('hour', closingMs)}.`,
    `${b(disconnectLabels.now)}: I’ll erase them immediately. I won’t tell you what happens to open orders.`,
    '',
    staysBehind,
  )

export const closing = ({ open, eraseBy, now }: ClosingOptions) =>
  [
    b('Your account is being removed'),
    `You can’t order now. ${open === 0 ? 'No orders are open. I’ll erase the key and secret' : `${notFinished(open)} I’ll erase the key and secret after the last one,`} by ${when(eraseBy, now)} at the latest, and tell you.`,
    `To keep it, press ${b(disconnectLabels.keepAccount)}, or /connect with its key and secret.`,
  ].join('\n')

export const keptAccount = 'Nothing changed. You’re still connected.'

export const reopened = 'Account kept. You can order again.'

export const otherThanAsked = 'That was about an account you no longer have here. Nothing changed.'

export const leftShared =
  'Disconnected. The account has been removed from this chat. I’ll still tell you what happens to your orders. To order again, /connect.'

/** @param sending how many orders were sent but have no answer from the provider yet. */
export const disconnected = (options: { cancelled: number; sending: number; unfollowed: number }) =>
  lines(
    'Disconnected. Your account has been removed, and its key and secret erased.',
    options.cancelled > 0 ? wereCancelled(options.cancelled) : null,
    options.unfollowed > 0 ? 'My next message lists the orders I’m no longer following.' : null,
    options.sending > 0
      ? `${counted(options.sending, 'order is', 'orders are')} being sent right now. I’ll tell you what happens to ${options.sending === 1 ? 'it' : 'them'}.`
      : null,
    'To order again, /connect.',
  )

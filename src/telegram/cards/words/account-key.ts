import { closingMs } from '../../../accounts/departure.ts'
import { formatGhs, type Pesewas } from '../../../provider/money.ts'
import { foreignWord } from '../../chat/screen.ts'
import { clock, duration, when } from '../../chat/time.ts'
import { orderHint } from '../../words/hints.ts'
import { b, joined, lengthIn, lines } from '../../words/markup.ts'
import { type ReadFailure, silence } from '../../words/unreadable.ts'
import { notFinished, waitingOrders, wereCancelled } from './leaving.ts'

/** What people read about the account that they connect, and about its key. */

export const connectLabels = {
  sameAccount: 'Same account',
  switchAccount: 'Switch',
  keep: 'Keep',
  keyAgain: '🔑 Send the key again',
} as const

export const credentialsRefused =
  '❌ The provider refused this key and secret. Nothing was stored.\nCopy both from the dashboard again: they must belong together and be switched on.'

export const credentialsUnchecked = (error: ReadFailure) =>
  error.code === 'too_many_tries' ? tooManyTries(error.retryAfterMs ?? 60_000) : uncheckedByProvider(error)

const tooManyTries = (waitMs: number) =>
  `Too many tries, so I didn’t check this key. Nothing was stored. /connect again in ${duration(waitMs)}.`

const uncheckedByProvider = (error: ReadFailure) =>
  error.code === 'rate_limited'
    ? `I can’t check this key now: I’ve reached the provider’s request limit. Nothing was stored. /connect again in ${duration(error.retryAfterMs ?? 60_000)}.`
    : `I can’t check this key now: the provider ${silence(error)}. Nothing was stored. /connect again in a minute.`

export const credentialsInterrupted =
  'I was restarted before I could check your key and secret. Nothing was stored. Please /connect again.'

export const keyIsBusy =
  'An order is being sent with this key right now. Nothing was changed. /connect again in a minute.'

export const askSwitch = (options: {
  /** Whether this is certainly another account, because the wallet has none of the current account's orders. */
  isCertain: boolean
  /**
   * Whether the key may be a new key of the current account, whose old key is refused: the wallet shows a charge that
   * may be for an order with an unknown outcome.
   */
  mayBeSame: boolean
  /** Whether the person orders with another owner's wallet now. */
  isAgent: boolean
  /** Whether the provider refuses the key of the account that the person would leave. */
  refused: boolean
  accountType: string | null
  balance: Pesewas
  /** Whether the account that the person would leave has other owners. */
  shared: boolean
  waiting: number
  open: number
  untilMs: number
}) =>
  lines(
    b(options.mayBeSame ? 'New key or another account?' : 'Switch to another account?'),
    `${whoseKey(options)} Nothing has changed yet.`,
    options.accountType ? `Account type: ${b(foreignWord(options.accountType))}` : null,
    `Balance: ${b(formatGhs(options.balance))}`,
    '',
    options.mayBeSame ? `${b(connectLabels.sameAccount)}: ${sameMeans}` : null,
    `${b(connectLabels.switchAccount)}: ${switchMeans(options)}`,
    `${b(connectLabels.keep)}: nothing will change. Answer before ${clock(new Date(options.untilMs))}.`,
  )

const whoseKey = ({ isCertain, mayBeSame }: { isCertain: boolean; mayBeSame: boolean }): string => {
  if (isCertain) return 'This key belongs to another account.'
  return mayBeSame
    ? 'This key works. Its wallet shows a charge that matches your unconfirmed order, but this may still be another account.'
    : 'This key works, but may belong to another account: your orders don’t appear in its wallet.'
}

/** What the bot does if the person says that the account is the same, and the risk if that is wrong. */
const sameMeans =
  'this key will replace the old one, and I’ll check your orders against this wallet. If it belongs to another account, I may mistake its charges for yours.'

const switchMeans = (options: Parameters<typeof askSwitch>[0]): string => {
  if (options.isAgent) {
    return 'you’ll order with your own account and stop being an agent. Your waiting orders will be cancelled, not charged. You won’t be able to open the orders you made with the owner’s wallet, or your saved numbers. To export them first: /settings → <b>My data</b>.'
  }
  if (options.mayBeSame) {
    return joined(
      ' ',
      'you’ll order with the new account. I won’t be able to follow the old orders: check the old account’s dashboard before you order them again.',
      options.waiting > 0 ? waitingOrders(options.waiting) : null,
    )
  }
  if (options.shared) {
    return 'you’ll order with the new account. The old account’s other owners will keep it, and I’ll still tell you what happens to your orders.'
  }
  return `you’ll order with the new account, and the old one will be removed. You won’t be able to open its orders, customers and prices here again. To export them first: /settings → <b>My data</b>. ${switchLeaves(options)}`
}

const switchLeaves = ({ waiting, open, refused }: Parameters<typeof askSwitch>[0]): string => {
  const them = open === 1 ? 'it' : 'them'
  const erasesSoon = `erase the old key and secret within ${lengthIn('hour', closingMs)}.`
  const erases = refused
    ? `⚠️ The provider isn’t accepting the old key, so I can’t follow ${them}. Check the old account’s dashboard before you order ${them} again. I’ll ${erasesSoon}`
    : `I’ll tell you what happens to ${them}, then ${erasesSoon}`
  return joined(
    ' ',
    waiting > 0 ? waitingOrders(waiting) : null,
    open > 0 ? `${notFinished(open)} ${erases}` : 'I’ll erase the old key and secret.',
  )
}

export const nowConnected = '✅ Connected.'

export const connected = (
  accountType: string | null,
  balance: Pesewas,
  left: { cancelled: number; open: number; eraseByMs: number | null } | null,
  now: Date,
) =>
  lines(
    nowConnected,
    accountType ? `Account type: ${b(foreignWord(accountType))}` : null,
    `Balance: ${b(formatGhs(balance))}`,
    left ? leftBehind(left, now) : null,
    '',
    orderHint,
  )

const leftBehind = (
  { cancelled, open, eraseByMs }: { cancelled: number; open: number; eraseByMs: number | null },
  now: Date,
): string =>
  joined(
    ' ',
    eraseByMs === null
      ? 'Your old account has been removed, and its key and secret erased.'
      : `Your old account is being removed. ${notFinished(open)} I’ll tell you what happens to ${open === 1 ? 'it' : 'them'}, then erase the old key and secret by ${when(new Date(eraseByMs), now)} at the latest.`,
    cancelled > 0 ? wereCancelled(cancelled) : null,
  )

export const reconnect =
  '⚠️ The provider no longer accepts your API key. No orders go out until it’s accepted again. I’ll keep trying.\nMade a new key in the provider’s dashboard? /connect with it.'

export const acceptedAgain =
  '✅ The provider accepts your API key again. You can order, and I’m following your open orders.\nOrders I couldn’t send are waiting: press Confirm on their cards.'

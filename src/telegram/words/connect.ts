import { closingMs } from '../../accounts/departure.ts'
import { formatGhs, type Pesewas } from '../../provider/money.ts'
import { foreignWord } from '../chat/screen.ts'
import { clock, duration, when } from '../chat/time.ts'
import { notFinished, waitingOrders, wereCancelled } from './disconnect.ts'
import { exampleOrder } from './home.ts'
import { lengthIn } from './length.ts'
import { b, joined, lines } from './markup.ts'
import { type ReadFailure, silence } from './unreadable.ts'

/** The words of connecting an account and of switching to another. */

export const connectLabels = {
  sameAccount: 'Same account',
  switchAccount: 'Switch',
  keep: 'Keep',
} as const

/** The phrase by which the API key is asked for. */
export const copyKey = 'Copy the API key'

/** @param botName the name that a look-alike cannot have. */
export const askKey = (again: boolean, botName: string) =>
  [
    again ? b('Change your key and secret') : b('Connect your account'),
    `${copyKey} from the provider’s dashboard (developer API section) and send it here. The secret comes next.`,
    `🔒 I delete both messages. Check that you write to @${botName}: a fake bot can’t have that name.`,
  ].join('\n')

/** The phrase by which the API secret is asked for. */
export const sendSecret = 'Now send the API secret'

export const askSecret = (removed: boolean) =>
  `Got the API key${removed ? ' and deleted your message' : ''}. ${sendSecret}.`

export const askKeyAgain = 'That took too long. Send the API key again, then the secret.'

export const notACredential = (asked: 'key' | 'secret') =>
  `That does not look like an API ${asked}. Nothing was stored.\nCopy it from the dashboard and send it alone, without spaces, or /cancel.`

export const credentialsAsText = (removed: boolean) =>
  `I can’t read a key or secret from pictures or files.${removed ? ' I deleted your message to be safe.' : ''} Nothing was stored. Send them as text, or /cancel.`

export const couldNotDelete =
  '⚠️ Telegram doesn’t let me delete your message with the key or secret. Please delete it yourself now.'

export const secretInGroup = (removed: boolean) =>
  removed
    ? '⚠️ Everybody in this group could read that. I deleted it and stored nothing.\nMake a new key in the provider’s dashboard, then /connect in a private chat with me.'
    : '⚠️ Everybody in this group can read that. I stored nothing. Delete your message.\nMake a new key in the provider’s dashboard, then /connect in a private chat with me.'

export const forwardedSecret = (removed: boolean) =>
  `I don’t take a key or secret from a forwarded message.${removed ? ' I deleted it to be safe.' : ''} Copy the text and send it yourself.`

/** A credential that nobody asked for. */
export const secretFound = (isOwn: boolean, removed: boolean) =>
  [
    isOwn ? 'That was your API key or secret.' : 'That looks like an API key or secret.',
    removed ? 'I deleted the message and stored nothing.' : 'I stored nothing.',
    isOwn
      ? 'Send it only after /connect.'
      : 'To connect an account, send /connect first. If it was something else, send it again without the long word.',
  ].join('\n')

/** What looks like a credential, from somebody who sends too much, or while strangers do. */
export const secretSkipped = (removed: boolean) =>
  removed
    ? 'That looks like an API key or secret. I deleted it and stored nothing. Send it again in a minute.'
    : '⚠️ That looks like an API key or secret. I stored nothing, but can’t delete your message. Delete it yourself now.'

/** While the database takes no changes. The message itself is handled later. */
export const secretHeld = (removed: boolean) =>
  removed
    ? 'That looks like an API key or secret, so I deleted your message at once.'
    : '⚠️ That looks like an API key or secret, and Telegram doesn’t let me delete it. Delete your message now.'

export const credentialsRefused =
  '❌ The provider refused this key and secret. Nothing was stored.\nCopy both from the dashboard again: they must belong together and be switched on. Then /connect.'

export const credentialsUnchecked = (error: ReadFailure) =>
  error.code === 'too_many_tries' ? tooManyTries(error.retryAfterMs ?? 60_000) : uncheckedByProvider(error)

const tooManyTries = (waitMs: number) =>
  `Too many tries, so I didn’t check this key. Nothing was stored. /connect again in ${duration(waitMs)}.`

const uncheckedByProvider = (error: ReadFailure) =>
  error.code === 'rate_limited'
    ? `I can’t check this key now: the provider’s request limit is used up. Nothing was stored. /connect again in ${duration(error.retryAfterMs ?? 60_000)}.`
    : `I can’t check this key now: the provider ${silence(error)}. Nothing was stored. /connect again in a minute.`

export const credentialsInterrupted =
  'I was away before I could check your key and secret, and forgot them. Nothing was stored. Please /connect again.'

export const keyIsBusy =
  'An order is being sent with this key right now. Nothing was changed. /connect again in a minute.'

export const askSwitch = (options: {
  /** The wallet has none of the account's orders; else nobody can tell. */
  isCertain: boolean
  /**
   * Its wallet has a charge that may be for an order of unknown outcome, so this may be a new key of the account, whose
   * old one is refused.
   */
  mayBeSame: boolean
  /** They order on somebody else's wallet now. */
  isAgent: boolean
  /** The provider refuses the key of the account that is left. */
  refused: boolean
  accountType: string | null
  balance: Pesewas
  /** Others here keep the account that is left. */
  shared: boolean
  waiting: number
  open: number
  untilMs: number
}) =>
  lines(
    b(options.mayBeSame ? 'New key or another account?' : 'Switch to another account?'),
    `${whoseKey(options)} Nothing was changed so far.`,
    options.accountType ? `Account type: ${b(foreignWord(options.accountType))}` : null,
    `Balance: ${b(formatGhs(options.balance))}`,
    '',
    options.mayBeSame ? `${b(connectLabels.sameAccount)}: ${sameMeans}` : null,
    `${b(connectLabels.switchAccount)}: ${switchMeans(options)}`,
    `${b(connectLabels.keep)}: nothing changes. Answer before ${clock(new Date(options.untilMs))}.`,
  )

const whoseKey = ({ isCertain, mayBeSame }: { isCertain: boolean; mayBeSame: boolean }): string => {
  if (isCertain) return 'This key belongs to another account.'
  return mayBeSame
    ? 'This key works. Its wallet shows a charge like your unconfirmed order: it, or the same on another account.'
    : 'This key works, but may belong to another account: your orders don’t show in its wallet.'
}

/** A false answer has this consequence. */
const sameMeans =
  'this key replaces the old one, and I check your orders in this wallet. If it is another account’s, I may take its charges for yours.'

const switchMeans = (options: Parameters<typeof askSwitch>[0]): string => {
  if (options.isAgent) {
    return 'you order on your own account and stop being an agent. Your waiting orders are cancelled, not charged.'
  }
  if (options.mayBeSame) {
    return joined(
      ' ',
      'you order on the new account. I can’t follow the old orders: look in the old dashboard before you repeat them.',
      options.waiting > 0 ? waitingOrders(options.waiting) : null,
    )
  }
  if (options.shared) {
    return 'you order on the new account. Others keep the old one, and I still tell you how your orders end.'
  }
  const refused =
    options.refused && options.open > 0
      ? ' ⚠️ The provider refuses the old key, so I can’t follow them. Look in its dashboard before you order them again.'
      : ''
  return `you order on the new account, and the old one is removed. ${switchLeaves(options.waiting, options.open)}${refused}`
}

const switchLeaves = (waiting: number, open: number): string =>
  joined(
    ' ',
    waiting > 0 ? waitingOrders(waiting) : null,
    open > 0
      ? `${notFinished(open)} I’ll tell you how ${open === 1 ? 'it ends' : 'they end'}, then erase the old key and secret, within ${lengthIn('hour', closingMs)}.`
      : 'I erase the old key and secret.',
  )

export const switching = 'Switching…'
export const replacing = 'Changing the key…'

export const switchTooLate =
  'Too late, or answered already. This press changed nothing. To switch, /connect again.'

/** The phrase by which a chat learns that its account is connected. */
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
    `To order, send a number and a size, for example <code>${exampleOrder}</code>.`,
  )

const leftBehind = (
  { cancelled, open, eraseByMs }: { cancelled: number; open: number; eraseByMs: number | null },
  now: Date,
): string =>
  joined(
    ' ',
    eraseByMs === null
      ? 'Your old account is removed, its key and secret erased.'
      : `Your old account is being removed. ${notFinished(open)} I’ll tell you how ${open === 1 ? 'it ends' : 'they end'}, then erase the old key and secret, by ${when(new Date(eraseByMs), now)} at the latest.`,
    cancelled > 0 ? wereCancelled(cancelled) : null,
  )

export const reconnect =
  '⚠️ The provider refuses your API key now. No orders go out until it is accepted again. I keep trying.\nMade a new key in the provider’s dashboard? /connect with it.'

export const acceptedAgain =
  '✅ The provider accepts your API key again. I’m following your open orders again, and you can order.\nOrders that could not be sent wait on their cards for your Confirm.'

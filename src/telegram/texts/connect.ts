import { formatGhs, type Pesewas } from '../../provider/money.ts'
import { foreignWord } from '../screen.ts'
import { clock, duration, when } from '../time.ts'
import { notFinished, waitingOrders, wereCancelled } from './disconnect.ts'
import { b, joined, lines } from './markup.ts'
import { silence } from './unreadable.ts'

/** The words of connecting an account and of switching to another. */

export const connectLabels = {
  switchAccount: 'Switch',
  keep: 'Keep',
} as const

/** @param botName by which a look-alike is told: whoever copies the bot cannot have its name. */
export const askKey = (again: boolean, botName: string) =>
  [
    again ? 'You are connected already. To replace the credentials:' : b('Connect your account'),
    '',
    '1. Open the provider’s dashboard, developer API section.',
    '2. Copy the API key and send it here. The secret is asked next (or send both in one message, one a line).',
    '',
    `Check first that you are writing to @${botName}: others may copy how a bot looks, but not its name.`,
    '',
    'I delete each message with a credential at once and check it with one request for your balance. Key and secret are stored encrypted, each bound to its account, and used for nothing but your own requests. /disconnect erases them.',
  ].join('\n')

export const askSecret = (removed: boolean) =>
  `Got the API key${removed ? ', and deleted your message' : ''}. Now send the API secret.`

export const askKeyAgain = 'That was too long ago. Please send the API key again, then the secret.'

export const notACredential = (asked: 'key' | 'secret') =>
  `That does not look like an API ${asked}: it is one word of 4 to 512 plain letters, digits or signs. Nothing was stored. Copy it from the dashboard and send it again, or /cancel.`

export const credentialsAsText = (removed: boolean) =>
  `I can read the API key and secret from text only, not from pictures or files.${removed ? ' I deleted your message, in case it showed one.' : ''} Nothing was stored. Copy them from the dashboard and send them as text, or /cancel.`

export const couldNotDelete =
  '⚠️ Telegram does not let me delete your message with the credential. Please delete it yourself now.'

export const secretInGroup = (removed: boolean) =>
  removed
    ? '⚠️ Everybody in this group could read that. I deleted it and stored nothing. Make a new key in the provider’s dashboard, then /connect in a private chat with me.'
    : '⚠️ Everybody in this group can read that. Nothing was stored. Delete your message and make a new key in the provider’s dashboard, then /connect in a private chat with me.'

export const forwardedSecret = (removed: boolean) =>
  `I do not read forwarded messages here.${removed ? ' I deleted it, in case it held a key or secret.' : ''} Copy the text and send it yourself.`

/** Somebody typed a credential where none was asked for. */
export const secretFound = (isOwn: boolean, removed: boolean) =>
  [
    isOwn ? 'That held your API key or secret.' : 'That looks like an API key or secret.',
    removed
      ? 'I deleted the message. Nothing of it was stored or passed on.'
      : 'Nothing of it was stored or passed on.',
    isOwn
      ? 'Send it only after /connect.'
      : 'To connect an account, send /connect first. If it was something else, send it again without the long word.',
  ].join('\n')

/** Somebody typed what reads like a credential while they, or all strangers, sent too much. */
export const secretSkipped = (removed: boolean) =>
  removed
    ? 'I skipped that message and deleted it: it looks like an API key or secret. Nothing of it was stored. Send it again in a minute.'
    : '⚠️ I skipped your last message and could not delete it: it looks like an API key or secret. Nothing of it was stored. Delete the message with your key now.'

/** While the database takes no changes; the message is handled when it is over. */
export const secretHeld = (removed: boolean) =>
  removed
    ? 'Your message looks like an API key or secret, so I deleted it at once.'
    : '⚠️ Your message looks like an API key or secret, and Telegram does not let me delete it. Delete the message with your key now.'

export const credentialsRefused =
  '❌ The provider refused this key and secret. Nothing was stored. Check in the dashboard that they belong together and are not disabled, then /connect again.'

export const credentialsUnchecked = (error: { code: string; retryAfterMs?: number | null }) =>
  error.code === 'too_many_tries' ? tooManyTries(error.retryAfterMs ?? 60_000) : uncheckedByProvider(error)

const tooManyTries = (waitMs: number) =>
  `Too many keys were tried, so this one was not. Nothing was stored and nothing was charged. Please /connect again in ${duration(waitMs)}.`

const uncheckedByProvider = (error: { code: string; retryAfterMs?: number | null }) =>
  error.code === 'rate_limited'
    ? `The key and secret could not be checked: the provider’s request limit is reached. Nothing was stored and nothing was charged. Please /connect again in ${duration(error.retryAfterMs ?? 60_000)}.`
    : `The key and secret could not be checked: the provider ${silence(error.code)}. Nothing was stored and nothing was charged. Please /connect again in a minute.`

export const credentialsInterrupted =
  'I was not running when the key and secret that you sent were to be checked, and that was too long ago now. They are forgotten: nothing was stored and nothing was charged. Please /connect again.'

export const keyIsBusy =
  'An order is being sent with this key at this moment. Nothing was changed. Please /connect again in a minute.'

export const askSwitch = (options: {
  /** The wallet has none of the account's orders; else nobody can tell. */
  isCertain: boolean
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
    b('Switch to another account?'),
    options.isCertain
      ? 'This key and secret are good, but of another account than the one that you have here. Nothing was changed so far.'
      : 'This key and secret are good, but I can’t tell whether their account is the one that you have here: its orders don’t show in this wallet. Nothing was changed so far.',
    '',
    options.accountType ? `Account type: ${b(foreignWord(options.accountType))}` : null,
    `Balance: ${b(formatGhs(options.balance))}`,
    '',
    options.isAgent
      ? 'Switch: you order on your own account from now on and are no agent any more. What you have waiting is cancelled and not charged.'
      : options.shared
        ? 'Switch: you order on that one from now on. Others here keep the account that you leave, and what you have ordered on it is still reported to you.'
        : `Switch: you order on that one from now on, and the account here is removed. ${switchLeaves(options.waiting, options.open)}${options.refused && options.open > 0 ? ' ⚠️ The provider refuses the old key, so I can’t find out what became of them: look in its dashboard before you order them again.' : ''}`,
    'Keep: everything stays as it is.',
    '',
    `The new key and secret wait for your answer until ${clock(new Date(options.untilMs))}.`,
  )

const switchLeaves = (waiting: number, open: number): string =>
  joined(
    ' ',
    waiting > 0 ? `${waitingOrders(waiting)} and not charged.` : null,
    open > 0
      ? `${notFinished(open)}: ${open === 1 ? 'it is' : 'they are'} followed to the end and told here, for 24 hours at most, though the buttons on the cards work no more; then the old key and secret are erased.`
      : 'Its key and secret are erased.',
  )

export const switching = 'Switching…'

export const switchTooLate =
  'That was too long ago, or answered already. Nothing was changed by this press. To switch, /connect again.'

export const connected = (
  accountType: string | null,
  balance: Pesewas,
  left: { cancelled: number; open: number; eraseByMs: number | null } | null,
  now: Date,
) =>
  lines(
    '✅ Connected.',
    accountType ? `Account type: ${b(foreignWord(accountType))}` : null,
    `Balance: ${b(formatGhs(balance))}`,
    left ? `\n${leftBehind(left, now)}` : null,
    '',
    'Send a number and a size to order, for example <code>0241234567 5GB</code>, or press a button.',
  )

const leftBehind = (
  { cancelled, open, eraseByMs }: { cancelled: number; open: number; eraseByMs: number | null },
  now: Date,
): string =>
  joined(
    ' ',
    eraseByMs === null
      ? 'The account that you had here was removed, its key and secret are erased.'
      : `The account that you had here is removed. ${notFinished(open)}: ${open === 1 ? 'it is' : 'they are'} still followed, and told here. The old key and secret are erased after that, at ${when(new Date(eraseByMs), now)} at the latest.`,
    cancelled > 0 ? wereCancelled(cancelled) : null,
  )

export const reconnect =
  '⚠️ The provider refuses your API key now. Until it is accepted nothing is ordered and open orders are not followed. I keep trying it. If you regenerated it, /connect with the new key from the dashboard, developer API section.'

export const acceptedAgain =
  '✅ The provider accepts your API key again. Your open orders are followed again and you can order. What could not be sent waits on its card for your Confirm.'

import type { Allowance } from '../../orders/allowance.ts'
import type { Order, PurchaseRemark } from '../../orders/order.ts'
import { totalPesewas } from '../../orders/order.ts'
import { type Refusal, staleConfirmationMs } from '../../orders/placement.ts'
import { progressOf } from '../../orders/progress.ts'
import { owedRefund } from '../../orders/recipients.ts'
import { pendingPhones } from '../../orders/refused.ts'
import { isTerminal } from '../../orders/status.ts'
import { formatGhs, type Pesewas } from '../../provider/money.ts'
import type { AuditReport, DoubtedDebit, UnknownDebit } from '../../relay/notice.ts'
import { sizeName } from '../../shop/offer-name.ts'
import { phoneText } from '../phone-text.ts'
import { escapeHtml, foreignText, foreignWord, oneLine } from '../screen.ts'
import { clock, duration, when } from '../time.ts'
import type { ViewerRole } from '../viewer.ts'
import { barredForDraft, doubtForAgent, leftForDraft, orderedByLine, ownerJudges } from './agent.ts'
import { listOrderWhy, progressLine } from './list.ts'
import { orderSale } from './selling.ts'

/**
 * Every word that people see, in one place. Each text says what happened, whether money moved, and what to do
 * next. Values from outside are shortened and escaped here, so that no text is longer than Telegram takes.
 */
const b = (text: string) => `<b>${text}</b>`
const code = (text: string) => `<code>${escapeHtml(oneLine(text, 80))}</code>`

/** The most that a list within a text names; the others are counted. */
const mostListed = 30

export const commandMenu = {
  everyone: [
    ['start', 'Where you are and what you can do'],
    ['connect', 'Connect your account at the provider'],
    ['status', 'What became of an order'],
    ['help', 'How this bot works'],
    ['buy', 'Buy a bundle'],
    ['bulk', 'Order for many numbers'],
    ['bundles', 'What bundles cost you'],
    ['orders', 'Your orders'],
    ['balance', 'Wallet balance'],
    ['transactions', 'Wallet entries'],
    ['export', 'Orders or wallet entries as a file'],
    ['settings', 'Messages, prices and your data'],
    ['cancel', 'Leave what you are doing'],
    ['disconnect', 'Remove your account from this bot'],
  ],
  /** With an account. */
  members: [
    ['customers', 'Saved numbers with names'],
    ['prices', 'Your selling prices, a list to post'],
    ['stats', 'Profit, spend and deliveries'],
  ],
  owners: [['agents', 'People who order on your wallet']],
  operators: [['admin', 'For operators: counts and invitations']],
} as const

export const labels = {
  buy: '🛒 Buy a bundle',
  bulk: '📝 Order a list',
  prices: '📋 Bundles',
  orders: '🧾 Orders',
  balance: '💰 Balance',
  transactions: '↕️ Transactions',
  customers: '👥 Customers',
  statistics: '📊 Statistics',
  profit: '📊 Profit & more',
  priceList: '🏷 Prices',
  agents: '🤝 Agents',
  settings: '⚙️ Settings',
  help: '❔ Help',
  connect: '🔑 Connect an account',
  lookUp: '🔎 Look up an order',
  back: '‹ Back',
  leave: '✖️ Cancel',
  tryAgain: '🔄 Try again',
  confirm: '✅ Confirm',
  cancel: '❌ Cancel',
  sendAnyway: 'Send anyway',
  refresh: '🔄 Refresh',
  checkNow: '🔎 Check now',
  wasCharged: 'It was charged',
  wasNotCharged: 'It was not',
  repeat: '🔁 Repeat',
  share: '📤 Share',
  report: '🛟 Report',
  orderAgain: '🔁 Order again',
  follow: '🔔 Follow',
  unfollow: '🔕 Unfollow',
  previous: '◀',
  next: '▶',
  invite: '✉️ Invite',
  home: '🏠 Home',
  forward: '📨 Send to the customer',
  disconnectConfirm: 'Confirm',
  whenDone: 'When they are done',
  now: 'Now',
  keepAccount: 'Keep the account',
  switchAccount: 'Switch',
  keep: 'Keep',
  all: 'All',
} as const

// Labels of buttons are plain text.
export const keepOn = (network: string) => `Keep ${oneLine(network)}`
export const switchTo = (network: string, volume: string | null, price: Pesewas | null) =>
  volume !== null && price !== null
    ? `Switch to ${oneLine(network)} ${oneLine(volume)} · ${formatGhs(price)}`
    : `Switch to ${oneLine(network)}`
export const bundleLabel = (name: string, price: Pesewas) => `${oneLine(name)} · ${formatGhs(price)}`

// ── Home and help ──────────────────────────────────────────────────────────────────────────────────────────────

export const welcome = (mayConnect: boolean) =>
  [
    `${b('Bundlegram')}: mobile data bundles, ordered in this chat.`,
    '',
    mayConnect
      ? '• You sell data? Connect your account at the provider once, then order for any number in seconds.'
      : '• Connecting an account here is by invitation: ask whoever runs this bot for a link.',
    '• Somebody ordered for you? Send the order’s reference (it begins with <code>BUD-</code>) and see where it is.',
  ].join('\n')

export const home = (options: {
  accountType: string | null
  balance: Pesewas | null
  balanceAt: Date | null
  refused: boolean
  eraseBy: Date | null
  now: Date
}) => {
  const balance =
    options.balance === null
      ? 'Balance: not read yet'
      : `Balance: ${b(formatGhs(options.balance))}${options.balanceAt ? ` (${when(options.balanceAt, options.now)})` : ''}`
  return [
    b('Bundlegram'),
    options.accountType ? `Account type: ${foreignWord(options.accountType)}` : null,
    balance,
    options.eraseBy
      ? `\nThis account is being removed: nothing new can be ordered, and its key and secret are erased when its last order is done, at ${when(options.eraseBy, options.now)} at the latest. /disconnect shows what is left, and undoes it.`
      : null,
    options.refused
      ? '\n⚠️ The provider refuses your API key. Nothing can be ordered until you /connect again.'
      : options.eraseBy
        ? null
        : '\nSend a number and a size to order at once, for example <code>0241234567 5GB</code>.',
  ]
    .filter((line) => line !== null)
    .join('\n')
}

export const notUnderstood = (connected: boolean) =>
  connected
    ? 'I did not understand that. Nothing was ordered.\n\nTo order send a number and a size, for example <code>0241234567 5GB</code>; to look up an order send its reference.'
    : 'I did not understand that. To look up an order send its reference, for example <code>BUD-API-AB12CD-123456</code>. To ask the shop about it, open it and press Ask the shop. To order yourself, /connect first.'

export const unknownCommand = 'I do not know that command. /help says what I can do.'
export const cannotHandle =
  'Something went wrong on our side and I could not handle that. Nothing was ordered by it. Please try again.'
export const outdatedButton = 'This button is out of date. Please start again with /start.'
export const groupOnly =
  'In groups I only answer /status with a reference. For everything else write to me in private.'
export const secretInGroup =
  '⚠️ Everybody in this group can read that. Nothing was stored. Delete your message and make a new key in the provider’s dashboard, then /connect in a private chat with me.'
export const forwardedSecret =
  'I do not read forwarded messages here. If it held a key or secret, delete it, then copy the text and send it yourself.'
export const left = 'Cancelled. Nothing was ordered.'
export const nothingToLeave = 'There is nothing to cancel. /start shows what you can do.'

// ── Connecting ─────────────────────────────────────────────────────────────────────────────────────────────────

export const byInvitation =
  'This bot is by invitation: ask whoever runs it for a link. Looking up an order by its reference works without.'
export const invitationAccepted = '✅ You are invited. Now /connect your account.'
export const invitationSpent = 'This invitation was used already, or its time is over. Ask for a new link.'

export const askKey = (again: boolean) =>
  [
    again ? 'You are connected already. To replace the credentials:' : b('Connect your account'),
    '',
    '1. Open the provider’s dashboard, developer API section.',
    '2. Copy the API key and send it here. The secret is asked next (or send both in one message, one a line).',
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
export const credentialsRefused =
  '❌ The provider refused this key and secret. Nothing was stored. Check in the dashboard that they belong together and are not disabled, then /connect again.'
export const credentialsUnchecked = (error: { code: string; retryAfterMs?: number | null }) =>
  error.code === 'rate_limited'
    ? `The key and secret could not be checked: the provider’s request limit is reached. Nothing was stored and nothing was charged. Please /connect again in ${duration(error.retryAfterMs ?? 60_000)}.`
    : `The key and secret could not be checked: the provider ${silence(error.code)}. Nothing was stored and nothing was charged. Please /connect again in a minute.`
export const credentialsInterrupted =
  'I was not running when the key and secret that you sent were to be checked, and that was too long ago now. They are forgotten: nothing was stored and nothing was charged. Please /connect again.'
export const askSwitch = (options: {
  accountType: string | null
  balance: Pesewas
  /** Others here keep the account that is left. */
  shared: boolean
  waiting: number
  open: number
  untilMs: number
}) =>
  [
    b('Switch to another account?'),
    'This key and secret are good, but of another account than the one that you have here. Nothing was changed so far.',
    '',
    options.accountType ? `Account type: ${b(foreignWord(options.accountType))}` : null,
    `Balance: ${b(formatGhs(options.balance))}`,
    '',
    options.shared
      ? 'Switch: you order on that one from now on. Others here keep the account that you leave, and what you have ordered on it is still reported to you.'
      : `Switch: you order on that one from now on, and the account here is removed. ${switchLeaves(options.waiting, options.open)}`,
    'Keep: everything stays as it is.',
    '',
    `The new key and secret wait for your answer until ${clock(new Date(options.untilMs))}.`,
  ]
    .filter((line) => line !== null)
    .join('\n')
const switchLeaves = (waiting: number, open: number): string =>
  [
    waiting > 0 ? `${waitingOrders(waiting)} and not charged.` : null,
    open > 0
      ? `${notFinished(open)}: ${open === 1 ? 'it is' : 'they are'} followed to the end and told here, for 24 hours at most, though the buttons on the cards work no more; then the old key and secret are erased.`
      : 'Its key and secret are erased.',
  ]
    .filter((line) => line !== null)
    .join(' ')
const waitingOrders = (count: number): string =>
  count === 1
    ? 'One order still waits to be sent: it is cancelled'
    : `${count} orders still wait to be sent: they are cancelled`
const notFinished = (count: number): string =>
  count === 1 ? 'One order is not finished yet' : `${count} orders are not finished yet`
export const switching = 'Switching…'
export const switchTooLate =
  'That was too long ago, or answered already. Nothing was changed by this press. To switch, /connect again.'
export const connected = (
  accountType: string | null,
  balance: Pesewas,
  left: { cancelled: number; open: number; eraseByMs: number | null } | null,
  now: Date,
) =>
  [
    '✅ Connected.',
    accountType ? `Account type: ${b(foreignWord(accountType))}` : null,
    `Balance: ${b(formatGhs(balance))}`,
    left ? `\n${leftBehind(left, now)}` : null,
    '',
    'Send a number and a size to order, for example <code>0241234567 5GB</code>, or press a button.',
  ]
    .filter((line) => line !== null)
    .join('\n')
const leftBehind = (
  { cancelled, open, eraseByMs }: { cancelled: number; open: number; eraseByMs: number | null },
  now: Date,
): string =>
  [
    eraseByMs === null
      ? 'The account that you had here was removed, its key and secret are erased.'
      : `The account that you had here is removed. ${notFinished(open)}: ${open === 1 ? 'it is' : 'they are'} still followed, and told here. The old key and secret are erased after that, at ${when(new Date(eraseByMs), now)} at the latest.`,
    cancelled > 0 ? wereCancelled(cancelled) : null,
  ]
    .filter((line) => line !== null)
    .join(' ')
const wereCancelled = (count: number): string =>
  count === 1
    ? '1 waiting order was cancelled; nothing was charged for it.'
    : `${count} waiting orders were cancelled; nothing was charged for them.`
export const reconnect =
  '⚠️ The provider refuses your API key now: it was regenerated or disabled. Nothing more is asked or ordered with it; open orders are followed again once you /connect with the new key from the dashboard, developer API section.'
export const needAccount =
  'For that you need an account: /connect attaches yours at the provider in a minute. To order on somebody else’s wallet, open the invitation link that they send you. To look up an order, just send its reference.'
const removal = [
  b('Remove your account from this bot?'),
  'The stored key and secret are erased. Nothing at the provider changes.',
].join('\n')
/** Others here own the account too, and keep it. */
export const askLeave = `${b('Remove your account from this chat?')}\nOthers here use the account too: they keep it, and its orders go on. What you have ordered is still reported to you. Nothing at the provider changes.`
/** @param watched orders that came to nothing, whose wallet is still looked at. */
export const askDisconnect = (waiting: number, watched: number) =>
  [
    removal,
    waiting > 0 ? `${waitingOrders(waiting)} and not charged.` : null,
    watched > 0
      ? `The wallet is no longer watched for a late debit of ${watched === 1 ? 'the order that was' : `the ${watched} orders that were`} not placed.`
      : null,
  ]
    .filter((line) => line !== null)
    .join('\n')
export const askDisconnectOpen = (waiting: number, open: number) =>
  [
    b('Remove your account from this bot?'),
    `${notFinished(open)}.${waiting > 0 ? ` ${waitingOrders(waiting)} and not charged.` : ''} Nothing at the provider changes. When should the stored key and secret be erased?`,
    '',
    `${b(labels.whenDone)}: nothing new can be ordered from now on. Open orders are followed to their end and told here; then key and secret are erased, after 24 hours at the latest.`,
    `${b(labels.now)}: key and secret are erased at once. What becomes of open orders is no longer found out here.`,
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
  [
    'Disconnected: the account is removed from this chat, its key and secret are erased.',
    options.cancelled > 0 ? wereCancelled(options.cancelled) : null,
    options.unfollowed > 0 ? 'The orders that are no longer followed are named below.' : null,
    options.sending > 0
      ? `${options.sending === 1 ? 'One order is' : `${options.sending} orders are`} being sent at this moment: you are told what comes of ${options.sending === 1 ? 'it' : 'them'}.`
      : null,
    'To order again, /connect.',
  ]
    .filter((line) => line !== null)
    .join('\n')
/** @param connected the person has another account by now. */
export const departed = (erased: boolean, connected: boolean) => {
  if (!erased) {
    return 'You are removed from the account that you wanted to leave: somebody else has connected it with its key meanwhile, and goes on with it. What you have ordered is still reported to you. To order again, /connect.'
  }
  return connected
    ? 'The account that you had here before is removed: its key and secret are erased.'
    : 'The account is removed from this bot: its key and secret are erased. To order again, /connect.'
}
export const unfollowed = (orders: Order[], now: Date) =>
  [
    b('No longer followed here, as the account was removed from this bot:'),
    ...orders.map(
      (order) =>
        `• ${bundleName(order.network, order.volume, order.offerSlug)} for ${forWhom(order)}: ${statusWord(order)}, ${order.reference ? code(order.reference) : `sent ${when(order.sentAt ?? order.createdAt, now)}`}`,
    ),
    '',
    orders.some(({ reference }) => reference === null)
      ? 'The provider’s dashboard shows what becomes of them. One without a reference may have been charged or not: look at the wallet’s entries there for its number and time before you order again.'
      : 'The provider’s dashboard shows what becomes of them.',
  ].join('\n')

// ── Reading from the provider ──────────────────────────────────────────────────────────────────────────────────

/** What cannot be read, as `cannotRead` names it. */
export const readable = {
  bundles: 'the bundle list',
  status: 'the status',
  pricesAndBalance: 'prices and balance',
} as const
export const cannotRead = (
  what: string,
  error: { code: string; retryAfterMs?: number | null; providerMessage?: string | null },
) => {
  switch (error.code) {
    case 'unauthorized':
      return `Could not read ${what}: the provider refuses your API key. Nothing was charged. /connect again with the current key from the dashboard.`
    case 'rate_limited':
      return `Could not read ${what}: the provider’s request limit is reached. Nothing was charged. Try again in ${duration(error.retryAfterMs ?? 60_000)}.`
    case 'no_wallet':
      return needAccount
    default:
      return `Could not read ${what}: the provider ${silence(error.code)}. Nothing was charged. Try again in a minute.`
  }
}

const silence = (code: string): string => {
  if (code === 'timeout') return 'did not answer in time'
  if (code === 'connection_lost') return 'did not answer'
  return code === 'unreachable' ? 'cannot be reached' : 'gave no usable answer'
}

export const audit = ({ sinceMs, debits, more }: AuditReport, now: Date) =>
  [
    `⚠️ ${b('Charged, but not in this bot’s books')}`,
    `This bot was restored from a copy of its data of ${when(new Date(sinceMs), now)}. Since then your wallet was charged ${debits.length + more === 1 ? 'once' : `${debits.length + more} times`} for what it knows no order of:`,
    '',
    ...debits.map((debit) => unknownDebit(debit, now)),
    more > 0 ? `and ${more} more: /transactions shows all.` : null,
    '',
    'They were ordered here before the restore, or elsewhere with your account. Look before you order the same again: send a reference to see what became of it.',
  ]
    .filter((line) => line !== null)
    .join('\n')

const unknownDebit = ({ atMs, amountPesewas, description, reference }: UnknownDebit, now: Date) =>
  [
    `• ${atMs === null ? '' : `${when(new Date(atMs), now)} · `}${b(formatGhs(amountPesewas))}`,
    description ? escapeHtml(oneLine(description, 120)) : null,
    reference ? code(reference) : null,
  ]
    .filter((part) => part !== null)
    .join(' · ')

// ── Buying ─────────────────────────────────────────────────────────────────────────────────────────────────────

export const chooseNetwork = `${b('Buy a bundle')}\nWhich network?`
export const chooseNetworkFor = (phone: string) => `For ${code(phone)}: which network?`
export const chooseBundle = (network: string, phone: string | null) =>
  `${b(foreignWord(network))}: which bundle${phone ? ` for ${code(phone)}` : ''}?`
export const noBundles = (network: string) =>
  `The provider sells no ${foreignWord(network)} bundles to your account now.`
export const askPhone = (bundle: string) =>
  `${b(bundle)}\nSend the number that gets it, for example <code>0241234567</code>.`
/** @param offerSlug where network and size alone do not tell which bundle it is */
export const bundleName = (network: string, volume: string, offerSlug: string | null = null) =>
  `${foreignWord(network)} ${foreignWord(sizeName(network, volume, offerSlug))}`
const phoneFault = (written: string): string => {
  if (/\d/.test(written) && /\p{L}/u.test(written)) return 'there are letters among its digits'
  const digits = written.replace(/\D/g, '').length
  if (digits === 9 || digits === 8) return 'a digit seems to be missing'
  return digits > 10 && digits < 14 ? 'it has too many digits' : 'it is not a Ghanaian mobile number'
}
export const damagedOrder = (written: string) =>
  `I cannot order for ${code(written.slice(0, 40))}: ${phoneFault(written)}. Nothing was ordered. Send the whole number with the size, for example <code>0241234567 5GB</code>.`
export const notAPhone = (written: string) =>
  `I cannot order for ${code(written.slice(0, 40))}: ${phoneFault(written)}. Nothing was ordered. Send ten digits, for example <code>0241234567</code>, or /cancel.`
export const notAnOrder =
  'I could not read a number and a size in that. Nothing was ordered. Write it like <code>/buy 0241234567 5GB</code>, or just /buy to choose.'
export const noSuchSize = (size: string, network: string) =>
  `${foreignWord(network)} has no bundle of ${foreignWord(size)} for your account. Nothing was ordered. The nearest:`
export const whichOffer = (size: string, network: string, phone: string, name: string | null) =>
  `${foreignWord(network)} has more than one offer of ${foreignWord(size)}. Which one for ${phoneText(phone, name)}?`
export const whichNetwork = (size: string, phone: string, name: string | null) =>
  `${phoneText(phone, name)} may be of either network, and both sell ${foreignWord(size)}. Which is it?`
export const otherNetwork = (phone: string, bundle: string, looksLike: string) =>
  `${code(phone)} looks like ${b(foreignWord(looksLike))}, and you chose ${b(bundle)}. Numbers can be ported, so it may be right. Which?`
export const price = (amount: Pesewas) => formatGhs(amount)
export const noSuchNetwork = (word: string) =>
  `I know no network called ${code(word.slice(0, 40))}. Choose one:`
export const noBundlesAtAll = 'The provider sells nothing to your account now.'
export const priceBlock = (
  network: string,
  bundles: {
    /** Its size, with its offer where that is needed to tell it from others. */
    name: string
    pricePesewas: Pesewas
    /** What the shop asks for it. */
    sellPesewas: Pesewas | null
  }[],
) =>
  [
    b(foreignWord(network)),
    ...(bundles.length === 0 ? ['nothing at the moment'] : []),
    ...bundles.slice(0, mostListed).map((bundle) => {
      const sell = bundle.sellPesewas === null ? '' : ` → ${formatGhs(bundle.sellPesewas)}`
      return `${foreignWord(bundle.name)} · ${formatGhs(bundle.pricePesewas)}${sell}`
    }),
    ...(bundles.length > mostListed ? [`and ${bundles.length - mostListed} more: /buy shows all`] : []),
  ].join('\n')
/** Above the bundles: whose prices these are. */
export const priceHead = (isOwner: boolean, hasSelling: boolean) =>
  [
    b(isOwner ? '📋 What bundles cost you' : '📋 What bundles cost the wallet'),
    hasSelling
      ? `${isOwner ? 'cost → what you sell it for' : 'cost → what the shop sells it for'}: /prices`
      : isOwner
        ? 'Your own selling prices, and a list to post: /prices'
        : null,
  ]
    .filter((line) => line !== null)
    .join('\n')
export const soldNoMore = 'This bundle is no longer sold. Nothing was ordered. /bundles shows what is.'
export const brokenLink = 'This link is not complete or no longer good. Ask whoever sent it for a new one.'
export const bundleGone = 'This bundle is no longer sold. Nothing was ordered. Choose another:'

export interface DraftOptions {
  network: string
  volume: string
  offer: string | null
  phone: string
  /** With which the number is saved. */
  name?: string | null
  price: Pesewas
  /** What the shop asks for it. */
  sell: Pesewas | null
  balance: Pesewas | null
  /** What an agent has left today, who sees no balance. */
  allowance: Allowance | null
  /** The networks that an agent may order on, where this is none of them. */
  barred?: readonly string[] | null
  remark: PurchaseRemark | null
  zeroRestored?: boolean
}

export const draft = (options: DraftOptions) => {
  const { balance: present, price } = options
  const short = present !== null && present < price
  return [
    remarkText(options.remark),
    b('Confirm this order?'),
    `${bundleName(options.network, options.volume, options.offer)}`,
    `Number: ${phoneText(options.phone, options.name)}`,
    `Price: ${b(formatGhs(price))}${options.sell === null ? '' : ` · you sell for ${formatGhs(options.sell)}`}`,
    present === null ? null : `Balance: ${formatGhs(present)} → ${formatGhs((present - price) as Pesewas)}`,
    ...(options.allowance ? leftForDraft(options.allowance, price) : []),
    options.barred ? barredForDraft(options.network, options.barred) : null,
    short
      ? `⚠️ That is ${formatGhs((price - present) as Pesewas)} short: top up first, or the provider will refuse.`
      : null,
    '\nNothing is charged before you confirm.',
  ]
    .filter((line) => line !== null)
    .join('\n')
}

const remarkText = (remark: PurchaseRemark | null): string | null => {
  switch (remark) {
    case null:
      return null
    case 'price_changed':
      return '⚠️ The price has changed since you confirmed, so nothing was ordered and nothing was charged. This is the price now:\n'
    case 'balance_changed':
      return '⚠️ The wallet holds less than this costs, so nothing was sent and nothing was charged. Top up and confirm, or send what fits:\n'
    case 'prices_unreadable':
      return '⚠️ The provider’s price could not be checked, so nothing was sent and nothing was charged. Confirm again to try again:\n'
    case 'unauthorized':
      return '⚠️ The provider refuses your API key, so nothing was sent and nothing was charged. /connect with the current key, then confirm:\n'
    case 'waited_long':
      return '⚠️ This waited for more than 15 minutes, so it was not sent and nothing was charged. Still wanted?\n'
    case 'not_certain':
    case 'by_setting':
    case 'restored':
      return null
  }
}

export const draftOutdated = (bundle: string, phone: string, name?: string) =>
  `⌛ ${bundle} for ${phoneText(phone, name)}\n${b('expired')}: this bot was restored from an older copy of its data. Nothing was ordered by this card there, and it orders nothing any more. If you had confirmed it since, look at /transactions before you order again.`

export const draftEnded = (
  state: 'cancelled' | 'expired' | 'superseded' | 'left',
  bundle: string,
  phone: string,
  name?: string,
) => {
  const head = `${bundle} for ${phoneText(phone, name)}`
  switch (state) {
    case 'cancelled':
      return `❌ ${head}\n${b('cancelled')}: nothing was ordered and nothing was charged.`
    case 'expired':
      return `⌛ ${head}\n${b('expired')}: not confirmed within an hour. Nothing was ordered and nothing was charged.`
    case 'left':
      return `⌛ ${head}\n${b('expired')}: you no longer order on that wallet. Nothing was ordered and nothing was charged.`
    case 'superseded':
      return `${head}\nReplaced by a newer card below. Nothing was ordered by this one.`
  }
}

export const alreadyConfirmed = 'This was confirmed already. Its card shows how it stands.'
export const alreadyEnded = 'This card is no longer open. Nothing was ordered by this press.'
export const draftExpired = 'This card has expired. Nothing was ordered. Please order anew.'
export const notYours = 'That is not yours, or not any more. Nothing was changed.'
export const cardNotYours =
  'This card is not yours, or its account was removed from this chat. Nothing was ordered by this press.'
export const confirmedToast = 'Confirmed'
export const cancelledToast = 'Cancelled. Nothing was charged.'
export const tooLateToast = 'Too late to cancel: it was sent to the provider.'

// ── Orders ─────────────────────────────────────────────────────────────────────────────────────────────────────

const marks: Record<string, string> = {
  placed: '🟡',
  processing: '🟡',
  delivered: '✅',
  failed: '❌',
  cancelled: '🚫',
  refunded: '↩️',
}

const placementWords: Record<Order['placement'], string> = {
  queued: 'waiting',
  sending: 'waiting',
  placed: 'placed',
  rejected: 'rejected',
  unconfirmed: 'unconfirmed',
  not_placed: 'not placed',
  review: 'to review',
  cancelled: 'cancelled',
  expired: 'expired',
  superseded: 'cancelled',
}

export const placementWord = (placement: Order['placement']): string => placementWords[placement]

/** The status as the person reads it: the provider's word, or the bot's own where there is none. */
export const statusWord = (
  order: Pick<Order, 'placement' | 'status' | 'statusReported' | 'reason'>,
): string => {
  if (order.placement !== 'placed' || order.status === null) return placementWords[order.placement]
  const stale = order.reason === 'stale' ? ' · stale' : ''
  return `${foreignWord(order.status)}${order.statusReported ? ' (reported)' : ''}${stale}`
}

export const markOf = (order: Pick<Order, 'placement' | 'status'>): string => {
  if (order.placement === 'placed')
    return (Object.hasOwn(marks, order.status ?? '') && marks[order.status ?? '']) || '🟡'
  if (order.placement === 'queued' || order.placement === 'sending') return '⏳'
  return order.placement === 'unconfirmed' || order.placement === 'review' ? '❓' : '❌'
}

export interface OrderContext {
  now: Date
  /** The order that this one waits for, or that the provider refused it for. */
  other: Order | null
  /** The last known balance of the wallet. */
  balance: Pesewas | null
  /** The provider takes nothing more for the account until then. */
  frozenUntil: Date | null
  /** Somebody here still owns the account: the provider can be asked about its orders. */
  connected: boolean
  /** The provider refuses its credentials, so nothing is asked until they change. */
  refused: boolean
  viewer: ViewerRole
  /** The names with which whoever looks has saved the numbers. */
  names?: ReadonlyMap<string, string>
  /** It was confirmed by the person's setting, without a second press. */
  isUnasked?: boolean
}

export const orderCard = (order: Order, context: OrderContext) => {
  const phones = order.recipients.map(({ phone }) => phone)
  return [
    `${markOf(order)} ${b(bundleName(order.network, order.volume, order.offerSlug))} for ${phones
      .slice(0, 3)
      .map((phone) => phoneText(phone, context.names?.get(phone)))
      .join(', ')}${phones.length > 3 ? ` and ${phones.length - 3} more` : ''}`,
    `${formatGhs(order.chargedPesewas ?? totalPesewas(order))} · ${b(statusWord(order))}`,
    context.viewer === 'owner' && order.reportTo !== null ? orderedByLine(order.agentName) : null,
    orderSale(order, context.viewer),
    order.kind === 'bulk' && order.placement === 'placed' ? progressLine(progressOf([order])) : null,
    order.reference ? `Reference: ${code(order.reference)}` : null,
    timeLine(order, context.now),
    explanation(order, context),
    context.isUnasked ? unaskedNote(order) : null,
  ]
    .filter((line) => line !== null)
    .join('\n')
}

const unaskedNote = ({ placement }: Order): string =>
  `\n⚡ Sent without asking, as you have set for repeats (/settings).${placement === 'queued' ? ` ${labels.cancel} stops it until it is sent.` : ''}`

const timeLine = (order: Order, now: Date): string => {
  const start = order.placedAt
    ? `Placed ${when(order.placedAt, now)}`
    : `Confirmed ${when(order.createdAt, now)}`
  return order.deliveredAt && order.status === 'delivered'
    ? `${start} · delivered ${when(order.deliveredAt, now)}`
    : start
}

const explanation = (order: Order, context: OrderContext): string | null => {
  const text = explain(order, context)
  return text && `\n${text}`
}

const explain = (order: Order, context: OrderContext): string | null => {
  switch (order.placement) {
    case 'queued':
      return explainWaiting(order, context)
    case 'sending':
      return 'Being sent to the provider.'
    case 'unconfirmed':
      if (context.refused && context.connected && context.viewer === 'agent') return unconfirmedOfAgent
      if (context.refused && context.connected)
        return 'It may have been charged or not, and the provider refuses your API key, so the wallet’s entries cannot be read to tell. Do not order again: send the current key with /connect, then they are read at once.'
      if (order.reason === 'history_unreadable' && context.connected) return unreadableHistory(order)
      if (order.reason === 'restored' && context.connected)
        return 'This bot was restored from an older copy of its data, in which this order was still to be sent. It may have been sent since, so it may have been charged or not. Do not order again: the wallet’s entries are being read to tell, and you will be told here.'
      return context.connected
        ? 'The provider did not answer, so it may have been charged or not. Do not order again: its outcome is being followed, and you will be told here.'
        : 'The provider did not answer, so it may have been charged or not. The account was removed from this bot, so it cannot be followed here: look at the wallet’s entries in the provider’s dashboard before you order again.'
    case 'review':
      if (!context.connected)
        return 'The wallet had entries that may be this order’s, but they did not pair up with the orders. The account was removed from this bot, so it cannot be cleared up here: look at the wallet’s entries in the provider’s dashboard before you order again.'
      return order.reason === 'charged_by_person'
        ? 'You said that it was charged. The provider’s support can tell by the number and the time what became of it.'
        : context.viewer === 'agent'
          ? ownerJudges
          : 'The wallet has entries that may be this order’s, but they do not pair up with your orders, so I cannot tell whether it was charged. Look at /transactions: is there an entry for it? Do not order again before it is cleared up.'
    case 'not_placed':
      if (order.reason !== 'unreachable' && !context.connected)
        return 'No debit for it was seen while the account was here. It was removed from this bot, so the wallet is no longer watched for a late one.'
      return order.reason === 'unreachable'
        ? 'The provider could not be reached, nothing was sent and nothing was charged.'
        : order.reason === 'not_made'
          ? 'Nothing was sent and nothing was charged: the order could not be made into a request that the provider takes. Check the number and the bundle, then Order again. Should it happen again, tell who runs this bot.'
          : order.reason === 'late_doubt'
            ? 'No debit could be said to be this order’s, but one that may be has appeared: see the message about it, and look at /transactions before you order again.'
            : order.reason === 'by_person'
              ? 'You said that nothing was charged. Should a debit appear within a day, you are told here.'
              : 'Checked: nothing was charged. Should a debit appear within a day all the same, you are told here.'
    case 'rejected':
      return order.kind === 'bulk'
        ? listOrderWhy(order, pendingPhones(order))
        : explainRefusal(order, context)
    case 'cancelled':
      return order.reason === 'bundle_gone'
        ? 'This bundle is no longer sold: nothing was sent and nothing was charged.'
        : order.reason === 'disconnected'
          ? 'The account was removed before this was sent: nothing was charged.'
          : order.reason === 'agent_left'
            ? 'Who ordered it may no longer order on this wallet: it was not sent, and nothing was charged.'
            : 'Cancelled before it was sent: nothing was charged.'
    case 'expired':
    case 'superseded':
      return 'Not sent, nothing was charged.'
    case 'placed':
      return explainStatus(order, context)
  }
}

const unconfirmedOfAgent =
  'It may have been charged or not, and the provider refuses the account’s key, so the wallet’s entries cannot be read to tell. Do not order again: its owner has to /connect with the current key, then you are told.'

const unreadableHistory = (order: Order): string =>
  `It may have been charged or not, and the wallet’s entries cannot be read to tell. Do not order again. ${order.settleAt ? `The next look is at ${clock(order.settleAt)}.` : ''}`.trim()

const explainStatus = (order: Order, { connected }: OrderContext): string | null => {
  if (order.reason === 'stale')
    return 'The provider has not named an end in 7 days, so it is asked no more. Refresh asks once; Report has a text for the provider’s support.'
  if (!connected && (order.statusReported || !isTerminal(order.status)))
    return 'The account was removed from this bot, so this is no longer checked here. The provider’s dashboard shows what becomes of it.'
  if (order.statusReported) return 'A callback said so; the provider’s own record is being asked.'
  switch (order.status) {
    case 'failed':
    case 'cancelled':
      if (!connected && (order.refundedPesewas ?? 0) < owedOf(order))
        return 'The account was removed from this bot before its whole refund was seen: the wallet’s entries in the provider’s dashboard show it.'
      return `${refundWords(order)}.`
    case 'refunded':
      return 'The amount is back in your wallet.'
    case 'delivered':
      return null
    default:
      return null
  }
}

const waitsForLimit = (order: Order, until: Date, now: Date): string => {
  const time = `${clock(until)}${until > now ? `, in ${duration(until.getTime() - now.getTime())}` : ''}`
  const asksAgain = until.getTime() - order.createdAt.getTime() > staleConfirmationMs
  const next = asksAgain ? `You are asked again at ${time}` : `It goes on by itself at ${time}`
  return `The provider’s request limit is reached, nothing was sent. ${next}. Nothing is charged before it is sent.`
}

const explainWaiting = (order: Order, { now, other, frozenUntil }: OrderContext): string => {
  switch (order.reason) {
    case 'waits':
      if (other?.placement === 'unconfirmed' || other?.placement === 'review') {
        return `Waits: your order for the same number is ${statusWord(other)}, and nobody knows yet whether it was charged. It goes when that is known. Nothing is charged before.`
      }
      return other
        ? `Waits for your open order for the same number${other.reference ? ` (${code(other.reference)})` : ''}: the provider takes one at a time. It goes when that one ends; after more than 15 minutes you are asked again first. Nothing is charged before.`
        : 'Waits for another open order for the same number. Nothing is charged before it is sent.'
    case 'rate_limited':
      return waitsForLimit(order, order.notBefore ?? frozenUntil ?? now, now)
    case 'unreachable':
      return 'The provider cannot be reached just now, nothing was sent. It is tried again in a few seconds.'
    default:
      return frozenUntil !== null && frozenUntil > now
        ? waitsForLimit(order, frozenUntil, now)
        : 'It is sent in a moment.'
  }
}

const explainRefusal = (order: Order, { other, balance: present, viewer }: OrderContext): string => {
  const said = order.providerMessage ? `\nThe provider says: “${foreignText(order.providerMessage)}”` : ''
  const price = totalPesewas(order)
  switch (order.reason as Refusal) {
    case 'balance': {
      if (viewer !== 'owner')
        return `The wallet does not have enough for it: the price is ${formatGhs(price)}. Nothing was charged. Tell its owner, then Order again.`
      const balanceNow = order.balancePesewas ?? present
      const short = balanceNow === null ? null : ((price - balanceNow) as Pesewas)
      const numbers =
        balanceNow === null || short === null || short <= 0
          ? `The price is ${formatGhs(price)}.`
          : `The price is ${formatGhs(price)}, your balance ${formatGhs(balanceNow)}: ${formatGhs(short)} short.`
      return `Your wallet does not have enough. ${numbers} Nothing was charged. Top up at the provider, then Order again.${said}`
    }
    case 'pending':
      if (other) return explainOwnPending(other)
      if (viewer === 'agent')
        return 'An order for this number is still open at the provider. Nothing was charged for this one. Order again when that one has ended.'
      return `An order for this number is still open at the provider; it was made elsewhere with the same account, not by this bot. Nothing was charged for this one. Order again when that one has ended.${said}`
    case 'unauthorized':
      if (viewer === 'agent')
        return 'The provider refuses the account’s key. Nothing was charged. Its owner has to /connect again: tell them, then Order again.'
      return `The provider refuses your API key. Nothing was charged. /connect with the current key from the dashboard, then Order again.${said}`
    case 'not_found':
      return `The provider no longer knows this bundle. Nothing was charged. /bundles shows what is sold now.${said}`
    case 'invalid':
      return `The provider does not accept this order as it is. Nothing was charged. Check the number and the bundle.${said}`
    case 'unprocessable':
      return `The provider refused the order. Nothing was charged.${said}`
  }
}

/** The provider has something open for the number, and an order of ours is, or may be it. */
const explainOwnPending = (other: Order): string =>
  other.reference
    ? `An order for this number is still open: yours, ${code(other.reference)}. Nothing was charged for this one. Order again when that one has ended.`
    : `An order for this number is still open at the provider. It may be yours of ${clock(other.createdAt)}, which had no answer: the wallet is being read to tell, and you will be told. Nothing was charged for this one.`

/** @param name with which the number is saved. */
export const announceStatus = (
  order: Order,
  status: string,
  reported: boolean,
  contradicts: boolean,
  name: string | null = null,
) => {
  const head = `${markOf({ placement: 'placed', status })} ${bundleName(order.network, order.volume, order.offerSlug)} for ${forWhom(order, name)}: ${b(foreignWord(status) + (reported ? ' (reported)' : ''))}`
  const lines = [
    contradicts
      ? '⚠️ Correction: a message here said otherwise before. The provider’s own record says:'
      : null,
    head,
    order.reference ? code(order.reference) : null,
    status === 'failed' || status === 'cancelled'
      ? `The provider owes your wallet ${formatGhs(owedOf(order))} for it. I look for the refund and tell you here.`
      : null,
    status === 'refunded'
      ? `${formatGhs(order.chargedPesewas ?? totalPesewas(order))} is back in your wallet.`
      : null,
  ]
  return lines.filter((line) => line !== null).join('\n')
}

const chargeOf = (order: Order): Pesewas => order.chargedPesewas ?? totalPesewas(order)
/** What is owed back of it: of a bulk order the price of those who got nothing. */
const owedOf = (order: Order): Pesewas =>
  order.kind === 'bulk' ? ((owedRefund(order) || chargeOf(order)) as Pesewas) : chargeOf(order)
/** Whom it is for: one number, or how many. */
const forWhom = ({ recipients }: Pick<Order, 'recipients'>, name: string | null = null): string =>
  recipients.length === 1 ? phoneText(recipients[0]?.phone ?? '', name) : howMany(recipients.length)
export const howMany = (recipients: number): string => `${recipients} numbers`

/** What is known of the money of an order that failed. */
const refundWords = (order: Order): string => {
  const refunded = order.refundedPesewas ?? (0 as Pesewas)
  if (refunded >= owedOf(order)) return `refunded ${formatGhs(refunded)}`
  const seen =
    refunded > 0 ? `refunded ${formatGhs(refunded)} of ${formatGhs(owedOf(order))}` : 'refund not seen yet'
  return order.refundAt || order.statusReported
    ? `${seen}: the wallet is being watched for it`
    : `${seen}, and a day has passed: Report has a text for the provider’s support`
}

export const announceDoubt = (order: Order, debits: readonly DoubtedDebit[], more: number, now: Date) =>
  [
    `🔎 ${bundleName(order.network, order.volume, order.offerSlug)} for ${forWhom(order)}, sent ${when(order.sentAt ?? order.createdAt, now)}: your wallet was charged for what may be this order, or another like it:`,
    ...debits.map(
      ({ reference, amountPesewas, atMs }) =>
        `• ${b(formatGhs(amountPesewas))}${atMs === null ? '' : ` · ${when(new Date(atMs), now)}`} · ${code(reference)}`,
    ),
    more > 0 ? `… and ${more} more: /transactions` : null,
    order.placement === 'review'
      ? 'Is one of them this order’s? Send a reference to see what became of it, then say so on the card.'
      : 'I cannot tell whose it is. Send the reference to see what became of it.',
  ]
    .filter((line) => line !== null)
    .join('\n')

/** To an agent, who sees no entries of the wallet. */
export const announceDoubtToAgent = (order: Order) =>
  doubtForAgent(bundleName(order.network, order.volume, order.offerSlug), forWhom(order))

export const announceRefund = (order: Order) =>
  `↩️ ${bundleName(order.network, order.volume, order.offerSlug)} for ${forWhom(order)} ${foreignWord(order.status ?? '')}: ${b(refundWords(order))}. ${order.reference ? code(order.reference) : ''}`.trim()

export const announceOtherPrice = (order: Order) =>
  `⚠️ ${bundleName(order.network, order.volume, order.offerSlug)}: the provider charged ${b(formatGhs(order.chargedPesewas ?? totalPesewas(order)))}, and you confirmed ${formatGhs(totalPesewas(order))}. ${order.reference ? `Reference ${code(order.reference)}. ` : ''}The provider’s support can tell why.`

export const announceProof = (order: Order) =>
  `ℹ️ ${bundleName(order.network, order.volume, order.offerSlug)} for ${forWhom(order)} was placed after all: ${formatGhs(order.chargedPesewas ?? totalPesewas(order))} was charged once. Reference ${code(order.reference ?? '')}.`

export const announceMistaken = (order: Order, reference: string) =>
  [
    `⚠️ Correction: the reference ${code(reference)} is another order’s. What was said here with it about ${bundleName(order.network, order.volume, order.offerSlug)} for ${forWhom(order)}, its charge and its status, was not about this order.`,
    order.placement === 'unconfirmed'
      ? `Nobody knows yet whether this one was charged: that is being checked now, and you will be told here. Do not order it again.`
      : `This one is now: ${b(statusWord(order))}.`,
  ].join('\n')

export const announceOtherReference = (order: Order, reference: string) =>
  `⚠️ Correction: ${bundleName(order.network, order.volume, order.offerSlug)} for ${forWhom(order)} has the reference ${code(order.reference ?? '')}, for which ${formatGhs(order.chargedPesewas ?? totalPesewas(order))} was charged. What was said here with the reference ${code(reference)} was about another order.`

export const followMistaken = (order: Order, maskedPhone: string) =>
  `⚠️ Correction: what was said here about ${bundleName(order.network, order.volume, order.offerSlug)} for ${maskedPhone} was about another order. This one is now: ${b(statusWord(order))}.`

export const followEnded = (order: Order, maskedPhone: string) =>
  [
    `${bundleName(order.network, order.volume, order.offerSlug)} for ${maskedPhone} (${statusWord(order)}) is no longer followed here. Whoever ordered it can see at the provider what becomes of it.`,
    order.reference ? code(order.reference) : null,
  ]
    .filter((line) => line !== null)
    .join('\n')
/** @param isOver nothing more is expected of it. */
export const followedToast = (isOver: boolean) =>
  isOver ? 'You follow it. It has come to its end already.' : 'You are told how it ends.'
export const unfollowedToast = 'No more messages about this order.'

export const askReference =
  'Send the order’s reference: it begins with <code>BUD-API-</code> or <code>BUD-BULK-</code>. Whoever ordered for you can see it.'
export const notAReference = (written: string) =>
  `${code(written.slice(0, 60))} is not a reference. It looks like <code>BUD-API-AB12CD-123456</code>.`
export const noSuchOrder = (reference: string) =>
  `I find no order with the reference ${code(reference)}. Check each letter and digit, or ask whoever ordered.`
export const tooManyLookups = (waitMs: number) =>
  `Too many look-ups in a short time. Please try again in ${duration(waitMs)}.`
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
  [
    `${markOf({ placement: 'placed', status: record.status })} ${b(`${foreignWord(record.network ?? '')} ${foreignWord(record.volume ?? '')}`.trim() || 'Order')}${record.phone ? ` for ${code(record.phone)}` : ''}`,
    `${record.price === null ? '' : `${formatGhs(record.price)} · `}${b(foreignWord(record.status))}`,
    `Reference: ${code(record.reference)}`,
    record.placedAt ? `Placed ${when(record.placedAt, record.now)}` : null,
    record.deliveredAt ? `Delivered ${when(record.deliveredAt, record.now)}` : null,
    '\nMade elsewhere with your account: this bot does not follow it.',
  ]
    .filter((line) => line !== null)
    .join('\n')

export const shareText = (url: string, order: Order) =>
  [
    `${b('For the customer')}: whoever opens this link sees the order without its price, is told how it ends, and can ask you about it.`,
    '',
    `${bundleName(order.network, order.volume, order.offerSlug)}: ${escapeHtml(url)}`,
  ].join('\n')
export const forwardText = (order: Order) =>
  `Your ${oneLine(order.network)} ${oneLine(order.volume)} bundle is on its way. Follow it here:`
export const notSharedYet = 'This order has no reference yet; share it once it is placed.'

export const refreshed = 'Up to date'
export const refreshing = 'Asking the provider…'

// ── What a chat missed ─────────────────────────────────────────────────────────────────────────────────────────

/** @param quiet it was held back by the chat's own quiet hours. */
export const digest = (lines: string[], counted: [status: string, count: number][], quiet = false) => {
  const more = counted.reduce((sum, [, count]) => sum + count, 0)
  return [
    b(quiet ? 'While you had quiet hours:' : 'While I could not write to you:'),
    ...lines,
    more > 0 ? `and ${more} more: ${countedWords(counted)}.` : null,
    '\nThe cards in this chat show what is true now. /orders lists all.',
  ]
    .filter((line) => line !== null)
    .join('\n')
}

/** The most statuses that a digest counts one by one. */
const mostCounted = 6

const countedWords = (counted: [status: string, count: number][]): string =>
  counted
    .slice(0, mostCounted)
    .map(([status, count]) => `${count} ${newsWords.get(status) ?? foreignWord(status)}`)
    .join(', ')

/** What an announcement that names no status is about. */
const newsWords = new Map<string, string>([
  ['placed', 'placed'],
  ['placement', 'ended or unconfirmed'],
  ['other_price', 'charged with another price'],
  ['proof', 'placed after all'],
  ['mistaken', 'corrected'],
  ['other_reference', 'corrected'],
  ['refund', 'with news of a refund'],
  ['accepted_in_part', 'accepted in part'],
])

export const digestLine = (order: Order, about: string[]) => {
  const remarks = digestRemarks(order, about)
  return [
    `${markOf(order)} ${bundleName(order.network, order.volume, order.offerSlug)} for ${forWhom(order)}: ${b(statusWord(order))}`,
    ...remarks,
    order.reference ? code(order.reference) : null,
  ]
    .filter((part) => part !== null)
    .join(' · ')
}

const digestRemarks = (order: Order, about: string[]): string[] => {
  const isCorrected = about.includes('mistaken') || about.includes('other_reference')
  const correction = isCorrected
    ? ['correction: what was said with another reference was another order’s']
    : []
  return [...correction, ...remarksOf(order, about)]
}

const remarksOf = (order: Order, about: string[]): string[] => {
  const charged = formatGhs(chargeOf(order))
  switch (order.placement) {
    case 'unconfirmed':
      return ['it may have been charged, do not order again']
    case 'review':
      return ['look at its card: was it charged?']
    case 'rejected':
    case 'not_placed':
      return ['nothing was charged']
    case 'placed':
      return [
        about.includes('proof') ? `placed after all, ${charged} was charged once` : null,
        about.includes('accepted_in_part')
          ? `taken for ${order.acceptedQuantity ?? 0} of them, it is not known for which`
          : null,
        about.includes('other_price')
          ? `${charged} was charged, you confirmed ${formatGhs(totalPesewas(order))}`
          : null,
        isTerminal(order.status) && order.status !== 'delivered' ? refundWords(order) : null,
      ].filter((remark) => remark !== null)
    default:
      return []
  }
}

export const followedDigestLine = (order: Order, maskedPhone: string) =>
  `${markOf(order)} ${bundleName(order.network, order.volume, order.offerSlug)} for ${maskedPhone}: ${b(statusWord(order))}${order.reference ? ` · ${code(order.reference)}` : ''}`

// ── Operators ──────────────────────────────────────────────────────────────────────────────────────────────────

export const admin = (counts: { placement: string; count: number }[], owed: number) =>
  [
    b('Operators'),
    ...counts.map(({ placement, count }) => `${foreignWord(placement)}: ${count}`),
    `messages owed: ${owed}`,
  ].join('\n')
export const invitation = (url: string) =>
  `A one-time link, good for 24 hours. Whoever opens it may connect an account:\n${escapeHtml(url)}`

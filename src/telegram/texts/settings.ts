import type { Departure } from '../../accounts/departure.ts'
import { formatGhs, type Pesewas } from '../../provider/money.ts'
import { clockOf, type Setting, type Topic } from '../../settings/setting.ts'
import type { AgentPrices } from '../../shop/agent-prices.ts'
import type { Tally } from '../../shop/tally.ts'
import type { NotifyLevel } from '../../store/preferences.ts'
import { foreignWord, oneLine } from '../screen.ts'
import { duration } from '../time.ts'
import { b, joined, lines } from './markup.ts'
import { noShopName } from './selling.ts'
import { ordersLine, saleLines, spendLines } from './stats.ts'

/** The words of the settings, of the daily summary and of what the bot keeps about a person. */

export const settingsLabels = {
  undo: '↩️ Undo',
  off: 'Off',
  noName: 'No name',
  data: '🗂 My data',
  export: '⬇️ Export my data',
  forget: '🗑 Delete my data',
  forgetConfirm: '🗑 Confirm: delete',
  keepData: 'Keep my data',
  otherNetworks: '‹ Other networks',
} as const

/** What stands on the button of a topic. */
export const topicLabels: Record<Topic, string> = {
  notify: '🔔 Notifications',
  quiet: '🌙 Quiet hours',
  level: '💰 Low balance',
  network: '📶 Network',
  repeat: '🔁 Quick repeat',
  shop: '🏪 Shop name',
  summary: '📊 Daily summary',
  zone: '🕒 Time zone',
}

const levelNames: Record<NotifyLevel, string> = {
  each: 'Every change',
  final: 'How it ends',
  failures: 'Problems only',
}

// Labels of buttons are plain text.
export const chosen = (label: string, isChosen: boolean) => (isChosen ? `✓ ${label}` : label)

/** The value as people read it; plain text. */
export const settingValue = (setting: Setting): string => {
  switch (setting.topic) {
    case 'notify':
      return levelNames[setting.level]
    case 'quiet':
      return setting.hours ? `${clockOf(setting.hours.from)} to ${clockOf(setting.hours.to)}` : 'Off'
    case 'level':
      return setting.pesewas === null ? 'Off' : `Below ${formatGhs(setting.pesewas)}`
    case 'network':
      return setting.network === null ? 'None' : oneLine(setting.network)
    case 'repeat':
      return setting.pesewas === null ? 'Off' : `Up to ${formatGhs(setting.pesewas)}`
    case 'shop':
      return setting.name === null ? 'None' : oneLine(setting.name)
    case 'summary':
      return setting.hour === null ? 'Off' : `At ${clockOf(setting.hour * 60)}`
    case 'zone':
      return oneLine(setting.timeZone)
  }
}

const named = (setting: Setting) => `${topicLabels[setting.topic]}: ${b(foreignWord(settingValue(setting)))}`

/** @param changed what was just changed. */
export const settings = (all: readonly Setting[], changed: Setting | null) =>
  lines(
    changed ? `✅ Saved. ${named(changed)}` : null,
    changed ? '' : null,
    b('Your settings'),
    'Press one to change it.',
    '',
    ...all.map(named),
  )

/** What a topic is about, and how to settle it. */
const explained: Record<Topic, string[]> = {
  notify: [
    'Which messages do you want about an order?',
    '',
    `${b('Every change')}: each new status is a message.`,
    `${b('How it ends')}: a message when it is delivered or fails.`,
    `${b('Problems only')}: no message when all went well.`,
    '',
    'The order’s card always shows the newest. Failed orders, and all that is about your money, are always told.',
  ],
  quiet: [
    'At these hours good news and summaries wait until the hours are over. Nothing is lost.',
    'Failed orders, customers’ questions, and all that is about your money, still come at once.',
    '',
    'Choose, or send your own hours, for example <code>21:30-6</code>.',
  ],
  level: [
    'I tell you once when your wallet falls below this amount.',
    '',
    'Choose, or send an amount in GHS, for example <code>150</code>.',
  ],
  network: ['Buying, lists and prices begin with this network. The others stay one press away.'],
  repeat: [
    'Up to this price, pressing 🔁 Repeat orders at once, with no second press: your wallet is charged right then.',
    'It is today’s price that counts. For a number that got the same bundle within the last 10 minutes you are asked as always.',
    '',
    'Choose, or send an amount in GHS, for example <code>15</code>. At most GHS 1,000.00.',
  ],
  shop: [
    'This name stands on your price lists and receipts.',
    '',
    'Send the name, for example <code>Ama Data</code>. At most 40 letters.',
  ],
  summary: ['Once a day, at this hour, I send what your day brought: orders, money, problems.'],
  zone: [
    'Your quiet hours and your daily summary go by this clock.',
    '',
    'Choose, or send a city or a zone, for example <code>Lagos</code> or <code>Europe/London</code>.',
  ],
}

export const topic = (now: Setting) => [named(now), '', ...explained[now.topic]].join('\n')

const wanted: Record<Topic, string> = {
  notify: 'Press one of the buttons.',
  quiet: 'Send two times with a dash between them, for example <code>21:30-6</code>. Or <code>off</code>.',
  level: 'Send an amount in GHS, for example <code>150</code>. Or <code>off</code>.',
  network: 'Press one of the buttons.',
  repeat: 'Send an amount in GHS up to 1,000, for example <code>15</code>. Or <code>off</code>.',
  shop: 'Send a name of at most 40 letters, for example <code>Ama Data</code>. Or <code>off</code>.',
  summary: 'Press one of the hours.',
  zone: 'Send a city or a zone, for example <code>Lagos</code> or <code>Europe/London</code>.',
}

export const notASetting = (about: Topic, typed: string) =>
  [
    about === 'zone'
      ? `I know no time zone “${foreignWord(typed)}”.`
      : about === 'shop'
        ? noShopName(typed)
        : about === 'quiet'
          ? `“${foreignWord(typed)}” is no hours that I can read.`
          : `“${foreignWord(typed)}” is no amount that I can use.`,
    `Nothing was changed. ${wanted[about]}`,
  ].join('\n')

export const savedToast = 'Saved.'
export const settingNotYours = 'That is for the owner of an account.'
export const sameAsBefore = 'It is so already.'
export const balanceIsLow = (balance: Pesewas, level: Pesewas) =>
  `⚠️ Your balance is ${b(formatGhs(balance))}, below ${formatGhs(level)} already.`

// ── The daily summary ──────────────────────────────────────────────────────────────────────────────────────────

/** @param balance for owners alone, with the time at which it was known where that is not now. */
export const summary = (options: {
  since: string
  tally: Tally
  isOwner: boolean
  /** Which prices they see: the tally is in these. */
  prices: AgentPrices
  balance: { pesewas: Pesewas; known: string | null } | null
}) => {
  const { since, tally, isOwner, prices, balance } = options
  const left = balance
    ? `Balance: ${b(formatGhs(balance.pesewas))}${balance.known ? ` (${balance.known})` : ''}`
    : null
  if (tally.ordered === 0) {
    return joined(' ', `📊 No orders since ${since}.`, left)
  }
  return lines(
    `📊 ${b('Your day')}, since ${since}`,
    '',
    ordersLine(tally),
    ...spendLines({ role: isOwner ? 'owner' : 'agent', prices }, tally),
    ...(isOwner && tally.unpriced < tally.delivered ? saleLines(tally) : []),
    left,
  )
}

// ── What is kept of a person ───────────────────────────────────────────────────────────────────────────────────

/** Who asks, as far as it matters to what is theirs. `last`: the only owner of an account. */
export type Standing = 'last' | 'shared' | 'agent' | 'none'

const ownThings =
  'your settings, the orders you follow, the questions you asked about them, and what is left of accounts that you had here before'

const kept: Record<Standing, string> = {
  last: 'Your account at the provider (its key and secret, sealed), your orders with their numbers, your customers and kept numbers, prices, shop name and settings, the orders you follow.',
  shared:
    'Your settings, the orders you follow, and your account with its orders, customers and prices, which has other owners too.',
  agent:
    'Your settings, your saved numbers, the orders you made on your owner’s account, the orders you follow.',
  none: 'Your settings, the orders you follow, and the questions you asked about them.',
}

export const data = (standing: Standing) =>
  [
    b('My data'),
    '',
    `${b('Kept here')}: ${kept[standing]}`,
    '',
    `${b('Gone by itself')}: numbers and texts of old finished orders, after the time that the operator of this bot has set. Saved customers stay.`,
    '',
    `${b('Export')} sends you all of it as a file, without secrets. ${b('Delete')} asks first.`,
  ].join('\n')

export const exportCaption = 'All that this bot keeps about you. No key and no secret is in it.'
export const exportToast = 'Your file is being made…'

const goes: Record<Standing, string> = {
  last: 'your key and secret, all orders with their numbers and lists, your customers, prices and shop name, your settings, and what you follow. Your agents lose their access',
  shared: `your access to the account, ${ownThings}`,
  agent: `your access to the account, your saved numbers, ${ownThings}`,
  none: ownThings,
}

const stays: Record<Standing, string | null> = {
  last: 'the messages in this chat (delete the chat in Telegram), and what the provider keeps in its own books. Nothing is charged or refunded by this.',
  shared: 'the account with its orders, those that you made too: it has other owners.',
  agent:
    'your orders, with your name on them: they belong to your owner’s account. What was not sent yet is cancelled.',
  none: 'the orders themselves: they belong to whoever made them.',
}

/** @param isBlocked a shop takes no questions of theirs. */
const staysOf = (standing: Standing, isBlocked: boolean): string | null => {
  const kept = [stays[standing], isBlocked ? keptBlock : null].filter((part) => part !== null)
  return kept.length === 0 ? null : `${b('Kept')}: ${kept.join('\n')}`
}

const keptBlock =
  'A shop has blocked your questions. That it did, when, and of which order stays until it lifts the block; nothing of what you wrote stays.'

interface ForgetOptions {
  /** Orders that were not sent yet. */
  waiting: number
  /** Orders that are not finished. */
  open: number
  isBlocked: boolean
}

export const askForget = (standing: Standing, { waiting, open, isBlocked }: ForgetOptions) =>
  lines(
    `🗑 ${b('Delete your data?')}`,
    '',
    `${b('Deleted')}: ${goes[standing]}.`,
    staysOf(standing, isBlocked),
    standing === 'last' && waiting > 0
      ? `\n${count(waiting, 'order')} still to be sent will be cancelled: nothing is charged for that.`
      : null,
    standing === 'last' && open > 0
      ? `\n${count(open, 'order')} not finished yet. ${b('When they are done')}: I follow them to their end, a day at most, then erase them too. ${b('Now')}: you are not told here how they end, nor of a refund.`
      : null,
    '',
    'This cannot be undone.',
  )

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`

/** What was done. `closingMs`: how long it takes at most until the rest is gone. */
export const forgotten = (
  standing: Standing,
  departure: Departure | null,
  { closingMs, isBlocked }: { closingMs: number; isBlocked: boolean },
) => {
  if (departure?.kind === 'closing') {
    return lines(
      '🗑 Your customers, prices, settings and finished orders are being erased.',
      `${count(departure.open, 'order')} under way ${departure.open === 1 ? 'is' : 'are'} followed to the end, ${duration(closingMs)} at most. Then ${departure.open === 1 ? 'it is' : 'they are'} erased too, with your key and secret.`,
      departure.cancelled > 0
        ? `${count(departure.cancelled, 'order')} not sent yet: cancelled, nothing was charged.`
        : null,
      'Nothing new can be ordered meanwhile.',
      isBlocked ? keptBlock : null,
    )
  }
  const cancelled = departure && 'cancelled' in departure ? departure.cancelled : 0
  return lines(
    `🗑 Deleted: ${goes[standing]}.`,
    standing === 'last' ? 'Old orders are erased within minutes.' : null,
    cancelled > 0 ? `${count(cancelled, 'order')} not sent yet: cancelled, nothing was charged.` : null,
    staysOf(standing, isBlocked),
    'Send /start to begin anew.',
  )
}

export const ordersErased = 'Its orders and numbers are erased from this bot too.'

export const changedMeanwhile = 'Your account has changed since you were asked. Nothing was deleted.'

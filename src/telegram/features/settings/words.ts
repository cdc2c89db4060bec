import { closingMs, type Departure } from '../../../accounts/departure.ts'
import { clockOf } from '../../../lists/written-time.ts'
import { recentMs } from '../../../orders/buying/earlier-order.ts'
import { formatGhs, type Pesewas } from '../../../provider/money.ts'
import {
  evening,
  maxFreeRepeat,
  maxNameBytes,
  morning,
  type Setting,
  type Topic,
} from '../../../settings/setting.ts'
import type { NotifyLevel } from '../../../store/chats/preferences.ts'
import { disconnectLabels, notFinished, wereCancelled } from '../../cards/words/leaving.ts'
import { noShopName } from '../../cards/words/shop.ts'
import { foreignWord, oneLine } from '../../chat/screen.ts'
import { duration } from '../../chat/time.ts'
import { b, capital, counted, lengthIn, lines } from '../../words/markup.ts'

/** Texts about settings, and about a person's own data. */

export const settingsLabels = {
  undo: '↩️ Undo',
  off: 'Off',
  more: '⋯ More',
  noName: 'No name',
  data: '🗂 My data',
  export: '⬇️ Export my data',
  forget: '🗑 Delete my data',
  forgetConfirm: '🗑 Confirm: delete',
  keepData: 'Keep my data',
  otherNetworks: '‹ Other networks',
} as const

export const topicLabels: Record<Topic, string> = {
  notify: '🔔 Notifications',
  quiet: '🌙 Quiet hours',
  level: '💰 Low balance',
  network: '📶 Main network',
  repeat: '🔁 Quick repeat',
  shop: '🏪 Shop name',
  summary: '📊 Daily summary',
  zone: '🕒 Time zone',
  slow: '🐢 Slow networks',
}

// Parts of labels. Plain text.
const levelNames: Record<NotifyLevel, string> = {
  each: 'every change',
  final: 'results only',
  failures: 'problems only',
}

/** The value as people read it after the topic. Plain text. */
const settingValue = (setting: Setting): string => {
  switch (setting.topic) {
    case 'notify':
      return levelNames[setting.level]
    case 'quiet':
      return setting.hours ? `${clockOf(setting.hours.from)} to ${clockOf(setting.hours.to)}` : 'off'
    case 'level':
      return setting.pesewas === null ? 'off' : `below ${formatGhs(setting.pesewas)}`
    case 'network':
      return setting.network === null ? 'none' : oneLine(setting.network)
    case 'repeat':
      return setting.pesewas === null ? 'off' : `up to ${formatGhs(setting.pesewas)}`
    case 'shop':
      return setting.name === null ? 'none' : oneLine(setting.name)
    case 'summary':
      return setting.hour === null ? 'off' : `at ${clockOf(setting.hour * 60)}`
    case 'zone':
      return oneLine(setting.timeZone)
    case 'slow':
      return setting.on ? 'on' : 'off'
  }
}

/** The label of a setting's button. Plain text. */
export const topicLabel = (setting: Setting) => `${topicLabels[setting.topic]}: ${settingValue(setting)}`

/** The label of a button that chooses the value. Plain text. */
export const choiceLabel = (setting: Setting) => {
  if (setting.topic === 'summary' && setting.hour === morning) return `Morning, ${clockOf(morning * 60)}`
  if (setting.topic === 'summary' && setting.hour === evening) return `Evening, ${clockOf(evening * 60)}`
  return capital(settingValue(setting))
}

const named = (setting: Setting) => `${topicLabels[setting.topic]}: ${b(foreignWord(settingValue(setting)))}`

export const settings = `${b('Your settings')}\nPress a setting to change it.`

export const saved = (changed: Setting) => `✅ Saved. ${named(changed)}`

/** What a topic is about, and how to set it. */
const explained: Record<Topic, string[]> = {
  notify: [
    `${b(capital(levelNames.each))}: a message for each new status.`,
    `${b(capital(levelNames.final))}: a message when an order is delivered or fails.`,
    `${b(capital(levelNames.failures))}: a message only when something goes wrong.`,
    '',
    'I’ll always tell you about failed orders and anything that affects your money.',
  ],
  quiet: [
    'During these hours, good news and summaries wait. Failed orders and news about money still come through. Customers’ questions arrive silently.',
    'Choose, or send your own hours, for example <code>21:30-6</code>.',
  ],
  level: [
    'I’ll tell you once when your balance falls below this amount.',
    'Choose, or send an amount in GHS, for example <code>150</code>.',
  ],
  network: ['Buying, lists and prices start with this network. One button shows the others.'],
  repeat: [
    'Up to this price, pressing 🔁 Repeat orders and charges straight away, without Confirm.',
    `If the number got the same bundle in the last ${lengthIn('minute', recentMs)}, I’ll still ask first.`,
    `Choose, or send an amount up to ${formatGhs(maxFreeRepeat)}, for example <code>15</code>.`,
  ],
  shop: [
    'Your price lists and receipts show this name.',
    `Send the name, for example <code>Ama Data</code>. Up to ${maxNameBytes} letters.`,
  ],
  summary: [
    'Once a day, I’ll send a summary of orders, money and problems.',
    'Press a button, or send another hour, like <code>8pm</code> or <code>14:00</code>.',
  ],
  zone: [
    'Quiet hours and the daily summary use this time zone.',
    'Choose, or send a city or a zone, for example <code>Lagos</code> or <code>Europe/London</code>.',
  ],
  slow: [
    'I’ll tell you when your orders on a network take much longer than usual, and when they’re back to normal.',
  ],
}

export const topic = (now: Setting) => [named(now), '', ...explained[now.topic]].join('\n')

const wanted: Record<Topic, string> = {
  notify: 'Press a button.',
  quiet: 'Try <code>21:30-6</code> or <code>off</code>.',
  level: 'Send an amount in GHS, for example <code>150</code>, or <code>off</code>.',
  network: 'Press a button.',
  repeat: `Send an amount up to ${formatGhs(maxFreeRepeat)}, for example <code>15</code>, or <code>off</code>.`,
  shop: `Send a name of up to ${maxNameBytes} letters, for example <code>Ama Data</code>, or <code>off</code>.`,
  summary: 'Send an hour without minutes, like <code>8pm</code> or <code>14:00</code>, or <code>off</code>.',
  zone: 'Send the nearest capital, for example <code>Accra</code>, <code>Lagos</code> or <code>London</code>.',
  slow: 'Press a button.',
}

export const notASetting = (about: Topic, typed: string) =>
  [
    about === 'zone'
      ? `I don’t know the time zone “${foreignWord(typed)}”.`
      : about === 'shop'
        ? noShopName(typed)
        : `I don’t understand “${foreignWord(typed)}”.`,
    `Nothing was changed. ${wanted[about]}`,
  ].join('\n')

export const savedToast = 'Saved.'

export const settingNotYours = 'Only the account’s owner can set that.'

export const sameAsBefore = 'Already set.'

export const balanceIsLow = (balance: Pesewas, level: Pesewas) =>
  `⚠️ Your balance is already below ${formatGhs(level)}: ${b(formatGhs(balance))}.`

// ── A person's data ───────────────────────────────────────────────────────────────────────────────────
/** The person's role, which decides what is kept and deleted. `last`: the only owner of an account. */
export type DisconnectCase = 'last' | 'shared' | 'agent' | 'none'

const ownThings =
  'your settings, your list of followed orders, your questions, and what’s left of old accounts'

const kept: Record<DisconnectCase, string> = {
  last: 'I keep your API key and secret (encrypted), orders, customers, ported numbers you pressed Keep for, prices, reminders, your shop’s name and number, settings, and the orders you follow.',
  shared:
    'I keep your settings, reminders, the orders you follow, and the account that you share, with its orders, customers and prices.',
  agent:
    'I keep your settings, saved numbers, reminders, the orders you made with the owner’s wallet, and the orders you follow.',
  none: 'I keep your settings, the orders you follow, and your questions about them.',
}

const keptHowLong = (standing: DisconnectCase): string =>
  `The numbers and texts of old orders are deleted automatically${standing === 'none' ? '' : '; saved customers are not'}.`

export const data = (standing: DisconnectCase) =>
  [
    b('My data'),
    `${kept[standing]} ${keptHowLong(standing)}`,
    '',
    `${b('Export')}: get all of it as a file, except your key and secret. ${b('Delete')}: I’ll ask first.`,
  ].join('\n')

export const exportCaption = 'Everything this bot keeps about you, except your key and secret.'

export const exportToast = 'Making your file…'

const goes: Record<DisconnectCase, string> = {
  last: 'your key and secret, all your orders, customers, prices, reminders and settings, and your list of followed orders',
  shared: `your access to the account, your reminders, ${ownThings}`,
  agent: `your access to the account, your saved numbers, your reminders, ${ownThings}`,
  none: ownThings,
}

const stays: Record<DisconnectCase, string | null> = {
  last: 'this chat’s messages (delete the chat in Telegram) and the provider’s own data. Nothing is charged or refunded.',
  shared: 'the account and all its orders, because it has other owners.',
  agent: 'your orders with your name, because they belong to the owner’s account.',
  none: 'the orders themselves, because they belong to whoever made them.',
}

/** @param isBlocked whether a shop has blocked the person's questions. */
const staysOf = (word: string, standing: DisconnectCase, isBlocked: boolean): string | null => {
  const kept = [stays[standing], isBlocked ? keptBlock : null].filter((part) => part !== null)
  return kept.length === 0 ? null : kept.map((part) => `${b(word)}: ${part}`).join('\n')
}

const keptBlock =
  'the record that a shop blocked your questions, with the time and the order, until it unblocks you. What you wrote is deleted.'

/** What else follows, said only in the question. */
const losesOnAsk: Partial<Record<DisconnectCase, string>> = {
  last: ' Your agents will lose access.',
  agent: ' Waiting orders will be cancelled, not charged.',
}

interface ForgetOptions {
  /** How many orders are not sent yet. */
  waiting: number
  /** How many orders are not finished. */
  open: number
  isBlocked: boolean
}

export const askForget = (standing: DisconnectCase, { waiting, open, isBlocked }: ForgetOptions) =>
  lines(
    `🗑 ${b('Delete your data?')}`,
    '',
    `${b('Will be deleted')}: ${goes[standing]}.${losesOnAsk[standing] ?? ''}`,
    staysOf('Will be kept', standing, isBlocked),
    standing === 'last' && waiting > 0
      ? `\n${counted(waiting, 'waiting order', 'waiting orders')} will be cancelled, not charged.`
      : null,
    standing === 'last' && open > 0
      ? `\n${notFinished(open)}\n${b(disconnectLabels.whenDone)}: I’ll follow ${open === 1 ? 'it' : 'them'} for ${lengthIn('hour', closingMs)} at most, then erase ${open === 1 ? 'it' : 'them'} too.\n${b(disconnectLabels.now)}: I won’t tell you what happens to ${open === 1 ? 'it' : 'them'}, or about refunds.`
      : null,
    '',
    'This can’t be undone.',
  )

/** @param options.closingMs after how long, at most, the rest of the data is erased. */
export const forgotten = (
  standing: DisconnectCase,
  departure: Departure | null,
  { closingMs, isBlocked }: { closingMs: number; isBlocked: boolean },
) => {
  if (departure?.kind === 'closing') {
    return lines(
      '🗑 I’m erasing your customers, prices, settings and finished orders. You can’t order until that’s done.',
      `${notFinished(departure.open)} I’ll follow ${departure.open === 1 ? 'it' : 'them'} for ${duration(closingMs)} at most, then erase the rest, including your key and secret.`,
      departure.cancelled > 0 ? wereCancelled(departure.cancelled) : null,
      isBlocked ? `${b('Kept')}: ${keptBlock}` : null,
    )
  }
  const cancelled = departure && 'cancelled' in departure ? departure.cancelled : 0
  return lines(
    `🗑 Deleted: ${goes[standing]}.`,
    standing === 'last'
      ? 'Your agents no longer have access. Old orders will be erased within minutes.'
      : null,
    cancelled > 0 ? wereCancelled(cancelled) : null,
    staysOf('Kept', standing, isBlocked),
    'To start again, /start.',
  )
}

export const changedMeanwhile = 'Your account has changed since I asked. Nothing was deleted.'

import { visible } from '../lists/names/contact-name.ts'
import { readNetwork } from '../lists/reading/grammar/network-word.ts'
import { clockOf, readTime } from '../lists/written-time.ts'
import { readTimeZone } from '../messaging/time-zone.ts'
import { type Pesewas, pesewas } from '../provider/money.ts'
import { shopNameFault } from '../shop/shop-name.ts'
import { maxWrittenLength, readAmount } from '../shop/written-amount.ts'
import { type NotifyLevel, notifyLevels, type Preferences } from '../store/chats/preferences.ts'

/** A person's setting and its value. Null means switched off, or not set. */
export type Setting =
  | { topic: 'notify'; level: NotifyLevel }
  | { topic: 'quiet'; hours: { from: number; to: number } | null }
  /** The balance below which an owner is warned. */
  | { topic: 'level'; pesewas: Pesewas | null }
  | { topic: 'network'; network: string | null }
  /** The highest price at which an order is repeated without a second press. */
  | { topic: 'repeat'; pesewas: Pesewas | null }
  | { topic: 'shop'; name: string | null }
  | { topic: 'summary'; hour: number | null }
  | { topic: 'zone'; timeZone: string }
  /** Whether an owner is told of slow networks. */
  | { topic: 'slow'; on: boolean }

export type Topic = Setting['topic']

/** In the order in which /settings shows them. */
export const topics: readonly Topic[] = [
  'notify',
  'quiet',
  'level',
  'network',
  'repeat',
  'shop',
  'summary',
  'zone',
  'slow',
]

export const isTopic = (word: string): word is Topic => topics.some((topic) => topic === word)

/**
 * The settings that a person in this role has. People without an account (null) have some too, because they may
 * follow an order.
 */
export const topicsFor = (role: 'owner' | 'agent' | null): readonly Topic[] => {
  switch (role) {
    case 'owner':
      return topics
    case 'agent':
      return topics.filter((topic) => topic !== 'level' && topic !== 'shop' && topic !== 'slow')
    case null:
      return ['notify', 'quiet', 'zone']
  }
}

/** In pesewas: GHS 1,000. An order above this price is never repeated without a second press. */
export const maxFreeRepeat = pesewas(100_000)

/** In bytes of UTF-8. A shop's name must fit in the data of the button that restores it. */
export const maxNameBytes = 40

/** The hours of a daily summary in the morning, and in the evening. */
export const morning = 7
export const evening = 19

const namedHours = new Map([
  ['morning', morning],
  ['evening', evening],
])

const off = /^(off|none|no|never|-)$/i

/**
 * Reads a value that somebody typed or `writtenSetting` wrote.
 * @returns null if the text is not a valid value for the topic
 */
export const readSetting = (topic: Topic, typed: string): Setting | null => {
  if (typed.trim().length > maxWrittenLength) return null
  const text = topic === 'shop' ? visible(typed) : typed.trim()
  const isOff = off.test(text)
  switch (topic) {
    case 'notify': {
      const level = notifyLevels.find((each) => each === text)
      return level ? { topic, level } : null
    }
    case 'quiet': {
      const hours = isOff ? null : readHours(text)
      return isOff || hours ? { topic, hours } : null
    }
    case 'level':
    case 'repeat': {
      const pesewas = isOff ? null : amountOf(text)
      if (!isOff && pesewas === null) return null
      return topic === 'repeat' && (pesewas ?? 0) > maxFreeRepeat ? null : { topic, pesewas }
    }
    case 'network': {
      const network = isOff ? null : readNetwork(text)
      return isOff || network ? { topic, network } : null
    }
    case 'shop': {
      const name = isOff ? null : readName(text)
      return isOff || name ? { topic, name } : null
    }
    case 'summary': {
      if (isOff) return { topic, hour: null }
      const hour = namedHours.get(text.toLowerCase())
      if (hour !== undefined) return { topic, hour }
      const minutes = readTime(text)
      return minutes !== null && minutes % 60 === 0 ? { topic, hour: minutes / 60 } : null
    }
    case 'zone': {
      const timeZone = readTimeZone(text)
      return timeZone ? { topic, timeZone } : null
    }
    case 'slow':
      return isOff || /^(on|yes)$/i.test(text) ? { topic, on: !isOff } : null
  }
}

const amountOf = (text: string): Pesewas | null => {
  const written = readAmount(text)
  return written.kind === 'amount' && written.pesewas > 0 ? written.pesewas : null
}

/** Reads `21:30-6`, `22:00 to 07:00`. Both ends are minutes since midnight. */
const readHours = (text: string): { from: number; to: number } | null => {
  const [first = '', second = '', ...more] = text.split(/\s*(?:-|–|—|\bto\b)\s*/i)
  const [from, to] = [readTime(first), readTime(second)]
  return from === null || to === null || from === to || more.length > 0 ? null : { from, to }
}

const readName = (name: string): string | null =>
  name !== '' &&
  !name.startsWith('/') &&
  Buffer.byteLength(name) <= maxNameBytes &&
  shopNameFault(name) === null
    ? name
    : null

/** Writes the value as a person would type it. `readSetting` can read it again. */
export const writtenSetting = (setting: Setting): string => {
  switch (setting.topic) {
    case 'notify':
      return setting.level
    case 'quiet':
      return setting.hours ? `${clockOf(setting.hours.from)}-${clockOf(setting.hours.to)}` : 'off'
    case 'level':
    case 'repeat':
      return setting.pesewas === null ? 'off' : (setting.pesewas / 100).toFixed(2)
    case 'network':
      return setting.network ?? 'off'
    case 'shop':
      return setting.name ?? 'off'
    case 'summary':
      return setting.hour === null ? 'off' : clockOf(setting.hour * 60)
    case 'zone':
      return setting.timeZone
    case 'slow':
      return setting.on ? 'on' : 'off'
  }
}

export const settingIn = (topic: Topic, preferences: Preferences, shopName: string | null): Setting => {
  const { notify, quietFrom, quietTo, lowBalancePesewas, defaultNetwork } = preferences
  switch (topic) {
    case 'notify':
      return { topic, level: notify }
    case 'quiet':
      return {
        topic,
        hours: quietFrom === null || quietTo === null ? null : { from: quietFrom, to: quietTo },
      }
    case 'level':
      return { topic, pesewas: lowBalancePesewas }
    case 'network':
      return { topic, network: defaultNetwork }
    case 'repeat':
      return { topic, pesewas: preferences.freeRepeatPesewas }
    case 'shop':
      return { topic, name: shopName }
    case 'summary':
      return { topic, hour: preferences.summaryHour }
    case 'zone':
      return { topic, timeZone: preferences.timeZone }
    case 'slow':
      return { topic, on: preferences.tellsSlow }
  }
}

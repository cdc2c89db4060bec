import { isId } from '../../database/id.ts'
import type { PriceRule } from '../../domain/selling/price-rule.ts'
import { isPrefix } from '../../lists/meaning/prefix-line.ts'
import { acceptable } from '../../lists/meaning/suggestion.ts'
import { everyDay } from '../../lists/written-reminder.ts'
import { type Pesewas, pesewas } from '../../provider/money.ts'
import { type Network, networks } from '../../provider/network.ts'
import { isPhone, type Phone } from '../../provider/phone.ts'
import { isTopic, readSetting, type Setting, writtenSetting } from '../../settings/setting.ts'
import {
  briefRule,
  maxPlusPesewas,
  maxRoundPesewas,
  maxTenths,
  readBriefRule,
} from '../../shop/brief-rule.ts'
import { maxPesewas } from '../../shop/written-amount.ts'
import { maxTierMegabytes } from '../../shop/written-tier.ts'
import { type Codec, mapped, matching, nullAs, oneOf, whole, word } from './codec.ts'

/** The id of an order, a purchase, an account or a contact. */
export const id: Codec<string> = word((text) => (isId(text) ? text : undefined))

export const phone: Codec<Phone> = word((text) => (isPhone(text) ? text : undefined))

/** One of the networks of API §1. */
export const network: Codec<Network> = oneOf(networks)

/** Any network that the provider names. */
export const networkName: Codec<string> = matching(/^[^:]+$/)

/** A bundle, by the provider's id. */
export const bundleId: Codec<number> = whole(0, Number.MAX_SAFE_INTEGER)

/** A bundle that may have a selling price. The limit is the database column's. */
export const pricedBundleId: Codec<number> = whole(0, 2 ** 31 - 1)

/** The number of a page, of a place in a list, or of a choice. */
export const count: Codec<number> = whole(0, 999_999)

/** A page of a screen with few pages, or a number of minutes. */
export const shortCount: Codec<number> = whole(0, 9_999)

/** The id of a database row, which is a 32-bit integer. */
export const rowId: Codec<number> = whole(1, 2 ** 31 - 1)

/** See `Schedule`. */
export const weekday: Codec<number> = whole(0, everyDay)
export const minutesOfDay: Codec<number> = whole(0, 24 * 60 - 1)

/** Epoch milliseconds. */
export const timeMs: Codec<number> = whole(0, 10 ** 15 - 1)

/** Eight characters that identify a question, an entry or an order. */
export const digest: Codec<string> = matching(/^[\w-]{8}$/)

/** The text that replaces the damaged words of a list's line. */
export const suggestion: Codec<string> = matching(acceptable)

/** The first characters of an invitation's hash. */
export const invitationName: Codec<string> = matching(/^[\w-]{16}$/)

const invitationSecretForm = /^[\w-]{32}$/

/** Whether the text has the form of an invitation's secret: 192 bits, as in its link. */
export const isInvitationSecret = (text: string): boolean => invitationSecretForm.test(text)

export const invitationSecret: Codec<string> = matching(invitationSecretForm)

/** A person: Telegram's ids have at most 52 bits. */
export const userId: Codec<number> = whole(1, 2 ** 52)

/** Whether a text is the id of a person, or of a group, whose ids begin with a minus. */
export const isChatId = (text: string): boolean =>
  /^-?[1-9]\d{0,15}$/.test(text) && Math.abs(Number(text)) <= 2 ** 52

/** A person or a group. */
export const chatId: Codec<number> = word((text) => (isChatId(text) ? Number(text) : undefined))

/** `5GB`, `1.5GB`, `500MB` */
export const size: Codec<string> = matching(/^\d{1,5}(\.\d{1,3})?[GM]B$/)

/** Which prices to show: of one network or all, and of one size or all. */
export const products: Codec<{ network: string | null; size?: string }> = {
  write: ({ network: named, size: sized }) =>
    sized === undefined ? (named === null ? [] : [named]) : [named ?? '', sized],
  read: ([named, sized]) => {
    const ofNetwork = named ? networkName.read([named]) : null
    if (ofNetwork === undefined || sized === undefined)
      return ofNetwork === undefined ? undefined : { network: ofNetwork }
    const ofSize = size.read([sized])
    return ofSize === undefined ? undefined : { network: ofNetwork, size: ofSize }
  },
}

const amount = (min: number, max: number): Codec<Pesewas> =>
  mapped(whole(min, max), pesewas, (value) => value)

/** What an agent may spend in a day; null: no limit. */
export const limit: Codec<Pesewas | null> = nullAs('none', amount(0, 999_999_999))

/** The amount to whose multiples selling prices are rounded up. */
export const rounding: Codec<Pesewas> = amount(1, maxRoundPesewas)

/** A selling price; null: none. */
export const price: Codec<Pesewas | null> = nullAs('none', amount(0, maxPesewas))

/** The place of a number in an order, or all of the order's numbers. */
export const placeOrAll: Codec<number | 'all'> = {
  write: (value) => [String(value)],
  read: (words) => (words[0] === 'all' ? 'all' : count.read(words)),
}

/** A price rule in its short form; null: no rule. */
export const rule: Codec<PriceRule | null> = {
  write: (value) => [briefRule(value)],
  read: ([text = '']) => readBriefRule(text),
}

/** Which bundles a tier, a price rule of its own, is for; `-` in the data means all networks, or all sizes. */
export const tierScope = {
  network: nullAs('-', network),
  fromMegabytes: nullAs('-', whole(1, maxTierMegabytes)),
}

const additions = { plus: whole(0, maxPlusPesewas), percent: whole(0, maxTenths) }

/** What a rule adds to the cost: pesewas, or tenths of a percent. */
export const addition: Codec<{ kind: PriceRule['kind']; value: number }> = {
  write: ({ kind, value }) => [kind, String(value)],
  read: ([text = '', ...words]) => {
    const kind = oneOf(['plus', 'percent']).read([text])
    const value = kind && additions[kind].read(words)
    return kind === undefined || value === undefined ? undefined : { kind, value }
  },
}

/** A set of networks as a number, with a bit for each in the order of `networks`. */
const networkSet: Codec<readonly Network[]> = mapped(
  whole(0, 2 ** networks.length - 1),
  (mask) => networks.filter((_, bit) => Math.floor(mask / 2 ** bit) % 2 === 1),
  (named) => networks.reduce((mask, each, bit) => mask + (named.includes(each) ? 2 ** bit : 0), 0),
)

const networksOfPrefix = nullAs('b', networkSet)

/**
 * A number prefix and the networks to restore for it; null: the built-in ones. Both are in one word, `0256-3` or
 * `0256-b`.
 */
export const prefixChange: Codec<{ prefix: string; networks: readonly Network[] | null }> = {
  write: ({ prefix, networks }) => [[prefix, ...networksOfPrefix.write(networks)].join('-')],
  read: ([text = '']) => {
    const [prefix = '', ...words] = text.split('-')
    const named = networksOfPrefix.read(words)
    return isPrefix(prefix) && named !== undefined ? { prefix, networks: named } : undefined
  },
}

/** A setting and its value as people type it. The value may contain colons. */
export const setting: Codec<Setting> = {
  write: (value) => [value.topic, writtenSetting(value)],
  read: ([topic = '', ...words]) => (isTopic(topic) && readSetting(topic, words.join(':'))) || undefined,
}

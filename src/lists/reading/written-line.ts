import type { Pesewas } from '../../provider/money.ts'
import type { Network } from '../../provider/network.ts'
import type { Phone } from '../../provider/phone.ts'
import type { Problem } from '../reading-result.ts'
import { readSeveralOrders } from '../several-orders.ts'
import { writtenSize } from '../size.ts'
import { appended } from './appended.ts'
import type { Item, SizeItem } from './grammar/item.ts'
import { isUnsoldNetwork } from './grammar/network-word.ts'
import { tokensOf } from './grammar/token.ts'

export interface Pair {
  phone: Phone
  zeroRestored: boolean
  /**
   * The sizes next to the phone. If there is none, the bundle comes from a heading, a choice or an answer. If there
   * are two, one may be the price.
   */
  sizes: readonly SizeItem[]
  network: NamedNetwork | null
  amount: { pesewas: Pesewas; isBetween: boolean; written: string } | null
  /** The network named on a line below the phone. That line may also be the heading of the lines after it. */
  networkBelow: NamedNetwork | null
  headingLost: boolean
  /** The text of an earlier heading that may name a network that we do not know. */
  unknownHeading: string | null
}

export interface NamedNetwork {
  network: Network
  /** False if the word may have another meaning, or may belong to another phone. */
  isSure: boolean
  written: string
}

/** The content of one line, read without its context. */
export interface WrittenLine {
  /**
   * `numbers`: phones without sizes. `pairs`: phones with sizes, or with faults. `size`, `network` and `share` (a
   * size for all phones) apply to phones above or below. `comment` applies to no phone.
   */
  kind: 'numbers' | 'pairs' | 'size' | 'network' | 'share' | 'comment'
  pairs: readonly Pair[]
  /** Includes damaged ones. */
  phones: number
  problems: readonly Problem[]
  size: SizeItem | null
  /** For a line without a phone: the size, and the price next to it if there is one. */
  sizes: readonly SizeItem[]
  network: NamedNetwork | null
  /** A bare number in front of the only phone: a size, or the line number. */
  lead: SizeItem | null
  /** For a line without a phone: whether it ends with a colon, like a heading. */
  hasColon: boolean
  /** For a line without a phone that has a fault: how many digits it has. Otherwise 0. */
  digits: number
  /** For a line without a phone: it has words that may be somebody's name. */
  hasName: boolean
  /** For a line without a phone: it has an amount of money, as in a price list. */
  hasAmount: boolean
  /** For a line without a phone: its first word or sign that may mean "do not order this". */
  doubt: string | null
  /** The name that the line's size is for: see `named-line.ts`. */
  name: string | null
  /** For a line of the kind `network` that names no known network: its words. */
  unknownHeading: string | null
}

type Of<Kind extends Item['kind']> = Extract<Item, { kind: Kind }>

const isOf = <Kind extends Item['kind']>(item: Item, kind: Kind): item is Of<Kind> => item.kind === kind

/** The items of one kind. Most lines have none, so a list is created only when the first one is found. */
const only = <Kind extends Item['kind']>(items: readonly Item[], kind: Kind): readonly Of<Kind>[] => {
  let found: Of<Kind>[] | null = null
  for (const item of items) if (isOf(item, kind)) found = appended(found, item)
  return found ?? none
}

const none: readonly never[] = []

/**
 * Builds the `WrittenLine` from a line's items.
 * @param text the line in plain characters from which `items` were read
 */
export const writtenLine = (items: readonly Item[], text: string): WrittenLine => {
  let phones = 0
  for (const item of items) if (isPhoneLike(item)) phones += 1
  return phones > 0 ? lineOfNumbers(items, phones) : lineWithout(items, text)
}

const isPhoneLike = (item: Item): boolean => item.kind === 'phone' || (item.kind === 'fault' && item.isPhone)

const lineOfNumbers = (items: readonly Item[], phones: number): WrittenLine => {
  const pairs = only(items, 'phone').map(pairOf)
  let problems: readonly Problem[] = items.some(isSuspect)
    ? [
        ...only(items, 'fault').map(({ problem }) => problem),
        ...only(items, 'doubt').map(({ written }): Problem => ({ code: 'doubtful_word', written })),
        ...strayUnit(items, true),
      ]
    : none
  if (pairs.length === phones) {
    problems = joined(problems, joined(giveSizes(items, pairs), giveNetworks(items, pairs)))
    giveAmounts(items, pairs)
  }
  const hasSizes = items.some(isSizeLike)
  const lead = phones === 1 ? leadOf(items) : null
  return { ...talk, kind: hasSizes ? 'pairs' : 'numbers', pairs, phones, problems, lead }
}

const pairOf = ({ phone, zeroRestored }: Of<'phone'>): Pair => ({
  phone,
  zeroRestored,
  sizes: none,
  network: null,
  amount: null,
  networkBelow: null,
  headingLost: false,
  unknownHeading: null,
})

const isSuspect = ({ kind }: Item): boolean => kind === 'fault' || kind === 'doubt' || kind === 'unit'

const joined = (some: readonly Problem[], more: readonly Problem[]): readonly Problem[] =>
  more.length === 0 ? some : some.length === 0 ? more : [...some, ...more]

const isSizeLike = (item: Item): boolean => item.kind === 'size' || (item.kind === 'fault' && !item.isPhone)

/** `500 - MB`, `two gb`: the unit may belong to a number that was not read together with it. */
const strayUnit = (items: readonly Item[], hasPhones: boolean): readonly Problem[] => {
  const needsNumber = hasPhones && !items.some(isSizeLike)
  const stray = only(items, 'unit').find(({ unit }) => unit === 'MB' || needsNumber)
  return stray ? [{ code: 'unclear', written: stray.unit }] : none
}

/**
 * Gives the phones their sizes: each its own if phones and sizes alternate, or one size for all if the line says so.
 */
const giveSizes = (items: readonly Item[], pairs: readonly Pair[]): readonly Problem[] => {
  const sizes = only(items, 'size')
  const [first] = sizes
  const [pair] = pairs
  if (pairs.length === 1 && pair) {
    pair.sizes = sizes
    return none
  }
  if (!first) return none
  if (sizes.length === 1 && isForAll(items, first)) {
    for (const each of pairs) each.sizes = [first]
    return none
  }
  if (!alternates(items, sizes.length, pairs.length))
    return [{ code: 'not_paired', phones: pairs.length, sizes: sizes.length }]
  pairs.forEach((each, index) => {
    each.sizes = sizes.slice(index, index + 1)
  })
  return none
}

/**
 * Whether the size is for all phones of the line: `0241234567, 0551234567 5gb each`; `5gb: 0241234567, 0551234567`.
 */
const isForAll = (items: readonly Item[], size: SizeItem): boolean => {
  if (items.some(({ kind }) => kind === 'share')) return true
  const opener = items.find(({ kind }) => kind === 'phone' || kind === 'size')
  return opener === size && size.hasUnit && size.mark === ':'
}

const alternates = (items: readonly Item[], sizes: number, pairs: number): boolean => {
  if (sizes !== pairs) return false
  const order = items.filter(({ kind }) => kind === 'phone' || kind === 'size')
  return order.every(({ kind }, index) => index === 0 || kind !== order[index - 1]?.kind)
}

/** Gives the phones their networks: one network for all in front of them, or one next to each. */
const giveNetworks = (items: readonly Item[], pairs: readonly Pair[]): readonly Problem[] => {
  const named = only(items, 'network')
  const [first] = named
  if (!first) return none
  const networks = new Set(named.map(({ network }) => network))
  if (networks.size === 1 && (pairs.length === 1 || named.length === pairs.length || isInFront(items))) {
    for (const pair of pairs) pair.network = { ...first, isSure: named.some(({ isSure }) => isSure) }
    return none
  }
  if (pairs.length > 1 && hasOneBesideEach(items, pairs.length)) {
    pairs.forEach((pair, index) => {
      pair.network = named[index] ?? null
    })
    return none
  }
  if (networks.size > 1) return [{ code: 'two_networks', networks: [...networks] }]
  const phone = pairs[0]?.phone
  return phone ? [{ code: 'network_unclear', written: first.written, phone }] : none
}

const isInFront = (items: readonly Item[]): boolean => {
  const order = items.filter(({ kind }) => kind === 'network' || kind === 'phone' || kind === 'size')
  return order[0]?.kind === 'network' && order.slice(1).every(({ kind }) => kind !== 'network')
}

/** Whether the items repeat in the same sequence for each phone: `mtn 0241234567 5, telecel 0201234567 10`. */
const hasOneBesideEach = (items: readonly Item[], pairs: number): boolean => {
  const order = items.filter(({ kind }) => kind === 'network' || kind === 'phone' || kind === 'size')
  const length = order.length / pairs
  if (length !== 2 && length !== 3) return false
  const period = order.slice(0, length).map(({ kind }) => kind)
  if (period.filter((kind) => kind === 'network').length !== 1 || !period.includes('phone')) return false
  return order.every(({ kind }, index) => kind === period[index % length])
}

const giveAmounts = (items: readonly Item[], pairs: readonly Pair[]): void => {
  const amounts = only(items, 'amount')
  if (amounts.length !== pairs.length) return
  pairs.forEach((pair, index) => {
    pair.amount = amounts[index] ?? null
  })
}

/** The bare number in front of the phone, if no other number is in between. */
const leadOf = (items: readonly Item[]): SizeItem | null => {
  let lead: SizeItem | null = null
  for (const item of items) {
    if (item.kind === 'phone') return lead
    if (item.kind !== 'size') continue
    if (lead !== null || item.hasUnit || !Number.isInteger(item.size.amount)) return null
    lead = item
  }
  return null
}

/** A line with more unknown words than this is a sentence. A size in it is only mentioned, not ordered. */
const maxNames = 3

const talk: WrittenLine = {
  kind: 'comment',
  pairs: none,
  phones: 0,
  problems: none,
  size: null,
  sizes: none,
  network: null,
  lead: null,
  hasColon: false,
  digits: 0,
  hasName: false,
  hasAmount: false,
  doubt: null,
  name: null,
  unknownHeading: null,
}

/** Reads a line without a phone: a heading, a size for the phone above, or small talk. */
const lineWithout = (items: readonly Item[], text: string): WrittenLine => {
  if (items.length === 0) return talk
  const sizes = several(items, text) ?? only(items, 'size')
  const [size = null] = sizes
  const names = only(items, 'name').length
  const named = new Map(only(items, 'network').map((network) => [network.network, network]))
  const network = named.size === 1 ? ([...named.values()][0] ?? null) : null
  const hasColon = /:[\s*_-]{0,8}$/.test(text.slice(-10))
  const digits = items.some(({ kind }) => kind === 'fault') ? text.replace(/\D/g, '').length : 0
  const hasAmount = sizes.length > 1 || items.some(({ kind }) => kind === 'amount')
  const doubts = only(items, 'doubt')
  const doubt = doubts[0]?.written ?? null
  const line = { ...talk, size, sizes, network, hasColon, digits, hasName: names > 0, hasAmount, doubt }
  const strong = doubts.find(({ isStrong }) => isStrong)
  if (strong)
    return { ...line, kind: 'comment', problems: [{ code: 'doubtful_word', written: strong.written }] }
  const heading = sizes.length === 0 ? headingIn(items, text) : null
  if (heading) return { ...line, kind: 'network', hasName: false, unknownHeading: heading.unknown }
  if (items.some(({ kind }) => kind === 'total') || names > maxNames) return { ...line, kind: 'comment' }
  const faults = only(items, 'fault').map(({ problem }) => problem)
  const problems =
    faults.length > 0 ? faults : joined(sizes.length > 1 ? twoSizes(sizes) : none, strayUnit(items, false))
  const isShared = items.some(({ kind }) => kind === 'share')
  if (sizes.length > 0 || problems.length > 0) return { ...line, kind: isShared ? 'share' : 'size', problems }
  return { ...line, kind: named.size > 0 && names === 0 ? 'network' : 'comment' }
}

/**
 * What kind of heading a line without a phone is; null if it is none. A line that begins with a network's name is a
 * heading, whatever follows. So is a line that names a kind of bundle.
 * @returns `unknown`: the words of a heading that names no known network
 */
const headingIn = (items: readonly Item[], text: string): { unknown: string | null } | null => {
  const first = items.find(({ kind }) => kind === 'network' || kind === 'name' || kind === 'fault')
  if (first?.kind === 'network' && first.isSure) return { unknown: null }
  if (first?.kind !== 'name' || text.length > maxHeadingLength || items.some(({ kind }) => kind === 'fault'))
    return null
  const words = tokensOf(text).map((token) => token.text.toLowerCase())
  const isUnsold = isUnsoldNetwork(words.find((word) => /\p{L}/u.test(word)) ?? '')
  if (!isUnsold && !words.some((word) => bundleWords.has(word))) return null
  return { unknown: !isUnsold && items.some(isSureNetwork) ? null : text.trim().slice(0, 40) }
}

const isSureNetwork = (item: Item): boolean => item.kind === 'network' && item.isSure

const maxHeadingLength = 80

const bundleWords = new Set(
  'bundle bundles package packages offer offers expiry plan plans combo unlimited'.split(' '),
)

/** The sizes in `5GB x 3`, which may mean 5GB for each of three phones; null if the line is not of that form. */
const several = (items: readonly Item[], text: string): readonly SizeItem[] | null => {
  if (!items.some((item) => item.kind === 'fault' && item.problem.code === 'several_times')) return null
  const orders = readSeveralOrders(text.replace(/:\s*$/, ''))
  if (!orders) return null
  const { size } = orders
  const written = writtenSize(size)
  return [{ kind: 'size', size, hasUnit: true, written, mark: '', touchesMark: false, doubt: 'times' }]
}

/**
 * More than one size is a problem, unless there are two and only one has a unit: the bare number may be its price.
 */
const twoSizes = (sizes: readonly SizeItem[]): readonly Problem[] =>
  sizes.length > 2 || sizes.filter(({ hasUnit }) => hasUnit).length !== 1
    ? [{ code: 'two_sizes', written: sizes.map(({ written }) => written).slice(0, 5) }]
    : none

import type { Pesewas } from '../provider/money.ts'
import type { Network } from '../provider/network.ts'
import type { Phone } from '../provider/phone.ts'
import type { NamedRequest } from './names/named-request.ts'
import { readList } from './read-list.ts'
import { defaultPrefixes } from './read-phone.ts'
import { readChatStamp } from './reading/chat-timestamp.ts'
import type { Item } from './reading/grammar/item.ts'
import { itemsOf } from './reading/grammar/read-items.ts'
import { linesOf, normalized } from './reading/normalize.ts'
import type { ListReading, PriceSnapshot, Problem, ReadLine } from './reading-result.ts'

/** What kind of order a text is. Prices are not considered. */
export type Recognized =
  /** Not an order: small talk, a name, a name with its number. */
  | { kind: 'none' }
  /**
   * One number without a size. Any other words on it are only polite ones, such as "please". `amountPesewas`: the money
   * that was written with it; null: none.
   */
  | { kind: 'number'; phone: Phone; network: Network | null; amountPesewas: Pesewas | null }
  /**
   * One number with a size. `isPlain`: there are no other words, and only the price list can still raise a doubt.
   * `isUnclear`: it cannot become one order, whatever the price list says.
   */
  | { kind: 'one'; isPlain: boolean; isUnclear: boolean }
  | { kind: 'damaged' }
  /** A size for one person, given by name: `Kofi 5gb`. `isName` is false if the words may not be a name at all. */
  | { kind: 'named'; request: NamedRequest; isName: boolean }
  /** Several numbers or names, even if they are damaged or unknown. */
  | { kind: 'list' }

/** A price snapshot without bundles, because prices do not decide what kind of order a text is. */
const nowhere: PriceSnapshot = { bundles: [], prefixes: defaultPrefixes, fixedBundleId: null }

/** What kind of order a text is, when it is read as a list. */
export const recognize = (text: string): Recognized => {
  const reading = readList(text, nowhere)
  const written = reading.lines.flatMap((line) => line.written)
  const named = problemLines(reading, isNameMissing)
  const damaged = problemLines(reading, ({ code }) => damages.has(code))
  if (written.length + named.length + damaged.length > 1) return { kind: 'list' }
  const [number] = written
  if (number) return oneNumber(text, reading, number.phone)
  if (damaged.length > 0) return oneDamaged(text)
  return byName(text, reading, named[0])
}

export const isList = (text: string): boolean => recognize(text).kind === 'list'

/** Whether a text is a complete order, even if it answers a question of the bot. */
export const standsForItself = (text: string): boolean => {
  const meant = recognize(text)
  return meant.kind === 'list' || (meant.kind === 'one' && meant.isPlain)
}

/** The lines with a problem that `isMeant` accepts. Lines that are read together count once. */
const problemLines = ({ lines }: ListReading, isMeant: (problem: Problem) => boolean): ReadLine[] =>
  lines.filter(({ number, together, problems }) => number === together[0] && problems.some(isMeant))

const isNameMissing = ({ code }: Problem): boolean => code === 'not_saved'

/** Problems that show that the person meant to write a phone number. */
const damages = new Set<Problem['code']>([
  'phone_short',
  'phone_long',
  'phone_damaged',
  'phone_unclear',
  'landline',
  'scientific',
])

/** Whether only the price list can decide about this problem. */
const isOfPrices = ({ code }: Problem): boolean => priceProblems.has(code)

const priceProblems = new Set<Problem['code']>(['asked', 'not_sold', 'network_unknown', 'network_unclear'])

const oneNumber = (text: string, { lines }: ListReading, phone: Phone): Recognized => {
  const things = thingsIn(text)
  const isBare = things.every(({ kind }) => bareKinds.has(kind))
  const problems = lines.flatMap((line) => line.problems)
  if (things.some(isSizeLike)) {
    const isUnclear = problems.some(({ code }) => !priceProblems.has(code) && code !== 'two_sizes')
    return { kind: 'one', isPlain: isBare && problems.every(isOfPrices), isUnclear }
  }
  const network = things.find((item) => item.kind === 'network')?.network ?? null
  const amountPesewas = things.find((item) => item.kind === 'amount')?.pesewas ?? null
  return isBare ? { kind: 'number', phone, network, amountPesewas } : { kind: 'none' }
}

const oneDamaged = (text: string): Recognized => {
  const things = thingsIn(text)
  return things.length === 1 || things.some(isSizeLike) ? { kind: 'damaged' } : { kind: 'none' }
}

const bareKinds: ReadonlySet<Item['kind']> = new Set(['phone', 'size', 'network', 'amount'])

const isSizeLike = (item: Item): boolean =>
  item.kind === 'size' || item.kind === 'unit' || (item.kind === 'fault' && !item.isPhone)

const thingsIn = (text: string): Item[] =>
  linesOf(text).flatMap((each) => {
    const line = normalized(each)
    return itemsOf(readChatStamp(line)?.rest ?? line)
  })

/**
 * Recognizes an order for one person by name, such as `Kofi 5gb`. If the words are certainly a name, there may be
 * other lines of small talk. If they may not be a name, the line must be the only one. A word of doubt, as in `not
 * Kofi 5gb`, means that the text is not an order.
 */
const byName = (text: string, { named }: ListReading, unknown: ReadLine | undefined): Recognized => {
  if (thingsIn(text).some(({ kind }) => kind === 'doubt')) return { kind: 'none' }
  if (unknown) {
    const own = named.find(({ line }) => line === unknown.number)
    return own ? { kind: 'named', request: own.request, isName: true } : { kind: 'none' }
  }
  const isAlone = linesOf(text).filter((line) => line.trim() !== '').length === 1
  const [only] = named
  return only && isAlone ? { kind: 'named', request: only.request, isName: false } : { kind: 'none' }
}

import type { Network } from '../provider/network.ts'
import { type Item, itemsOf } from './item.ts'
import { networksOf, type WrittenPhone } from './phone.ts'
import { plain } from './plain.ts'
import type { Size } from './size.ts'
import { tokensOf } from './token.ts'
import { meaningOf } from './vocabulary.ts'

/** One bundle for one number, asked for in a message of its own. */
export interface Request {
  phone: WrittenPhone
  size: Size
  /** Named in the message; it beats the number's prefix. */
  network: Network | null
}

/** Characters: a message with more is no order for one number. */
const longest = 120

/**
 * Reads `0241234567 5GB`: a number and a size in either order, with a network's name if they like, on one line or on
 * several. It is stricter than a list: a word beside them that means nothing makes it no order.
 */
export const readRequest = (text: string): Request | null => {
  const line = plain(text.trim().replace(/\n/g, ' ; '))
  if (text.length > longest || !hasOrderWordsOnly(line)) return null
  const items = itemsOf(line)
  const [phone, size, network] = [only(items, 'phone'), only(items, 'size'), only(items, 'network')]
  const count = network ? 3 : 2
  if (!phone || !size || items.length !== count || mayNumber(items)) return null
  if (network && !network.isSure && !networksOf(phone.phone).includes(network.network)) return null
  const { zeroRestored } = phone
  return { phone: { phone: phone.phone, zeroRestored }, size: size.size, network: network?.network ?? null }
}

const only = <Kind extends Item['kind']>(items: readonly Item[], kind: Kind) =>
  items.find((item): item is Extract<Item, { kind: Kind }> => item.kind === kind)

const hasOrderWordsOnly = (line: string): boolean =>
  tokensOf(line).every(({ kind, text }) => kind !== 'word' || isOrderWord(text))

const isOrderWord = (word: string): boolean => {
  const meaning = meaningOf(word)?.as
  return meaning === 'unit' || meaning === 'network' || /^(?:big|time)$/i.test(word)
}

/** `5- 0241234567` may be the fifth line of a list. */
const mayNumber = ([first]: readonly Item[]): boolean =>
  first?.kind === 'size' && !first.hasUnit && first.mark === '-' && first.touchesMark

/**
 * The number in what was meant as an order, where it is none: `024123456 5GB`.
 * @returns it as it was written; null where the text is no order.
 */
export const damagedPhone = (text: string): string | null => {
  if (text.length > longest || text.includes('\n')) return null
  const items = itemsOf(plain(text))
  const faults = items.filter((item) => item.kind === 'fault')
  const isOrder = items.every(({ kind }) => kind === 'fault' || kind === 'size' || kind === 'network')
  const isWhole = items.length === 1 || items.some(({ kind }) => kind === 'size')
  const [fault] = faults
  if (!isOrder || !isWhole || faults.length !== 1 || !fault?.isPhone || !('written' in fault.problem))
    return null
  const written = String(fault.problem.written)
  return written.replace(/\D/g, '').length > 6 ? written : null
}

import type { Network } from '../../provider/network.ts'
import { readNetwork } from '../reading/grammar/network-word.ts'
import { meaningOf } from '../reading/grammar/vocabulary.ts'
import { linesOf, normalized } from '../reading/normalize.ts'
import { readSize, type Size } from '../size.ts'
import { cleanName, nameKey } from './contact-name.ts'

/** One bundle for a person by name: `Kofi 5gb`, `5gb Kofi`, `Kofi 5gb mtn`, `ama serwaa 2 gb`. */
export interface NamedRequest {
  /** Null if there is only a name. */
  size: Size | null
  /** Whether the size has a unit: `Kofi 5` may mean anything. */
  hasUnit: boolean
  written: string
  /** The possible meanings of the words, most likely first: a word may be a network or part of the name. */
  readings: readonly NameReading[]
}

/** A possible meaning of the words next to the size. */
export interface NameReading {
  /** The folded name (`nameKey`), never empty. */
  key: string
  network: Network | null
}

/** In characters. A longer message is not an order for one person. */
const longest = 120
/** A run of this many digits is part of a phone. */
const numberLike = /\d{6,}/

/**
 * Reads an order by name.
 * @returns null if the text has no name, no size, or two sizes
 */
export const readNamedRequest = (text: string): (NamedRequest & { size: Size }) | null => {
  if (text.length > longest || linesOf(text.trim()).length !== 1) return null
  const words = wordsOf(text)
  const sized = sizeAt(words) ?? sizeAt(withoutFiller(words))
  if (!sized || numberLike.test(words.join(' '))) return null
  const { size, hasUnit, rest } = sized
  const named = namedBy(rest)
  return named && { size, hasUnit, ...named }
}

/** Reads a name alone, if the bundle was chosen before. */
export const readName = (text: string): NamedRequest | null => {
  if (text.length > longest || manyDigits.test(text)) return null
  const named = namedBy(wordsOf(text))
  return named && { size: null, hasUnit: false, ...named }
}

const manyDigits = /\d{5}/

const namedBy = (words: string[]): Pick<NamedRequest, 'written' | 'readings'> | null => {
  const readings = readingsOf(words)
  // The name as it was typed, without a network: people see this name, and this is the name to save.
  const written =
    cleanName(withoutFiller(withoutNetwork(words).words).join(' ')) ?? cleanName(words.join(' '))
  return readings.length > 0 && written ? { written, readings } : null
}

const wordsOf = (text: string): string[] =>
  normalized(text.trim())
    .replace(/[,;:=()[\]•]|(?<=^|\s)[-*]+(?=\s|$)|(?<=\s)-|-(?=\s)/g, ' ')
    .split(/\s+/)
    .map((word) => word.replace(/[.!?]+$/, ''))
    .filter(Boolean)

interface Sized {
  size: Size
  hasUnit: boolean
  rest: string[]
}

/**
 * Finds the size at either end of the line, or next to a network there. A size with a unit is preferred to a bare
 * number.
 */
const sizeAt = (words: string[]): Sized | null => {
  const { words: within, taken } = withoutNetwork(words)
  const inside = taken.length > 0 ? [endSize(within), startSize(within)] : []
  const found = [
    endSize(words),
    startSize(words),
    ...inside.map((sized) => sized && { ...sized, rest: [...sized.rest, ...taken] }),
  ].filter((sized) => sized !== null)
  const sized = found.find(({ hasUnit }) => hasUnit) ?? found[0]
  // Another bare number, as in `Shop 2 5gb`, is part of the name. A second size with a unit is one too many.
  const second = sized && [endSize(sized.rest), startSize(sized.rest)].some((other) => other?.hasUnit)
  return sized && !second ? sized : null
}

const endSize = (words: string[]): Sized | null =>
  sizeOf(words.slice(-2), words.slice(0, -2)) ?? sizeOf(words.slice(-1), words.slice(0, -1))

const startSize = (words: string[]): Sized | null =>
  sizeOf(words.slice(0, 2), words.slice(2)) ?? sizeOf(words.slice(0, 1), words.slice(1))

const sizeOf = (words: string[], rest: string[]): Sized | null => {
  const text = words.join(' ')
  if (words.length === 2 && !/^[\d.]+ [a-z]+$/i.test(text)) return null
  const size = readSize(text)
  return size && { size, hasUnit: /[a-z]/i.test(text), rest }
}

interface Networked {
  network: Network | null
  words: string[]
  taken: string[]
}

/** Removes a network's name of one or two words from either end. */
const withoutNetwork = (words: string[]): Networked => {
  for (const count of [2, 1].filter((count) => count <= words.length)) {
    const [last, first] = [words.slice(-count), words.slice(0, count)]
    const [atEnd, atStart] = [last, first].map((taken) => readNetwork(taken.join(' ')))
    if (atEnd) return { network: atEnd, words: words.slice(0, -count), taken: last }
    if (atStart) return { network: atStart, words: words.slice(count), taken: first }
  }
  return { network: null, words, taken: [] }
}

const readingsOf = (words: string[]): NameReading[] => {
  const { network, words: rest } = withoutNetwork(words)
  const readings = [
    { words, network: null },
    { words: withoutFiller(words), network: null },
    { words: rest, network },
    { words: withoutFiller(rest), network },
  ].flatMap(({ words, network }) => {
    const name = cleanName(words.join(' '))
    return name ? [{ key: nameKey(name), network }] : []
  })
  return readings.filter(
    ({ key, network }, index) =>
      key !== '' &&
      !readNetwork(key) &&
      readings.findIndex((other) => other.key === key && other.network === network) === index,
  )
}

/** `please send 5gb for Kofi`: removes the words before and after the name that are not part of it. */
const withoutFiller = (words: string[]): string[] => {
  const isFiller = (word: string) => meaningOf(word)?.as === 'filler'
  const first = words.findIndex((word) => !isFiller(word))
  return first === -1 ? [] : words.slice(first, words.findLastIndex((word) => !isFiller(word)) + 1)
}

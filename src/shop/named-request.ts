import { readNetwork } from '../lists/network-word.ts'
import { linesOf, plain } from '../lists/plain.ts'
import { readSize, type Size } from '../lists/size.ts'
import { meaningOf } from '../lists/vocabulary.ts'
import type { Network } from '../provider/network.ts'
import { cleanName, nameKey } from './customer-name.ts'

/** One bundle for somebody who is named: `Kofi 5gb`, `5gb Kofi`, `Kofi 5gb mtn`, `ama serwaa 2 gb`. */
export interface NamedRequest {
  size: Size
  /** It had its unit: `Kofi 5` may be anything. */
  hasUnit: boolean
  /** The name as it was written. */
  written: string
  /** Whom it may mean, likeliest first: a word may be a network, or part of a name. */
  readings: readonly NameReading[]
}

interface NameReading {
  /** Folded, never empty. */
  key: string
  network: Network | null
}

/** Characters: a message with more is no order for somebody. */
const longest = 120
/** As many digits in a row belong to a number. */
const numberLike = /\d{6,}/

/** @returns null for what has no name, no size, or two sizes. */
export const readNamedRequest = (text: string): NamedRequest | null => {
  if (text.length > longest || linesOf(text.trim()).length !== 1) return null
  const words = wordsOf(text)
  const sized = sizeAt(words) ?? sizeAt(withoutFiller(words))
  if (!sized || numberLike.test(words.join(' '))) return null
  const { size, hasUnit, rest } = sized
  const readings = readingsOf(rest)
  const [first] = readings
  // The name as it was typed, without a network beside it: what a person is told, and would save.
  const written = cleanName(withoutFiller(withoutNetwork(rest).words).join(' ')) ?? cleanName(rest.join(' '))
  return first && written ? { size, hasUnit, written, readings } : null
}

const wordsOf = (text: string): string[] =>
  plain(text.trim())
    .replace(/[,;:=()[\]•]|(?<=^|\s)[-*]+(?=\s|$)|(?<=\s)-|-(?=\s)/g, ' ')
    .split(/\s+/)
    .map((word) => word.replace(/[.!?]+$/, ''))
    .filter(Boolean)

interface Sized {
  size: Size
  hasUnit: boolean
  rest: string[]
}

/** The size at either end of the line, or beside a network there; one with its unit goes before a bare number. */
const sizeAt = (words: string[]): Sized | null => {
  const { words: within, taken } = withoutNetwork(words)
  const inside = taken.length > 0 ? [endSize(within), startSize(within)] : []
  const found = [
    endSize(words),
    startSize(words),
    ...inside.map((sized) => sized && { ...sized, rest: [...sized.rest, ...taken] }),
  ].filter((sized) => sized !== null)
  const sized = found.find(({ hasUnit }) => hasUnit) ?? found[0]
  // A bare number that is left, as in `Shop 2 5gb`, is part of the name; a second size is one too many.
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

/** A network's name, of one word or two, at either end. */
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

/** `please send 5gb for Kofi`: words that are no name, before and behind it. */
const withoutFiller = (words: string[]): string[] => {
  const isFiller = (word: string) => meaningOf(word)?.as === 'filler'
  const first = words.findIndex((word) => !isFiller(word))
  return first === -1 ? [] : words.slice(first, words.findLastIndex((word) => !isFiller(word)) + 1)
}

/** Lines that order by name, by their place in the text; `others` are orders as they stand, `odd` anything else. */
interface NamedLines {
  requests: { line: number; request: NamedRequest }[]
  others: number
  odd: number
}

/** The lines of a text of several lines that order by name; null where none does. */
export const readNamedLines = (text: string, isOrder: (line: string) => boolean): NamedLines | null => {
  const lines = linesOf(text)
  if (lines.filter((line) => line.trim() !== '').length < 2 || lines.length > mostLines) return null
  const found: NamedLines = { requests: [], others: 0, odd: 0 }
  for (const [line, words] of lines.entries()) {
    if (words.trim() === '') continue
    const request = readNamedRequest(words.replace(numbering, ''))
    if (request?.hasUnit) found.requests.push({ line, request })
    else if (isOrder(words)) found.others += 1
    else found.odd += 1
  }
  return found.requests.length > 0 ? found : null
}

/** A list by names is typed by hand: one message. */
const mostLines = 300
/** `1. Kofi 5gb` */
const numbering = /^\s{0,20}\d{1,3}[.)]\s+/

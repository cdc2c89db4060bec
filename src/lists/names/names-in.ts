import type { Phone } from '../../provider/phone.ts'
import { readChatStamp } from '../reading/chat-timestamp.ts'
import { meaningOf } from '../reading/grammar/vocabulary.ts'
import { linesOf, normalized } from '../reading/normalize.ts'
import { readNamedNumber } from './named-number.ts'

/**
 * The names that stand next to numbers in a list: `1. Yaw 0241234567 1gb`. The first name of a number counts. A line
 * with a word that may not be a name gives none.
 */
export const namesIn = (text: string): Map<Phone, string> => {
  const names = new Map<Phone, string>()
  for (const line of linesOf(text)) {
    const words = normalized(line)
    const read = readNamedNumber(readChatStamp(words)?.rest ?? words)
    if (read.kind !== 'read' || names.has(read.phone)) continue
    const name = read.name.replace(twoWords, '').split(separator).filter(isOfName).join(' ')
    if (isName(name)) names.set(read.phone, name)
  }
  return names
}

const separator = /[\s,;:|()/–—-]+/u
/** The network whose name has two words. */
const twoWords = /\bbig\s?time\b/gi

/** Whether the word belongs to the name: it is no size, amount, network or polite word. */
const isOfName = (word: string): boolean => /^\p{L}/u.test(word) && meaningOf(word) === null

/** Whether all words can be a name, unlike those of `call 0241234567` or `0241234567 2x5gb`. */
export const isName = (name: string): boolean => {
  const words = name.split(' ')
  return words.length <= maxWords && words.every((word) => plainName.test(word) && meaningOf(word) === null)
}

const maxWords = 4

const plainName = /^\p{L}[\p{L}\p{M}'’.-]*$/u

import type { Network } from '../provider/network.ts'
import { readNetwork } from './network-word.ts'
import { readPhone, type WrittenPhone } from './phone.ts'
import { readSize, type Size } from './size.ts'

/** One bundle for one number, asked for in a single line. */
export interface Request {
  phone: WrittenPhone
  size: Size
  /** Named in the line; it beats the number's prefix. */
  network: Network | null
}

/** `1. ` or `12) ` before a line of a list. */
const numbering = /^\s*\d{1,3}[.)]\s+/

/**
 * Reads `0241234567 5GB`: a number and a size in either order, with a network's name if they like.
 * What can be read in two ways is not read at all.
 */
export const readRequest = (text: string): Request | null => {
  const words = text
    .replace(numbering, '')
    .replace(/[,;:|=>→]+/g, ' ')
    .split(/\s+/)
    .filter((word) => word && !/^[-–—]+$/.test(word))
  if (words.length < 2 || words.length > 12) return null
  const readings = new Map<string, Request>()
  for (let from = 0; from < words.length; from += 1) {
    for (let to = from + 1; to <= words.length; to += 1) {
      const reading = readAround(words, from, to)
      if (reading) readings.set(JSON.stringify(reading), reading)
    }
  }
  const [only, another] = [...readings.values()]
  return only && !another ? only : null
}

/**
 * The number in what was meant as an order, where it is none: `024123456 5GB`.
 * @returns it as it was written; null where the text is no order.
 */
export const damagedPhone = (text: string): string | null => {
  const words = text.trim().split(/\s+/)
  const damaged = words.find((word) => manyDigits.test(word) && readPhone(word) === null)
  const others = words.filter((word) => word !== damaged)
  const isOrder = others.length === 0 || (others.length < 4 && others.some(readSize))
  return damaged !== undefined && isOrder && !text.includes('\n') ? damaged : null
}

/** Few enough that one or two are missing, many enough to be no size. */
const manyDigits = /^\+?\d[\d.\-()]{5,18}\d$/

/** The reading in which the words from … to are the number, if there is one. */
const readAround = (words: string[], from: number, to: number): Request | null => {
  const phone = readPhone(words.slice(from, to).join(' '))
  const rest = [...words.slice(0, from), ...words.slice(to)]
  if (!phone || rest.length > 4) return null
  for (let at = 0; at < rest.length; at += 1) {
    for (const length of [2, 1]) {
      const size = readSize(rest.slice(at, at + length).join(' '))
      const others = [...rest.slice(0, at), ...rest.slice(at + length)].join(' ')
      const network = others ? readNetwork(others) : null
      if (size && (!others || network)) return { phone, size, network }
    }
  }
  return null
}

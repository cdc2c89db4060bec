import { readList } from './list.ts'
import { defaultPrefixes } from './phone.ts'
import { linesOf } from './plain.ts'
import type { Market, Problem } from './reading.ts'
import { readRequest } from './request.ts'

/** Nothing is for sale: what a text is does not depend on prices. */
const nowhere: Market = { bundles: [], prefixes: defaultPrefixes, fixedBundleId: null }

/**
 * Whether a text is a list: several numbers, damaged ones among them, or one on several lines that nobody could read
 * as one order. A single order, written on one line or on a few, is none; nor is a text without numbers.
 */
export const isList = (text: string): boolean => {
  const { lines } = readList(text, nowhere)
  const written = lines.reduce((sum, line) => sum + line.written.length, 0)
  const damaged = lines.flatMap(({ problems }) => problems).filter(({ code }) => damages.has(code)).length
  if (written + damaged > 1) return true
  return isSpread(text) && written + damaged === 1 && readRequest(text) === null
}

/** On more lines than one. */
const isSpread = (text: string): boolean => linesOf(text).filter((line) => line.trim() !== '').length > 1

/** Problems that only something like a number has. */
const damages = new Set<Problem['code']>([
  'phone_short',
  'phone_long',
  'phone_damaged',
  'phone_unclear',
  'landline',
  'scientific',
])

import { readList } from './list.ts'
import { defaultPrefixes } from './phone.ts'
import { linesOf } from './plain.ts'
import type { Market, Problem, ReadLine } from './reading.ts'
import { readRequest } from './request.ts'

/** Nothing is for sale: what a text is does not depend on prices. */
const nowhere: Market = { bundles: [], prefixes: defaultPrefixes, fixedBundleId: null }

/**
 * Whether a text is a list: numbers on several lines, or several on one, or a single one that nobody could read as
 * one order. A single order, written on one line or on a few, is none; nor is a text without numbers.
 */
export const isList = (text: string): boolean => {
  const { lines } = readList(text, nowhere)
  const written = lines.reduce((sum, line) => sum + line.written.length, 0)
  if (written > 1) return true
  if (lines.some(isAmiss)) return written === 1 || isSpread(text)
  return written === 1 && isSpread(text) && readRequest(text) === null
}

/** On more lines than one. */
const isSpread = (text: string): boolean => linesOf(text).filter((line) => line.trim() !== '').length > 1

const isAmiss = ({ problems }: ReadLine): boolean => problems.some(({ code }) => aboutNumbers.has(code))

/** Problems that only who means to order has. The others are of the price list, or of idle talk. */
const aboutNumbers = new Set<Problem['code']>([
  'phone_short',
  'phone_long',
  'phone_damaged',
  'phone_unclear',
  'landline',
  'scientific',
  'two_sizes',
  'several_times',
  'decimal_comma',
  'not_paired',
  'numbering_or_size',
  'two_networks',
  'network_unclear',
])

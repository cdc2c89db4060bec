import type { PriceRule, PriceTier } from '../domain/selling/price-rule.ts'
import { readNetwork } from '../lists/reading/grammar/network-word.ts'
import { megabytesOf, readSize } from '../lists/size.ts'
import type { Network } from '../provider/network.ts'
import { maxWrittenLength } from './written-amount.ts'
import { type RuleFault, readRule } from './written-rule.ts'

/** The bundles that a typed rule applies to. Null stands for all networks, or for all sizes. */
export interface WrittenScope {
  network: Network | null
  fromMegabytes: number | null
}

type WrittenTier =
  | { kind: 'tier'; scope: WrittenScope; rule: PriceRule }
  | { kind: 'refused'; fault: RuleFault }

/** The largest minimum size of a tier: 99,999.999 GB, the largest size that `readSize` accepts. */
export const maxTierMegabytes = 99_999_999

/** The most tiers (price rules for some bundles) of one shop, because one screen shows this many. */
export const maxTiers = 12

/**
 * Reads a price rule for some bundles: `MTN +1`, `from 10GB +2`, `MTN from 10GB 5%`, `MTN 10GB+ 5%`.
 * @param present the shop's rules. A changed tier keeps its rounding, and a new tier gets the rounding of the general
 * rule.
 * @returns null if the text contains neither a network nor a minimum size.
 */
export const readTier = (
  text: string,
  present: { rule: PriceRule | null; tiers: readonly PriceTier[] },
): WrittenTier | null => {
  if (text.trim().length > maxWrittenLength) return null
  const named = networkAt(text.trim().split(/(?:,(?!\d)|[\s:])+/))
  const sized = sizeAt(named.rest)
  const scope = { network: named.network, fromMegabytes: sized.fromMegabytes }
  if (scope.network === null && scope.fromMegabytes === null) return null
  const written = readRule(sized.rest.join(' '), tierOf(present.tiers, scope)?.rule ?? present.rule)
  return written.kind === 'rule' ? { kind: 'tier', scope, rule: written.rule } : written
}

export const tierOf = (tiers: readonly PriceTier[], scope: WrittenScope): PriceTier | null =>
  tiers.find(
    ({ network, fromMegabytes }) => network === scope.network && fromMegabytes === scope.fromMegabytes,
  ) ?? null

/** Reads a network's name of one or two words at the beginning. */
const networkAt = (words: string[]): { network: Network | null; rest: string[] } => {
  for (const count of [2, 1]) {
    const network = readNetwork(words.slice(0, count).join(' '))
    if (network !== null) return { network, rest: words.slice(count) }
  }
  return { network: null, rest: words }
}

/** Reads a minimum size at the beginning: `from 10GB`, `from 10 gb` or `10GB+`. */
const sizeAt = (words: string[]): { fromMegabytes: number | null; rest: string[] } => {
  const [first = '', second = '', third = ''] = words
  const candidates = /^from$/i.test(first)
    ? [
        { written: `${second} ${third}`, count: 3 },
        { written: second, count: 2 },
      ]
    : first.endsWith('+')
      ? [{ written: first.slice(0, -1), count: 1 }]
      : []
  for (const { written, count } of candidates) {
    const size = readSize(written)
    const megabytes = size && megabytesOf(size)
    if (megabytes !== null && Number.isInteger(megabytes) && megabytes > 0)
      return { fromMegabytes: megabytes, rest: words.slice(count) }
  }
  return { fromMegabytes: null, rest: words }
}

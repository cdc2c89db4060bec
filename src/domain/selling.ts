import { megabytesOf, readSize } from '../lists/size.ts'
import type { Accent } from '../pictures/theme.ts'
import { type Pesewas, times } from '../provider/money.ts'
import type { Phone } from '../provider/phone.ts'

/** How a selling price follows from a cost. The result is rounded up to a multiple of `roundPesewas`. */
export type PriceRule =
  | { kind: 'plus'; pesewas: Pesewas; roundPesewas: Pesewas }
  /** `tenths` of a percent on top: 10 % is 100. */
  | { kind: 'percent'; tenths: number; roundPesewas: Pesewas }

/** The bundles that a rule of some prices is for; null: all networks, all sizes. */
export interface TierScope {
  network: string | null
  /** The least size. */
  fromMegabytes: number | null
}

/** A rule for some bundles, which goes before the rule for all. */
export interface PriceTier extends TierScope {
  rule: PriceRule
}

/** How a shop looks to its customers, on price lists and receipts. */
export interface Shopfront {
  name: string | null
  /** The number at which customers reach the shop. */
  phone: Phone | null
  accent: Accent
  /** The shop's sign on pictures; null: the first letter of its name. */
  letter: string | null
}

/** The part of a shop's settings that its customers may see. */
export const shopfrontOf = ({ name, phone, accent, letter }: Shopfront): Shopfront => ({
  name,
  phone,
  accent,
  letter,
})

/** The owners' settings for selling. */
export interface Shop extends Shopfront {
  /** For the bundles that no tier is for. */
  rule: PriceRule | null
  tiers: readonly PriceTier[]
  /** Prices of single bundles, by bundle id: they beat all rules. */
  own: ReadonlyMap<number, Pesewas>
  /** The prices that the account's agents see. */
  agentPrices: AgentPrices
}

/** A bundle that a price is asked for. */
export interface Sold {
  bundleId: number
  network: string
  volume: string
}

/** The shop's price for a bundle; null if it has neither a price for the bundle nor a rule. */
export const sellingPrice = (
  shop: Pick<Shop, 'rule' | 'tiers' | 'own'>,
  sold: Sold,
  cost: Pesewas,
): Pesewas | null => {
  const own = shop.own.get(sold.bundleId)
  if (own !== undefined) return own
  const rule = ruleFor(shop, sold)
  return rule && byRule(rule, cost)
}

/** Whether the shop has a price for any bundle. */
export const hasPrices = ({ rule, tiers, own }: Pick<Shop, 'rule' | 'tiers' | 'own'>): boolean =>
  rule !== null || tiers.length > 0 || own.size > 0

/** The tier that sets a bundle's price; null if none is for it. */
export const tierFor = (
  tiers: readonly PriceTier[],
  { network, volume }: Omit<Sold, 'bundleId'>,
): PriceTier | null => {
  // A list asks for each of its 10,000 lines, and most shops have no tiers.
  if (tiers.length === 0) return null
  const size = readSize(volume)
  const megabytes = size ? megabytesOf(size) : null
  const fitting = tiers.filter(
    (tier) =>
      (tier.network === null || tier.network === network) &&
      (tier.fromMegabytes === null || (megabytes !== null && megabytes >= tier.fromMegabytes)),
  )
  return fitting.toSorted(byExactness)[0] ?? null
}

/** The rule by which a bundle without its own price is sold. */
const ruleFor = ({ rule, tiers }: Pick<Shop, 'rule' | 'tiers'>, sold: Sold): PriceRule | null =>
  tierFor(tiers, sold)?.rule ?? rule

/** The most exact first: a network with a size, then a network, then a size. Of several sizes, the largest. */
const byExactness = (a: TierScope, b: TierScope): number =>
  exactness(b) - exactness(a) || (b.fromMegabytes ?? 0) - (a.fromMegabytes ?? 0)

const exactness = ({ network, fromMegabytes }: TierScope): number =>
  (network === null ? 0 : 2) + (fromMegabytes === null ? 0 : 1)

const byRule = (rule: PriceRule, cost: Pesewas): Pesewas => {
  const asked = rule.kind === 'plus' ? cost + rule.pesewas : Math.ceil((cost * (1_000 + rule.tenths)) / 1_000)
  return times(rule.roundPesewas, Math.ceil(asked / rule.roundPesewas))
}

/**
 * The prices that the agents of a shop see. The owners choose:
 *
 * | | agents see |
 * |---|---|
 * | `selling` | the shop's selling prices, which they pay; no price for a bundle without one |
 * | `cost` | the costs to the wallet |
 * | `none` | no price |
 */
export const agentPriceKinds = ['selling', 'cost', 'none'] as const

/** One of the owners' choices above. */
export type AgentPrices = (typeof agentPriceKinds)[number]

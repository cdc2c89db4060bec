import { megabytesOf, readSize } from '../../lists/size.ts'
import type { Accent } from '../../pictures/theme.ts'
import { type Pesewas, times } from '../../provider/money.ts'
import type { Phone } from '../../provider/phone.ts'

/** How to calculate a selling price from a cost. The result is rounded up to a multiple of `roundPesewas`. */
export type PriceRule =
  | { kind: 'plus'; pesewas: Pesewas; roundPesewas: Pesewas }
  /** `tenths` of a percent are added: 100 means 10 %. */
  | { kind: 'percent'; tenths: number; roundPesewas: Pesewas }

/** The bundles that a tier is for. Null stands for all networks, or for all sizes. */
export interface TierScope {
  network: string | null
  /** The smallest size that the tier is for. */
  fromMegabytes: number | null
}

/** A rule for some bundles. It takes precedence over the shop's general rule. */
export interface PriceTier extends TierScope {
  rule: PriceRule
}

/** How a shop looks to its customers, on price lists and receipts. */
export interface Shopfront {
  name: string | null
  /** The number at which customers reach the shop. */
  phone: Phone | null
  accent: Accent
  /** The letter used as the shop's logo on pictures; null for the first letter of its name. */
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
  /** The general rule, for bundles without a tier. */
  rule: PriceRule | null
  tiers: readonly PriceTier[]
  /** Prices of single bundles, by bundle id. They take precedence over all rules. */
  own: ReadonlyMap<number, Pesewas>
  /** The prices that the account's agents see. */
  agentPrices: AgentPrices
}

export interface Sold {
  bundleId: number
  network: string
  volume: string
}

/** The shop's selling price for a bundle; null if neither an own price nor a rule applies. */
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

export const hasPrices = ({ rule, tiers, own }: Pick<Shop, 'rule' | 'tiers' | 'own'>): boolean =>
  rule !== null || tiers.length > 0 || own.size > 0

/** The most specific tier for the bundle; null if there is none. */
export const tierFor = (
  tiers: readonly PriceTier[],
  { network, volume }: Omit<Sold, 'bundleId'>,
): PriceTier | null => {
  // This function is called for each of up to 10,000 lines of a list, and most shops have no tiers.
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

const ruleFor = ({ rule, tiers }: Pick<Shop, 'rule' | 'tiers'>, sold: Sold): PriceRule | null =>
  tierFor(tiers, sold)?.rule ?? rule

/**
 * The most specific first: network and size, then network only, then size only. Among several sizes, the largest is
 * first.
 */
const byExactness = (a: TierScope, b: TierScope): number =>
  exactness(b) - exactness(a) || (b.fromMegabytes ?? 0) - (a.fromMegabytes ?? 0)

const exactness = ({ network, fromMegabytes }: TierScope): number =>
  (network === null ? 0 : 2) + (fromMegabytes === null ? 0 : 1)

const byRule = (rule: PriceRule, cost: Pesewas): Pesewas => {
  const asked = rule.kind === 'plus' ? cost + rule.pesewas : Math.ceil((cost * (1_000 + rule.tenths)) / 1_000)
  return times(rule.roundPesewas, Math.ceil(asked / rule.roundPesewas))
}

/**
 * The prices that a shop's agents see, which the owners choose:
 *
 * | | agents see |
 * |---|---|
 * | `selling` | the shop's selling prices, which they pay; for a bundle without one, no price |
 * | `cost` | the costs to the wallet |
 * | `none` | no price |
 */
export const agentPriceKinds = ['selling', 'cost', 'none'] as const

export type AgentPrices = (typeof agentPriceKinds)[number]

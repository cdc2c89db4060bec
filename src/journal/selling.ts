import type { Accent } from '../pictures/theme.ts'
import { type Pesewas, times } from '../provider/money.ts'
import type { Phone } from '../provider/phone.ts'

/** How a selling price follows from a cost. The result is rounded up to a multiple of `roundPesewas`. */
export type PriceRule =
  | { kind: 'plus'; pesewas: Pesewas; roundPesewas: Pesewas }
  /** `tenths` of a percent on top: 10 % is 100. */
  | { kind: 'percent'; tenths: number; roundPesewas: Pesewas }

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
  rule: PriceRule | null
  /** Prices of single bundles, by bundle id: they beat the rule. */
  own: ReadonlyMap<number, Pesewas>
  /** The prices that the account's agents see. */
  agentPrices: AgentPrices
}

/** The shop's price for a bundle; null if it has neither a price for the bundle nor a rule. */
export const sellingPrice = (
  shop: Pick<Shop, 'rule' | 'own'>,
  bundleId: number,
  cost: Pesewas,
): Pesewas | null => shop.own.get(bundleId) ?? (shop.rule && byRule(shop.rule, cost))

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

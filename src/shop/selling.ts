import type { Pesewas } from '../provider/money.ts'
import type { AgentPrices } from './agent-prices.ts'

/** How a selling price is made of a cost; by the rule it is rounded up to a multiple of `roundPesewas`. */
export type PriceRule =
  | { kind: 'plus'; pesewas: Pesewas; roundPesewas: Pesewas }
  /** `tenths` of a percent on top: 10 % is 100. */
  | { kind: 'percent'; tenths: number; roundPesewas: Pesewas }

/** What the owners of an account have settled for selling. */
export interface Shop {
  /** The name on price lists and receipts. */
  name: string | null
  rule: PriceRule | null
  /** Prices of single bundles, by bundle id: they go before the rule. */
  own: ReadonlyMap<number, Pesewas>
  /** What the account's agents see of prices. */
  agentPrices: AgentPrices
}

/** What the shop asks for a bundle; null where it has settled neither a price for it nor a rule. */
export const sellingPrice = (
  shop: Pick<Shop, 'rule' | 'own'>,
  bundleId: number,
  cost: Pesewas,
): Pesewas | null => shop.own.get(bundleId) ?? (shop.rule && byRule(shop.rule, cost))

const byRule = (rule: PriceRule, cost: Pesewas): Pesewas => {
  const asked = rule.kind === 'plus' ? cost + rule.pesewas : Math.ceil((cost * (1_000 + rule.tenths)) / 1_000)
  return (Math.ceil(asked / rule.roundPesewas) * rule.roundPesewas) as Pesewas
}

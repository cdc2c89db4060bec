import type { Shop } from '../../src/domain/selling/price-rule.ts'

/** A shop whose owners have set nothing. */
export const aShop: Shop = {
  name: null,
  phone: null,
  accent: 'dark',
  letter: null,
  rule: null,
  tiers: [],
  own: new Map(),
  agentPrices: 'selling',
}

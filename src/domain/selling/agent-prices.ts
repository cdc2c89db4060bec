import { type Pesewas, pesewas, times } from '../../provider/money.ts'
import { chargeOf, type Order } from '../order/order.ts'
import { type AgentPrices, type PriceRule, type Shop, sellingPrice } from './price-rule.ts'

/**
 * The prices that an agent sees in place of the costs, by bundle id. The agent sees no price for a bundle that is
 * missing here.
 */
export type PricesSeen = Readonly<Record<number, Pesewas>>

/** The shop as an agent sees it: an agent's own rule takes the place of all prices that the shop has. */
export const shopSeenBy = (shop: Shop, rule: PriceRule | null): Shop =>
  rule === null ? shop : { ...shop, rule, tiers: [], own: new Map(), agentPrices: 'selling' }

/** The prices that the shop's agents see in place of the costs; null if they see the costs themselves. */
export const pricesForAgents = (
  shop: Shop,
  bundles: readonly { id: number; network: string; volume: string; pricePesewas: Pesewas }[],
): PricesSeen | null => {
  if (shop.agentPrices === 'cost') return null
  if (shop.agentPrices === 'none') return {}
  return Object.fromEntries(
    bundles.flatMap(({ id, pricePesewas, ...bundle }) => {
      const price = sellingPrice(shop, { ...bundle, bundleId: id }, pricePesewas)
      return price === null ? [] : [[id, price]]
    }),
  )
}

/** The columns of an order that hold what it costs the wallet, or from which that could be worked out. */
export type Amounts = Pick<
  Order,
  | 'unitPricePesewas'
  | 'chargedPesewas'
  | 'refundedPesewas'
  | 'extraPesewas'
  | 'agentUnitPesewas'
  | 'quantity'
  | 'acceptedQuantity'
>

/**
 * The order with its costs replaced by the prices that its agent confirmed. Charge and refund are scaled to these
 * prices. Null if the agent confirmed without seeing a price.
 */
export const inAgentPrices = <Priced extends Amounts>(order: Priced): Priced | null => {
  const { agentUnitPesewas: unit, quantity, acceptedQuantity } = order
  if (unit === null) return null
  const whole = times(unit, acceptedQuantity ?? quantity)
  // A charge beyond the price, and its refund, concern only the owners.
  const extra = order.extraPesewas ?? 0
  const refunded = Math.max(0, (order.refundedPesewas ?? 0) - extra)
  const charged = Math.max(1, chargeOf(order) - extra)
  return {
    ...order,
    unitPricePesewas: unit,
    chargedPesewas: order.chargedPesewas === null ? null : whole,
    extraPesewas: null,
    refundedPesewas:
      order.refundedPesewas === null
        ? null
        : pesewas(Math.floor((whole * Math.min(refunded, charged)) / charged)),
  }
}

/** The order in the prices that this viewer may see; null if they may see none. */
export const inPricesOf = <Priced extends Amounts>(order: Priced, prices: AgentPrices): Priced | null => {
  if (prices === 'cost') return order
  return prices === 'selling' ? inAgentPrices(order) : null
}

/** The price that the buyer sees; null if they see none. */
export const seenPrice = (
  { pricePesewas, agentPesewas = null }: { pricePesewas: Pesewas; agentPesewas?: Pesewas | null },
  prices: AgentPrices,
): Pesewas | null => {
  if (prices === 'cost') return pricePesewas
  return prices === 'selling' ? agentPesewas : null
}

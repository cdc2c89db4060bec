import { type Pesewas, pesewas, times } from '../provider/money.ts'
import { chargeOf, type Order } from './order.ts'
import type { AgentPrices } from './selling.ts'
import { type Shop, sellingPrice } from './selling.ts'

/**
 * The prices that an agent sees in place of the costs, by bundle id. A bundle that is missing here has no price
 * for them.
 */
export type PricesSeen = Readonly<Record<number, Pesewas>>

/** The prices that the shop's agents see in place of the costs; null if they see the costs. */
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

/** The columns of an order that hold its cost to the wallet, or would reveal it. */
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
 * The order with the prices that its agent confirmed in place of the costs. Its charge and its refund are the
 * same shares of these prices. Null if the agent confirmed no price.
 */
export const inAgentPrices = <Priced extends Amounts>(order: Priced): Priced | null => {
  const { agentUnitPesewas: unit, quantity, acceptedQuantity } = order
  if (unit === null) return null
  const whole = times(unit, acceptedQuantity ?? quantity)
  // What the wallet was charged beyond the price is no business of the agent's, and neither is its refund.
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

/** The order in the prices that its reader may see; null if they see none. */
export const inPricesOf = <Priced extends Amounts>(order: Priced, prices: AgentPrices): Priced | null => {
  if (prices === 'cost') return order
  return prices === 'selling' ? inAgentPrices(order) : null
}

/** The price of a bundle to be ordered, as its buyer may see it; null: no price. */
export const seenPrice = (
  { pricePesewas, agentPesewas = null }: { pricePesewas: Pesewas; agentPesewas?: Pesewas | null },
  prices: AgentPrices,
): Pesewas | null => {
  if (prices === 'cost') return pricePesewas
  return prices === 'selling' ? agentPesewas : null
}

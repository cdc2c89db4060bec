import { chargeOf, type Order } from '../orders/order.ts'
import type { Pesewas } from '../provider/money.ts'
import { type Shop, sellingPrice } from './selling.ts'

/**
 * What the agents of a shop see of prices. The owners settle it:
 *
 * | | agents see |
 * |---|---|
 * | `selling` | the shop's selling prices, which are what they pay; of a bundle without one no price |
 * | `cost` | what the bundles cost the wallet |
 * | `none` | no price |
 */
export const agentPriceKinds = ['selling', 'cost', 'none'] as const
export type AgentPrices = (typeof agentPriceKinds)[number]

/** By bundle id, what somebody sees in place of the costs; a bundle without one has no price for them. */
export type PricesSeen = Readonly<Record<number, Pesewas>>

/** What the shop's agents see in place of the costs; null where they see the costs. */
export const pricesForAgents = (
  shop: Shop,
  bundles: readonly { id: number; pricePesewas: Pesewas }[],
): PricesSeen | null => {
  if (shop.agentPrices === 'cost') return null
  if (shop.agentPrices === 'none') return {}
  return Object.fromEntries(
    bundles.flatMap(({ id, pricePesewas }) => {
      const price = sellingPrice(shop, id, pricePesewas)
      return price === null ? [] : [[id, price]]
    }),
  )
}

/** The columns of an order that hold what it costs the wallet, or would tell it. */
export type Amounts = Pick<
  Order,
  | 'unitPricePesewas'
  | 'chargedPesewas'
  | 'refundedPesewas'
  | 'agentUnitPesewas'
  | 'quantity'
  | 'acceptedQuantity'
>

/**
 * The order with the prices that its agent confirmed in place of the costs: what was charged and what came back are
 * the same parts of them. Null where they confirmed none.
 */
export const inAgentPrices = <Priced extends Amounts>(order: Priced): Priced | null => {
  const { agentUnitPesewas: unit, quantity, acceptedQuantity } = order
  if (unit === null) return null
  const whole = unit * (acceptedQuantity ?? quantity)
  const [refunded, charged] = [order.refundedPesewas ?? 0, Math.max(1, chargeOf(order))]
  return {
    ...order,
    unitPricePesewas: unit,
    chargedPesewas: order.chargedPesewas === null ? null : whole,
    refundedPesewas:
      order.refundedPesewas === null ? null : Math.floor((whole * Math.min(refunded, charged)) / charged),
  }
}

/** The order in the prices of those who see such; null where they see none of it. */
export const inPricesOf = <Priced extends Amounts>(order: Priced, prices: AgentPrices): Priced | null => {
  if (prices === 'cost') return order
  return prices === 'selling' ? inAgentPrices(order) : null
}

/** What those who see such prices see of something that is to be ordered; null: no price. */
export const seenPrice = (
  { pricePesewas, agentPesewas = null }: { pricePesewas: number; agentPesewas?: number | null },
  prices: AgentPrices,
): Pesewas | null => {
  if (prices === 'cost') return pricePesewas as Pesewas
  return prices === 'selling' ? (agentPesewas as Pesewas | null) : null
}

import type { Order } from '../../orders/order.ts'
import { formatGhs, type Pesewas } from '../../provider/money.ts'
import type { AgentPrices } from '../../shop/agent-prices.ts'
import { sizeName } from '../../shop/offer-name.ts'
import { foreignWord, oneLine } from '../screen.ts'
import { b, code, lines } from './markup.ts'

/** The names and prices of bundles. */

/** @param offerSlug where network and size alone do not tell which bundle it is */
export const bundleName = (network: string, volume: string, offerSlug: string | null = null) =>
  `${foreignWord(network)} ${foreignWord(sizeName(network, volume, offerSlug))}`

/** The bundle that was ordered. */
export const bundleOf = ({ network, volume, offerSlug }: Pick<Order, 'network' | 'volume' | 'offerSlug'>) =>
  bundleName(network, volume, offerSlug)

/** @param price null: whoever reads it sees none. */
export const bundleLabel = (name: string, price: Pesewas | null) =>
  price === null ? oneLine(name) : `${oneLine(name)} · ${formatGhs(price)}`

export const noBundles = (network: string) =>
  `The provider sells no ${foreignWord(network)} bundles to your account now.`

export const noBundlesAtAll = 'The provider sells nothing to your account now.'

export const noSuchNetwork = (word: string) => `I know no network called ${code(word, 40)}. Choose one:`

export const soldNoMore = 'This bundle is no longer sold. Nothing was ordered. /bundles shows what is.'

export const bundleGone = 'This bundle is no longer sold. Nothing was ordered. Choose another:'

/** The most that a list within a text names; the others are counted. */
const mostListed = 30

export const priceBlock = (
  network: string,
  bundles: {
    /** Its size, with its offer where that is needed to tell it from others. */
    name: string
    pricePesewas: Pesewas | null
    /** What the shop asks for it, where that is not the price already. */
    sellPesewas: Pesewas | null
  }[],
) =>
  [
    b(foreignWord(network)),
    ...(bundles.length === 0 ? ['nothing at the moment'] : []),
    ...bundles.slice(0, mostListed).map((bundle) => {
      const sell = bundle.sellPesewas === null ? '' : ` → ${formatGhs(bundle.sellPesewas)}`
      const price = bundle.pricePesewas === null ? '–' : formatGhs(bundle.pricePesewas)
      return `${foreignWord(bundle.name)} · ${price}${sell}`
    }),
    ...(bundles.length > mostListed ? [`and ${bundles.length - mostListed} more: /buy shows all`] : []),
  ].join('\n')

/** Above the bundles to an agent: the prices are what they pay. @param unpriced bundles without one. */
export const priceHeadForAgent = (prices: AgentPrices, unpriced: number) =>
  lines(
    b('📋 What you can order'),
    prices === 'none'
      ? 'The owner shows no prices here: ask them.'
      : unpriced > 0
        ? '– has no price for you: ask the owner.'
        : null,
  )

/** Above the bundles: whose prices these are. */
export const priceHead = (isOwner: boolean, hasSelling: boolean) =>
  lines(
    b(isOwner ? '📋 What bundles cost you' : '📋 What bundles cost the wallet'),
    hasSelling
      ? `${isOwner ? 'cost → what you sell it for' : 'cost → what the shop sells it for'}: /prices`
      : isOwner
        ? 'Your own selling prices, and a list to post: /prices'
        : null,
  )

import type { Order } from '../../domain/order/order.ts'
import type { AgentPrices } from '../../domain/selling/price-rule.ts'
import { formatGhs, type Pesewas } from '../../provider/money.ts'
import { sizeName } from '../../shop/offer-name.ts'
import { foreignWord, oneLine } from '../chat/screen.ts'
import { b, code, lines } from './markup.ts'

/** For the customer. @param balanceCode the code that shows what a number has, such as `*124#`. */
export const checkYourself = (balanceCode: string) => `To check the balance, dial ${code(balanceCode)}.`

/** For the seller: a code shows what the phone that dials it has. */
export const customerCanCheck = (balanceCode: string) =>
  `Your customer can dial ${code(balanceCode)} to check.`

/** @param offerSlug set if several bundles of the network have that size. */
export const bundleName = (network: string, volume: string, offerSlug: string | null = null) =>
  `${foreignWord(network)} ${foreignWord(sizeName(network, volume, offerSlug))}`

export const bundleOf = ({ network, volume, offerSlug }: Pick<Order, 'network' | 'volume' | 'offerSlug'>) =>
  bundleName(network, volume, offerSlug)

/** @param price null if the reader sees no prices. */
export const bundleLabel = (name: string, price: Pesewas | null) =>
  price === null ? oneLine(name) : `${oneLine(name)} · ${formatGhs(price)}`

export const noBundles = (network: string) =>
  `The provider has no ${foreignWord(network)} bundles for your account right now.`

export const noBundlesAtAll = 'The provider has no bundles for your account right now.'

export const noSuchNetwork = (word: string) => `I don’t know the network ${code(word, 40)}. Choose one:`

export const soldNoMore = 'This bundle is no longer sold, so nothing new was ordered. See /bundles.'

export const bundleGone = 'This bundle is no longer sold. Nothing was ordered. Choose another:'

/** Says that no bundle has that size. @param network null if the person asked for all networks. */
export const notSold = (size: string, network: string | null) =>
  network === null
    ? `No network has a ${foreignWord(size)} bundle for your account. The closest sizes:`
    : `${foreignWord(network)} has no ${foreignWord(size)} bundle for your account. The closest sizes:`

export const buyLabel = (network: string, name: string) => `🛒 Buy ${oneLine(network)} ${oneLine(name)}`

/** The label of the button to all bundles. @param network null: of all networks. */
export const allLabel = (network: string | null) =>
  network === null ? 'All bundles' : `All ${oneLine(network)} bundles`

/** How many bundles a text lists at most. The others are only counted. */
const maxListed = 30

export const priceBlock = (
  network: string,
  bundles: {
    /** The size, with the offer's name if several bundles have that size. */
    name: string
    pricePesewas: Pesewas | null
    /** The selling price, if the price shown is a different one. */
    sellPesewas: Pesewas | null
  }[],
) =>
  [
    b(foreignWord(network)),
    ...(bundles.length === 0 ? ['Nothing at the moment.'] : []),
    ...bundles.slice(0, maxListed).map((bundle) => {
      const sell = bundle.sellPesewas === null ? '' : ` → ${formatGhs(bundle.sellPesewas)}`
      const price = bundle.pricePesewas === null ? '–' : formatGhs(bundle.pricePesewas)
      return `${foreignWord(bundle.name)} · ${price}${sell}`
    }),
    ...(bundles.length > maxListed ? [`… and ${bundles.length - maxListed} more: see /buy`] : []),
  ].join('\n')

/**
 * The heading above an agent's bundles, whose prices are what the agent pays. @param unpriced how many bundles have no
 * price.
 */
export const priceHeadForAgent = (prices: AgentPrices, unpriced: number) =>
  lines(
    b('📋 What you can order'),
    prices === 'none' ? 'Ask the owner for prices.' : unpriced > 0 ? 'No price (–)? Ask the owner.' : null,
  )

/** The heading above bundles at cost. It says who pays these prices: the reader or the owner. */
export const priceHead = (isOwner: boolean, hasSelling: boolean) =>
  lines(
    b(isOwner ? '📋 What you pay for bundles' : '📋 What the owner pays for bundles'),
    hasSelling
      ? isOwner
        ? 'Cost → your selling price. Change it: /prices'
        : 'Cost → the shop’s selling price'
      : isOwner
        ? 'Set selling prices and make a price list: /prices'
        : null,
  )

import { type Shop, type Shopfront, sellingPrice, shopfrontOf } from '../domain/selling/price-rule.ts'
import { megabytesOf, readSize } from '../lists/size.ts'
import type { Bundle } from '../provider/index.ts'
import type { Pesewas } from '../provider/money.ts'
import { sizeName } from './offer-name.ts'

/** A price list for customers. It contains selling prices and nothing about the shop's costs. */
export interface PriceList {
  shop: Shopfront
  networks: { network: string; items: PriceListItem[] }[]
  /** How many bundles are left out because the shop has no selling price for them. */
  unpriced: number
  /** How many bundles are left out because the shop hides them. */
  hidden: number
}

interface PriceListItem {
  /** The size. If the network has several bundles of that size, the name of the offer follows: `5GB Express`. */
  name: string
  pricePesewas: Pesewas
}

/**
 * Which bundles a list contains: those of `network` that are not hidden. If `network` is null, those of all networks,
 * in the provider's order.
 */
interface Selection {
  network: string | null
  hidden: ReadonlySet<number>
}

export const priceListOf = (shop: Shop, all: Bundle[], { network, hidden }: Selection): PriceList => {
  const bundles = all.filter(({ id }) => !hidden.has(id))
  const names = network === null ? [...new Set(bundles.map((bundle) => bundle.network))] : [network]
  const sold = names.map((name) => ({
    network: name,
    offers: offersOf(
      shop,
      bundles.filter((bundle) => bundle.network === name),
    ),
  }))
  return {
    shop: shopfrontOf(shop),
    networks: sold
      .map(({ network, offers }) => ({ network, items: offers.filter(isPriced).map(itemOf) }))
      .filter(({ items }) => items.length > 0),
    unpriced: sold.flatMap(({ offers }) => offers).filter((offer) => !isPriced(offer)).length,
    hidden: all.filter((bundle) => hidden.has(bundle.id) && (network ?? bundle.network) === bundle.network)
      .length,
  }
}

interface Offer {
  name: string
  pricePesewas: Pesewas | null
}

type Priced = Offer & { pricePesewas: Pesewas }

const isPriced = (offer: Offer): offer is Priced => offer.pricePesewas !== null

const itemOf = ({ name, pricePesewas }: Priced): PriceListItem => ({ name, pricePesewas })

/** Sorted by size, then by price, cheapest first. */
const offersOf = (shop: Shop, bundles: Bundle[]): Offer[] => {
  const names = bundleNames(bundles)
  return bundles
    .map((bundle) => ({
      name: names.get(bundle.id) ?? bundle.volume,
      pricePesewas: sellingPrice(shop, { ...bundle, bundleId: bundle.id }, bundle.pricePesewas),
      size: sizeOf(bundle),
    }))
    .sort((a, b) => a.size - b.size || (a.pricePesewas ?? 0) - (b.pricePesewas ?? 0))
}

/** In megabytes, for sorting. A bundle whose volume is not a size comes last. */
const sizeOf = ({ volume }: Bundle): number => {
  const size = readSize(volume)
  return size ? megabytesOf(size) : Number.MAX_SAFE_INTEGER
}

/** The name of each bundle within its network, by id: its size, with its offer if several bundles share a size. */
export const bundleNames = (
  bundles: readonly Pick<Bundle, 'id' | 'network' | 'volume' | 'offerSlug'>[],
): Map<number, string> =>
  new Map(
    [...Map.groupBy(bundles, ({ network, volume }) => `${network} ${volume}`).values()].flatMap((twins) =>
      distinct(twins.map((twin) => (twins.length > 1 ? withOffer(twin) : twin.volume))).map(
        (name, index) => [twins[index]?.id ?? 0, name] as const,
      ),
    ),
  )

const withOffer = ({
  network,
  volume,
  offerSlug,
}: Pick<Bundle, 'network' | 'volume' | 'offerSlug'>): string => sizeName(network, volume, offerSlug)

/** Numbers equal names: `5GB`, `5GB (2)`. */
const distinct = (names: string[]): string[] =>
  names.map((name, index) => {
    const earlier = names.slice(0, index).filter((other) => other === name).length
    return earlier === 0 ? name : `${name} (${earlier + 1})`
  })
